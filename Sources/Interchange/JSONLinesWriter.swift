public import Clinical

/// Writes records in the import format, one line each: what it writes, ``ImportReader`` reads back as equal values.
///
/// Empty optional texts are left out, and so come back as nil. Times carry the offset of the given zone.
public struct JSONLinesWriter: Sendable {
  public let timeZone: PracticeTimeZone

  public init(timeZone: PracticeTimeZone) {
    self.timeZone = timeZone
  }

  /// The record as one line of JSON in UTF-8, without the line's end: with the source that its ids belong to, where the reader
  /// may not say, and what is kept beside the record.
  ///
  /// - Precondition: numbers are finite.
  public func line(
    for record: ImportRecord, source: String? = nil, additions: RowAdditions? = nil
  ) -> [UInt8] {
    var json = JSONText()
    json.object { json in
      switch record {
      case .client(let client): write(client, to: &json)
      case .patient(let patient): write(patient, to: &json)
      case .location(let location): write(location, to: &json)
      case .staff(let member): write(member, to: &json)
      case .resource(let resource): write(resource, to: &json)
      case .note(let note, let patient): write(note, patient, to: &json)
      case .intake(let intake, let patient): write(intake, patient, to: &json)
      case .appointment(let appointment, let patient): write(appointment, patient, to: &json)
      case .calendarEntry(let entry):
        write(entry.appointment, entry.appointment.patientID.map(PatientReference.id), to: &json)
      }
      json.pair(RowAdditions.sourceKey, source)
      additions?.write(to: &json, in: timeZone)
    }
    return json.bytes
  }

  private func write(_ client: Client, to json: inout JSONText) {
    json.pair("id", client.id)
    json.pair("name", client.name)
    write(client.phones, to: &json)
    json.pair("email", client.email)
    json.pair("address", client.address)
  }

  /// One number without a label as text, others as a list of objects.
  private func write(_ phones: [ClientPhone], to json: inout JSONText) {
    guard phones.count > 1 || phones.first?.label != nil else { return json.pair("phone", phones.first?.number) }
    json.key("phone")
    json.list(phones) { json, phone in
      json.object { json in
        json.pair("label", phone.label)
        json.pair("number", phone.number)
      }
    }
  }

  private func write(_ patient: Patient, to json: inout JSONText) {
    json.pair("id", patient.id)
    json.pair("name", patient.name)
    json.pair("species", patient.species.rawValue)
    json.pair("breed", patient.breed)
    json.pair("sex", patient.sex.rawValue)
    json.pair("date_of_birth", patient.dateOfBirth?.description)
    json.pair("deceased_at", patient.deceasedAt?.description)
    json.pair("weight_kg", patient.weightKilograms)
    json.pair("owner_id", patient.ownerID)
    json.pair("owner_name", patient.ownerName)
    json.pair("microchip", patient.microchip)
  }

  private func write(_ member: StaffMember, to json: inout JSONText) {
    json.pair("id", member.id)
    json.pair("name", member.name)
    json.pair("role", member.role.rawValue)
    json.key("skills")
    json.object { json in
      for (name, level) in member.skills.sorted(by: { $0.key < $1.key }) { json.pair(name, level) }
    }
    json.key("working_hours")
    json.list(member.workingHours) { json, hours in
      json.object { json in
        json.pair("weekday", Double(hours.weekday))
        json.pair("start", clock(hours.minutes.lowerBound))
        json.pair("end", clock(hours.minutes.upperBound))
        json.pair("location_id", hours.locationID)
      }
    }
    json.key("breaks")
    json.list(member.breaks) { json, pause in
      json.object { json in
        json.pair("weekday", Double(pause.weekday))
        json.pair("earliest", clock(pause.window.lowerBound))
        json.pair("latest", clock(pause.window.upperBound))
        json.pair("minutes", Double(pause.minutes))
      }
    }
    json.key("leave")
    json.list(member.leave) { json, leave in
      json.object { json in
        json.pair("from", leave.days.lowerBound.description)
        json.pair("to", leave.days.upperBound.description)
      }
    }
    if !member.credentials.isEmpty {
      json.key("credentials")
      json.list(member.credentials) { json, credential in
        json.object { json in
          json.pair("name", credential.name)
          json.pair("expires", credential.expires?.description)
        }
      }
    }
    if !member.load.isEmpty {
      json.key("load")
      json.object { json in
        if !member.load.mostPerDay.isEmpty {
          json.key("most_per_day")
          json.object { json in
            for (type, count) in member.load.mostPerDay.sorted(by: { $0.key < $1.key }) {
              json.pair(type, Double(count))
            }
          }
        }
        json.pair("latest_long_start", member.load.latestLongStart.map(clock))
        if member.load.longMinutes != StaffMember.LoadPreference().longMinutes {
          json.pair("long_minutes", Double(member.load.longMinutes))
        }
      }
    }
  }

