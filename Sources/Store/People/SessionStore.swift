public import Clinical

/// Somebody who is signed in.
public struct UserSession: Hashable, Sendable {
  public let userRowID: Int64
  public let beganAt: Timestamp
  public let seenAt: Timestamp
}

/// Who is signed in, by the digest of their token.
public struct SessionStore {
  let connection: Connection

  public func begin(_ digest: ContentHash, user: Int64, at moment: Timestamp) throws(StoreError) {
    try connection.execute(
      "INSERT INTO user_session (digest, user_id, began_at, seen_at) VALUES (?, ?, ?, ?)", digest.bytes, user, moment,
      moment)
  }

  public func session(_ digest: ContentHash) throws(StoreError) -> UserSession? {
    try connection.first("SELECT user_id, began_at, seen_at FROM user_session WHERE digest = ?", digest.bytes) {
      UserSession(userRowID: $0.int64(0), beganAt: $0.timestamp(1), seenAt: $0.timestamp(2))
    }
  }

  public func touch(_ digest: ContentHash, at moment: Timestamp) throws(StoreError) {
    try connection.execute(
      "UPDATE user_session SET seen_at = max(seen_at, ?) WHERE digest = ?", moment, digest.bytes)
  }

  /// Whether there was one to end.
  @discardableResult
  public func end(_ digest: ContentHash) throws(StoreError) -> Bool {
    try connection.execute("DELETE FROM user_session WHERE digest = ?", digest.bytes)
    return connection.changedRowCount > 0
  }

  public func endAll(ofUser row: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM user_session WHERE user_id = ?", row)
  }

  /// Says in which browser a session began.
  public func attach(_ digest: ContentHash, toDevice row: Int64) throws(StoreError) {
    try connection.execute("UPDATE user_session SET device_id = ? WHERE digest = ?", row, digest.bytes)
  }

  /// In which browser a session began; nil where that isn't known.
  public func device(of digest: ContentHash) throws(StoreError) -> Int64? {
    try connection.first("SELECT device_id FROM user_session WHERE digest = ?", digest.bytes) { $0.optionalInt64(0) }
      ?? nil
  }

  public func endAll(ofDevice row: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM user_session WHERE device_id = ?", row)
  }

  public func endAll() throws(StoreError) { try connection.execute("DELETE FROM user_session") }

  /// Those of a user but one.
  public func endAll(ofUser row: Int64, but digest: [UInt8]?) throws(StoreError) {
    try connection.execute("DELETE FROM user_session WHERE user_id = ? AND digest IS NOT ?", row, digest)
  }

  /// Those of a user that were not used since then.
  public func endAll(ofUser row: Int64, seenBefore moment: Timestamp) throws(StoreError) {
    try connection.execute("DELETE FROM user_session WHERE user_id = ? AND seen_at < ?", row, moment)
  }
}

/// Wrong tries to sign in.
public struct SignInTryStore {
  let connection: Connection

  /// As many names as this are told apart; beyond them the oldest are forgotten.
  static let limit = 4096

  public static func digest(ofName name: String) -> ContentHash { ContentHash(of: Array(UserStore.key(name).utf8)) }

  /// How many were wrong since the last that was right, and when the last was.
  public func wrong(_ name: ContentHash, origin: String) throws(StoreError) -> (count: Int, lastAt: Timestamp)? {
    try connection.first(
      "SELECT wrong_count, last_at FROM sign_in_try WHERE name_digest = ? AND origin = ?", name.bytes, origin
    ) { ($0.int(0), $0.timestamp(1)) }
  }

  public func addWrong(_ name: ContentHash, origin: String, at moment: Timestamp) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO sign_in_try (name_digest, origin, wrong_count, last_at) VALUES (?, ?, 1, ?)
      ON CONFLICT DO UPDATE SET wrong_count = wrong_count + 1, last_at = max(last_at, excluded.last_at)
      """, name.bytes, origin, moment)
    try connection.execute(
      """
      DELETE FROM sign_in_try WHERE (name_digest, origin) IN (
        SELECT name_digest, origin FROM sign_in_try ORDER BY last_at DESC, name_digest LIMIT -1 OFFSET ?)
      """, Self.limit)
  }

  public func forget(_ name: ContentHash, origin: String) throws(StoreError) {
    try connection.execute(
      "DELETE FROM sign_in_try WHERE name_digest = ? AND origin = ?", name.bytes, origin)
  }

  /// Whatever was tried under a name, wherever from.
  public func forget(_ name: ContentHash) throws(StoreError) {
    try connection.execute("DELETE FROM sign_in_try WHERE name_digest = ?", name.bytes)
  }
}

extension Connection {
  public var sessions: SessionStore { SessionStore(connection: self) }
  public var signInTries: SignInTryStore { SignInTryStore(connection: self) }
}
