import Clinical
import Store
import Sync

extension SyncConflict {
  /// How it was settled; nil for one that is open.
  public var choice: SettleSyncConflict.Choice? {
    settled.flatMap { words in SettleSyncConflict.Choice.allCases.first { words.hasPrefix("\($0.rawValue) by ") } }
  }
}

extension Practice.Sync {
  /// Opens a conflict again that somebody settled. What stood before stands again, unless the value that was chosen was changed since.
  ///
  /// - Returns: the conflict, open, and whether a value was put back.
  /// - Throws: ``PracticeError`` with `notFound` for one that isn't settled.
  func reopenConflict(_ id: String, now: Timestamp) throws -> (conflict: SyncConflict, putsBack: Bool) {
    guard let conflict = try syncConflicts(settledToo: true).first(where: { $0.id == id && $0.settled != nil }) else {
      throw PracticeError(
        .notFound, "there is no settled conflict '\(id)'", hint: "Maybe look at: vetnet sync conflicts --settled")
    }
    let before = try contentBefore(conflict)
    try writing {
      if let before {
        try connection.replicated.write(
          [conflict.field: before], to: conflict.record,
          by: RemoteAuthor(actor: practice.actorName, at: now, reason: "opened a conflict between devices again"))
      }
      try appendToConflict(id, ["settled": FieldContent.none], now: now)
    }
    return (try syncConflicts().first { $0.id == id } ?? conflict, before != nil)
  }

  /// What stood in the field before one of the values was chosen; nil where nothing is to be put back.
  private func contentBefore(_ conflict: SyncConflict) throws -> FieldContent? {
    let chosen: FieldContent? =
      switch conflict.choice {
      case .ours: conflict.ours
      case .theirs: conflict.theirs
      case .leave, nil: nil
      }
    guard let chosen, conflict.background.isChoosable, let table = RecordTable(rawValue: conflict.record.kind),
      let row = try connection.replicated.ownRow(conflict.record),
      try connection.replicated.fields(table, row: row)?[conflict.field] == chosen
    else { return nil }
    let name = RecordName(kind: MergeRules.conflictKind, source: "hub", id: conflict.id)
    let fold = RecordFold(
      try connection.operationLog.operations(of: name), rule: practice.merging.rules.rule(of: MergeRules.conflictKind))
    let before = try operation(fold.contents["before"])?.fields[conflict.field]
    return before == chosen ? nil : before
  }

  /// What stands in a field, as the log tells it: who said it, by replica and number. Nil for what nobody said since there are devices.
  func standing(_ field: String, of name: RecordName) throws -> FieldContent? {
    let fold = RecordFold(
      try connection.operationLog.operations(of: name), rule: practice.merging.rules.rule(of: name.kind))
    return fold.fields[field].map { ConflictNote.reference($0.operation) }
  }

  /// Says more of a conflict, on every device.
  func appendToConflict(_ id: String, _ fields: [String: FieldContent], now: Timestamp) throws {
    guard let own = try connection.operationLog.own() else { return }
    var writer = OperationWriter(connection: connection, own: own, actor: practice.actorName, now: now)
    try writer.append(
      RecordName(kind: MergeRules.conflictKind, source: "hub", id: id), turn: nil, fields: fields)
    try connection.operationLog.keep(writer.own)
  }
}
