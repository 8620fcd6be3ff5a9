import Clinical
import Store

/// Who may use the practice.
public struct ListUsers: Operation {
  public static let name = "user.list"
  public static let permission = Permission.readUsers
  public static let reads: Set<RecordKind> = [.user]

  public init() {}

  public func run(_ passage: Passage) throws -> [PracticeUser] { try passage.practice.people.users() }
}

/// Somebody more who may use the practice. The first, who has to be an administrator, closes it to everybody else.
public struct AddUser: Operation {
  public static let name = "user.add"
  public static let permission = Permission.manageUsers
  public static let reads: Set<RecordKind> = [.user, .staff]
  public static let changes: Set<RecordKind> = [.user]

  public var name: String
  public var role: Role
  public var verifier: PassphraseVerifier
  /// The id of the member of staff who that is.
  public var staff: String?
  public var isDryRun: Bool

  public init(name: String, role: Role, verifier: PassphraseVerifier, staff: String? = nil, isDryRun: Bool = false) {
    self.name = name
    self.role = role
    self.verifier = verifier
    self.staff = staff
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws {
    passage.touch(.user, name)
    passage.details["role"] = role.rawValue
    try passage.practice.people.addUser(self, at: passage.now)
  }
}

/// Another role; whoever has it signs in again.
public struct SetUserRole: Operation {
  public static let name = "user.role"
  public static let permission = Permission.manageUsers
  public static let reads: Set<RecordKind> = [.user]
  public static let changes: Set<RecordKind> = [.user]

  public var name: String
  public var role: Role
  public var isDryRun: Bool

  public init(name: String, role: Role, isDryRun: Bool = false) {
    self.name = name
    self.role = role
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws {
    guard role != .owner else { throw PracticeError(.invalidArgument, "nobody is made owner of a practice with users") }
    let practice = passage.practice
    passage.details["role"] = role.rawValue
    passage.touch(
      .user,
      try practice.people.changeUser(name, isDryRun: isDryRun) { row throws(StoreError) in
        try practice.connection.users.set(role: role.rawValue, row: row)
      })
  }
}

/// What somebody is at one location, where that is something else than elsewhere; whoever has it signs in again.
public struct SetLocationRole: Operation {
  public static let name = "user.location-role"
  public static let permission = Permission.manageUsers
  public static let reads: Set<RecordKind> = [.user, .location]
  public static let changes: Set<RecordKind> = [.user]

  public var name: String
  /// By id or name.
  public var location: String
  /// Nil for what they are everywhere.
  public var role: Role?
  public var isDryRun: Bool

  public init(name: String, location: String, role: Role?, isDryRun: Bool = false) {
    self.name = name
    self.location = location
    self.role = role
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws {
    guard role != .owner else { throw PracticeError(.invalidArgument, "nobody is made owner of a practice with users") }
    let practice = passage.practice
    let place = try practice.workplace.location(location)
    passage.details = ["role": role?.rawValue ?? "none"]
    passage.touch(.location, place.value.id)
    passage.touch(
      .user,
      try practice.people.changeUser(name, isDryRun: isDryRun) { row throws(StoreError) in
        try practice.connection.users.set(role: role?.rawValue, row: row, at: place.rowID)
      })
  }
}

/// Lets a user in no more, or again. What they did stays theirs.
public struct DisableUser: Operation {
  public static let name = "user.disable"
  public static let permission = Permission.manageUsers
  public static let reads: Set<RecordKind> = [.user]
  public static let changes: Set<RecordKind> = [.user]

  public var name: String
  public var isDisabled: Bool
  public var isDryRun: Bool

  public init(name: String, isDisabled: Bool = true, isDryRun: Bool = false) {
    self.name = name
    self.isDisabled = isDisabled
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws {
    let practice = passage.practice
    passage.details["disabled"] = isDisabled ? "yes" : "no"
    passage.touch(
      .user,
      try practice.people.changeUser(name, isDryRun: isDryRun) { row throws(StoreError) in
        try practice.connection.users.set(isDisabled: isDisabled, row: row)
      })
  }
}

/// Another passphrase of one's own. Whoever is asked for it has proven the old one a moment before. Their passkeys end with it, unless
/// they say otherwise: somebody who knew the old one may have added one.
public struct SetOwnPassphrase: Operation {
  public static let name = "user.passphrase"
  public static let permission = Permission.ownAccount
  public static let reads: Set<RecordKind> = [.user]
  public static let changes: Set<RecordKind> = [.user]

