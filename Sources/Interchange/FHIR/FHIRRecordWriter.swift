package import Clinical

/// What a resource is made of: a record under the id that other records use, and under the one that its source gave it.
package struct FHIRRecord: Sendable {
  package let record: ImportRecord
  /// As other records refer to it.
  package let shownID: String
  /// Nil for the source that an import takes where none is named.
  package let source: String?
  package let additions: RowAdditions?

  package init(_ record: ImportRecord, shownID: String, source: String?, additions: RowAdditions?) {
    self.record = record
    self.shownID = shownID
    self.source = source
    self.additions = additions
  }

  /// The identifier under which its source knows it, and the id that other records use where FHIR can't spell that.
  fileprivate var identifiers: JSONValue {
    let assigner = source.map { JSONValue.members(("display", .string($0))) }
    var list = [
      JSONValue.members(
        ("system", .string(FHIRName.identifier(record.kind))), ("value", .string(record.id)), ("assigner", assigner))
    ]
    if FHIRIdentity.encode(shownID) != shownID || shownID != record.id {
      list.append(.members(("system", .string(FHIRName.reference)), ("value", .string(shownID))))
    }
    return .list(list)
  }

  /// What is kept beside the record, as one extension; empty for nothing.
  fileprivate func kept(in zone: PracticeTimeZone) -> [JSONValue] {
    guard let additions else { return [] }
    var json = JSONText()
    json.object { additions.write(to: &$0, in: zone) }
    guard let value = try? JSONParser.parse(json.bytes), !value.isEmpty else { return [] }
    return [FHIRExtension.nested("kept-beside", value)]
  }
}

