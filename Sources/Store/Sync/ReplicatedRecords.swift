public import Clinical

/// Records as they travel: fields by the import format's names, with references that mean the same in every file of the practice.
///
/// A reference is a list of the source's name and the id that the source gave. Beside the fields of the format stand what belongs to
/// a record: tags, a note's retraction, an appointment's limits and steps, the ids that a patient took over.
public struct ReplicatedRecords {
  let connection: Connection

  /// What a record of a table is known by on every device; nil for no such row.
  public func name(_ table: RecordTable, row: Int64) throws(StoreError) -> RecordName? {
    try connection.recordIDs.origin(table, row).map {
      RecordName(kind: table.rawValue, source: $0.source, id: $0.id)
    }
  }

  /// Of a record by its name; of a patient that was merged, the one that is left. Nil where there is none.
  public func row(_ name: RecordName) throws(StoreError) -> Int64? {
    guard let table = RecordTable(rawValue: name.kind),
      let source = try connection.first("SELECT id FROM source WHERE name = ?", name.source, read: { $0.int64(0) })
    else { return nil }
    if let row = try connection.recordIDs.row(table, externalID: name.id, source: source)?.rowID { return row }
    return table == .patient ? try connection.merges.kept(id: name.id, source: source) : nil
  }

  /// Of a record by its name, and no other for it.
  public func ownRow(_ name: RecordName) throws(StoreError) -> Int64? {
    guard let table = RecordTable(rawValue: name.kind),
      let source = try connection.first("SELECT id FROM source WHERE name = ?", name.source, read: { $0.int64(0) })
    else { return nil }
    return try connection.recordIDs.row(table, externalID: name.id, source: source)?.rowID
  }

  /// The fields that hold anything; nil for no such row.
  ///
  /// - Complexity: some ten reads by key.
  public func fields(_ table: RecordTable, row: Int64) throws(StoreError) -> [String: FieldContent]? {
    let contents: [String: FieldContent]?
    switch table {
    case .client: contents = try Client.recorded(row: row, in: connection)?.contents
    case .patient: contents = try Patient.recorded(row: row, in: connection)?.contents
    case .location: contents = try Location.recorded(row: row, in: connection)?.contents
    case .staff: contents = try StaffMember.recorded(row: row, in: connection)?.contents
    case .resource: contents = try Resource.recorded(row: row, in: connection)?.contents
    case .appointment: contents = try Appointment.recorded(row: row, in: connection)?.contents
    case .note: contents = try ClinicalNote.recorded(row: row, in: connection)?.contents
    case .intake: contents = try Intake.recorded(row: row, in: connection)?.contents
    }
    guard var fields = contents else { return nil }
    for (field, referred) in Self.references(of: table) {
      if let content = fields[field] { fields[field] = try outward(content, to: referred) }
    }
    // They come by row numbers, which are this file's own.
    if table == .appointment, case .list(let rooms) = fields["resource_ids"] ?? .none {
      fields["resource_ids"] = .list(rooms.sorted { "\($0)" < "\($1)" })
    }
    try addBelongings(of: table, row, to: &fields)
    return fields.filter { $0.value != .none && $0.value != .list([]) }
  }

  private func addBelongings(
    of table: RecordTable, _ row: Int64, to fields: inout [String: FieldContent]
  ) throws(StoreError) {
    if [.patient, .note, .appointment].contains(table) {
      for tag in try connection.tags.tags(of: table, row: row) { fields["tag:\(tag)"] = .number(1) }
    }
    switch table {
    case .note:
      if let retraction = try connection.notes.retraction(row: row) {
        fields["retraction"] = .object([
          "at": .number(Double(retraction.at.seconds)), "actor": .text(retraction.actor),
          "reason": .text(retraction.reason),
        ])
      }
    case .patient:
      let former = try connection.merges.formerIDs(of: row)
      if !former.isEmpty { fields["former_ids"] = .list(former.map(\.content)) }
    case .appointment:
      let limits = try connection.appointments.options(row: row)
      if !limits.isEmpty { fields["limits"] = try outward(limits) }
      for step in try connection.visitSteps.steps(of: row) {
        fields["step:\(step.at.seconds):\(step.stage.rawValue)"] = .text(step.actor)
      }
    case .client, .location, .staff, .resource, .intake: break
    }
  }

  /// Whether a field is one of this program's: others are left to the log.
  public static func knows(_ field: String, of kind: String) -> Bool {
    guard let table = RecordTable(rawValue: kind) else { return false }
    if let colon = field.firstIndex(of: ":") {
      switch field[..<colon] {
      case "tag": return [.patient, .note, .appointment].contains(table)
      case "step": return table == .appointment
      default: return false
      }
    }
    switch table {
    case .client: return Client.field(field) != nil
    case .patient: return Patient.field(field) != nil || field == "former_ids"
    case .location: return Location.field(field) != nil
    case .staff: return StaffMember.field(field) != nil
    case .resource: return Resource.field(field) != nil
    case .appointment: return Appointment.field(field) != nil || field == "limits"
    case .note: return ClinicalNote.field(field) != nil || field == "retraction"
    case .intake: return Intake.field(field) != nil
    }
  }

  // MARK: References

  /// Fields that name other records.
  static func references(of table: RecordTable) -> [(field: String, table: RecordTable)] {
    switch table {
    case .patient: [("owner_id", .client)]
    case .resource: [("location_id", .location)]
    case .note, .intake: [("patient_id", .patient)]
    case .appointment: [("patient_id", .patient), ("clinician_id", .staff), ("resource_ids", .resource)]
    case .staff: [("working_hours", .location)]
    case .client, .location: []
    }
  }

