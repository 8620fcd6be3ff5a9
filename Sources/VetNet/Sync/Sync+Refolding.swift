import Clinical
import Store
import Sync

extension Practice.Sync {
  /// Has all records follow the log again after a newer program has come, which knows kinds, fields and contents that the one before left to
  /// the log. Nothing is said by it: the log holds all of it already. What the book says, the hub says, and what is the hub's own it has.
  ///
  /// - Complexity: reads the whole log, once after each change of the schema.
  func refoldAfterUpgrade() throws {
    guard let own = try connection.operationLog.own(),
      try connection.operationLog.foldedBy() != Self.schemaName
    else { return }
    var waiting = try connection.operationLog.records()
    while !waiting.isEmpty {
      let still = try waiting.filter { try !refold($0, isHub: own.isHub) }
      // What refers to nothing at all stays in the log until that is here.
      guard still.count < waiting.count else { break }
      waiting = still
    }
    try connection.operationLog.setFolded(by: Self.schemaName)
  }

  /// - Returns: false where the record refers to another that isn't here yet.
  private func refold(_ name: RecordName, isHub: Bool) throws -> Bool {
    do {
      try connection.mixedTransaction {
        if isHub { try refoldAtHub(name) } else { _ = try follow(name) }
      }
      return true
    } catch let error as StoreError {
      switch error.code {
      case .unknownRecord: return false
      // One record that can't follow holds up no sync; it stays as it was, and what is said of it in the log.
      case .ambiguousID, .constraint, .alteredRecord: return true
      default: throw error
      }
    }
  }

  /// The hub's records are as its log says, but for what it didn't know when it took it.
  private func refoldAtHub(_ name: RecordName) throws {
    let rule = practice.merging.rules.rule(of: name.kind)
    guard rule.place != .hubOnly, let table = RecordTable(rawValue: name.kind),
      RecordFold(try connection.operationLog.operations(of: name), rule: rule).gone == nil
    else { return }
    _ = try follow(name, leaving: rule.place == .judgedAtHub ? Self.bookFields.union(["status"]) : [])
    guard let row = try connection.replicated.ownRow(name),
      let fields = try connection.replicated.fields(table, row: row)
    else { return }
    try connection.loggedRecords.keep(name, row: row, fields: LoggedRecords.remembered(fields, of: name.kind))
  }
}
