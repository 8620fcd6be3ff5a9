import CSQLite

extension Connection {
  public enum TransactionKind: Sendable {
    /// Takes the write lock at once: a transaction that reads first and writes later could find, too late, that what
    /// it read is no longer so.
    case immediate
    /// Reads one state of the file, whatever others write meanwhile.
    case deferred
  }

  /// Runs `body` whole or not at all; within another transaction, as a savepoint of it.
  ///
  /// - Throws: what `body` throws, after undoing what it did; ``StoreError/Code/busy`` when another process holds the
  ///   write lock for longer than the connection waits.
  public func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try begin(kind)
    let result: Result
    do {
      result = try body()
    } catch {
      rollBack()
      throw error
    }
    try commit()
    return result
  }

  /// ``transaction(_:_:)`` for a body that throws errors of other kinds too.
  public func mixedTransaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Result
  ) throws -> Result {
    try begin(kind)
    let result: Result
    do {
      result = try body()
    } catch {
      rollBack()
      throw error
    }
    try commit()
    return result
  }

  /// Whether no transaction is open.
  public var isIdle: Bool { transactionDepth == 0 }

  private func begin(_ kind: TransactionKind) throws(StoreError) {
    if transactionDepth > 0 {
      try execute("SAVEPOINT nested_\(transactionDepth)")
    } else if kind == .immediate && canWrite {
      try execute("BEGIN IMMEDIATE")
    } else {
      try execute("BEGIN DEFERRED")
    }
    if transactionDepth == 0 {
      isWriting = kind == .immediate && canWrite
      transactionNumber += 1
    }
    transactionDepth += 1
  }

  private func commit() throws(StoreError) {
    do {
      if transactionDepth == 1 { try writtenRecords.seal(in: self) }
      if transactionDepth == 1, isWriting { try lastStep?() }
      try execute(transactionDepth > 1 ? "RELEASE nested_\(transactionDepth - 1)" : "COMMIT")
    } catch {
      rollBack()
      throw error
    }
    transactionDepth -= 1
    if transactionDepth == 0 && removedTextInTransaction {
      removedTextInTransaction = false
      // The commit stands whatever happens here; what could not be erased stays marked and is tried again.
      _ = try? finishErasure(waitingMilliseconds: 100)
    }
    if transactionDepth == 0 { afterCommit?() }
  }

  private func rollBack() {
    transactionDepth -= 1
    recentTerms.forget()
    if transactionDepth == 0 { writtenRecords.forget() }
    // After a full disk or an I/O error SQLite has rolled back everything by itself, savepoints included.
    guard sqlite3_get_autocommit(handle) == 0 else { return }
    if transactionDepth > 0 {
      _ = try? execute("ROLLBACK TO nested_\(transactionDepth)")
      _ = try? execute("RELEASE nested_\(transactionDepth)")
    } else {
      _ = try? execute("ROLLBACK")
      removedTextInTransaction = false
    }
  }
}
