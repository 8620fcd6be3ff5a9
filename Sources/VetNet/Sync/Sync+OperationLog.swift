package import Clinical
import Store
package import Sync

/// What a transaction should keep in mind when it puts in the log what it changed.
struct LogManner {
  /// Whether what was written only follows the log: at a device that takes what the hub told.
  var isFollowing = false
  /// Whose role says what the device that is listened to may change.
  var asked = AskedRole.nobody
  /// Fields that the hub says again whatever the log says of them, because a device believes otherwise.
  var restated: [RecordName: Set<String>] = [:]
  /// What is to be said of restated records that aren't there.
  var turns: [RecordName: RecordOperation.Turn] = [:]
}

/// How changes of a practice get into the log, and are merged with other devices'.
package final class MergingState {
  /// By which changes of several devices are merged; others in tests.
  package var rules = MergeRules.standard
  /// When changes are made that pass no door; for tests.
  package var logTime: Timestamp?
  /// For the transaction that is open.
  var logManner = LogManner()
}

extension Practice.Sync {
  /// Puts what a transaction changed into the log, whatever code changed it: each record is compared with what the log last said.
  /// A file that takes no part has none.
  func log(_ written: [WrittenRecord]) throws(StoreError) {
    guard let own = try connection.operationLog.own() else { return }
    var writer = OperationWriter(
      connection: connection, own: own, actor: practice.actorName,
      now: practice.door.passage?.now ?? practice.merging.logTime)
    var gone: [RecordName] = []
    var told: Set<RecordName> = []
    for record in written {
      let name = try connection.replicated.name(record.table, row: record.rowID)
      let known = try connection.loggedRecords.entry(record.table, row: record.rowID)
      if let known, known.name != name, try connection.replicated.ownRow(known.name) == nil { gone.append(known.name) }
      guard let name, let fields = try connection.replicated.fields(record.table, row: record.rowID) else { continue }
      told.insert(name)
      try writer.tell(
        name, row: record.rowID, fields: fields, again: practice.merging.logManner.restated[name] ?? [],
        isFollowing: practice.merging.logManner.isFollowing)
    }
    for (name, fields) in practice.merging.logManner.restated.sorted(by: { $0.key.id < $1.key.id })
    where !told.contains(name) {
      guard let table = RecordTable(rawValue: name.kind) else { continue }
      if let row = try connection.replicated.ownRow(name),
        let contents = try connection.replicated.fields(table, row: row)
      {
        try writer.tell(name, row: row, fields: contents, again: fields, isFollowing: false)
      } else if !gone.contains(name) {
        gone.append(name)
      }
    }
    // What refers to others goes before them.
    for name in gone.reversed() {
      try writer.tell(gone: name, turn: try turn(of: name), isFollowing: practice.merging.logManner.isFollowing)
    }
    try connection.operationLog.keep(writer.own)
  }

  /// How a record that isn't there went.
  private func turn(of name: RecordName) throws(StoreError) -> RecordOperation.Turn {
    if let turn = practice.merging.logManner.turns[name] { return turn }
    guard let table = RecordTable(rawValue: name.kind) else { return .deleted }
    if try connection.erased.moment(table, name.id, source: connection.sources.id(named: name.source)) != nil {
      return .erased
    }
    guard table == .patient else { return .deleted }
    return try connection.replicated.row(name) == nil ? .deleted : .merged
  }
}

/// Makes operations, one after another, of what a transaction changed.
struct OperationWriter {
  let connection: Connection
  private(set) var own: SyncSelf
  let actor: String
  /// Nil where nobody says: the clock then only goes one step further.
  let now: Timestamp?

  init(connection: Connection, own: SyncSelf, actor: String, now: Timestamp?) {
    self.connection = connection
    self.own = own
    self.actor = actor
    self.now = now
  }

  /// Keeps what differs from what the log said of a record, and what is to be said again.
  mutating func tell(
    _ name: RecordName, row: Int64, fields: [String: FieldContent], again: Set<String>, isFollowing: Bool
  ) throws(StoreError) {
    let known = try connection.loggedRecords.entry(name)
    let isNew = known?.rowID == nil
    let remembered = LoggedRecords.remembered(fields, of: name.kind)
    let before = isNew ? [:] : known?.fields ?? [:]
    let changed = Set(remembered.keys).union(before.keys).filter { remembered[$0] != before[$0] }
      .union(again.filter { ReplicatedRecords.knows($0, of: name.kind) })
    guard isNew || !changed.isEmpty || known?.rowID != row else { return }
    try connection.loggedRecords.keep(name, row: row, fields: remembered)
    guard !isFollowing, isNew || !changed.isEmpty else { return }
    var said: [String: FieldContent] = [:]
    for field in changed { said[field] = fields[field] ?? FieldContent.none }
    try append(name, turn: isNew ? .made : nil, fields: said)
  }

  /// Keeps that a record is gone.
  mutating func tell(gone name: RecordName, turn: RecordOperation.Turn, isFollowing: Bool) throws(StoreError) {
    if turn == .erased {
      try connection.operationLog.strip(name)
    } else if let known = try connection.loggedRecords.entry(name) {
      try connection.loggedRecords.keep(name, row: nil, fields: known.fields)
    }
    guard !isFollowing else { return }
    // Whom a patient was merged into, for what others have of theirs.
    var fields: [String: FieldContent] = [:]
    if turn == .merged, let row = try connection.replicated.row(name),
      let kept = try connection.replicated.name(.patient, row: row)
    {
      fields["into"] = .list([.text(kept.source), .text(kept.id)])
    }
    try append(name, turn: turn, fields: fields)
  }

  /// Gives an operation the next number, and keeps it.
  mutating func append(
    _ name: RecordName, turn: RecordOperation.Turn?, fields: [String: FieldContent]
  ) throws(StoreError) {
    guard own.isHub || MergeRules.standard.rule(of: name.kind).place != .hubOnly else {
      throw StoreError(.unknownRecord, context: "a hub here: \(name.kind) is changed at the hub only")
    }
    own.sequence += 1
    own.clock = now.map { HybridClock.reading(after: own.clock, at: $0) } ?? own.clock + 1
    var operation = RecordOperation(
      of: name,
      by: .init(
        replica: own.replica, sequence: own.sequence, clock: own.clock, seen: own.hubSequence, actor: actor),
      turn: turn, fields: fields)
    if own.isHub {
      own.hubSequence += 1
      operation.hubSequence = own.hubSequence
      operation.outcome = .taken
    }
    try connection.operationLog.append(operation)
  }
}
