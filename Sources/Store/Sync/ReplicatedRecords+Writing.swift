public import Clinical

/// Who changed a record elsewhere, and when.
public struct RemoteAuthor: Hashable, Sendable {
  public let actor: String
  public let at: Timestamp
  /// Said of what an amendment replaces.
  public let reason: String

  public init(actor: String, at: Timestamp, reason: String) {
    self.actor = actor
    self.at = at
    self.reason = reason
  }
}

extension ReplicatedRecords {
  /// Gives a record the contents of some fields; one that isn't on file is made of them.
  ///
  /// Fields that aren't known here are left to the log.
  ///
  /// - Returns: the record's row.
  /// - Throws: ``StoreError/Code/unknownRecord`` where a field refers to a record that isn't on file, with nothing written.
  @discardableResult
  public func write(
    _ fields: [String: FieldContent], to name: RecordName, by author: RemoteAuthor
  ) throws -> Int64? {
    guard let table = RecordTable(rawValue: name.kind) else { return nil }
    return try connection.mixedTransaction {
      var inner = fields
      for (field, referred) in Self.references(of: table) {
        if let content = inner[field] { inner[field] = try inward(content, to: referred) }
      }
      let row = try writeRecord(table, inner, name, author)
      try writeBelongings(of: table, row, fields, author)
      return row
    }
  }

  private func writeRecord(
    _ table: RecordTable, _ fields: [String: FieldContent], _ name: RecordName, _ author: RemoteAuthor
  ) throws -> Int64 {
    let id = name.id
    switch table {
    case .client: return try keep(Client(id: id, name: ""), fields, name)
    case .patient: return try keep(Patient(id: id, name: "", species: .other), fields, name)
    case .location: return try keep(Location(id: id, name: ""), fields, name)
    case .staff: return try keep(StaffMember(id: id, name: "", role: .nurse), fields, name)
    case .resource: return try keep(Resource(id: id, name: "", kind: ""), fields, name)
    case .intake: return try keep(Self.blankIntake(id), fields, name)
    case .note: return try keepNote(fields, name, author)
    case .appointment: return try keepAppointment(fields, name)
    }
  }

  private func keep<Record: StoredFields>(
    _ blank: Record, _ fields: [String: FieldContent], _ name: RecordName
  ) throws(StoreError) -> Int64 {
    let existing = try ownRow(name)
    var record = blank
    if let existing, let current = try Record.recorded(row: existing, in: connection) {
      record = current
      record.id = name.id
    }
    let changed = Self.setting(fields, of: record)
    if let existing, changed == record { return existing }
    let row = try changed.write(source: connection.sources.id(named: name.source), to: connection).rowID
    // No import's any more, so that none is taken for unchanged.
    if existing != nil {
      try connection.execute("UPDATE \(Record.table.rawValue) SET \(Connection.changedHere) WHERE id = ?", row)
    }
    return row
  }

  private static func setting<Record: StoredFields>(_ fields: [String: FieldContent], of record: Record) -> Record {
    var record = record
    for field in Record.fields {
      guard let content = fields[field.name], !(field.isRequired && content == .none) else { continue }
      // What doesn't fit its field is of a later program, and stays in the log: nothing of it is written.
      var changed = record
      if field.write(&changed, content) { record = changed }
    }
    return record
  }

  static func blankIntake(_ id: String) -> Intake {
    Intake(id: id, patientID: nil, receivedAt: nil, channel: nil, species: nil, text: "")
  }

  static func blankNote(_ id: String, at moment: Timestamp) -> ClinicalNote {
    ClinicalNote(id: id, patientID: "", recordedAt: moment, author: nil, kind: .consult, text: "")
  }

  static func blankAppointment(_ id: String) -> Appointment {
    Appointment(id: id, start: Timestamp(seconds: 0), durationMinutes: 0, status: .requested)
  }

  private func keepNote(
    _ fields: [String: FieldContent], _ name: RecordName, _ author: RemoteAuthor
  ) throws(StoreError) -> Int64 {
    let source = try connection.sources.id(named: name.source)
    guard let row = try ownRow(name), let current = try ClinicalNote.recorded(row: row, in: connection) else {
      let blank = Self.blankNote(name.id, at: author.at)
      return try connection.notes.upsert(Self.setting(fields, of: blank), source: source).rowID
    }
    let changed = Self.setting(fields, of: current)
    guard changed != current else { return row }
    let isMoved = changed.patientID != current.patientID
    _ = try connection.notes.change(
      row: row, cause: isMoved ? .moved : .amended, reason: author.reason, at: author.at, actor: author.actor
    ) { $0 = changed }
    if changed.text != current.text { try connection.encounters.noteWasAmended(row, at: author.at) }
    if isMoved { try connection.encounters.noteWasMoved(row, at: author.at) }
    return row
  }

  /// Time that somebody else has is no obstacle here: who has it, the hub decides.
  private func keepAppointment(_ fields: [String: FieldContent], _ name: RecordName) throws -> Int64 {
    let blank = Self.blankAppointment(name.id)
    guard let row = try ownRow(name), let current = try Appointment.recorded(row: row, in: connection) else {
      return try connection.appointments.upsert(
        Self.setting(fields, of: blank), source: connection.sources.id(named: name.source)
      ).rowID
    }
    let changed = Self.setting(fields, of: current)
    guard changed != current else { return row }
    try connection.appointments.change(row: row, listsConflict: true) { $0 = changed }
    return row
  }

