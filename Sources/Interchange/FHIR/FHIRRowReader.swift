import Clinical

/// Makes rows of the import format from resources of FHIR R4.
struct FHIRRowReader {
  let library: FHIRLibrary

  /// The row; nil where another resource tells the same.
  func row(_ resource: JSONValue, type: String, kind: ImportKind, url: String? = nil) -> FHIRRow? {
    var row = FHIRRow(kind)
    let id = FHIRRow.id(of: resource, type: type, url: url)
    row.set("id", id, from: "id")
    row.source = FHIRRow.identifier(of: resource)?["assigner"]?["display"]?.text
    switch type {
    case "Person": client(resource, &row)
    case "RelatedPerson":
      if library.people.contains(id) { return nil }
      client(resource, &row)
    case "Patient": patient(resource, id: FHIRRow.shownID(of: resource) ?? id, &row)
    case "Practitioner": staff(resource, id: FHIRRow.shownID(of: resource) ?? id, &row)
    case "Location" where kind == .locations: location(resource, &row)
    case "Location": room(resource, &row)
    case "Appointment": appointment(resource, &row)
    case "DocumentReference": document(resource, &row)
    default: FHIRNoteText(resource, type: type, library: library).fill(&row, id: id)
    }
    takeAdditions(of: resource, into: &row)
    return row
  }

  /// What VetNet keeps beside a record; and of others' notes that they were entered in error.
  private func takeAdditions(of resource: JSONValue, into row: inout FHIRRow) {
    if let kept = FHIRRow.extension("kept-beside", of: resource),
      case .object(let parts)? = FHIRExtension.value(of: kept)
    {
      for part in parts where RowAdditions.keys(for: row.kind).contains(part.key) {
        row.values[part.key] = FieldValue(part.value)
      }
    }
    let status = resource["status"]?.text ?? FHIRConcept(resource["verificationStatus"])?.codings.first?.code
    if row.kind == .notes, row.values["retracted"] == nil, status == "entered-in-error",
      let moment = row.values["recorded_at"]
    {
      row.values["retracted"] = .object([
        "at": moment, "actor": .text("FHIR"), "reason": .text("entered in error, as the source says"),
      ])
    }
  }

  // MARK: People and animals

  private func client(_ resource: JSONValue, _ row: inout FHIRRow) {
    row.set("name", FHIRRow.name(resource), from: "name")
    let telecom = resource.objects("telecom")
    let numbers = telecom.filter { ["phone", "sms", nil].contains($0["system"]?.text) && $0["value"]?.text != nil }
      .sorted { ($0["rank"]?.double ?? .infinity) < ($1["rank"]?.double ?? .infinity) }
    let phones: [FieldValue] = numbers.map { number in
      var parts: [String: FieldValue] = ["number": .text(number["value"]?.text ?? "")]
      let isOwn = resource.objects("identifier").contains { $0["system"]?.text == FHIRName.identifier(.clients) }
      let label = FHIRRow.extension("label", of: number)?["valueString"]?.text ?? (isOwn ? nil : number["use"]?.text)
      if let label { parts["label"] = .text(label) }
      return .object(parts)
    }
    if !phones.isEmpty { row.set("phone", .list(phones), from: "telecom") }
    row.set("email", telecom.first { $0["system"]?.text == "email" }?["value"]?.text, from: "telecom")
    row.set("address", FHIRRow.address(resource), from: "address")
  }

