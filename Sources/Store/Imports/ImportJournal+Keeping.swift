public import Clinical

/// By whom, when and from where records are kept.
public struct ImportContext: Sendable {
  /// The journal's entry that changes are kept under.
  public let importID: Int64
  public let source: Int64
  public let at: Timestamp
  public let actor: String
  /// Whether an empty field clears what is on file.
  public let clearsEmpty: Bool

  public init(importID: Int64, source: Int64, at: Timestamp, actor: String, clearsEmpty: Bool) {
    self.importID = importID
    self.source = source
    self.at = at
    self.actor = actor
    self.clearsEmpty = clearsEmpty
  }
}

extension ImportJournal {
  /// Inserts a record, or changes of the one on file the fields that the row states; what was there is kept in the journal.
  ///
  /// - Parameters:
  ///   - record: the row.
  ///   - stated: the fields that it speaks of.
  ///   - context: by whom, when and from where.
  ///   - file: that a row without an id stands in, to be known again by; nil where the file has no name.
  /// - Returns: the record's row, and what became of it.
  /// - Throws: ``StoreError/Code/unknownRecord`` when it refers to something that isn't in the file;
  ///   ``StoreError/Code/alteredRecord`` when the one on file is not what was written and the row can't put it back whole.
  public func keep(
    _ record: any ImportedRecord, stated: StatedFields, _ context: ImportContext, file: String? = nil
  ) throws(StoreError) -> KeptRecord {
    if let patient = record as? Patient { return try keepWithOwner(patient, stated, context) }
    let mayLackID = record is ClinicalNote || record is Intake
    return try keep(record.withFields, stated, context, file: mayLackID ? file : nil)
  }

  /// Gives a note of a source without ids of its own to another patient, under the id that follows from it.
  public func moveNote(
    row: Int64, to note: ClinicalNote, stated: StatedFields, _ context: ImportContext
  ) throws(StoreError) -> KeptRecord {
    try connection.transaction { () throws(StoreError) in
      guard let identity = try identity(.note, row) else {
        throw StoreError(.unknownRecord, context: "note row \(row)")
      }
      try connection.recordHashes.requireSound(.note, row)
      try connection.execute("UPDATE note SET external_id = ? WHERE id = ?", note.id, row)
      let kept = try keep(note, stated, context, formerID: identity.externalID)
      return kept
    }
  }

  private func keepWithOwner(
    _ patient: Patient, _ stated: StatedFields, _ context: ImportContext
  ) throws(StoreError) -> KeptRecord {
    try connection.transaction { () throws(StoreError) in
      let last = try connection.number("SELECT coalesce(max(id), 0) FROM client")
      let kept = try keep(patient, stated, context)
      // An owner of whom only the patient's row tells yet.
      if let owner = try connection.first(
        "SELECT owner_id FROM patient WHERE id = ? AND owner_id > ?", kept.rowID, last, read: { $0.int64(0) })
      {
        try record(insertion: owner, .client, context)
      }
      return kept
    }
  }

  private func keep<Record: StoredFields>(
    _ incoming: Record, _ stated: StatedFields, _ context: ImportContext, formerID: String? = nil, file: String? = nil
  ) throws(StoreError) -> KeptRecord {
    try connection.transaction { () throws(StoreError) in
      let table = Record.table
      let existing = try connection.first(
        "SELECT id, said FROM \(table.rawValue) WHERE external_id = ? AND source_id = ?", incoming.id, context.source,
        read: { (row: $0.int64(0), said: $0.isNull(1) ? nil : $0.bytes(1)) })
      guard let existing else {
        var said = FieldMerge(
          incoming, onto: incoming, stated: stated, said: SaidFields(), clearsEmpty: context.clearsEmpty
        ).said
        if stated.given.contains("id") { _ = said.hear(.text(incoming.id), of: "id") }
        if let file { _ = said.hear(.text(file), of: SaidFields.file) }
        let row = try incoming.write(source: context.source, to: connection).rowID
        try remember(said, table, row)
        try record(insertion: row, table, context)
        return KeptRecord(rowID: row, outcome: .inserted, changes: [])
      }
      guard var current = try Record.recorded(row: existing.row, in: connection) else {
        throw StoreError(.unknownRecord, context: "\(table.rawValue) row \(existing.row)")
      }
      let before = current
      current.id = incoming.id
      guard try connection.recordHashes.isSound(table, existing.row) else {
        return try putBack(incoming, onto: current, row: existing.row, stated, context)
      }
      let earlier = SaidFields(stored: existing.said)
      let decided = existing.said == nil ? try fieldsDecidedHere(table, existing.row) : []
      let merge = FieldMerge(
        incoming, onto: current, stated: stated, said: earlier, clearsEmpty: context.clearsEmpty,
        isDecidedHere: decided)
      var said = merge.said
      if stated.given.contains("id") { _ = said.hear(.text(incoming.id), of: "id") }
      // The first file that told of it: others may repeat it.
      if let file, !said.contains(SaidFields.file) { _ = said.hear(.text(file), of: SaidFields.file) }
      let unchanged = KeptRecord(rowID: existing.row, outcome: .unchanged, changes: [])
      if said != earlier { try remember(said, table, existing.row) }
      guard merge.hasNews, merge.merged != current || formerID != nil else { return unchanged }
      var version: Int64?
      if let note = before as? ClinicalNote, let new = merge.merged as? ClinicalNote {
        let isMoved = note.patientID != new.patientID
        if note.text != new.text || isMoved {
          version = try connection.notes.keepVersion(
            row: existing.row, cause: .imported, reason: nil, at: context.at, actor: context.actor)
        }
      }
      _ = try merge.merged.write(source: context.source, to: connection)
      guard let after = try Record.recorded(row: existing.row, in: connection) else { return unchanged }
      var changes = Self.changes(from: before, to: after)
      if let formerID { changes.append(FieldChange(field: "id", old: .text(formerID), new: .text(incoming.id))) }
      guard !changes.isEmpty else { return unchanged }
      try record(changes, of: existing.row, table, version: version, saidBefore: existing.said, context)
      let isMove = table == .note && changes.contains { $0.field == "patient_id" }
      return KeptRecord(rowID: existing.row, outcome: isMove ? .moved : .updated, changes: changes)
    }
  }