/// Makes resources of records. What FHIR has no element for stands in extensions, so that ``FHIRRowReader`` gives the record back.
package struct FHIRRecordWriter: Sendable {
  package let timeZone: PracticeTimeZone

  package init(timeZone: PracticeTimeZone) {
    self.timeZone = timeZone
  }

  /// - Parameters:
  ///   - record: what leaves.
  ///   - animals: of a client, the ids of its animals.
  ///   - staff: ids and names of the people whom notes name as authors.
  /// - Returns: the resources that the record is told in.
  package func resources(
    for record: FHIRRecord, animals: [String] = [], staff: [String: String] = [:]
  ) -> [FHIRResource] {
    switch record.record {
    case .client(let client): self.client(client, record, animals)
    case .patient(let patient): [self.patient(patient, record)]
    case .location(let location): [site(location, record)]
    case .staff(let member): self.staff(member, record)
    case .resource(let resource): [location(resource, record)]
    case .note(let note, _): [self.note(note, record, staff)]
    case .intake(let intake, _): [self.intake(intake, record)]
    case .appointment(let appointment, _): [self.appointment(appointment, record)]
    case .calendarEntry: []
    }
  }

  // MARK: People and animals

  private func client(_ client: Client, _ record: FHIRRecord, _ animals: [String]) -> [FHIRResource] {
    var telecom: [JSONValue] = client.phones.enumerated().map { rank, phone in
      .members(
        ("extension", phone.label.map { [FHIRExtension.string("label", $0)] }), ("system", "phone"),
        ("value", .string(phone.number)), ("rank", .number("\(rank + 1)")))
    }
    if let email = client.email { telecom.append(.members(("system", "email"), ("value", .string(email)))) }
    let address = client.address.map { JSONValue.list([.members(("text", .string($0)))]) }
    let name: JSONValue = [.members(("text", .string(client.name)))]
    let related = animals.map { animal in
      FHIRResource(
        "RelatedPerson", "\(animal).owner",
        [
          ("identifier", record.identifiers), ("active", .truth(true)),
          ("patient", FHIRReference("Patient", animal).json),
          ("relationship", [FHIRConcept(text: "owner").json]), ("name", name), ("telecom", .list(telecom)),
          ("address", address),
        ])
    }
    let links = related.map { JSONValue.members(("target", FHIRReference("RelatedPerson", $0.id).json)) }
    let person = FHIRResource(
      "Person", record.shownID,
      [
        ("identifier", record.identifiers), ("name", name), ("telecom", .list(telecom)), ("address", address),
        ("link", .list(links)),
      ])
    return [person] + related
  }

  private func patient(_ patient: Patient, _ record: FHIRRecord) -> FHIRResource {
    var animal = [
      JSONValue.members(
        ("url", "species"),
        (
          "valueCodeableConcept",
          FHIRConcept(
            [.init(FHIRName.codes("species"), FHIRIdentity.code(patient.species.rawValue), patient.species.rawValue)],
            text: patient.species.rawValue
          ).json
        ))
    ]
    if let breed = patient.breed {
      animal.append(.members(("url", "breed"), ("valueCodeableConcept", FHIRConcept(text: breed).json)))
    }
    let state = FHIRSex(patient.sex)
    animal.append(
      .members(
        ("url", "genderStatus"),
        ("valueCodeableConcept", FHIRConcept([.init(FHIRSex.statusSystem, state.status)]).json)))
    var extensions = [JSONValue.members(("extension", .list(animal)), ("url", .string(FHIRSex.animalURL)))]
    if let weight = patient.weightKilograms { extensions.append(Self.weight(weight)) }
    extensions += record.kept(in: timeZone)
    var identifiers = record.identifiers.items
    if let chip = patient.microchip {
      identifiers.append(
        .members(
          (
            "type",
            FHIRConcept([.init("http://terminology.hl7.org/CodeSystem/v2-0203", "MCN")], text: "microchip").json
          ), ("value", .string(chip))))
    }
    return FHIRResource(
      "Patient", record.shownID,
      [
        ("extension", .list(extensions)), ("identifier", .list(identifiers)),
        ("name", [.members(("text", .string(patient.name)))]), ("gender", .string(state.gender)),
        ("birthDate", patient.dateOfBirth.map { .string($0.description) }),
        ("deceasedDateTime", patient.deceasedAt.map { .string($0.description) }),
        (
          "contact",
          patient.ownerName.map { [.members(("name", .members(("text", .string($0)))))] }
        ),
      ])
  }

  private static func weight(_ kilograms: Double) -> JSONValue {
    .members(
      ("url", .string(FHIRName.extension("registered-weight"))),
      (
        "valueQuantity",
        .members(
          ("value", .decimal(kilograms)), ("unit", "kg"), ("system", "http://unitsofmeasure.org"), ("code", "kg"))
      ))
  }

  private func staff(_ member: StaffMember, _ record: FHIRRecord) -> [FHIRResource] {
    var extensions: [JSONValue] = []
    if !member.breaks.isEmpty {
      let breaks = member.breaks.map { pause in
        JSONValue.members(
          ("weekday", .number("\(pause.weekday)")), ("earliest", .string(clock(pause.window.lowerBound))),
          ("latest", .string(clock(pause.window.upperBound))), ("minutes", .number("\(pause.minutes)")))
      }
      extensions.append(FHIRExtension.nested("breaks", .list(breaks)))
    }
    if !member.load.isEmpty {
      let counts = member.load.mostPerDay.sorted { $0.key < $1.key }.map {
        JSONValue.Member($0.key, .number("\($0.value)"))
      }
      extensions.append(
        FHIRExtension.nested(
          "load",
          .members(
            ("most_per_day", counts.isEmpty ? nil : .object(counts)),
            ("latest_long_start", member.load.latestLongStart.map { .string(clock($0)) }),
            ("long_minutes", .number("\(member.load.longMinutes)")))))
    }
    let qualifications = member.credentials.map { credential in
      JSONValue.members(
        ("code", FHIRConcept(text: credential.name).json),
        ("period", credential.expires.map { .members(("end", .string($0.description))) }))
    }
    let practitioner = FHIRResource(
      "Practitioner", record.shownID,
      [
        ("identifier", record.identifiers), ("name", [.members(("text", .string(member.name)))]),
        ("qualification", qualifications.isEmpty ? nil : .list(qualifications)),
      ])
    let hours = member.workingHours.map { hours in
      JSONValue.members(
        ("extension", hours.locationID.map { [FHIRExtension.string("location", $0)] }),
        ("daysOfWeek", [.string(FHIRWeek.days[hours.weekday - 1])]),
        ("availableStartTime", .string(FHIRWeek.time(hours.minutes.lowerBound))),
        ("availableEndTime", .string(FHIRWeek.time(hours.minutes.upperBound))))
    }
    let leave = member.leave.map { leave in
      JSONValue.members(
        ("description", "leave"),
        (
          "during",
          .members(
            ("start", .string(leave.days.lowerBound.description)), ("end", .string(leave.days.upperBound.description)))
        ))
    }
    let skills = member.skills.sorted { $0.key < $1.key }.map { name, level in
      JSONValue.members(("extension", [FHIRExtension.decimal("competence", level)]), ("text", .string(name)))
    }
    var codings = [FHIRConcept.Coding(FHIRName.codes("staff-role"), member.role.rawValue)]
    let system = "http://terminology.hl7.org/CodeSystem/practitioner-role"
    if member.role == .veterinarian { codings.append(.init(system, "doctor")) }
    if member.role == .nurse { codings.append(.init(system, "nurse")) }
    let role = FHIRResource(
      "PractitionerRole", "\(record.shownID).role",
      [
        ("extension", .list(extensions)), ("practitioner", FHIRReference("Practitioner", record.shownID).json),
        ("organization", FHIRReference("Organization", "practice").json),
        ("code", [FHIRConcept(codings, text: member.role.rawValue).json]), ("specialty", .list(skills)),
        ("availableTime", .list(hours)), ("notAvailable", .list(leave)),
      ])
    return [practitioner, role]
  }

  private func location(_ resource: Resource, _ record: FHIRRecord) -> FHIRResource {
    FHIRResource(
      "Location", record.shownID,
      [
        (
          "extension",
          [
            FHIRExtension.integer("capacity", resource.capacity),
            FHIRExtension.integer("cleaning-minutes", resource.cleaningMinutes),
          ]
        ),
        ("identifier", record.identifiers), ("name", .string(resource.name)),
        ("physicalType", FHIRConcept(text: resource.kind).json),
        ("managingOrganization", FHIRReference("Organization", "practice").json),
        ("partOf", resource.locationID.map { FHIRReference("Location", Self.siteID($0)).json }),
      ])
  }

  /// Rooms are Locations as well, and may have the same id.
  private static func siteID(_ id: String) -> String { "\(id).site" }

  private func site(_ location: Location, _ record: FHIRRecord) -> FHIRResource {
    let hours = location.hours.map { hours in
      JSONValue.members(
        ("daysOfWeek", [.string(FHIRWeek.days[hours.weekday - 1])]),
        ("openingTime", .string(FHIRWeek.time(hours.minutes.lowerBound))),
        ("closingTime", .string(FHIRWeek.time(hours.minutes.upperBound))))
    }
    let closures = location.closures.map { closure in
      JSONValue.members(
        ("from", .string(closure.days.lowerBound.description)), ("to", .string(closure.days.upperBound.description)),
        ("open", closure.isOpen ? .truth(true) : nil), ("reason", closure.reason.map(JSONValue.string)))
    }
    var extensions: [JSONValue] = []
    if let region = location.region { extensions.append(FHIRExtension.string("holiday-region", region)) }
    if !closures.isEmpty { extensions.append(FHIRExtension.nested("closures", .list(closures))) }
    return FHIRResource(
      "Location", Self.siteID(record.shownID),
      [
        ("extension", extensions.isEmpty ? nil : .list(extensions)), ("identifier", record.identifiers),
        ("name", .string(location.name)),
        ("address", location.address.map { .members(("text", .string($0))) }),
        ("physicalType", FHIRConcept([.init(FHIRRow.siteSystem, "si", "Site")]).json),
        ("managingOrganization", FHIRReference("Organization", "practice").json),
        ("hoursOfOperation", hours.isEmpty ? nil : .list(hours)),
      ])
  }

  // MARK: What was written, asked for and booked

  private func note(_ note: ClinicalNote, _ record: FHIRRecord, _ staff: [String: String]) -> FHIRResource {
    let author = note.author.map { author -> JSONValue in
      var reference = FHIRReference(display: author)
      if staff[author] != nil { reference = FHIRReference("Practitioner", author, display: author) }
      return [reference.json]
    }
    return document(
      record, code: note.kind.rawValue, text: note.text, patient: note.patientID, date: note.recordedAt, author: author,
      extensions: [])
  }

  private func intake(_ intake: Intake, _ record: FHIRRecord) -> FHIRResource {
    let details = JSONValue.members(
      ("channel", intake.channel.map(JSONValue.string)), ("species", intake.species.map { .string($0.rawValue) }),
      ("breed", intake.breed.map(JSONValue.string)), ("age", intake.age.map(JSONValue.string)),
      ("sex", .string(intake.sex.rawValue)), ("weight_kg", intake.weightKilograms.map(JSONValue.decimal)))
    return document(
      record, code: "request", text: intake.text, patient: intake.patientID, date: intake.receivedAt, author: nil,
      extensions: [FHIRExtension.nested("request", details)])
  }

  private func document(
    _ record: FHIRRecord, code: String, text: String, patient: String?, date: Timestamp?, author: JSONValue?,
    extensions: [JSONValue]
  ) -> FHIRResource {
    let isRetracted = record.additions?.retraction != nil
    // Requests are no notes, and have ids of their own.
    let id = code == "request" ? "request-\(record.shownID)" : record.shownID
    return FHIRResource(
      "DocumentReference", id,
      [
        ("extension", .list(extensions + record.kept(in: timeZone))), ("identifier", record.identifiers),
        ("status", .string(isRetracted ? "entered-in-error" : "current")),
        ("type", FHIRConcept([.init(FHIRName.codes("document"), code)], text: code).json),
        ("subject", patient.map { FHIRReference("Patient", $0).json }),
        ("date", date.map { .string(timeZone.iso8601($0)) }), ("author", author),
        (
          "content",
          [
            .members(
              (
                "attachment",
                .members(
                  ("contentType", "text/plain; charset=utf-8"), ("data", .string(Base64.encode(Array(text.utf8)))))
              ))
          ]
        ),
      ])
  }

  private func appointment(_ appointment: Appointment, _ record: FHIRRecord) -> FHIRResource {
    var extensions = record.kept(in: timeZone)
    let status = FHIRAppointmentStatus(appointment.status)
    if let exact = status.exact { extensions.append(FHIRExtension.code("appointment-status", exact)) }
    if let actual = appointment.actualMinutes { extensions.append(FHIRExtension.decimal("actual-minutes", actual)) }
    var participants: [JSONValue] = []
    func add(_ type: String, _ id: String) {
      participants.append(.members(("actor", FHIRReference(type, id).json), ("status", "accepted")))
    }
    if let patient = appointment.patientID { add("Patient", patient) }
    if let clinician = appointment.clinicianID { add("Practitioner", clinician) }
    for resource in appointment.resourceIDs { add("Location", resource) }
    if participants.isEmpty {
      participants = [.members(("type", [FHIRConcept(text: "nobody yet").json]), ("status", "needs-action"))]
    }
    return FHIRResource(
      "Appointment", record.shownID,
      [
        ("extension", .list(extensions)), ("identifier", record.identifiers), ("status", .string(status.code)),
        ("serviceType", appointment.visitType.map { [FHIRConcept(text: $0.rawValue).json] }),
        ("reasonCode", appointment.reason.map { [FHIRConcept(text: $0).json] }),
        ("start", .string(timeZone.iso8601(appointment.start))), ("end", .string(timeZone.iso8601(appointment.end))),
        ("minutesDuration", appointment.durationMinutes > 0 ? .number("\(appointment.durationMinutes)") : nil),
        ("participant", .list(participants)),
      ])
  }
}
