public import Clinical

/// A machine that takes part, as it lies in the file.
public struct DeviceRow: Hashable, Sendable {
  /// By what it is known.
  public enum Credential: Hashable, Sendable {
    /// A practice file elsewhere: the public half of its key, 32 bytes of Ed25519.
    case publicKey([UInt8])
    /// A browser: what its secret is recognised by.
    case secret(ContentHash)
  }

  /// That it is refused from then on.
  public struct Revocation: Hashable, Sendable {
    public let at: Timestamp
    public let by: String
    public let reason: String?
  }

  public let rowID: Int64
  public let name: String
  /// Who acts by it; nil where the practice had no users when it came.
  public let userRowID: Int64?
  public let credential: Credential
  public let enrolledAt: Timestamp
  public let seenAt: Timestamp?
  /// Of a practice file that took the practice along: the number by which its changes are known.
  public let replica: Int?
  public let revocation: Revocation?
  /// When it said that what it kept is gone.
  public let wipedAt: Timestamp?

  /// As the column `kind` has it.
  public var kind: String {
    switch credential {
    case .publicKey: "file"
    case .secret: "browser"
    }
  }
}

/// A practice file elsewhere that may come, once.
public struct DeviceInvitationRow: Hashable, Sendable {
  public let rowID: Int64
  public let name: String
  public let userRowID: Int64?
  public let invitedBy: String
  public let invitedAt: Timestamp
  public let expiresAt: Timestamp
  /// Which came by it.
  public let deviceRowID: Int64?
}