  private func patient(_ resource: JSONValue, id: String, _ row: inout FHIRRow) {
    row.set("name", FHIRRow.name(resource), from: "name")
    let animal = resource.objects("extension").first { $0["url"]?.text == FHIRSex.animalURL }
    func concept(_ part: String) -> FHIRConcept? {
      FHIRConcept(animal?.objects("extension").first { $0["url"]?.text == part }?["valueCodeableConcept"])
    }
    row.set("species", concept("species")?.words, from: "extension(patient-animal).species")
    row.set("breed", concept("breed")?.words, from: "extension(patient-animal).breed")
    let status = concept("genderStatus").flatMap { $0.codings.first?.code ?? $0.text }
    row.set("sex", FHIRSex.word(gender: resource["gender"]?.text, status: status), from: "gender")
    row.set("date_of_birth", day(resource["birthDate"]?.text), from: "birthDate")
    row.set("deceased_at", day(resource["deceasedDateTime"]?.text), from: "deceasedDateTime")
    let weight = FHIRRow.extension("registered-weight", of: resource)?["valueQuantity"]?["value"]
    row.set("weight_kg", weight.flatMap(FieldValue.init), from: "extension(registered-weight)")
    let chip = resource.objects("identifier").first {
      FHIRConcept($0["type"]).map { type in
        type.codings.contains { $0.code == "MCN" } || type.text?.lowercased().contains("microchip") == true
      } ?? false
    }
    row.set("microchip", chip?["value"]?.text, from: "identifier")
    let contact = resource.objects("contact").lazy.compactMap { FHIRRow.name(of: $0.objects("name")) }.first
    if let owner = library.owners[id] {
      row.set("owner_id", owner.id, from: "RelatedPerson.patient")
      // The owner's own row has the name.
      if let contact, contact != owner.name { row.set("owner_name", contact, from: "contact.name") }
    } else {
      row.set("owner_name", contact, from: "contact.name")
    }
  }

  /// A day, of a month its first; a year stands for itself.
  private func day(_ text: String?) -> FieldValue? {
    guard let text else { return nil }
    return text.utf8.count == 4
      ? .text(text) : text.utf8.count == 7 ? .text("\(text)-01") : .text(String(text.prefix(10)))
  }

  private func staff(_ resource: JSONValue, id: String, _ row: inout FHIRRow) {
    row.set("name", FHIRRow.name(resource), from: "name")
    let roles = library.roles[id] ?? []
    row.set("role", role(roles), from: "PractitionerRole.code")
    var skills: [String: FieldValue] = [:]
    for specialty in roles.flatMap({ $0.objects("specialty") }) {
      guard let name = FHIRConcept(specialty)?.words else { continue }
      let level = FHIRRow.extension("competence", of: specialty)?["valueDecimal"]
      skills[name] = level.flatMap(FieldValue.init) ?? .number(1, "1")
    }
    if !skills.isEmpty { row.set("skills", .object(skills), from: "PractitionerRole.specialty") }
    let hours = roles.flatMap { $0.objects("availableTime") }.flatMap(Self.hours)
    if !hours.isEmpty { row.set("working_hours", .list(hours), from: "PractitionerRole.availableTime") }
    let breaks = roles.compactMap { FHIRRow.extension("breaks", of: $0) }.compactMap(FHIRExtension.value).flatMap(
      \.items)
    if !breaks.isEmpty {
      row.set("breaks", .list(breaks.compactMap(FieldValue.init)), from: "PractitionerRole.extension(breaks)")
    }
    let leave = roles.flatMap { $0.objects("notAvailable") }.compactMap { away -> FieldValue? in
      guard let period = away["during"], let start = period["start"]?.text else { return nil }
      let end = period["end"]?.text ?? start
      return .object(["from": .text(String(start.prefix(10))), "to": .text(String(end.prefix(10)))])
    }
    if !leave.isEmpty { row.set("leave", .list(leave), from: "PractitionerRole.notAvailable") }
    let credentials = resource.objects("qualification").compactMap { qualification -> FieldValue? in
      guard let name = FHIRConcept(qualification["code"])?.words else { return nil }
      var credential: [String: FieldValue] = ["name": .text(name)]
      if let end = qualification["period"]?["end"]?.text { credential["expires"] = .text(String(end.prefix(10))) }
      return .object(credential)
    }
    if !credentials.isEmpty { row.set("credentials", .list(credentials), from: "qualification") }
    let load = roles.lazy.compactMap { FHIRRow.extension("load", of: $0) }.compactMap(FHIRExtension.value).first
    row.set("load", load.flatMap(FieldValue.init), from: "PractitionerRole.extension(load)")
  }

