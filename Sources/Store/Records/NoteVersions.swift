public import Clinical

/// What a note was before it was changed.
public struct NoteVersion: Hashable, Sendable {
  public enum Cause: String, Hashable, Sendable {
    case imported = "import"
    case importUndone = "import undone"
    case amended, moved
  }

  public let rowID: Int64
  public let replacedAt: Timestamp
  public let actor: String
  public let cause: Cause
  public let reason: String?
  /// Whose it was; nil where that patient was erased since.
  public let patientID: String?
  public let recordedAt: Timestamp
  public let author: String?
  public let kind: NoteKind
  public let text: String

  /// One that is in no file yet has the row 0.
  public init(
    rowID: Int64 = 0, replacedAt: Timestamp, actor: String, cause: Cause, reason: String?, patientID: String?,
    recordedAt: Timestamp, author: String?, kind: NoteKind, text: String
  ) {
    self.rowID = rowID
    self.replacedAt = replacedAt
    self.actor = actor
    self.cause = cause
    self.reason = reason
    self.patientID = patientID
    self.recordedAt = recordedAt
    self.author = author
    self.kind = kind
    self.text = text
  }
}

/// That a note is not to be relied on, and why.
public struct NoteRetraction: Hashable, Sendable {
  public let at: Timestamp
  public let actor: String
  public let reason: String

  public init(at: Timestamp, actor: String, reason: String) {
    self.at = at
    self.actor = actor
    self.reason = reason
  }
}

/// Corrections: each keeps what was there, and takes what was derived from it along, in one transaction.
extension NoteStore {
  /// SQL that is true for a note under `record` that stands.
  static let isStanding = "NOT EXISTS (SELECT 1 FROM note_retraction AS retracted WHERE retracted.note_id = record.id)"

  /// What a note was before each of its changes, the oldest first.
  public func versions(row: Int64) throws(StoreError) -> [NoteVersion] {
    try connection.rows(
      """
      SELECT id, replaced_at, actor, cause, reason, \(RecordIDs.reference("patient_id", .patient)), recorded_at, author,
        kind, text
      FROM note_version WHERE note_id = ? ORDER BY id
      """, row, read: Self.readVersion)
  }

  public func retraction(row: Int64) throws(StoreError) -> NoteRetraction? {
    try connection.first("SELECT retracted_at, actor, reason FROM note_retraction WHERE note_id = ?", row) {
      NoteRetraction(at: $0.timestamp(0), actor: $0.text(1), reason: $0.text(2))
    }
  }

  /// How many of a patient's notes are retracted.
  public func retractedCount(patient: Int64) throws(StoreError) -> Int {
    Int(
      try connection.number(
        "SELECT count(*) FROM note_retraction JOIN note ON note.id = note_id WHERE note.patient_id = ?", patient))
  }

  /// Gives a note another text, or another patient; the note as it was becomes a version.
  ///
  /// - Returns: false when it is so already, with nothing written.
  /// - Throws: ``StoreError/Code/alteredRecord`` for a note that is not what was written.
  public func change(
    row: Int64, cause: NoteVersion.Cause, reason: String?, at moment: Timestamp, actor: String,
    _ edit: (inout ClinicalNote) -> Void
  ) throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      guard let current = try note(row: row)?.value, let identity = try connection.imports.identity(.note, row) else {
        throw StoreError(.unknownRecord, context: "note row \(row)")
      }
      var changed = current
      edit(&changed)
      guard changed != current else { return false }
      try connection.recordHashes.requireSound(.note, row)
      try keepVersion(row: row, cause: cause, reason: reason, at: moment, actor: actor)
      changed.id = identity.externalID
      _ = try upsert(changed, source: identity.source)
      return true
    }
  }

  /// Marks a note as one not to be relied on; what was derived from it goes.
  ///
  /// - Returns: false when it is marked already.
  public func retract(row: Int64, _ retraction: NoteRetraction) throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      guard try self.retraction(row: row) == nil else { return false }
      try connection.chunks.removeDerived(note: row)
      try connection.execute(
        "INSERT INTO note_retraction (note_id, retracted_at, actor, reason) VALUES (?, ?, ?, ?)", row, retraction.at,
        retraction.actor, retraction.reason)
      connection.writtenRecords.touch(.note, row)
      return true
    }
  }

  /// Takes a retraction back; the note is then one that all generations lack.
  ///
  /// - Returns: false when it is not retracted.
  public func reinstate(row: Int64) throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      guard try retraction(row: row) != nil else { return false }
      try connection.execute("DELETE FROM note_retraction WHERE note_id = ?", row)
      connection.writtenRecords.touch(.note, row)
      return true
    }
  }

  /// Keeps what another file knows of a note's past: its superseded versions, the oldest first, and its retraction. A patient of a
  /// version who isn't in the file is left out.
  public func bring(
    _ versions: [NoteVersion], _ retraction: NoteRetraction?, to row: Int64, source: Int64
  ) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      for version in versions {
        let patient = try version.patientID.flatMap { id throws(StoreError) in
          try connection.recordIDs.row(.patient, id, preferring: source)
        }
        try connection.execute(
          """
          INSERT INTO note_version (note_id, replaced_at, actor, cause, reason, patient_id, recorded_at, author, kind, text)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """, row, version.replacedAt, version.actor, version.cause.rawValue, version.reason, patient,
          version.recordedAt, version.author, version.kind.rawValue, version.text)
      }
      if let retraction { _ = try retract(row: row, retraction) }
    }
  }

  /// Keeps a note as it is now.
  ///
  /// - Returns: the version's row.
  @discardableResult
  func keepVersion(
    row: Int64, cause: NoteVersion.Cause, reason: String?, at moment: Timestamp, actor: String
  ) throws(StoreError) -> Int64 {
    try connection.execute(
      """
      INSERT INTO note_version (note_id, replaced_at, actor, cause, reason, patient_id, recorded_at, author, kind, text)
      SELECT id, ?, ?, ?, ?, patient_id, recorded_at, author, kind, text FROM note WHERE id = ?
      """, moment, actor, cause.rawValue, reason, row)
    return connection.lastInsertedRowID
  }

  /// The row of a note by the very id that its source gave it, or that was made for it.
  public func row(id: String, source: Int64) throws(StoreError) -> Int64? {
    try connection.recordIDs.row(.note, externalID: id, source: source)?.rowID
  }

  /// The fields of a note that somebody here has changed by hand: its text, whose it is.
  public func fieldsCorrectedHere(row: Int64) throws(StoreError) -> Set<String> {
    let causes = try connection.rows("SELECT DISTINCT cause FROM note_version WHERE note_id = ?", row) { $0.text(0) }
    var fields: Set<String> = []
    if causes.contains(NoteVersion.Cause.amended.rawValue) { fields.insert("text") }
    if causes.contains(NoteVersion.Cause.moved.rawValue) { fields.insert("patient_id") }
    return fields
  }

  private static func readVersion(_ row: Statement) throws(StoreError) -> NoteVersion {
    guard let cause = NoteVersion.Cause(rawValue: row.text(3)), let kind = NoteKind(rawValue: row.text(8)) else {
      throw StoreError(.corrupt, context: "note version row \(row.int64(0))")
    }
    return NoteVersion(
      rowID: row.int64(0), replacedAt: row.timestamp(1), actor: row.text(2), cause: cause, reason: row.optionalText(4),
      patientID: row.optionalText(5), recordedAt: row.timestamp(6), author: row.optionalText(7), kind: kind,
      text: row.text(9))
  }
}