  public var verifier: PassphraseVerifier
  public var keepsPasskeys: Bool

  public init(verifier: PassphraseVerifier, keepsPasskeys: Bool = false) {
    self.verifier = verifier
    self.keepsPasskeys = keepsPasskeys
  }

  public func run(_ passage: Passage) throws {
    let connection = passage.practice.connection
    try passage.practice.people.setPassphrase(of: passage.actor.name, verifier, passage) { row throws(StoreError) in
      if !keepsPasskeys { try connection.passkeys.removeAll(ofUser: row) }
    }
  }
}

/// Another passphrase for somebody who has forgotten theirs. Their passkeys and the calendars they subscribed to end with the old one.
public struct ResetPassphrase: Operation {
  public static let name = "user.reset"
  public static let permission = Permission.manageUsers
  public static let reads: Set<RecordKind> = [.user]
  public static let changes: Set<RecordKind> = [.user, .setting]

  public var name: String
  public var verifier: PassphraseVerifier

  public init(name: String, verifier: PassphraseVerifier) {
    self.name = name
    self.verifier = verifier
  }

  /// - Returns: how many calendars lead nowhere any more.
  public func run(_ passage: Passage) throws -> Int {
    let connection = passage.practice.connection
    var feeds = 0
    // Whoever lost a passphrase may have lost a machine with it.
    try passage.practice.people.setPassphrase(of: name, verifier, passage) { row throws(StoreError) in
      try connection.passkeys.removeAll(ofUser: row)
      feeds = try connection.calendarFeeds.deleteAll(ofUser: row)
      passage.details["feeds"] = String(feeds)
    }
    return feeds
  }
}

extension Practice.People {
  /// Sets what a passphrase is recognised by, ends the user's sessions and what `end` does of them, and forgets wrong tries.
  fileprivate func setPassphrase(
    of name: String, _ verifier: PassphraseVerifier, _ passage: Passage, _ end: (Int64) throws(StoreError) -> Void
  ) throws {
    guard verifier.isOne else { throw PracticeError(.invalidArgument, "the verifier is not Argon2id's") }
    let connection = connection
    passage.touch(
      .user,
      try changeUser(name, isDryRun: false) { row throws(StoreError) in
        try connection.users.set(verifier: verifier.encoded, row: row)
        try end(row)
        try connection.signInTries.forget(SignInTryStore.digest(ofName: name))
      })
  }
}

/// The account of the operating system that a user may be unlocked by, where the practice's rules allow that; nil for none.
public struct LinkAccount: Operation {
  public static let name = "user.link"
  public static let permission = Permission.manageUsers
  public static let reads: Set<RecordKind> = [.user]
  public static let changes: Set<RecordKind> = [.user]

  public var name: String
  public var account: String?

  public init(name: String, account: String?) {
    self.name = name
    self.account = account
  }

  public func run(_ passage: Passage) throws {
    passage.details["linked"] = account == nil ? "no" : "yes"
    passage.touch(.user, try passage.practice.people.link(name, account: account))
  }
}

/// How the practice lets its users in; what is nil stays as it is.
public struct SetSignInRules: Operation {
  public static let name = "user.rules"
  public static let permission = Permission.manageUsers
  public static let reads: Set<RecordKind> = [.setting]
  public static let changes: Set<RecordKind> = [.setting]

  public var idleMinutes: Int?
  public var unlocksByAccount: Bool?

  public init(idleMinutes: Int? = nil, unlocksByAccount: Bool? = nil) {
    self.idleMinutes = idleMinutes
    self.unlocksByAccount = unlocksByAccount
  }

  public var changesNothing: Bool { idleMinutes == nil && unlocksByAccount == nil }

  public func run(_ passage: Passage) throws -> SignInRules {
    if let idleMinutes { passage.details["idle_minutes"] = String(idleMinutes) }
    if let unlocksByAccount { passage.details["account_unlock"] = unlocksByAccount ? "on" : "off" }
    return try passage.practice.people.setSignInRules(idleMinutes: idleMinutes, unlocksByAccount: unlocksByAccount)
  }
}