  /// FHIR's Practitioner treats: who is nothing else is a veterinarian, though without hours nobody is booked with.
  private func role(_ roles: [JSONValue]) -> String {
    let concepts = roles.flatMap { $0.objects("code") }.compactMap { FHIRConcept($0) }
    if let own = concepts.lazy.compactMap({ $0.code(in: FHIRName.codes("staff-role")) }).first { return own }
    let codes = Set(concepts.flatMap(\.codings).compactMap(\.code))
    if codes.contains("doctor") { return "veterinarian" }
    if codes.contains("nurse") { return "nurse" }
    return codes.contains("receptionist") ? "reception" : "veterinarian"
  }

  private static func hours(_ time: JSONValue) -> [FieldValue] {
    (time["daysOfWeek"]?.items ?? []).compactMap { day in
      guard let weekday = day.text.flatMap({ FHIRWeek.days.firstIndex(of: $0) }) else { return nil }
      let isAllDay = time["allDay"]?.truth == true
      guard let start = isAllDay ? "00:00" : time["availableStartTime"]?.text.map(FHIRWeek.clockText),
        let end = isAllDay ? "24:00" : time["availableEndTime"]?.text.map(FHIRWeek.clockText)
      else { return nil }
      var hours: [String: FieldValue] = [
        "weekday": .number(Double(weekday + 1), "\(weekday + 1)"), "start": .text(start), "end": .text(end),
      ]
      if let location = FHIRRow.extension("location", of: time)?["valueString"]?.text {
        hours["location_id"] = .text(location)
      }
      return .object(hours)
    }
  }

  private func room(_ resource: JSONValue, _ row: inout FHIRRow) {
    row.set("name", resource["name"]?.text ?? resource["description"]?.text, from: "name")
    let physical = FHIRConcept(resource["physicalType"])
    let isRoom = physical?.codings.contains { $0.code == "ro" } ?? false
    let type = resource.objects("type").lazy.compactMap { FHIRConcept($0)?.words }.first
    row.set("kind", isRoom ? "room" : physical?.words ?? type ?? "room", from: "physicalType")
    let capacity = FHIRRow.extension("capacity", of: resource)?["valueInteger"]
    row.set("capacity", capacity.flatMap(FieldValue.init), from: "extension(capacity)")
    let cleaning = FHIRRow.extension("cleaning-minutes", of: resource)?["valueInteger"]
    row.set("cleaning_minutes", cleaning.flatMap(FieldValue.init), from: "extension(cleaning-minutes)")
    row.set("location_id", library.target(of: FHIRReference(resource["partOf"])?.reference)?.id, from: "partOf")
  }

  private func location(_ resource: JSONValue, _ row: inout FHIRRow) {
    row.set("name", resource["name"]?.text ?? resource["description"]?.text, from: "name")
    row.set("address", resource["address"]?["text"]?.text, from: "address")
    row.set(
      "region", FHIRRow.extension("holiday-region", of: resource)?["valueString"]?.text, from: "extension(region)")
    let hours = resource.objects("hoursOfOperation").flatMap { time -> [FieldValue] in
      Self.hours(
        .members(
          ("daysOfWeek", time["daysOfWeek"]), ("allDay", time["allDay"]), ("availableStartTime", time["openingTime"]),
          ("availableEndTime", time["closingTime"])))
    }
    if !hours.isEmpty { row.set("opening_hours", .list(hours), from: "hoursOfOperation") }
    let closures = FHIRRow.extension("closures", of: resource).flatMap(FHIRExtension.value)?.items ?? []
    if !closures.isEmpty {
      row.set("closures", .list(closures.compactMap(FieldValue.init)), from: "extension(closures)")
    }
  }

