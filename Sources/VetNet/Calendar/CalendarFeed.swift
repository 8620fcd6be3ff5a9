public import Clinical
import Store

/// A calendar that somebody subscribed to.
public struct CalendarFeed: Encodable, Hashable, Sendable {
  /// `feed-3`
  public let id: String
  /// Whose it is; nil where the practice had no users when it was made.
  public let user: String?
  /// Whose appointments; nil for a room's, and for the practice's.
  public let clinicianID: String?
  public let resourceID: String?
  /// Of the clinician or the room; nil for the practice's.
  public let name: String?
  /// Whether patients are named in it.
  public let hasNames: Bool
  public let addedAt: Timestamp

  private enum CodingKeys: String, CodingKey {
    case id, user, name
    case clinicianID = "clinician_id"
    case resourceID = "resource_id"
    case hasNames = "has_names"
    case addedAt = "added_at"
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encodeIfPresent(user, forKey: .user)
    try container.encodeIfPresent(clinicianID, forKey: .clinicianID)
    try container.encodeIfPresent(resourceID, forKey: .resourceID)
    try container.encodeIfPresent(name, forKey: .name)
    try container.encode(hasNames, forKey: .hasNames)
    try container.encode(PracticeTimeZone.utc.iso8601(addedAt), forKey: .addedAt)
  }

  static func id(_ row: Int64) -> String { "feed-\(row)" }

  /// The row that an id names: `feed-3`, or `3`.
  static func row(_ id: String) -> Int64? {
    Int64(id.hasPrefix("feed-") ? id.dropFirst("feed-".count) : id[...]).flatMap { $0 > 0 ? $0 : nil }
  }
}

/// A calendar that was just made, with the secret of its address, which nobody can be told again.
public struct NewCalendarFeed: Sendable {
  public let feed: CalendarFeed
  public let secret: FeedSecret

  /// Behind the server's own address: `/feed/….ics`
  public var path: String { "/feed/\(secret.text).ics" }
}

/// What a subscribed calendar shows now.
public struct FeedContent: Sendable {
  /// iCalendar; nil where whoever asks has it already.
  public let text: String?
  /// What it is known by: another where anything of it changed.
  public let tag: String
}
