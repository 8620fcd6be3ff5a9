/// What somebody is in the practice, and so may do.
public enum Role: String, CaseIterable, Codable, Sendable {
  case veterinarian, nurse, reception, administrator
  /// Whoever the practice file belongs to: the local program's user as long as the practice has no users of its own. Nobody is it
  /// in a practice that has.
  case owner

  /// Which role may do what; the table that the documentation shows is made from it.
  public var permissions: Set<Permission> {
    switch self {
    case .veterinarian:
      [
        .inspect, .readRegister, .writeRegister, .readRecord, .writeRecord, .assess, .settle, .readBook, .writeBook,
        .export, .sync, .ownAccount, .fileInbox,
      ]
    case .nurse:
      [
        .inspect, .readRegister, .writeRegister, .readRecord, .writeRecord, .assess, .settle, .readBook, .writeBook,
        .sync, .ownAccount, .fileInbox,
      ]
    case .reception:
      [.inspect, .readRegister, .writeRegister, .assess, .readBook, .writeBook, .sync, .ownAccount, .fileInbox]
    // Who keeps the machines has no need to read what is written about animals and their owners, but may copy all of it: a backup
    // is no less.
    case .administrator:
      [
        .inspect, .readRegister, .readBook, .keep, .erase, .readAudit, .keepAudit, .export, .sync, .readUsers,
        .manageUsers, .ownAccount,
      ]
    case .owner: Set(Permission.allCases)
    }
  }

  public func may(_ permission: Permission) -> Bool { permissions.contains(permission) }
}

/// What an operation needs.
public enum Permission: String, CaseIterable, Codable, Sendable {
  /// State and soundness of the file, without records.
  case inspect
  /// Animals and owners, what is booked for them, and how to reach them.
  case readRegister = "read register"
  case writeRegister = "write register"
  /// What was written about patients.
  case readRecord = "read record"
  case writeRecord = "write record"
  /// Triage of a case in words.
  case assess
  /// A person's level of urgency instead of the program's.
  case settle
  case readBook = "read book"
  case writeBook = "write book"
  /// What came in and waits to be filed: reading it and saying whose it is, as the desk does with the post.
  case fileInbox = "file inbox"
  /// Imports, index, settings, backups.
  case keep
  /// Records into files outside the practice file.
  case export
  /// Bringing a device in step with its hub: what passes is shown to nobody, and each change is asked for by the role of whoever works on
  /// the device.
  case sync
  /// Taking patients and owners out of the file for good.
  case erase
  /// Who did what.
  case readAudit = "read audit"
  /// How long it is kept.
  case keepAudit = "keep audit"
  /// Who may use the practice.
  case readUsers = "read users"
  case manageUsers = "manage users"
  /// One's own passphrase.
  case ownAccount = "own account"
}

/// Who wants something done, and as what.
public struct Actor: Hashable, Sendable {
  public let name: String
  public let role: Role

  /// Whoever signs in gets one, by ``Practice/People/identify(_:at:)`` or ``Practice/People/session(_:at:)``.
  package init(name: String, role: Role) {
    self.name = name
    self.role = role
  }

  /// Whoever runs the program, by the operating system's name for them: owner of the practice while it has no users.
  public static var local: Actor { Actor(name: Practice.People.userName, role: .owner) }
}