  // MARK: What is booked, asked for and written

  private func appointment(_ resource: JSONValue, _ row: inout FHIRRow) {
    let actors = resource.objects("participant").compactMap { part in
      library.target(of: FHIRReference(part["actor"])?.reference)
    }
    row.set("patient_id", actors.first { $0.type == "Patient" }?.id, from: "participant.actor")
    let clinicians = actors.filter { $0.type == "Practitioner" }
    row.set("clinician_id", clinicians.first?.id, from: "participant.actor")
    let rooms = actors.filter { $0.type == "Location" }.map { FieldValue.text($0.id) }
    if !rooms.isEmpty { row.set("resource_ids", .list(rooms), from: "participant.actor") }
    let wished = resource.objects("requestedPeriod").first
    let start = resource["start"]?.text ?? wished?["start"]?.text
    row.set("start", FHIRRow.moment(start), from: "start")
    var minutes = resource["minutesDuration"].flatMap(FieldValue.init)
    if minutes == nil, let from = start.flatMap(Self.seconds), let to = resource["end"]?.text.flatMap(Self.seconds) {
      minutes = .number(Double((to - from) / 60), "\((to - from) / 60)")
    }
    row.set("duration_minutes", minutes, from: "minutesDuration")
    let exact = FHIRRow.extension("appointment-status", of: resource)?["valueCode"]?.text
    row.set("status", exact ?? resource["status"]?.text.map { FHIRAppointmentStatus.word($0) ?? $0 }, from: "status")
    let actual = FHIRRow.extension("actual-minutes", of: resource)?["valueDecimal"]
    row.set("actual_minutes", actual.flatMap(FieldValue.init), from: "extension(actual-minutes)")
    let type = (resource.objects("serviceType") + resource.objects("appointmentType")).lazy
      .compactMap { FHIRConcept($0)?.words }.first
    row.set("visit_type", type, from: "serviceType")
    let reasons = resource.objects("reasonCode").compactMap { FHIRConcept($0)?.words }
    let told = [resource["description"]?.text, resource["comment"]?.text].compactMap(\.self)
    let words = reasons + told
    row.set("reason", words.isEmpty ? nil : words.joined(separator: "; "), from: "reasonCode")
  }

  private static func seconds(_ text: String) -> Int64? {
    guard let read = ISODateTime(text) else { return nil }
    return PracticeTimeZone.utc.timestamp(of: read).seconds
  }

  private func document(_ resource: JSONValue, _ row: inout FHIRRow) {
    let patient = library.target(of: FHIRReference(resource["subject"])?.reference)
    row.set("patient_id", patient?.type == "Patient" ? patient?.id : nil, from: "subject")
    let moment = FHIRRow.moment(resource["date"]?.text)
    let text = FHIRNoteText.attachments(resource.objects("content").compactMap { $0["attachment"] })
    row.set("text", text, from: "content.attachment.data")
    if row.kind == .intakes {
      row.set("received_at", moment, from: "date")
      if let request = FHIRRow.extension("request", of: resource),
        case .object(let parts)? = FHIRExtension.value(of: request)
      {
        for part in parts { row.set(part.key, FieldValue(part.value), from: "extension(request).\(part.key)") }
      }
      return
    }
    let period = resource["context"]?["period"]
    row.set("recorded_at", moment ?? FHIRRow.moment(period?["start"]?.text), from: "date")
    let kind = FHIRConcept(resource["type"])?.code(in: FHIRName.codes("document"))
    row.set("kind", kind ?? "consult", from: "type")
    if kind == nil {
      // Another program's document has no id of its own among notes.
      row.values["id"] = row.values["id"]?.cellText.map { .text("DocumentReference/\($0)") }
    }
    row.set("author", FHIRNoteText.author(resource.objects("author").first, library), from: "author")
  }
}
