public import Clinical
import FoundationEssentials
import Store

extension Practice.People {
  /// After so many minutes without use a session ends, unless the practice has settled another number.
  public static let defaultIdleMinutes = 15
  /// So many hours after somebody signed in they have to do it again, whatever they do.
  public static let longestSessionHours = 12

  /// After so many minutes without use a session ends here.
  public var idleMinutes: Int {
    get throws {
      try reporting { try connection.settings.value(Setting.sessionIdleMinutes).flatMap { Int($0) } }
        ?? Self.defaultIdleMinutes
    }
  }

  /// Lets somebody in for more than one operation.
  ///
  /// The session ends when it isn't used for ``idleMinutes``, after ``longestSessionHours``, with ``endSession(_:at:)``, and when its
  /// user gets another role or passphrase or is disabled.
  ///
  /// - Throws: ``PracticeError`` with `notSignedIn`, as ``identify(_:at:)``.
  public func signIn(_ answer: SignInAnswer, at now: Timestamp) throws -> SessionToken {
    let token = SessionToken(practice.secrets.randomness())
    _ = try admit(answer, at: now, isOnRecordOnly: false) { connection, user throws(StoreError) in
      try connection.sessions.endAll(ofUser: user.rowID, seenBefore: now.adding(days: -1))
      try connection.sessions.begin(token.digest, user: user.rowID, at: now)
    }
    return token
  }

  /// ``signIn(_:at:)`` in one step.
  public func signIn(
    _ name: String, _ passphrase: Passphrase, from origin: String, at now: Timestamp
  ) throws -> SessionToken {
    try signIn(challenge(name, from: origin, at: now).answer(passphrase), at: now)
  }

  /// Who is signed in, whose session goes on by that, unless `isUse` is false: what a page asks for by itself is no use.
  ///
  /// - Throws: ``PracticeError`` with `notSignedIn` where the session has ended, or never was.
  public func session(_ token: SessionToken, at now: Timestamp, isUse: Bool = true) throws -> Actor {
    let digest = token.digest
    return try reporting {
      guard let session = try connection.sessions.session(digest),
        let user = try connection.users.user(row: session.userRowID), !user.isDisabled
      else { throw PracticeError.sessionIsOver }
      let idle = now.seconds - session.seenAt.seconds
      guard idle <= Int64(try idleMinutes) * 60, now <= session.beganAt.adding(minutes: 60 * Self.longestSessionHours)
      else {
        try? endSession(token, at: now)
        throw PracticeError.sessionIsOver
      }
      // Not with every step of somebody who is at work.
      if idle >= 30, isUse { try? practice.recordingAside { try $0.sessions.touch(digest, at: now) } }
      let known = try PracticeUser(user)
      return Actor(name: known.name, role: known.role)
    }
  }

  /// Ends a session; one that is over already stays so.
  public func endSession(_ token: SessionToken, at now: Timestamp) throws {
    try practice.recordingAside { connection in
      try connection.transaction { () throws(StoreError) in
        guard let session = try connection.sessions.session(token.digest) else { return }
        let user = try connection.users.user(row: session.userRowID)
        try connection.sessions.end(token.digest)
        try connection.audit.append(
          AuditEntry(
            .access, at: now, actor: user?.name ?? "nobody", role: user?.role, operation: "user.sign_out",
            subjects: user.map { [.init(kind: "user", id: $0.name)] } ?? []), key: practice.secrets.auditKey)
      }
      practice.secrets.auditKey?.settle()
    }
  }

  /// Another person goes on at the same place: their session in place of the one that was.
  ///
  /// - Throws: ``PracticeError`` with `notSignedIn` where they don't answer rightly; the session that was goes on then.
  public func switchPerson(
    _ token: SessionToken, to answer: SignInAnswer, at now: Timestamp
  ) throws -> SessionToken {
    let next = try signIn(answer, at: now)
    try endSession(token, at: now)
    return next
  }
}

extension PracticeError {
  static let sessionIsOver = PracticeError(
    .notSignedIn, "the session is over: nobody is signed in", hint: "Maybe run: vetnet login --as NAME")
}
