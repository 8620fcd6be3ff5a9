public import Clinical
import Store

/// A machine that takes part in the practice, or may come to.
public struct Device: Encodable, Hashable, Sendable {
  public enum Kind: String, Codable, Sendable {
    /// A practice file elsewhere that syncs with this one.
    case file
    /// A browser that keeps something for when there is no network.
    case browser
  }

  public enum State: String, Codable, Sendable {
    /// It may come, and didn't yet.
    case invited
    case active
    /// It is refused.
    case revoked
  }

  /// That it is refused from then on.
  public struct Revocation: Hashable, Sendable {
    public let at: Timestamp
    public let by: String
    public let reason: String?
  }

  /// `device-3`; nil for one that is invited.
  public let id: String?
  public let name: String
  public let kind: Kind
  /// Who acts by it; nil where the practice had no users when it came.
  public let user: String?
  /// When it came, or was invited.
  public let enrolledAt: Timestamp
  /// When it was here last; for one that is invited, until when it may come.
  public let seenAt: Timestamp?
  public let revocation: Revocation?
  /// When it said that what it kept is gone.
  public let wipedAt: Timestamp?

  public var state: State { id == nil ? .invited : revocation == nil ? .active : .revoked }

  private enum CodingKeys: String, CodingKey {
    case id, name, kind, user, state, reason
    case enrolledAt = "enrolled_at"
    case seenAt = "seen_at"
    case expiresAt = "expires_at"
    case revokedAt = "revoked_at"
    case revokedBy = "revoked_by"
    case wipedAt = "wiped_at"
  }

  public func encode(to encoder: any Encoder) throws {
    func text(_ moment: Timestamp) -> String { PracticeTimeZone.utc.iso8601(moment) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(kind, forKey: .kind)
    try container.encode(state, forKey: .state)
    try container.encodeIfPresent(user, forKey: .user)
    try container.encode(text(enrolledAt), forKey: .enrolledAt)
    try container.encodeIfPresent(seenAt.map(text), forKey: state == .invited ? .expiresAt : .seenAt)
    try container.encodeIfPresent(revocation.map { text($0.at) }, forKey: .revokedAt)
    try container.encodeIfPresent(revocation?.by, forKey: .revokedBy)
    try container.encodeIfPresent(revocation?.reason, forKey: .reason)
    try container.encodeIfPresent(wipedAt.map(text), forKey: .wipedAt)
  }

  static func id(_ row: Int64) -> String { "device-\(row)" }

  /// The row that an id names; nil for what is none.
  static func row(_ id: String) -> Int64? {
    guard id.hasPrefix("device-") else { return nil }
    return Int64(id.dropFirst("device-".count)).flatMap { $0 > 0 ? $0 : nil }
  }
}

/// What lets a practice file elsewhere come, once.
public typealias InvitationSecret = AccessSecret<InvitationUse>

public enum InvitationUse: SecretUse {
  public static let name = "vetnet-invitation-1"
}

/// What a browser that keeps something shows to be known.
public typealias DeviceSecret = AccessSecret<DeviceUse>

public enum DeviceUse: SecretUse {
  public static let name = "vetnet-device-1"
}

/// An invitation that was just made; nobody can be told its secret again.
public struct NewDeviceInvitation: Sendable {
  public let name: String
  public let user: String?
  public let secret: InvitationSecret
  public let expiresAt: Timestamp
  /// ``Practice/People/id`` of the practice that invites.
  public let practiceID: String
}
