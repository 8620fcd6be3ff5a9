public import Clinical

/// The entries of patients' records, exactly as they were written.
public struct NoteStore {
  let connection: Connection

  /// Inserts or updates a note under `note.id` of the source.
  ///
  /// A changed note takes what was derived from it along, in the same transaction: see ``ChunkStore/removeDerived(note:)``.
  /// Its old text is out of file and log when the outermost transaction has ended, unless others still read it then.
  ///
  /// - Throws: ``StoreError/Code/unknownRecord`` when its patient isn't in the file.
  public func upsert(_ note: ClinicalNote, source: Int64) throws(StoreError) -> Upserted {
    try connection.transaction { () throws(StoreError) in
      let patient = try connection.recordIDs.required(.patient, note.patientID, preferring: source) as Int64
      return try connection.upsert(
        .note, source: source, id: note.id, columns: ["patient_id", "recorded_at", "author", "kind", "text"],
        values: patient, note.recordedAt, note.author, note.kind.rawValue, note.text
      ) { row throws(StoreError) in
        try connection.chunks.removeDerived(note: row)
      }
    }
  }

  /// Deletes a note and what was derived from it.
  public func delete(row: Int64) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.chunks.removeDerived(note: row)
      try connection.execute("DELETE FROM note WHERE id = ?", row)
      try connection.markRemovedText()
    }
  }

  public func note(row: Int64) throws(StoreError) -> StoredNote? {
    try connection.first("\(Self.selection) WHERE record.id = ?", row, read: Self.read)
  }

  /// The notes of these rows, in the order asked for; rows that are gone are left out.
  public func notes(rows: [Int64]) throws(StoreError) -> [StoredNote] {
    var notes: [StoredNote] = []
    notes.reserveCapacity(rows.count)
    for row in rows {
      if let note = try note(row: row) { notes.append(note) }
    }
    return notes
  }

  /// Those with this id; several only when sources share it.
  public func notes(id: String) throws(StoreError) -> [StoredNote] {
    try notes(rows: try connection.recordIDs.candidates(.note, id))
  }

  /// A patient's notes that stand (see ``retract(row:_:)``), the oldest first, up to and including `moment`.
  public func notes(patient: Int64, through moment: Timestamp? = nil) throws(StoreError) -> [StoredNote] {
    try connection.rows(
      """
      \(Self.selection) WHERE record.patient_id = ? AND record.recorded_at <= ? AND \(Self.isStanding)
      ORDER BY record.recorded_at, record.id
      """,
      patient, moment?.seconds ?? .max, read: Self.read)
  }

  /// A patient's latest note that stands, up to and including `moment`; nil for none.
  public func latest(patient: Int64, through moment: Timestamp) throws(StoreError) -> StoredNote? {
    try connection.first(
      """
      \(Self.selection) WHERE record.patient_id = ? AND record.recorded_at <= ? AND \(Self.isStanding)
      ORDER BY record.recorded_at DESC, record.id DESC LIMIT 1
      """, patient, moment, read: Self.read)
  }

  /// Who wrote a patient's latest notes that stand, where somebody is named, the newest first.
  public func latestAuthors(patient: Int64, limit: Int) throws(StoreError) -> [String] {
    try connection.rows(
      """
      SELECT record.author FROM note AS record WHERE record.patient_id = ? AND \(Self.isStanding)
      ORDER BY record.recorded_at DESC, record.id DESC LIMIT ?
      """, patient, limit
    ) { $0.optionalText(0) }.compactMap(\.self)
  }

  /// The next notes that a generation has neither indexed nor failed on, in the order of their rows, `after` the last
  /// row of the batch before. A retracted note is none of them.
  ///
  /// - Complexity: O(notes skipped + `limit`) index look-ups; reads the text of at most `limit` notes.
  public func lacking(
    in generation: Int64, after row: Int64 = 0, limit: Int
  ) throws(StoreError) -> [StoredNote] {
    try connection.rows(
      """
      \(Self.selection)
      WHERE record.id > ?2 AND NOT EXISTS (
        SELECT 1 FROM note_state WHERE generation_id = ?1 AND note_id = record.id)
        AND \(Self.isStanding)
      ORDER BY record.id LIMIT ?3
      """, generation, row, limit, read: Self.read)
  }

  /// How many notes ``lacking(in:after:limit:)`` has to give.
  public func lackingCount(in generation: Int64) throws(StoreError) -> Int {
    Int(
      try connection.number(
        """
        SELECT count(*) FROM note AS record
        WHERE NOT EXISTS (SELECT 1 FROM note_state WHERE generation_id = ? AND note_id = record.id)
          AND \(Self.isStanding)
        """, generation))
  }

  /// How many notes stand: all but those that were retracted. Of these a generation has ``Generation/noteCount``.
  public func standingCount() throws(StoreError) -> Int {
    Int(try connection.number("SELECT (SELECT count(*) FROM note) - (SELECT count(*) FROM note_retraction)"))
  }

  /// The standing notes that were stored last, the newest first.
  public func latestStored(limit: Int) throws(StoreError) -> [ClinicalNote] {
    try connection.rows(
      "\(Self.selection) WHERE \(Self.isStanding) ORDER BY record.id DESC LIMIT ?", limit, read: Self.read
    ).map(\.value)
  }

  /// The last row of each portion of so many standing notes, in the order of the rows.
  ///
  /// - Complexity: one pass over the notes' rows, without their text.
  public func portions(of size: Int) throws(StoreError) -> [Int64] {
    let rows = try connection.rows(
      "SELECT id FROM note AS record WHERE \(Self.isStanding) ORDER BY id", read: { $0.int64(0) })
    return stride(from: 0, to: rows.count, by: size).map { rows[min($0 + size, rows.count) - 1] }
  }

  public func count() throws(StoreError) -> Int { Int(try connection.number("SELECT count(*) FROM note")) }

  private static let selection = """
    SELECT record.id, record.patient_id, \(RecordIDs.expression("record", .note)),
      \(RecordIDs.reference("record.patient_id", .patient)), record.recorded_at, record.author, record.kind,
      record.text, record.content_hash
    FROM note AS record
    """

  private static func read(_ row: Statement) throws(StoreError) -> StoredNote {
    guard let kind = NoteKind(rawValue: row.text(6)) else {
      throw StoreError(.corrupt, context: "the kind of note row \(row.int64(0))")
    }
    return StoredNote(
      rowID: row.int64(0), patientRowID: row.int64(1), contentHash: ContentHash(stored: row.bytes(8)),
      value: ClinicalNote(
        id: row.text(2), patientID: row.text(3), recordedAt: row.timestamp(4), author: row.optionalText(5), kind: kind,
        text: row.text(7)))
  }
}

/// A note as it lies in the file.
public struct StoredNote: Hashable, Sendable {
  public let rowID: Int64
  public let patientRowID: Int64
  /// Names this version of the note: what is derived from it is accepted only while it still is the version.
  public let contentHash: ContentHash
  public let value: ClinicalNote

  public init(rowID: Int64, patientRowID: Int64, contentHash: ContentHash, value: ClinicalNote) {
    self.rowID = rowID
    self.patientRowID = patientRowID
    self.contentHash = contentHash
    self.value = value
  }
}

extension Connection {
  public var notes: NoteStore { NoteStore(connection: self) }
}
