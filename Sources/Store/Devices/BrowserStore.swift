public import Clinical

/// Something that was written in a browser and went with its wipe.
public struct BrowserLossRow: Hashable, Sendable {
  public let kind: String
  public let record: String?
  public let writtenAt: Timestamp?

  public init(kind: String, record: String?, writtenAt: Timestamp?) {
    self.kind = kind
    self.record = record
    self.writtenAt = writtenAt
  }
}

/// What browsers keep, as far as the practice has a part in it: keys, and what was lost.
public struct BrowserStore {
  let connection: Connection

  /// The key of a person in a browser; nil where there is none yet.
  public func key(device: Int64, user: Int64?) throws(StoreError) -> [UInt8]? {
    try connection.first(
      "SELECT key FROM browser_key WHERE device_id = ? AND user_id IS ?", device, user
    ) { $0.bytes(0) }
  }

  public func addKey(_ key: [UInt8], device: Int64, user: Int64?, at moment: Timestamp) throws(StoreError) {
    try connection.execute(
      "INSERT INTO browser_key (device_id, user_id, key, made_at) VALUES (?, ?, ?, ?)", device, user, key, moment)
  }

  /// What waits in a browser opens for nobody any more.
  public func removeKeys(device: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM browser_key WHERE device_id = ?", device)
  }

  /// Says who works in a browser now.
  public func setUser(_ user: Int64?, device: Int64) throws(StoreError) {
    try connection.execute("UPDATE device SET user_id = ? WHERE id = ? AND kind = 'browser'", user, device)
  }

  /// How many browsers are let in.
  public func activeCount() throws(StoreError) -> Int {
    try connection.first("SELECT count(*) FROM device WHERE kind = 'browser' AND revoked_at IS NULL") { $0.int(0) } ?? 0
  }

  public func addLoss(_ loss: BrowserLossRow, device: Int64) throws(StoreError) {
    try connection.execute(
      "INSERT INTO browser_loss (device_id, kind, record, written_at) VALUES (?, ?, ?, ?)", device, loss.kind,
      loss.record, loss.writtenAt)
  }

  /// In the order in which they were listed.
  public func losses(device: Int64) throws(StoreError) -> [BrowserLossRow] {
    try connection.rows(
      "SELECT kind, record, written_at FROM browser_loss WHERE device_id = ? ORDER BY id", device
    ) { BrowserLossRow(kind: $0.text(0), record: $0.optionalText(1), writtenAt: $0.optionalTimestamp(2)) }
  }
}

extension Connection {
  public var browsers: BrowserStore { BrowserStore(connection: self) }
}
