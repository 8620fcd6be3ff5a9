public import Clinical

/// Machines that take part.
public struct DeviceStore {
  let connection: Connection

  /// - Returns: its row.
  public func add(
    name: String, user: Int64?, _ credential: DeviceRow.Credential, at moment: Timestamp
  ) throws(StoreError) -> Int64 {
    let (kind, key, digest): (String, [UInt8]?, [UInt8]?) =
      switch credential {
      case .publicKey(let key): ("file", key, nil)
      case .secret(let digest): ("browser", nil, digest.bytes)
      }
    try connection.execute(
      """
      INSERT INTO device (name, name_key, kind, user_id, public_key, secret_digest, enrolled_at, seen_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, name, UserStore.key(name), kind, user, key, digest, moment, moment)
    return connection.lastInsertedRowID
  }

  /// All, revoked ones too, in the order in which they came.
  public func list() throws(StoreError) -> [DeviceRow] {
    try connection.rows("\(Self.selection) ORDER BY id", read: Self.read)
  }

  public func device(row: Int64) throws(StoreError) -> DeviceRow? {
    try connection.first("\(Self.selection) WHERE id = ?", row, read: Self.read)
  }

  public func device(publicKey: [UInt8]) throws(StoreError) -> DeviceRow? {
    try connection.first("\(Self.selection) WHERE public_key = ?", publicKey, read: Self.read)
  }

  /// Found by its digest, so that the time it takes tells nothing of those that there are.
  public func device(secret: ContentHash) throws(StoreError) -> DeviceRow? {
    try connection.first("\(Self.selection) WHERE secret_digest = ?", secret.bytes, read: Self.read)
  }

  /// Those of that name, the ones that are let in first, of each the latest first.
  public func devices(named name: String) throws(StoreError) -> [DeviceRow] {
    try connection.rows(
      "\(Self.selection) WHERE name_key = ? ORDER BY revoked_at IS NOT NULL, id DESC", UserStore.key(name),
      read: Self.read)
  }

  /// That it was here; a moment that lies before the last is passed over.
  public func touch(row: Int64, at moment: Timestamp) throws(StoreError) {
    try connection.execute("UPDATE device SET seen_at = max(coalesce(seen_at, ?1), ?1) WHERE id = ?2", moment, row)
  }

  /// Says by which number its changes are known.
  public func keep(row: Int64, replica: Int) throws(StoreError) {
    try connection.execute("UPDATE device SET replica = ? WHERE id = ?", replica, row)
  }

  /// Refuses it from now on; one that was revoked already keeps what was said then.
  public func revoke(row: Int64, by name: String, reason: String?, at moment: Timestamp) throws(StoreError) {
    try connection.execute(
      """
      UPDATE device SET revoked_at = ?, revoked_by = ?, revocation_reason = ? WHERE id = ? AND revoked_at IS NULL
      """, moment, name, reason, row)
  }

  /// That what it kept is gone, as it says.
  public func markWiped(row: Int64, at moment: Timestamp) throws(StoreError) {
    try connection.execute("UPDATE device SET wiped_at = ? WHERE id = ? AND wiped_at IS NULL", moment, row)
  }

  private static let selection = """
    SELECT id, name, user_id, public_key, secret_digest, enrolled_at, seen_at, revoked_at, revoked_by,
      revocation_reason, wiped_at, replica
    FROM device
    """

  private static func read(_ row: Statement) -> DeviceRow {
    let revocation = row.optionalTimestamp(7).map {
      DeviceRow.Revocation(at: $0, by: row.text(8), reason: row.optionalText(9))
    }
    // The schema has it that each has one of the two.
    let key = row.bytes(3)
    return DeviceRow(
      rowID: row.int64(0), name: row.text(1), userRowID: row.optionalInt64(2),
      credential: key.isEmpty ? .secret(ContentHash(stored: row.bytes(4))) : .publicKey(key),
      enrolledAt: row.timestamp(5), seenAt: row.optionalTimestamp(6),
      replica: row.optionalInt64(11).map { Int($0) }, revocation: revocation, wipedAt: row.optionalTimestamp(10))
  }
}

/// Practice files elsewhere that may come, by what the secret of each is recognised by.
public struct DeviceInvitationStore {
  let connection: Connection

  public func add(
    _ digest: ContentHash, name: String, user: Int64?, by inviter: String, at moment: Timestamp, until end: Timestamp
  ) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO device_invitation (digest, name, name_key, user_id, invited_by, invited_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, digest.bytes, name, UserStore.key(name), user, inviter, moment, end)
  }

  public func invitation(_ digest: ContentHash) throws(StoreError) -> DeviceInvitationRow? {
    try connection.first("\(Self.selection) WHERE digest = ?", digest.bytes, read: Self.read)
  }

  /// Those by which nobody came yet, the earliest first.
  public func waiting() throws(StoreError) -> [DeviceInvitationRow] {
    try connection.rows("\(Self.selection) WHERE device_id IS NULL ORDER BY id", read: Self.read)
  }

  /// Says which device came by it.
  public func settle(row: Int64, device: Int64) throws(StoreError) {
    try connection.execute("UPDATE device_invitation SET device_id = ? WHERE id = ?", device, row)
  }

  /// Takes away those of a name by which nobody came yet.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public func withdraw(named name: String) throws(StoreError) -> Int {
    try connection.execute(
      "DELETE FROM device_invitation WHERE name_key = ? AND device_id IS NULL", UserStore.key(name))
    return connection.changedRowCount
  }

  /// Takes away those that were over before then.
  public func removeExpired(before moment: Timestamp) throws(StoreError) {
    try connection.execute("DELETE FROM device_invitation WHERE expires_at < ?", moment)
  }

  private static let selection =
    "SELECT id, name, user_id, invited_by, invited_at, expires_at, device_id FROM device_invitation"

  private static func read(_ row: Statement) -> DeviceInvitationRow {
    DeviceInvitationRow(
      rowID: row.int64(0), name: row.text(1), userRowID: row.optionalInt64(2), invitedBy: row.text(3),
      invitedAt: row.timestamp(4), expiresAt: row.timestamp(5), deviceRowID: row.optionalInt64(6))
  }
}

extension Connection {
  public var devices: DeviceStore { DeviceStore(connection: self) }
  public var deviceInvitations: DeviceInvitationStore { DeviceInvitationStore(connection: self) }
}
