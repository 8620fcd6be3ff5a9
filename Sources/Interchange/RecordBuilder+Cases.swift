import Clinical

/// What happened, what is asked for, what is planned: rows that belong to an animal.
extension RecordBuilder {
  func note(_ row: Row) throws(FieldError) -> ImportRecord {
    let patient =
      try reference(row) ?? .id(row.lacking("patient_id", hint: "the id of the animal the note is about"))
    let moment = try row.pastMoment("recorded_at", timeField: "recorded_time")
    if moment == nil {
      _ = row.lacking("recorded_at", hint: "when the note was written, like 2024-03-05T10:40")
    }
    // Counted before anything else can fail: a row mended later must not take its neighbour's id.
    let id = try row.identifier("id") ?? derivedID(row, patient: patient.text, at: moment?.written)
    let text = try prose(row)
    let note = ClinicalNote(
      id: id, patientID: patient.text, recordedAt: moment?.timestamp ?? Timestamp(seconds: 0),
      author: row.optional(try row.phrase("author")),
      // As where a row says no kind: what was written is worth more than what it is called.
      kind: row.optional(try row.choice("kind", of: "note_kind", NoteKind.self)) ?? .consult, text: text)
    return .note(note, of: patient)
  }

  func intake(_ row: Row) throws(FieldError) -> ImportRecord {
    let patient = try reference(row)
    let moment = row.optional(try row.pastMoment("received_at", timeField: "received_time"))
    let id = try row.identifier("id") ?? derivedID(row, patient: patient?.text, at: moment?.written)
    let text = try prose(row)
    let breed = row.optional(try row.phrase("breed"))
    let word = row.optional(try row.phrase("species"))
    let channel = row.optional(try row.phrase("channel")).map { row.vocabulary.word(for: $0, in: "channel") ?? $0 }
    let intake = Intake(
      id: id, patientID: patient?.text, receivedAt: moment?.timestamp, channel: channel,
      species: word == nil ? nil : species(word, breed: breed, row), breed: breed,
      age: row.optional(try row.phrase("age")),
      sex: sex(row), weightKilograms: row.optional(try weight(row)), text: text)
    return .intake(intake, of: patient)
  }

  func appointment(_ row: Row) throws(FieldError) -> ImportRecord {
    let patient = try reference(row)
    let moment = try row.moment("start", timeField: "start_time")
    if moment == nil { _ = row.lacking("start", hint: "when it begins, like 2024-03-05T10:40") }
    let id = try row.identifier("id") ?? derivedID(row, patient: patient?.text, at: moment?.written)
    let actual = row.optional(try actualMinutes(row))
    let planned = try plannedMinutes(row)
    // A past visit whose plan is lost had at least the time it took.
    let duration = planned.minutes ?? actual.map { max(1, Int($0.rounded(.up))) }
    if duration == nil, !planned.isUnreadable {
      _ = row.lacking("duration_minutes", hint: "how long it is planned to take")
    }
    let status = row.optional(try row.choice("status", of: "appointment_status", Appointment.Status.self))
    let type = row.optional(try row.phrase("visit_type")).map { row.vocabulary.word(for: $0, in: "visit_type") ?? $0 }
    let appointment = Appointment(
      id: id, patientID: patient?.text, clinicianID: row.optional(try row.identifier("clinician_id")),
      resourceIDs: row.optional(try row.identifiers("resource_ids")) ?? [],
      start: moment?.timestamp ?? Timestamp(seconds: 0), durationMinutes: duration ?? Self.unknownDuration,
      actualMinutes: actual, visitType: type.map(VisitType.init(rawValue:)),
      reason: row.optional(try row.phrase("reason")),
      status: status ?? (actual == nil ? .booked : .done))
    return .appointment(appointment, of: patient)
  }

  /// In minutes, of a visit whose length can't be read: the shortest that books are kept in. Missing in the book, it would be
  /// booked over.
  private static let unknownDuration = 15

  private func plannedMinutes(_ row: Row) throws(FieldError) -> (minutes: Int?, isUnreadable: Bool) {
    do throws(FieldError) {
      return (try row.integer("duration_minutes", in: 1...10_080), false)
    } catch {
      row.report.lose(
        FieldError(
          error.field, value: error.value, error.reason,
          hint: "\(error.hint); a new appointment is kept as \(Self.unknownDuration) minutes, or what it took"))
      return (nil, true)
    }
  }

  private func actualMinutes(_ row: Row) throws(FieldError) -> Double? {
    guard let actual = try row.number("actual_minutes") else { return nil }
    guard actual >= 0, actual <= 10_080 else {
      throw FieldError(
        "actual_minutes", value: Harmless.number(actual), "out of range", hint: "minutes from 0 to 10080, a week")
    }
    return actual
  }

  private func reference(_ row: Row) throws(FieldError) -> PatientReference? {
    let name = try row.identifier("patient")
    guard let id = try row.identifier("patient_id") else { return name.map(PatientReference.nameOrID) }
    return name.map { .both(id: id, name: $0) } ?? .id(id)
  }

  /// The text, byte for byte; white space alone is none.
  private func prose(_ row: Row) throws(FieldError) -> String {
    guard let text = try row.text("text"), !text.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }),
      !row.isNothing(text, in: "text")
    else {
      return row.lacking("text", hint: "a row without text has nothing to read")
    }
    return text
  }

  private func derivedID(_ row: Row, patient: String?, at local: LocalDateTime?) -> String {
    // Without these a row can't be a new record, and its number would be its neighbour's.
    guard row.lacks.errors.isEmpty else { return "" }
    row.tally.addDerivedID()
    let id = derivedIDs.next(row.format, kind: kind, patient: patient, at: local)
    row.report.derivedID = id
    return id
  }
}
