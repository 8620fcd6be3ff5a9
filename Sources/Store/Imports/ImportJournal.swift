public import Clinical

/// One field that an import changed, or would.
public struct FieldChange: Hashable, Sendable {
  public let field: String
  public let old: FieldContent
  public let new: FieldContent

  public init(field: String, old: FieldContent, new: FieldContent) {
    self.field = field
    self.old = old
    self.new = new
  }
}

/// What became of a row.
public struct KeptRecord: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable { case inserted, updated, moved, unchanged }

  public let rowID: Int64
  public let outcome: Outcome
  /// Empty for a record that is new or as it was.
  public let changes: [FieldChange]
}

/// An import as the file keeps it.
public struct ImportEntry: Hashable, Sendable {
  public let id: Int64
  public let source: String
  public let startedAt: Timestamp
  /// Nil for one that runs, or was ended by force.
  public let finishedAt: Timestamp?
  public let actor: String
  public let paths: [String]
  /// By kind of record: new, changed, moved.
  public let counts: [String: [String: Int]]
  public let rejected: Int
  /// When it was taken back, whole or in part.
  public let undoneAt: Timestamp?
  public let undoneBy: String?
  /// Fields and records that stayed when it was taken back.
  public let keptCount: Int

  /// Whether something is left to be taken back.
  public var isStanding: Bool { undoneAt == nil || keptCount > 0 }
}

/// Which imports there were and what each changed; what makes it possible to take one back.
public struct ImportJournal {
  let connection: Connection

  /// Opens an entry.
  ///
  /// - Returns: its id.
  public func begin(source: Int64, at now: Timestamp, actor: String, paths: [String]) throws(StoreError) -> Int64 {
    try connection.execute(
      "INSERT INTO import (source_id, started_at, actor, paths, counts) VALUES (?, ?, ?, ?, '{}')", source, now, actor,
      try FieldJSON.encode(paths))
    return connection.lastInsertedRowID
  }

  /// Keeps how far an import has come, in the transaction of its records.
  public func count(
    _ id: Int64, counts: [String: [String: Int]], rejected: Int, finishedAt: Timestamp? = nil
  ) throws(StoreError) {
    try connection.execute(
      "UPDATE import SET counts = ?, rejected_count = ?, finished_at = ? WHERE id = ?",
      try FieldJSON.encode(counts), rejected, finishedAt, id)
  }

  /// Forgets an entry under which nothing was changed.
  public func discard(_ id: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM import WHERE id = ?", id)
  }

  /// Whether a source has given a record of this id.
  public func isOnFile(_ table: RecordTable, id: String, source: Int64) throws(StoreError) -> Bool {
    try connection.recordIDs.row(table, externalID: id, source: source) != nil
  }

  /// The newest first.
  public func entries(limit: Int = .max) throws(StoreError) -> [ImportEntry] {
    try connection.rows("\(Self.selection) ORDER BY record.id DESC LIMIT ?", limit, read: Self.read)
  }

  public func entry(_ id: Int64) throws(StoreError) -> ImportEntry? {
    try connection.first("\(Self.selection) WHERE record.id = ?", id, read: Self.read)
  }

  /// The latest import that stands, in whole or in part.
  public func latestStanding() throws(StoreError) -> ImportEntry? {
    try connection.first(
      "\(Self.selection) WHERE record.undone_at IS NULL OR record.undo_kept_count > 0 ORDER BY record.id DESC LIMIT 1",
      read: Self.read)
  }

  private static let selection = """
    SELECT record.id, source.name, record.started_at, record.finished_at, record.actor, record.paths, record.counts,
      record.rejected_count, record.undone_at, record.undone_by, coalesce(record.undo_kept_count, 0)
    FROM import AS record JOIN source ON source.id = record.source_id
    """

  private static func read(_ row: Statement) throws(StoreError) -> ImportEntry {
    ImportEntry(
      id: row.int64(0), source: row.text(1), startedAt: row.timestamp(2), finishedAt: row.optionalTimestamp(3),
      actor: row.text(4), paths: try FieldJSON.decode(row.text(5), as: [String].self),
      counts: try FieldJSON.decode(row.text(6), as: [String: [String: Int]].self), rejected: row.int(7),
      undoneAt: row.optionalTimestamp(8), undoneBy: row.optionalText(9), keptCount: row.int(10))
  }
}

extension Connection {
  public var imports: ImportJournal { ImportJournal(connection: self) }
}