  /// As it travels: ids as they are shown become names.
  private func outward(_ content: FieldContent, to table: RecordTable) throws(StoreError) -> FieldContent {
    switch content {
    case .text(let id):
      guard let row = try connection.recordIDs.candidates(table, id).first,
        let origin = try connection.recordIDs.origin(table, row)
      else { return content }
      return .list([.text(origin.source), .text(origin.id)])
    case .list(let items):
      var outer: [FieldContent] = []
      for item in items { outer.append(try outward(item, to: table)) }
      return .list(outer)
    case .object(var values):
      if let place = values["location_id"] { values["location_id"] = try outward(place, to: table) }
      return .object(values)
    case .none, .number: return content
    }
  }

  /// The name in a reference as it travels; nil for what is none.
  public static func reference(_ content: FieldContent, to table: RecordTable) -> RecordName? {
    guard case .list(let parts) = content, parts.count == 2, let source = parts[0].text, let id = parts[1].text else {
      return nil
    }
    return RecordName(kind: table.rawValue, source: source, id: id)
  }

  /// As the store takes it: names become ids as they are shown.
  ///
  /// - Throws: ``StoreError/Code/unknownRecord`` for one that isn't on file.
  func inward(_ content: FieldContent, to table: RecordTable) throws(StoreError) -> FieldContent {
    if let name = Self.reference(content, to: table) {
      guard let row = try row(name), let id = try connection.recordIDs.shown(table, row) else {
        throw StoreError(.unknownRecord, context: "\(table.rawValue) '\(name.id)'")
      }
      return .text(id)
    }
    switch content {
    case .list(let items):
      var inner: [FieldContent] = []
      for item in items { inner.append(try inward(item, to: table)) }
      return .list(inner)
    case .object(var values):
      if let place = values["location_id"] { values["location_id"] = try inward(place, to: table) }
      return .object(values)
    case .text, .none, .number: return content
    }
  }

  // MARK: Limits

  private func outward(_ limits: AppointmentOptions) throws(StoreError) -> FieldContent {
    var values: [String: FieldContent] = [:]
    for (name, holds) in [
      ("keeps_time", limits.keepsTime), ("keeps_clinician", limits.keepsClinician), ("keeps_rooms", limits.keepsRooms),
    ] where holds { values[name] = .number(1) }
    for (name, minutes) in [
      ("lag_minutes", limits.lagMinutes), ("travel_before_minutes", limits.travelBefore),
      ("travel_after_minutes", limits.travelAfter),
    ] where minutes != 0 { values[name] = .number(Double(minutes)) }
    if let window = limits.window {
      values["window"] = .list([window.lowerBound, window.upperBound].map { .number(Double($0.seconds)) })
    }
    if let after = limits.afterID { values["after_id"] = try outward(.text(after), to: .appointment) }
    if let urgency = limits.urgency { values["urgency"] = .text(urgency.rawValue) }
    if let received = limits.receivedAt { values["received_at"] = .number(Double(received.seconds)) }
    if let location = limits.locationID { values["location_id"] = try outward(.text(location), to: .location) }
    return .object(values)
  }

  /// An appointment to come after that isn't on file is left out.
  func limits(_ content: FieldContent) throws(StoreError) -> AppointmentOptions {
    var limits = AppointmentOptions()
    limits.keepsTime = content["keeps_time"].number == 1
    limits.keepsClinician = content["keeps_clinician"].number == 1
    limits.keepsRooms = content["keeps_rooms"].number == 1
    limits.lagMinutes = content["lag_minutes"].integer ?? 0
    limits.travelBefore = content["travel_before_minutes"].integer ?? 0
    limits.travelAfter = content["travel_after_minutes"].integer ?? 0
    if case .list(let ends) = content["window"], ends.count == 2, let from = ends[0].integer, let to = ends[1].integer,
      from < to
    {
      limits.window = Timestamp(seconds: Int64(from))..<Timestamp(seconds: Int64(to))
    }
    limits.urgency = content["urgency"].text.flatMap(Urgency.init(rawValue:))
    limits.receivedAt = content["received_at"].integer.map { Timestamp(seconds: Int64($0)) }
    if let name = Self.reference(content["after_id"], to: .appointment), let row = try row(name) {
      limits.afterID = try connection.recordIDs.shown(.appointment, row)
    }
    if let name = Self.reference(content["location_id"], to: .location), let row = try row(name) {
      limits.locationID = try connection.recordIDs.shown(.location, row)
    }
    return limits
  }
}

extension PatientMerges.FormerID {
  fileprivate var content: FieldContent {
    .list([.text(source), .text(id), .number(Double(mergedAt.seconds)), .text(actor), .text(reason)])
  }

  init?(_ content: FieldContent) {
    guard case .list(let parts) = content, parts.count == 5, let source = parts[0].text, let id = parts[1].text,
      let at = parts[2].integer, let actor = parts[3].text, let reason = parts[4].text
    else { return nil }
    self.init(id: id, source: source, mergedAt: Timestamp(seconds: Int64(at)), actor: actor, reason: reason)
  }
}

extension Connection {
  public var replicated: ReplicatedRecords { ReplicatedRecords(connection: self) }
}

extension ReplicatedRecords {
  /// What is about a patient.
  public func records(ofPatient row: Int64) throws(StoreError) -> [RecordName] {
    var names: [RecordName] = []
    for table in [RecordTable.note, .intake, .appointment] {
      for record in try connection.rows(
        "SELECT id FROM \(table.rawValue) WHERE patient_id = ? ORDER BY id", row, read: { $0.int64(0) })
      {
        if let name = try name(table, row: record) { names.append(name) }
      }
    }
    return names
  }
}
