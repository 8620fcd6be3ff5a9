public import Clinical

/// The part that a practice file takes in a practice of several.
public struct SyncSelf: Hashable, Sendable {
  /// The same in the hub's file and in every clone of it.
  public var practice: String
  /// 0 for the hub.
  public var replica: Int
  /// The last number that was given to an operation made here.
  public var sequence: Int64
  /// The latest reading of the clock that was made or heard of here.
  public var clock: Int64
  /// At the hub the last number that it gave; elsewhere the one up to which this file has heard.
  public var hubSequence: Int64
  /// What a clone is called at its hub.
  public var name: String?
  /// 32 bytes that a clone shares with its hub.
  public var key: [UInt8]?

  public init(
    practice: String, replica: Int, sequence: Int64 = 0, clock: Int64 = 0, hubSequence: Int64 = 0, name: String? = nil,
    key: [UInt8]? = nil
  ) {
    self.practice = practice
    self.replica = replica
    self.sequence = sequence
    self.clock = clock
    self.hubSequence = hubSequence
    self.name = name
    self.key = key
  }

  public var isHub: Bool { replica == 0 }
}

/// What the files of a practice changed, operation by operation.
public struct OperationLog {
  let connection: Connection

  /// Nil in a file that takes no part.
  public func own() throws(StoreError) -> SyncSelf? {
    try connection.first(
      "SELECT practice, replica, sequence, clock, hub_sequence, name, key FROM sync_self"
    ) {
      SyncSelf(
        practice: $0.text(0), replica: $0.int(1), sequence: $0.int64(2), clock: $0.int64(3), hubSequence: $0.int64(4),
        name: $0.optionalText(5), key: $0.isNull(6) ? nil : $0.bytes(6))
    }
  }

