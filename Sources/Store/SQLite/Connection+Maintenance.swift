import CSQLite

extension Connection {
  /// Looks for damage without comparing indexes to tables.
  ///
  /// - Returns: what is wrong, in SQLite's words; empty when nothing is.
  /// - Complexity: reads the file once.
  public func quickCheck() throws(StoreError) -> [String] {
    try checkResults("PRAGMA quick_check")
  }

  /// Looks for damage everywhere, indexes against tables included.
  ///
  /// - Complexity: reads the file once, and looks every index entry up.
  public func integrityCheck() throws(StoreError) -> [String] {
    try checkResults("PRAGMA integrity_check")
  }

  private func checkResults(_ sql: String) throws(StoreError) -> [String] {
    let lines = try rows(sql) { $0.text(0) }
    return lines == ["ok"] ? [] : lines
  }

  /// Rows that refer to rows which aren't there, as `table rowid → table`.
  public func foreignKeyCheck() throws(StoreError) -> [String] {
    try rows("PRAGMA foreign_key_check") { row in
      "\(row.text(0)) \(row.int64(1)) → \(row.text(2))"
    }
  }

  /// Copies the write-ahead log into the file and, with `truncate`, empties it, waiting so long for connections that still read or
  /// write.
  ///
  /// - Returns: false when another connection still reads or writes, and the log had to stay.
  @discardableResult
  public func checkpoint(truncate: Bool, waitingMilliseconds: Int32) throws(StoreError) -> Bool {
    let usual = try number("PRAGMA busy_timeout")
    sqlite3_busy_timeout(handle, waitingMilliseconds)
    defer { sqlite3_busy_timeout(handle, Int32(usual)) }
    return try checkpoint(truncate: truncate)
  }

  /// ``checkpoint(truncate:waitingMilliseconds:)`` that waits as long as the connection's statements do.
  @discardableResult
  public func checkpoint(truncate: Bool = true) throws(StoreError) -> Bool {
    let mode = truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
    var frames: Int32 = 0
    var copied: Int32 = 0
    switch sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, &copied) {
    case SQLITE_OK: return frames == copied
    case SQLITE_BUSY: return false
    case let result: throw .sqlite(result, context: "checkpoint")
    }
  }

  /// Rebuilds the file without its free pages.
  ///
  /// - Complexity: reads and writes the whole file, and holds it in memory meanwhile: a copy on disk would be one more
  ///   place where text stands.
  public func compact() throws(StoreError) {
    try execute("VACUUM")
    try checkpoint()
  }

  /// Makes the indexes of some tables anew from their rows: a row that was altered on disk isn't the one its index entry was made
  /// for, and can't be deleted until it is.
  public func rebuildIndexes(of tables: [String]) throws(StoreError) {
    for table in tables { try executeScript("REINDEX \(table)", context: "rebuilding the indexes of \(table)") }
  }

  /// Asks SQLite to leave room for a ``PageSum`` in pages that it lays out from now on: a new file's, or those of ``compact()``.
  func reserveBytes() throws(StoreError) {
    var count = Int32(PageSum.byteCount)
    let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
    guard result == SQLITE_OK else { throw .sqlite(result, context: "making room for checksums") }
  }

  // MARK: Batches

  /// Runs a batch of transactions whose work nobody would miss: what was built of a generation that isn't in use yet, or
  /// taken away of one that no longer is. A power cut may lose the last of them, each whole; the file stays sound, and the
  /// job goes on from what is there. The next transaction outside, such as the switch to the new generation, puts all of
  /// them on disk before itself.
  ///
  /// The log may grow to 64 MB meanwhile, for pages that many transactions change to be copied into the file once.
  public func withoutWaitingForDisk<Result>(_ body: () throws -> Result) throws -> Result {
    precondition(transactionDepth == 0, "how a transaction is kept can't change within it")
    try executeScript(
      "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4096", context: "beginning a batch")
    let result: Result
    do {
      result = try body()
    } catch {
      try waitForDisk()
      throw error
    }
    try waitForDisk()
    return result
  }

  private func waitForDisk() throws(StoreError) {
    try executeScript("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000", context: "ending a batch")
  }

  // MARK: Deleted text

  /// To be called by whatever deletes or replaces text, within the transaction that does it.
  ///
  /// `secure_delete` overwrites what is freed in the file, but the write-ahead log keeps the pages as they were until it
  /// is truncated. So the mark goes in with the deletion, and after the commit the log is truncated and the mark taken
  /// away. While another connection reads an older state the log has to stay; the mark stays too, and each later
  /// commit that deletes, and each later opening, tries again.
  func markRemovedText() throws(StoreError) {
    precondition(transactionDepth > 0, "text is removed within a transaction")
    removedTextInTransaction = true
    try announceErasure()
  }

  /// Marks that text is being deleted, for many transactions of which the last calls ``markRemovedText()``.
  func announceErasure() throws(StoreError) {
    precondition(transactionDepth > 0, "text is removed within a transaction")
    try execute("INSERT OR IGNORE INTO setting (key, value) VALUES (?, '1')", Self.erasureKey)
  }

  /// Whether deleted or replaced text may still stand in the write-ahead log.
  public var isErasurePending: Bool {
    get throws(StoreError) { try exists("SELECT 1 FROM setting WHERE key = ?", Self.erasureKey) }
  }

  /// Gets deleted text out of the write-ahead log, if there is any, waiting so long for connections that still read an
  /// older state.
  ///
  /// - Returns: whether none is left.
  @discardableResult
  public func finishErasure(waitingMilliseconds: Int32 = 5000) throws(StoreError) -> Bool {
    guard try isErasurePending else { return true }
    precondition(transactionDepth == 0, "the log can't be truncated within a transaction")
    guard try checkpoint(truncate: true, waitingMilliseconds: waitingMilliseconds) else { return false }
    try execute("DELETE FROM setting WHERE key = ?", Self.erasureKey)
    return true
  }

  private static let erasureKey = "erasure_pending"
}
