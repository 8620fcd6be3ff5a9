public import Clinical

extension Client: ImportedRecord {}
extension Patient: ImportedRecord {}
extension Location: ImportedRecord {}
extension StaffMember: ImportedRecord {}
extension Resource: ImportedRecord {}
extension ClinicalNote: ImportedRecord {}
extension Intake: ImportedRecord {}
extension Appointment: ImportedRecord {}

extension Client: StoredFields {
  static let table = RecordTable.client

  static let fields: [RecordField<Self>] = [
    .text("name", \.name),
    .list(
      "phone", \.phones,
      read: { .object(["label": $0.label.map { .text($0) } ?? .none, "number": .text($0.number)]) },
      write: { content in content["number"].text.map { ClientPhone($0, label: content["label"].text) } }),
    .text("email", \.email), .text("address", \.address),
  ]

  static func recorded(row: Int64, in connection: Connection) throws(StoreError) -> Self? {
    try connection.clients.client(row: row)?.value
  }

  func write(source: Int64, to connection: Connection) throws(StoreError) -> Upserted {
    try connection.clients.upsert(self, source: source)
  }
}

extension Patient: StoredFields {
  static let table = RecordTable.patient

  static let fields: [RecordField<Self>] = [
    .text("name", \.name), .word("species", \.species), .text("breed", \.breed), .sex("sex", \.sex),
    .day("date_of_birth", \.dateOfBirth), .day("deceased_at", \.deceasedAt), .number("weight_kg", \.weightKilograms),
    .text("owner_id", \.ownerID), .text("owner_name", \.ownerName), .text("microchip", \.microchip),
  ]

  static func recorded(row: Int64, in connection: Connection) throws(StoreError) -> Self? {
    guard var patient = try connection.patients.patient(row: row)?.value else { return nil }
    // Shown with the owner's name where it has none of its own.
    patient.ownerName = try connection.first("SELECT owner_name FROM patient WHERE id = ?", row) {
      $0.optionalText(0)
    }?.flatMap { $0 }
    return patient
  }

  func write(source: Int64, to connection: Connection) throws(StoreError) -> Upserted {
    try connection.patients.upsert(self, source: source)
  }
}

extension Location: StoredFields {
  static let table = RecordTable.location

  static let fields: [RecordField<Self>] = [
    .text("name", \.name), .text("address", \.address), .text("region", \.region),
    .list(
      "opening_hours", \.hours,
      read: {
        StaffMember.numbers(
          [$0.weekday, $0.minutes.lowerBound, $0.minutes.upperBound], ["weekday", "start", "end"])
      },
      write: { content in
        guard let weekday = content["weekday"].integer, let minutes = StaffMember.range(content, "start", "end") else {
          return nil
        }
        return StaffMember.WorkingHours(weekday: weekday, minutes: minutes)
      }),
    .list(
      "closures", \.closures,
      read: {
        .object([
          "from": .text($0.days.lowerBound.description), "to": .text($0.days.upperBound.description),
          "open": .number($0.isOpen ? 1 : 0), "reason": $0.reason.map { .text($0) } ?? .none,
        ])
      },
      write: { content in
        guard let first = content["from"].text.flatMap({ CalendarDate(iso: $0) }),
          let last = content["to"].text.flatMap({ CalendarDate(iso: $0) }), first <= last
        else { return nil }
        return Closure(days: first...last, isOpen: content["open"].number == 1, reason: content["reason"].text)
      }),
  ]

  static func recorded(row: Int64, in connection: Connection) throws(StoreError) -> Self? {
    try connection.locations.location(row: row)?.value
  }

  func write(source: Int64, to connection: Connection) throws(StoreError) -> Upserted {
    try connection.locations.upsert(self, source: source)
  }
}

extension StaffMember: StoredFields {
  static let table = RecordTable.staff