  // MARK: What belongs to a record

  private func writeBelongings(
    of table: RecordTable, _ row: Int64, _ fields: [String: FieldContent], _ author: RemoteAuthor
  ) throws {
    for (field, content) in fields.sorted(by: { $0.key < $1.key }) {
      if field.hasPrefix("tag:"), [.patient, .note, .appointment].contains(table) {
        let tag = String(field.dropFirst("tag:".count))
        if content == .none {
          _ = try connection.tags.remove(tag, from: table, row: row)
        } else {
          try connection.tags.add(tag, to: table, row: row)
        }
      } else if field.hasPrefix("step:"), table == .appointment {
        try writeStep(field, content, row)
      }
    }
    switch table {
    case .note:
      guard let content = fields["retraction"] else { return }
      try writeRetraction(content, row)
    case .patient:
      guard let content = fields["former_ids"] else { return }
      let items: [FieldContent] = if case .list(let items) = content { items } else { [] }
      try connection.merges.setFormerIDs(items.compactMap(PatientMerges.FormerID.init), of: row)
    case .appointment:
      guard let content = fields["limits"] else { return }
      let limits = try limits(content)
      do {
        try connection.appointments.setOptions(limits, row: row)
      } catch is SlotTaken {
        // The time on the road is another's: as in the book, which is the hub's.
      }
    case .client, .location, .staff, .resource, .intake: break
    }
  }

  private func writeRetraction(_ content: FieldContent, _ row: Int64) throws(StoreError) {
    guard content != .none else {
      _ = try connection.notes.reinstate(row: row)
      return
    }
    let retraction = NoteRetraction(
      at: Timestamp(seconds: Int64(content["at"].integer ?? 0)), actor: content["actor"].text ?? "",
      reason: content["reason"].text ?? "")
    guard try connection.notes.retraction(row: row) != retraction else { return }
    _ = try connection.notes.reinstate(row: row)
    _ = try connection.notes.retract(row: row, retraction)
  }

  /// Steps are kept in the order of their moments, whatever the order in which they came.
  private func writeStep(_ field: String, _ content: FieldContent, _ row: Int64) throws(StoreError) {
    let parts = field.split(separator: ":")
    guard parts.count == 3, let seconds = Int64(parts[1]), let stage = VisitStage(rawValue: String(parts[2])),
      let actor = content.text
    else { return }
    let step = VisitStep(stage, at: Timestamp(seconds: seconds), actor: actor)
    let steps = try connection.visitSteps.steps(of: row)
    guard !steps.contains(step) else { return }
    guard let last = steps.last, last.at > step.at else { return try connection.visitSteps.append(step, to: row) }
    try connection.execute("DELETE FROM visit_step WHERE appointment_id = ?", row)
    for step in (steps + [step]).enumerated().sorted(by: { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }) {
      try connection.visitSteps.append(step.element, to: row)
    }
  }

  /// Keeps a text that lost against a later one as a version of its note, once.
  public func keepVersion(_ text: String, of note: Int64, by author: RemoteAuthor) throws(StoreError) {
    let isKept = try connection.notes.versions(row: note).contains { $0.text == text }
    guard !isKept, try connection.notes.note(row: note)?.value.text != text else { return }
    try connection.execute(
      """
      INSERT INTO note_version (note_id, replaced_at, actor, cause, reason, patient_id, recorded_at, author, kind, text)
      SELECT id, ?, ?, ?, ?, patient_id, recorded_at, author, kind, ? FROM note WHERE id = ?
      """, author.at, author.actor, NoteVersion.Cause.amended.rawValue, author.reason, text, note)
  }

  // MARK: What goes

  /// Takes a record out that is gone elsewhere.
  ///
  /// - Returns: false for a patient who stays because something is theirs that the hub has yet to hear of.
  public func remove(_ name: RecordName, erasedAt: Timestamp?) throws(StoreError) -> Bool {
    guard let table = RecordTable(rawValue: name.kind), let row = try ownRow(name) else { return true }
    return try connection.transaction { () throws(StoreError) in
      if let erasedAt { try connection.erased.remember(table, row: row, at: erasedAt) }
      switch table {
      case .patient:
        if let erasedAt {
          try connection.patients.erase(connection.patients.erasure(of: row, client: nil), at: erasedAt)
          return true
        } else if try hasRecords(patient: row) {
          return false
        }
        try connection.patients.delete(row: row)
      case .note: try connection.notes.delete(row: row)
      case .appointment: try connection.appointments.delete(row: row)
      case .client, .location, .staff, .resource, .intake:
        try connection.execute("DELETE FROM \(table.rawValue) WHERE id = ?", row)
        try connection.markRemovedText()
      }
      return true
    }
  }

  /// Takes out a patient who was merged into another elsewhere; what is still theirs here goes to that one.
  public func merge(_ patient: Int64, into kept: Int64) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.merges.follow(patient, to: kept)
      try connection.patients.delete(row: patient)
    }
  }

  private func hasRecords(patient row: Int64) throws(StoreError) -> Bool {
    for table in [RecordTable.note, .intake, .appointment] {
      if try connection.exists("SELECT 1 FROM \(table.rawValue) WHERE patient_id = ?", row) { return true }
    }
    return false
  }
}
