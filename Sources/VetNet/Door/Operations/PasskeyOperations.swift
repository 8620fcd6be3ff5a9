import Store

/// A key of one's own to sign in by. Whoever keeps it has proven the passphrase a moment before.
public struct AddPasskey: Operation {
  public static let name = "user.add_passkey"
  public static let permission = Permission.ownAccount
  public static let reads: Set<RecordKind> = [.user]
  public static let changes: Set<RecordKind> = [.user]

  public var passkey: NewPasskey

  public init(passkey: NewPasskey) {
    self.passkey = passkey
  }

  public func run(_ passage: Passage) throws {
    passage.touch(.user, passage.actor.name)
    try passage.practice.people.addPasskey(passkey, for: passage.actor.name, at: passage.now)
  }
}

/// One's own keys.
public struct ListPasskeys: Operation {
  public static let name = "user.passkeys"
  public static let permission = Permission.ownAccount
  public static let reads: Set<RecordKind> = [.user]

  public init() {}

  public func run(_ passage: Passage) throws -> [Passkey] {
    try passage.practice.people.passkeys(of: passage.actor.name)
  }
}

/// Takes one of one's own keys away: it lets nobody in any more, and whoever came in by it is out.
public struct RemovePasskey: Operation {
  public static let name = "user.remove_passkey"
  public static let permission = Permission.ownAccount
  public static let reads: Set<RecordKind> = [.user]
  public static let changes: Set<RecordKind> = [.user]

  public var number: Int64
  /// The digest of the session in which it is done, and which goes on; the others of whoever it is end.
  public var session: [UInt8]?

  public init(number: Int64, session: SessionToken? = nil) {
    self.number = number
    self.session = session?.digest.bytes
  }

  public func run(_ passage: Passage) throws {
    passage.touch(.user, passage.actor.name)
    try passage.practice.people.removePasskey(number, of: passage.actor.name, keeping: session)
  }
}