  static let fields: [RecordField<Self>] = [
    .text("name", \.name), .word("role", \.role),
    RecordField(
      "skills", read: { .object($0.skills.mapValues { .number($0) }) },
      write: { member, content in
        if content == .none {
          member.skills = [:]
          return true
        }
        guard case .object(let values) = content else { return false }
        member.skills = values.compactMapValues(\.number)
        return true
      }),
    .list(
      "working_hours", \.workingHours,
      read: { hours in
        let times = numbers(
          [hours.weekday, hours.minutes.lowerBound, hours.minutes.upperBound], ["weekday", "start", "end"])
        guard let location = hours.locationID, case .object(var values) = times else { return times }
        values["location_id"] = .text(location)
        return .object(values)
      },
      write: { content in
        guard let weekday = content["weekday"].integer, let minutes = range(content, "start", "end") else { return nil }
        return WorkingHours(weekday: weekday, minutes: minutes, locationID: content["location_id"].text)
      }),
    .list(
      "breaks", \.breaks,
      read: {
        numbers(
          [$0.weekday, $0.window.lowerBound, $0.window.upperBound, $0.minutes],
          ["weekday", "earliest", "latest", "minutes"])
      },
      write: { content in
        guard let weekday = content["weekday"].integer, let window = range(content, "earliest", "latest"),
          let minutes = content["minutes"].integer
        else { return nil }
        return Break(weekday: weekday, window: window, minutes: minutes)
      }),
    .list(
      "leave", \.leave,
      read: {
        .object(["from": .text($0.days.lowerBound.description), "to": .text($0.days.upperBound.description)])
      },
      write: { content in
        guard let first = content["from"].text.flatMap({ CalendarDate(iso: $0) }),
          let last = content["to"].text.flatMap({ CalendarDate(iso: $0) }), first <= last
        else { return nil }
        return Leave(days: first...last)
      }),
    .list(
      "credentials", \.credentials,
      read: { .object(["name": .text($0.name), "expires": $0.expires.map { .text($0.description) } ?? .none]) },
      write: { content in
        content["name"].text.map {
          Credential(name: $0, expires: content["expires"].text.flatMap { CalendarDate(iso: $0) })
        }
      }),
    RecordField(
      "load",
      read: { member in
        if member.load.isEmpty { return .none }
        return .object([
          "most_per_day": .object(member.load.mostPerDay.mapValues { .number(Double($0)) }),
          "latest_long_start": member.load.latestLongStart.map { .number(Double($0)) } ?? .none,
          "long_minutes": .number(Double(member.load.longMinutes)),
        ])
      },
      write: { member, content in
        member.load = LoadPreference()
        if content == .none { return true }
        guard case .object = content else { return false }
        if case .object(let counts) = content["most_per_day"] {
          member.load.mostPerDay = counts.compactMapValues(\.integer)
        }
        member.load.latestLongStart = content["latest_long_start"].integer
        member.load.longMinutes = content["long_minutes"].integer ?? member.load.longMinutes
        return true
      }),
  ]

  fileprivate static func numbers(_ values: [Int], _ names: [String]) -> FieldContent {
    .object(Dictionary(uniqueKeysWithValues: zip(names, values.map { .number(Double($0)) })))
  }

  fileprivate static func range(_ content: FieldContent, _ first: String, _ last: String) -> Range<Int>? {
    guard let start = content[first].integer, let end = content[last].integer, start <= end else { return nil }
    return start..<end
  }

  static func recorded(row: Int64, in connection: Connection) throws(StoreError) -> Self? {
    try connection.staff.member(row: row)?.value
  }

  func write(source: Int64, to connection: Connection) throws(StoreError) -> Upserted {
    try connection.staff.upsert(self, source: source)
  }
}

extension Resource: StoredFields {
  static let table = RecordTable.resource

  static let fields: [RecordField<Self>] = [
    .text("name", \.name), .text("kind", \.kind), .integer("capacity", \.capacity, default: 1),
    .integer("cleaning_minutes", \.cleaningMinutes), .text("location_id", \.locationID),
  ]

  static func recorded(row: Int64, in connection: Connection) throws(StoreError) -> Self? {
    try connection.resources.resource(row: row)?.value
  }

  func write(source: Int64, to connection: Connection) throws(StoreError) -> Upserted {
    try connection.resources.upsert(self, source: source)
  }
}

extension ClinicalNote: StoredFields {
  static let table = RecordTable.note

  static let fields: [RecordField<Self>] = [
    .text("patient_id", \.patientID), .moment("recorded_at", \.recordedAt), .text("author", \.author),
    .word("kind", \.kind), .text("text", \.text),
  ]

  static func recorded(row: Int64, in connection: Connection) throws(StoreError) -> Self? {
    try connection.notes.note(row: row)?.value
  }

  func write(source: Int64, to connection: Connection) throws(StoreError) -> Upserted {
    try connection.notes.upsert(self, source: source)
  }
}

extension Intake: StoredFields {
  static let table = RecordTable.intake

  static let fields: [RecordField<Self>] = [
    .text("patient_id", \.patientID), .moment("received_at", \.receivedAt), .text("channel", \.channel),
    .word("species", \.species), .text("breed", \.breed), .text("age", \.age), .sex("sex", \.sex),
    .number("weight_kg", \.weightKilograms), .text("text", \.text),
  ]

  static func recorded(row: Int64, in connection: Connection) throws(StoreError) -> Self? {
    try connection.intakes.intake(row: row)?.value
  }

  func write(source: Int64, to connection: Connection) throws(StoreError) -> Upserted {
    try connection.intakes.upsert(self, source: source)
  }
}

extension Appointment: StoredFields {
  static let table = RecordTable.appointment

  static let fields: [RecordField<Self>] = [
    .text("patient_id", \.patientID), .text("clinician_id", \.clinicianID),
    .list("resource_ids", \.resourceIDs, read: { .text($0) }, write: \.text), .moment("start", \.start),
    .integer("duration_minutes", \.durationMinutes, isRequired: true), .number("actual_minutes", \.actualMinutes),
    .word("visit_type", \.visitType), .text("reason", \.reason), .word("status", \.status),
  ]

  static func recorded(row: Int64, in connection: Connection) throws(StoreError) -> Self? {
    try connection.appointments.appointment(row: row)?.value
  }

  func write(source: Int64, to connection: Connection) throws(StoreError) -> Upserted {
    try connection.appointments.upsert(self, source: source)
  }
}
