import CSQLite

/// An open practice file.
///
///     let connection = try Connection.open("practice.vetnet")
///     try connection.transaction { () throws(StoreError) in
///       try connection.execute("UPDATE setting SET value = ? WHERE key = ?", "Europe/London", "time_zone")
///     }
///
/// One thread at a time uses a connection, which is why it isn't `Sendable`; a process may open several.
public final class Connection {
  public enum Access: Sendable {
    case readWrite
    /// Neither data nor schema can be changed: for questions and status, beside a writer.
    case readOnly
  }

  /// Where the file is; `:memory:` for one in memory.
  public let path: String
  public let access: Access
  /// Whether a connection that only reads can put that on record: every other statement that would change something is refused, see
  /// ``recording(waitingMilliseconds:_:)``. It reads the schema once, where a second connection would read it again.
  ///
  /// Refused here, not by `PRAGMA query_only`: to turn that on or off has SQLite prepare all statements anew.
  public let recordsReadings: Bool
  /// Whether it is doing that now.
  var isRecording = false
  /// Whether it may change something at this moment.
  public var canWrite: Bool { access == .readWrite || isRecording }
  /// SQLite itself refuses what a file that is open for reading can't do.
  private var refusesChanges: Bool { recordsReadings && !isRecording }
  let handle: OpaquePointer
  /// Statements by their text. One in use is not lent again, so that using it within itself prepares another.
  private var cache: [String: Statement] = [:]
  /// How many transactions are open, one within another.
  var transactionDepth = 0
  public var isInTransaction: Bool { transactionDepth > 0 }
  /// What the last batch knew of the terms of its generation.
  var recentTerms = RecentTerms()
  /// What the open transaction wrote of records.
  let writtenRecords = WrittenRecords()
  /// Called at the end of each transaction that holds the write lock, before it is committed, with the records that it has
  /// changed; says whether it counts as a change of what the practice says or does although it wrote no record. What it throws
  /// undoes the transaction.
  public var beforeCommit: ((_ changes: [RecordChange]) throws(StoreError) -> Bool)?
  /// Called before ``beforeCommit`` in each transaction that wrote records, with those records: to keep in the log what was changed.
  public var logChanges: ((_ written: [WrittenRecord]) throws(StoreError) -> Void)?
  /// Called last of all before a transaction that holds the write lock is committed, for what the database can't undo; what it
  /// throws undoes the transaction.
  var lastStep: (() throws(StoreError) -> Void)?
  /// Called after each transaction that was committed.
  public var afterCommit: (() -> Void)?
  /// Whether the open transaction holds the write lock.
  public internal(set) var isWriting = false
  /// Counts transactions, so that what was read in one is not taken for what another sees.
  public internal(set) var transactionNumber: UInt64 = 0
  /// Whether the open transaction removed text that must leave the file.
  var removedTextInTransaction = false

  /// Takes over an open database handle and closes it in the end.
  init(handle: OpaquePointer, path: String, access: Access, recordsReadings: Bool = false) {
    self.handle = handle
    self.recordsReadings = recordsReadings
    self.path = path
    self.access = access
  }

  deinit {
    cache.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Lends a prepared statement, from the cache when the same text has run before.
  ///
  /// - Complexity: O(1) on a hit; preparing takes 10 to 100 µs.
  public func withStatement<Result>(
    _ sql: String, _ body: (Statement) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let statement: Statement
    if let cached = cache[sql], !cached.isLent {
      statement = cached
    } else {
      statement = try Statement(database: handle, sql: sql, isCached: true)
      cache[sql] = statement
    }
    guard statement.isReadOnly || !refusesChanges else { throw StoreError(.readOnly, context: "changing \(path)") }
    statement.isLent = true
    defer {
      statement.resetAndClear()
      statement.isLent = false
    }
    return try body(statement)
  }

  /// The statements in the cache.
  var cachedStatementCount: Int { cache.count }

  /// Runs a script of several statements without values: migrations and pragmas.
  func executeScript(_ sql: String, context: String) throws(StoreError) {
    guard !refusesChanges else { throw StoreError(.readOnly, context: context) }
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw .sqlite(result, context: context) }
  }

  /// The rows that the last INSERT, UPDATE or DELETE changed, cascades and triggers not counted.
  public var changedRowCount: Int { Int(sqlite3_changes64(handle)) }

  public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }
}
