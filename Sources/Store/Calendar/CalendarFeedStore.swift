public import Clinical

/// A calendar that somebody subscribed to, as it lies in the file.
public struct CalendarFeedRow: Hashable, Sendable {
  public var rowID: Int64
  /// Nil for one from before the practice had users.
  public var user: Int64?
  /// Of a clinician; nil for a room's and for the practice's.
  public var staff: Int64?
  public var resource: Int64?
  public var hasNames: Bool
  public var addedAt: Timestamp

  public init(
    rowID: Int64 = 0, user: Int64?, staff: Int64?, resource: Int64?, hasNames: Bool, addedAt: Timestamp
  ) {
    self.rowID = rowID
    self.user = user
    self.staff = staff
    self.resource = resource
    self.hasNames = hasNames
    self.addedAt = addedAt
  }
}

/// Calendars that are subscribed to, by the digest of the secret in their address.
public struct CalendarFeedStore {
  let connection: Connection

  /// - Returns: its row.
  public func add(_ feed: CalendarFeedRow, _ digest: ContentHash) throws(StoreError) -> Int64 {
    try connection.execute(
      """
      INSERT INTO calendar_feed (digest, user_id, staff_id, resource_id, has_names, added_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """, digest.bytes, feed.user, feed.staff, feed.resource, feed.hasNames ? 1 : 0, feed.addedAt)
    return connection.lastInsertedRowID
  }

  public func feed(_ digest: ContentHash) throws(StoreError) -> CalendarFeedRow? {
    try connection.first("\(Self.selection) WHERE digest = ?", digest.bytes, read: Self.read)
  }

  public func feed(row: Int64) throws(StoreError) -> CalendarFeedRow? {
    try connection.first("\(Self.selection) WHERE id = ?", row, read: Self.read)
  }

  /// The oldest first.
  public func list() throws(StoreError) -> [CalendarFeedRow] {
    try connection.rows("\(Self.selection) ORDER BY id", read: Self.read)
  }

  public func delete(row: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM calendar_feed WHERE id = ?", row)
  }

  /// How many there were.
  public func deleteAll(ofUser row: Int64) throws(StoreError) -> Int {
    try connection.execute("DELETE FROM calendar_feed WHERE user_id = ?", row)
    return connection.changedRowCount
  }

  private static let selection =
    "SELECT id, user_id, staff_id, resource_id, has_names, added_at FROM calendar_feed"

  private static func read(_ row: Statement) throws(StoreError) -> CalendarFeedRow {
    CalendarFeedRow(
      rowID: row.int64(0), user: row.optionalInt64(1), staff: row.optionalInt64(2), resource: row.optionalInt64(3),
      hasNames: row.int(4) == 1, addedAt: row.timestamp(5))
  }
}

extension Connection {
  public var calendarFeeds: CalendarFeedStore { CalendarFeedStore(connection: self) }
}