  private func write(_ resource: Resource, to json: inout JSONText) {
    json.pair("id", resource.id)
    json.pair("name", resource.name)
    json.pair("kind", resource.kind)
    json.pair("capacity", Double(resource.capacity))
    json.pair("cleaning_minutes", Double(resource.cleaningMinutes))
    json.pair("location_id", resource.locationID)
  }

  private func write(_ location: Location, to json: inout JSONText) {
    json.pair("id", location.id)
    json.pair("name", location.name)
    json.pair("address", location.address)
    json.pair("region", location.region)
    json.key("opening_hours")
    json.list(location.hours) { json, hours in
      json.object { json in
        json.pair("weekday", Double(hours.weekday))
        json.pair("start", clock(hours.minutes.lowerBound))
        json.pair("end", clock(hours.minutes.upperBound))
      }
    }
    json.key("closures")
    json.list(location.closures) { json, closure in
      json.object { json in
        json.pair("from", closure.days.lowerBound.description)
        json.pair("to", closure.days.upperBound.description)
        if closure.isOpen {
          json.key("open")
          json.truth(true)
        }
        json.pair("reason", closure.reason)
      }
    }
  }

  private func write(_ note: ClinicalNote, _ patient: PatientReference, to json: inout JSONText) {
    json.pair("id", note.id)
    write(patient, to: &json)
    json.pair("recorded_at", timeZone.iso8601(note.recordedAt))
    json.pair("author", note.author)
    json.pair("kind", note.kind.rawValue)
    json.pair("text", note.text)
  }

  private func write(_ intake: Intake, _ patient: PatientReference?, to json: inout JSONText) {
    json.pair("id", intake.id)
    write(patient, to: &json)
    json.pair("received_at", intake.receivedAt.map(timeZone.iso8601))
    json.pair("channel", intake.channel)
    json.pair("species", intake.species?.rawValue)
    json.pair("breed", intake.breed)
    json.pair("age", intake.age)
    json.pair("sex", intake.sex.rawValue)
    json.pair("weight_kg", intake.weightKilograms)
    json.pair("text", intake.text)
  }

  private func write(_ appointment: Appointment, _ patient: PatientReference?, to json: inout JSONText) {
    json.pair("id", appointment.id)
    write(patient, to: &json)
    json.pair("clinician_id", appointment.clinicianID)
    json.key("resource_ids")
    json.list(appointment.resourceIDs) { json, id in json.text(id) }
    json.pair("start", timeZone.iso8601(appointment.start))
    json.pair("duration_minutes", Double(appointment.durationMinutes))
    json.pair("actual_minutes", appointment.actualMinutes)
    json.pair("visit_type", appointment.visitType?.rawValue)
    json.pair("reason", appointment.reason)
    json.pair("status", appointment.status.rawValue)
  }

  private func write(_ patient: PatientReference?, to json: inout JSONText) {
    switch patient {
    case .id(let id): json.pair("patient_id", id)
    case .nameOrID(let text): json.pair("patient", text)
    case .both(let id, let name):
      json.pair("patient_id", id)
      json.pair("patient", name)
    case nil: break
    }
  }
}
