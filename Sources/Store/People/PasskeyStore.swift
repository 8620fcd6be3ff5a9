public import Clinical

/// A key that somebody signs in by, as the file keeps it.
public struct StoredPasskey: Hashable, Sendable {
  public let rowID: Int64
  public let userRowID: Int64
  /// COSE's number of the algorithm.
  public let algorithm: Int
  public let publicKey: [UInt8]
  public let relyingParty: String
  public let label: String
  public let counter: Int64
  public let addedAt: Timestamp
  public let usedAt: Timestamp?
}

/// Keys that people sign in by.
public struct PasskeyStore {
  let connection: Connection

  public func add(
    user: Int64, credential: [UInt8], algorithm: Int, publicKey: [UInt8], relyingParty: String, label: String,
    counter: Int64, at moment: Timestamp
  ) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO user_passkey (user_id, credential, algorithm, public_key, relying_party, label, counter, added_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, user, credential, algorithm, publicKey, relyingParty, label, counter, moment)
  }

  /// Of one user, in the order in which they came.
  public func list(ofUser row: Int64) throws(StoreError) -> [StoredPasskey] {
    try connection.rows("\(Self.selection) WHERE user_id = ? ORDER BY id", row, read: Self.read)
  }

  public func passkey(credential: [UInt8]) throws(StoreError) -> StoredPasskey? {
    try connection.first("\(Self.selection) WHERE credential = ?", credential, read: Self.read)
  }

  public func use(row: Int64, counter: Int64, at moment: Timestamp) throws(StoreError) {
    try connection.execute("UPDATE user_passkey SET counter = ?, used_at = ? WHERE id = ?", counter, moment, row)
  }

  /// Whether the user had it.
  public func remove(row: Int64, ofUser user: Int64) throws(StoreError) -> Bool {
    try connection.execute("DELETE FROM user_passkey WHERE id = ? AND user_id = ?", row, user)
    return connection.changedRowCount > 0
  }

  public func removeAll(ofUser user: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM user_passkey WHERE user_id = ?", user)
  }

  private static let selection = """
    SELECT id, user_id, algorithm, public_key, relying_party, label, counter, added_at, used_at FROM user_passkey
    """

  private static func read(_ row: Statement) -> StoredPasskey {
    StoredPasskey(
      rowID: row.int64(0), userRowID: row.int64(1), algorithm: Int(row.int64(2)), publicKey: row.bytes(3),
      relyingParty: row.text(4), label: row.text(5), counter: row.int64(6), addedAt: row.timestamp(7),
      usedAt: row.optionalTimestamp(8))
  }
}

extension Connection {
  public var passkeys: PasskeyStore { PasskeyStore(connection: self) }
}
