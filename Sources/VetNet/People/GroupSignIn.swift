public import Clinical
import Store

/// What a server of many practices has to know of one before anybody asks for it: nothing of patients or owners.
public struct PracticeCard: Sendable, Hashable {
  public let id: String
  public let name: String?
  public let hasUsers: Bool
  /// The id of the group whose sign-in it takes; nil where its users sign in to it alone.
  public let group: String?
  /// Its users who are let in, as names are compared.
  fileprivate let users: Set<String>

  /// Whether somebody may enter whom the group `group` knows by that name.
  public func lets(_ name: String, of group: String) -> Bool {
    self.group == group && users.contains(UserStore.key(name))
  }
}

/// Somebody whose session in a group's own file goes on, as that file said; only ``Practice/People/member(_:at:)`` makes one.
public struct GroupMember: Sendable {
  /// As the group knows them.
  public let name: String
  let group: String
  fileprivate let token: SessionToken

  /// What shows their session in the practice that is served as `practice`: nobody can tell the group's from it, or another practice's.
  public func token(in practice: String) -> SessionToken {
    SessionToken(ContentHash(of: Array("vetnet-enter-1 \(token.text) \(practice)".utf8)).bytes)
  }
}

/// One sign-in for several practices.
///
/// A group's people are the users of a file of its own, which knows their passphrases and passkeys, slows down wrong tries and keeps
/// their sessions. A practice says with the setting `group-sign-in` that it takes the sign-in of the group with that id: whoever the
/// group knows by the name of one of the practice's users acts as that user, with the role that the practice gives. Which names are the
/// same person is so for the practice's administrator to say, and to take back: a user who is disabled or removed is let in no more.
extension Practice.People {
  /// The id of the group whose sign-in it takes; nil for none.
  public var groupSignIn: String? { get throws { try practice.settings.setting(.groupSignIn) } }

  /// What a server has to know of it.
  public func card() throws -> PracticeCard {
    try reporting {
      PracticeCard(
        id: try id, name: try practice.settings.name(), hasUsers: try connection.users.hasAny(), group: try groupSignIn,
        users: Set(try connection.users.list().filter { !$0.isDisabled }.map { UserStore.key($0.name) }))
    }
  }

  /// Who shows a session of the group, asked of the group's own file.
  ///
  /// - Throws: ``PracticeError`` with `notSignedIn` where it is over.
  public func member(_ token: SessionToken, at now: Timestamp) throws -> GroupMember {
    GroupMember(name: try session(token, at: now, isUse: false).name, group: try id, token: token)
  }

  /// Lets somebody in who signed in to the group: begins the session that ``GroupMember/token(in:)`` shows, which ends as every other
  /// does.
  ///
  /// - Throws: ``PracticeError`` with `notPermitted` for a name that none of the users has who are let in, and where the practice doesn't
  ///   take the group's sign-in.
  public func enter(_ member: GroupMember, as name: String, at now: Timestamp) throws -> Actor {
    guard try groupSignIn == member.group else { throw PracticeError.notOfGroup }
    let digest = member.token(in: name).digest
    var entered: Actor?
    try practice.recordingAside { connection in
      try connection.transaction { () throws(StoreError) in
        entered = nil
        guard let user = try connection.users.user(named: member.name), !user.isDisabled,
          let role = Role(rawValue: user.role)
        else { return }
        try connection.sessions.end(digest)
        try connection.sessions.endAll(ofUser: user.rowID, seenBefore: now.adding(days: -1))
        try connection.sessions.begin(digest, user: user.rowID, at: now)
        try connection.audit.append(
          AuditEntry(
            .access, at: now, actor: user.name, role: user.role, operation: "user.enter",
            subjects: [.init(kind: "user", id: user.name)]), key: practice.secrets.auditKey)
        entered = Actor(name: user.name, role: role)
      }
      practice.secrets.auditKey?.settle()
    }
    guard let entered else { throw PracticeError.notOfGroup }
    return entered
  }
}

extension PracticeError {
  static let notOfGroup = PracticeError(
    .notPermitted, "you are signed in, but are no user of this practice",
    hint: "An administrator of the practice can add you under the name by which you sign in.")
}