  public func keep(_ own: SyncSelf) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO sync_self (id, practice, replica, sequence, clock, hub_sequence, name, key)
      VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT (id) DO UPDATE SET practice = ?1, replica = ?2, sequence = ?3, clock = ?4, hub_sequence = ?5, name = ?6,
        key = ?7
      """, own.practice, own.replica, own.sequence, own.clock, own.hubSequence, own.name, own.key)
  }

  /// The last migration that the program knew by which records followed the log; nil for a log that is new.
  public func foldedBy() throws(StoreError) -> String? {
    try connection.first("SELECT folded_by FROM sync_self", read: { $0.optionalText(0) }) ?? nil
  }

  public func setFolded(by schema: String) throws(StoreError) {
    try connection.execute("UPDATE sync_self SET folded_by = ?", schema)
  }

  /// All of which anything is said, in the order in which it first was.
  public func records() throws(StoreError) -> [RecordName] {
    try connection.rows(
      "SELECT kind, source, external_id FROM sync_operation GROUP BY kind, source, external_id ORDER BY min(id)"
    ) { RecordName(kind: $0.text(0), source: $0.text(1), id: $0.text(2)) }
  }

  /// Keeps an operation.
  ///
  /// - Throws: ``StoreError`` with `constraint(.unique)` for a number that is there.
  public func append(_ operation: RecordOperation) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO sync_operation (replica, sequence, clock, seen, hub_sequence, outcome, kind, source, external_id, actor,
        turn, fields)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, operation.replica, operation.sequence, operation.clock, operation.seen, operation.hubSequence,
      operation.outcome?.rawValue, operation.kind, operation.source, operation.id, operation.actor,
      operation.turn?.rawValue, operation.fields.isEmpty ? nil : try FieldJSON.encode(operation.fields))
  }

  /// Of one record, the hub's order first.
  public func operations(of record: RecordName) throws(StoreError) -> [RecordOperation] {
    try connection.rows(
      """
      \(Self.selection) WHERE kind = ? AND external_id = ? AND source = ?
      ORDER BY hub_sequence IS NULL, hub_sequence, replica, sequence
      """, record.kind, record.id, record.source, read: Self.read)
  }

  /// Of one replica after a number, in its order.
  public func operations(of replica: Int, after sequence: Int64, limit: Int) throws(StoreError) -> [RecordOperation] {
    try connection.rows(
      "\(Self.selection) WHERE replica = ? AND sequence > ? ORDER BY sequence LIMIT ?", replica, sequence, limit,
      read: Self.read)
  }

  /// What the hub has numbered after a number, in its order.
  public func operations(afterHub number: Int64, limit: Int) throws(StoreError) -> [RecordOperation] {
    try connection.rows(
      "\(Self.selection) WHERE hub_sequence > ? ORDER BY hub_sequence LIMIT ?", number, limit, read: Self.read)
  }

  public func operation(replica: Int, sequence: Int64) throws(StoreError) -> RecordOperation? {
    try connection.first(
      "\(Self.selection) WHERE replica = ? AND sequence = ?", replica, sequence, read: Self.read)
  }

  public func operation(hub number: Int64) throws(StoreError) -> RecordOperation? {
    try connection.first("\(Self.selection) WHERE hub_sequence = ?", number, read: Self.read)
  }

  /// Of a kind, in the hub's order.
  public func operations(kind: String) throws(StoreError) -> [RecordOperation] {
    try connection.rows(
      "\(Self.selection) WHERE kind = ? ORDER BY hub_sequence IS NULL, hub_sequence, replica, sequence", kind,
      read: Self.read)
  }

  /// Of one replica, those that the hub has yet to take.
  public func pending(of replica: Int, limit: Int) throws(StoreError) -> [RecordOperation] {
    try connection.rows(
      "\(Self.selection) WHERE replica = ? AND hub_sequence IS NULL ORDER BY sequence LIMIT ?", replica, limit,
      read: Self.read)
  }

  /// How many of one replica's the hub has yet to take.
  public func pendingCount(of replica: Int) throws(StoreError) -> Int {
    Int(
      try connection.number(
        "SELECT count(*) FROM sync_operation WHERE replica = ? AND hub_sequence IS NULL", replica))
  }

  public func count() throws(StoreError) -> Int { Int(try connection.number("SELECT count(*) FROM sync_operation")) }

  /// Keeps what the hub made of an operation.
  ///
  /// - Returns: the operation as it is now; nil for one that isn't here.
  public func settle(
    replica: Int, sequence: Int64, hubSequence: Int64, clock: Int64, outcome: RecordOperation.Outcome
  ) throws(StoreError) -> RecordOperation? {
    try connection.execute(
      "UPDATE sync_operation SET hub_sequence = ?, clock = ?, outcome = ? WHERE replica = ? AND sequence = ?",
      hubSequence,
      clock, outcome.rawValue, replica, sequence)
    return try operation(replica: replica, sequence: sequence)
  }

  /// Takes the words of a record out of all that was said of it: it is erased.
  public func strip(_ record: RecordName) throws(StoreError) {
    try connection.execute(
      "UPDATE sync_operation SET fields = NULL WHERE kind = ? AND external_id = ? AND source = ?", record.kind,
      record.id,
      record.source)
    try connection.execute(
      "DELETE FROM sync_record WHERE kind = ? AND external_id = ? AND source = ?", record.kind, record.id, record.source
    )
    try connection.markRemovedText()
  }

  private static let selection = """
    SELECT replica, sequence, clock, seen, hub_sequence, outcome, kind, source, external_id, actor, turn, fields
    FROM sync_operation
    """

  private static func read(_ row: Statement) throws(StoreError) -> RecordOperation {
    var operation = RecordOperation(
      of: RecordName(kind: row.text(6), source: row.text(7), id: row.text(8)),
      by: .init(
        replica: row.int(0), sequence: row.int64(1), clock: row.int64(2), seen: row.int64(3), actor: row.text(9)),
      turn: row.optionalText(10).flatMap(RecordOperation.Turn.init(rawValue:)))
    operation.hubSequence = row.optionalInt64(4)
    operation.outcome = row.optionalText(5).flatMap(RecordOperation.Outcome.init(rawValue:))
    if let fields = row.optionalText(11) {
      operation.fields = try FieldJSON.decode(fields, as: [String: FieldContent].self)
    }
    return operation
  }
}

extension Connection {
  public var operationLog: OperationLog { OperationLog(connection: self) }
}
