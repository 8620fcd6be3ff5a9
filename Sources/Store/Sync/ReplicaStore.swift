public import Clinical

/// The clones that a hub knows.
public struct ReplicaStore {
  let connection: Connection

  public struct Replica: Hashable, Sendable {
    /// From 1.
    public var number: Int
    public var name: String
    /// 32 bytes that it shares with the hub.
    public var key: [UInt8]
    public var addedAt: Timestamp
    /// The highest of its numbers that was taken, and the clock of that.
    public var acknowledged: Int64 = 0
    public var clock: Int64 = 0
    /// The hub's number up to which it said to have heard.
    public var pulled: Int64 = 0
    public var seenAt: Timestamp?
    public var revokedAt: Timestamp?
    /// Whose it is; nil where the practice had no users when it was made.
    public var userRowID: Int64?
  }

  /// In the order in which they were added.
  public func list() throws(StoreError) -> [Replica] {
    try connection.rows("\(Self.selection) ORDER BY number", read: Self.read)
  }

  public func replica(_ number: Int) throws(StoreError) -> Replica? {
    try connection.first("\(Self.selection) WHERE number = ?", number, read: Self.read)
  }

  public func replica(named name: String) throws(StoreError) -> Replica? {
    try connection.first("\(Self.selection) WHERE name = ?", name, read: Self.read)
  }

  /// Adds one under the next number.
  public func add(
    _ name: String, key: [UInt8], user: Int64?, hubSequence: Int64, at now: Timestamp
  ) throws(StoreError) -> Replica {
    let number = Int(try connection.number("SELECT coalesce(max(number), 0) + 1 FROM sync_replica"))
    try connection.execute(
      """
      INSERT INTO sync_replica (number, name, key, added_at, acknowledged, clock, pulled, user_id)
      VALUES (?, ?, ?, ?, 0, 0, ?, ?)
      """, number, name, key, now, hubSequence, user)
    var replica = Replica(number: number, name: name, key: key, addedAt: now)
    replica.pulled = hubSequence
    replica.userRowID = user
    return replica
  }

  /// Takes one away that never was: its clone was not made.
  public func forget(_ number: Int) throws(StoreError) {
    try connection.execute("DELETE FROM sync_replica WHERE number = ? AND seen_at IS NULL", number)
  }

  /// Keeps how far it has come.
  public func keep(_ replica: Replica) throws(StoreError) {
    try connection.execute(
      "UPDATE sync_replica SET acknowledged = ?, clock = ?, pulled = ?, seen_at = ?, revoked_at = ? WHERE number = ?",
      replica.acknowledged, replica.clock, replica.pulled, replica.seenAt, replica.revokedAt, replica.number)
  }

  private static let selection = """
    SELECT number, name, key, added_at, acknowledged, clock, pulled, seen_at, revoked_at, user_id FROM sync_replica
    """

  private static func read(_ row: Statement) -> Replica {
    Replica(
      number: row.int(0), name: row.text(1), key: row.bytes(2), addedAt: row.timestamp(3), acknowledged: row.int64(4),
      clock: row.int64(5), pulled: row.int64(6), seenAt: row.optionalTimestamp(7), revokedAt: row.optionalTimestamp(8),
      userRowID: row.optionalInt64(9))
  }
}

extension Connection {
  public var replicas: ReplicaStore { ReplicaStore(connection: self) }
}
