public import Clinical

/// A note of a source without ids of its own that a row of the same moment may mean.
public struct NoteKin: Hashable, Sendable {
  public let rowID: Int64
  /// That was made for it.
  public let id: String
  /// As it stands.
  public let patientID: String
  public let text: String
  /// Whether it is of the row's patient: as it stands, or as its source said last.
  public let isOfSamePatient: Bool
  /// Whether it has the row's text: as it stands, or as its source said last.
  public let saysTheSame: Bool
  /// Whether it says the same, and is of the same author and kind.
  public let isTwin: Bool
  /// Whether it came from the row's file; nil where no file was remembered.
  public let isOfSameFile: Bool?
}

extension NoteStore {
  /// The notes of a source without ids of their own that were recorded at the moment of `note`, and are of its patient or have
  /// its text, in the order they came.
  ///
  /// - Complexity: O(notes of that moment).
  public func kin(of note: ClinicalNote, source: Int64, file: String?) throws(StoreError) -> [NoteKin] {
    let patient = try connection.recordIDs.row(.patient, note.patientID, preferring: source)
    let text = FieldContent.text(note.text)
    let rows = try connection.rows(
      """
      SELECT id FROM note
      WHERE recorded_at = ? AND source_id = ? AND (patient_id = ? OR text = ? OR instr(said, ?) > 0) ORDER BY id
      """, note.recordedAt, source, patient, note.text, SaidFields.entry(text, of: "text"), read: { $0.int64(0) })
    var kin: [NoteKin] = []
    for row in rows {
      if let found = try self.kin(row: row, of: note, file: file) { kin.append(found) }
    }
    return kin
  }

  /// The note that has the id of `note`, whenever it was recorded, where its source has no ids of its own.
  public func kin(withIDOf note: ClinicalNote, source: Int64, file: String?) throws(StoreError) -> NoteKin? {
    guard let row = try row(id: note.id, source: source) else { return nil }
    return try kin(row: row, of: note, file: file)
  }

  /// The rows of the notes that came from a file, up to and including `last`.
  ///
  /// - Complexity: reads what the source said of each of its notes.
  public func filed(from file: String, source: Int64, through last: Int64) throws(StoreError) -> [Int64] {
    try connection.rows(
      "SELECT id FROM note WHERE source_id = ? AND id <= ? AND instr(said, ?) > 0", source, last,
      SaidFields.entry(.text(file), of: SaidFields.file), read: { $0.int64(0) })
  }

  /// The row that was written last.
  public func lastRow() throws(StoreError) -> Int64 { try connection.number("SELECT coalesce(max(id), 0) FROM note") }

  private func kin(row: Int64, of note: ClinicalNote, file: String?) throws(StoreError) -> NoteKin? {
    guard let stored = try self.note(row: row)?.value else { return nil }
    let head = try connection.first(
      "SELECT external_id, said FROM note WHERE id = ?", row,
      read: { (id: $0.text(0), said: $0.isNull(1) ? nil : $0.bytes(1)) })
    guard let head else { return nil }
    let said = SaidFields(stored: head.said)
    if head.said == nil {
      // Of an import that left no memory: as the import format makes them.
      guard ["csv:", "jsonl:", "text:"].contains(where: head.id.hasPrefix) else { return nil }
    } else if said.contains("id") {
      return nil
    }
    let saysTheSame = stored.text == note.text || said.says(.text(note.text), of: "text")
    let isOfAuthor =
      stored.author == note.author || note.author.map { said.says(.text($0), of: "author") } ?? false
    let isOfKind = stored.kind == note.kind || said.says(.text(note.kind.rawValue), of: "kind")
    return NoteKin(
      rowID: row, id: head.id, patientID: stored.patientID, text: stored.text,
      isOfSamePatient: stored.patientID == note.patientID || said.says(.text(note.patientID), of: "patient_id"),
      saysTheSame: saysTheSame, isTwin: saysTheSame && isOfAuthor && isOfKind,
      isOfSameFile: said.contains(SaidFields.file)
        ? file.map { said.says(.text($0), of: SaidFields.file) } ?? false : nil)
  }
}