  /// Writes a record that something else altered as the row has it, whatever its source said before. What the row doesn't state
  /// must be what was written, as the content hash tells, or there must be nothing that it doesn't state.
  ///
  /// Not a change in the journal: taking the import back must not put the damage back.
  private func putBack<Record: StoredFields>(
    _ incoming: Record, onto altered: Record, row: Int64, _ stated: StatedFields, _ context: ImportContext
  ) throws(StoreError) -> KeptRecord {
    let table = Record.table
    let merge = FieldMerge(
      incoming, onto: altered, stated: stated, said: SaidFields(), clearsEmpty: context.clearsEmpty)
    let statesAll = Record.fields.allSatisfy { field in
      field.name == "phone"
        ? stated.given.contains { $0.hasPrefix("phone") } && field.read(merge.merged) == field.read(incoming)
        : stated.given.contains(field.name)
    }
    var said = merge.said
    if stated.given.contains("id") { _ = said.hear(.text(incoming.id), of: "id") }
    do throws(StoreError) {
      try connection.transaction { () throws(StoreError) in
        let written = try contentHash(table, row)
        _ = try merge.merged.write(source: context.source, to: connection)
        let isAsWritten = try contentHash(table, row) == written
        guard statesAll || isAsWritten else {
          throw StoreError(.alteredRecord, context: incoming.id)
        }
        try remember(said, table, row)
      }
    } catch {
      // Nothing of it was written, and so it keeps the hash that it fails.
      connection.writtenRecords.forget(table, row)
      throw error
    }
    return KeptRecord(rowID: row, outcome: .updated, changes: [])
  }

  private func contentHash(_ table: RecordTable, _ row: Int64) throws(StoreError) -> [UInt8]? {
    try connection.first("SELECT content_hash FROM \(table.rawValue) WHERE id = ?", row) { $0.bytes(0) }
  }

  /// What the desk decided about an appointment before imports remembered what their source had said: the first word of a
  /// source after that is taken for the old one.
  private func fieldsDecidedHere(_ table: RecordTable, _ row: Int64) throws(StoreError) -> Set<String> {
    guard table == .appointment,
      try connection.exists("SELECT 1 FROM plan_change_side WHERE appointment_id = ?", row)
    else { return [] }
    return ["clinician_id", "resource_ids", "start", "duration_minutes", "visit_type", "status"]
  }

  /// The fields in which two states of a record differ, in the format's order.
  static func changes<Record: StoredFields>(from old: Record, to new: Record) -> [FieldChange] {
    Record.fields.compactMap { field in
      let before = field.read(old)
      let after = field.read(new)
      return before == after ? nil : FieldChange(field: field.name, old: before, new: after)
    }
  }

  private func remember(_ said: SaidFields, _ table: RecordTable, _ row: Int64) throws(StoreError) {
    try connection.execute("UPDATE \(table.rawValue) SET said = ? WHERE id = ?", said.bytes, row)
  }

  private func record(insertion row: Int64, _ table: RecordTable, _ context: ImportContext) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO import_change (import_id, kind, row_id, inserted_hash)
      SELECT ?, ?, id, content_hash FROM \(table.rawValue) WHERE id = ?
      """, context.importID, table.rawValue, row)
  }

  private func record(
    _ changes: [FieldChange], of row: Int64, _ table: RecordTable, version: Int64?, saidBefore: [UInt8]?,
    _ context: ImportContext
  ) throws(StoreError) {
    var before: [String: FieldContent] = [:]
    var after: [String: FieldContent] = [:]
    for change in changes {
      let isText = table == .note && change.field == "text"
      if !isText { before[change.field] = change.old }
      after[change.field] = isText ? Self.fingerprint(change.new) : change.new
    }
    try connection.execute(
      """
      INSERT INTO import_change (import_id, kind, row_id, before, after, version_id, said_before)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, context.importID, table.rawValue, row, try FieldJSON.encode(before), try FieldJSON.encode(after), version,
      saidBefore)
  }

  /// Stands for a text that need not be kept twice.
  static func fingerprint(_ content: FieldContent) -> FieldContent {
    .object(["blake2b": .text(ContentHash(of: content.canonical).hexadecimal)])
  }

  /// The id of a row as its source knows it.
  func identity(_ table: RecordTable, _ row: Int64) throws(StoreError) -> (externalID: String, source: Int64)? {
    try connection.first("SELECT external_id, source_id FROM \(table.rawValue) WHERE id = ?", row) {
      ($0.text(0), $0.int64(1))
    }
  }
}
