import Clinical
import Glibc
import Store

/// Somebody who may use the practice.
public struct PracticeUser: Encodable, Hashable, Sendable {
  public let name: String
  public let role: Role
  /// The member of staff who that is.
  public let staffID: String?
  /// The account of the operating system that unlocks it, where the practice allows that.
  public let account: String?
  public let isDisabled: Bool
  /// What they are at a location where that is something else, by its id; nil for the same everywhere.
  public let locationRoles: [String: Role]?

  private enum CodingKeys: String, CodingKey {
    case name, role, account
    case locationRoles = "location_roles"
    case staffID = "staff_id"
    case isDisabled = "disabled"
  }

  init(_ user: User, locationRoles: [(location: String, role: String)] = []) throws {
    let own = locationRoles.compactMap { entry in Role(rawValue: entry.role).map { (entry.location, $0) } }
    self.locationRoles = own.isEmpty ? nil : Dictionary(own, uniquingKeysWith: { first, _ in first })
    guard let role = Role(rawValue: user.role) else {
      throw PracticeError(.integrity, "the role of user '\(user.name)' is none")
    }
    name = user.name
    self.role = role
    staffID = user.staffID
    account = user.account
    isDisabled = user.isDisabled
  }
}

extension Practice.People {
  /// Who runs the program, by the operating system's name for them.
  static let userName: String = {
    if let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name { return String(cString: name) }
    return "user \(geteuid())"
  }()

  /// Whether it has users: then only they may use it.
  public var isClosed: Bool { get throws { try reporting { try connection.users.hasAny() } } }

  /// Whether there is a file at `path` that can be read and has users; of an older schema it has none, and is left as it is.
  public static func isClosed(at path: String) -> Bool { UserStore.areAny(inFileAt: path) }

  /// The practice's own id, made with its file and kept by every copy.
  public var id: String { get throws { try reporting { try connection.fileState().practiceID } ?? "none" } }

  func users() throws -> [PracticeUser] {
    try reading {
      try connection.users.list().map {
        try PracticeUser($0, locationRoles: connection.users.locationRoles(row: $0.rowID))
      }
    }
  }

  /// Names stand in the audit log and in commands: a line of letters, digits and little else.
  static func checkUserName(_ name: String) throws {
    let isSound =
      (1...64).contains(name.count) && name.first?.isWhitespace == false && name.last?.isWhitespace == false
      && name.allSatisfy { $0.isLetter || $0.isNumber || " .-_'@".contains($0) } && !name.hasPrefix("-")
    guard isSound else {
      throw PracticeError(
        .invalidArgument, "that is no name for a user",
        hint: "Maybe take letters and digits, 64 at most; spaces, '.', '-', '_' and '@' may stand between.")
    }
  }

  func addUser(_ wanted: AddUser, at now: Timestamp) throws {
    try Self.checkUserName(wanted.name)
    guard wanted.role != .owner else {
      throw PracticeError(.invalidArgument, "nobody is added as owner: that is whoever has a practice without users")
    }
    guard wanted.verifier.isOne else { throw PracticeError(.invalidArgument, "the verifier is not Argon2id's") }
    try writing {
      guard try connection.users.user(named: wanted.name) == nil else {
        throw PracticeError(.failed, "there is a user '\(wanted.name)' already")
      }
      guard try connection.users.hasAny() || wanted.role == .administrator else {
        throw PracticeError(
          .invalidArgument, "the first user has to be an administrator, who can add the others",
          hint: "Maybe run: vetnet user add NAME --role administrator")
      }
      let staff = try wanted.staff.map { try staffRow($0) }
      guard !wanted.isDryRun else { return }
      try connection.users.add(
        name: wanted.name, role: wanted.role.rawValue, staff: staff, verifier: wanted.verifier.encoded, at: now)
    }
  }

  private func staffRow(_ id: String) throws -> Int64 {
    guard let row = try connection.recordIDs.row(.staff, id) else {
      throw PracticeError(.notFound, "nobody of the staff has the id '\(id)'")
    }
    return row
  }

  /// The user of that name.
  ///
  /// - Throws: ``PracticeError`` with `notFound`.
  func user(_ name: String) throws -> User {
    guard let user = try connection.users.user(named: name) else {
      throw PracticeError(.notFound, "there is no user of that name", hint: "Maybe look: vetnet user list.")
    }
    return user
  }

  /// Changes a user, ends the sessions, and lets nobody take away the last administrator.
  func changeUser(_ name: String, isDryRun: Bool, _ change: (Int64) throws(StoreError) -> Void) throws -> String {
    struct DryRunIsOver: Error {}
    var shown = ""
    do {
      try writing {
        let user = try user(name)
        shown = user.name
        try change(user.rowID)
        let leads = try connection.users.list().contains { $0.role == Role.administrator.rawValue && !$0.isDisabled }
        guard leads else {
          throw PracticeError(
            .failed, "'\(user.name)' is the only administrator, without whom nobody could add users",
            hint: "Maybe make somebody else an administrator first.")
        }
        try connection.sessions.endAll(ofUser: user.rowID)
        if isDryRun { throw DryRunIsOver() }
      }
    } catch is DryRunIsOver {}
    return shown
  }

  /// What a check of the file says about who may use it.
  func peopleFindings() throws -> [DoctorFinding] {
    guard try !connection.users.hasAny() else { return [] }
    return [
      DoctorFinding(
        .remark, "users",
        "there are none: whoever can read the practice file may do everything with it; vetnet user add NAME --role administrator closes it to others"
      )
    ]
  }
}
