public import Clinical
import Store

/// What somebody who gave a name has to answer. Answering takes its time and can be done on any thread.
public struct SignInChallenge: Sendable {
  let name: String
  /// Where from; see ``Practice/People/challenge(_:from:at:)``.
  let origin: String
  /// Nil for a name that nobody has, or whose user is let in no more.
  let verifier: String?
  let cost: Argon2id.Cost

  /// Compares a passphrase with what is kept of the right one: some 70 ms and 64 MiB, for a name that nobody has too.
  public func answer(_ passphrase: Passphrase) -> SignInAnswer {
    guard let verifier else {
      Argon2id.spend(on: passphrase.secret, cost: cost)
      return SignInAnswer(challenge: self, isRight: false)
    }
    return SignInAnswer(challenge: self, isRight: Argon2id.matches(passphrase.secret, verifier))
  }
}

/// A challenge that was answered; only ``SignInChallenge/answer(_:)`` makes one.
public struct SignInAnswer: Sendable {
  let challenge: SignInChallenge
  let isRight: Bool
}

/// How wrong tries slow down: by user and by where they come from, so that a stranger elsewhere holds up nobody.
public enum SignInDelay {
  /// So many wrong tries in a row cost nothing.
  public static let freeTries = 5
  /// The longest that anybody is held up, in seconds.
  public static let longest: Int64 = 60

  /// Seconds from the last of so many wrong tries until the next is looked at: 5 after the fifth, twice as long after each
  /// further one, ``longest`` at most.
  public static func seconds(afterWrong count: Int) -> Int64 {
    count < freeTries ? 0 : min(longest, 5 << Int64(min(count - freeTries, 8)))
  }
}

extension Practice.People {
  /// What somebody who gives a name has to answer: the first of the three steps of signing in, of which the second,
  /// ``SignInChallenge/answer(_:)``, needs neither the practice nor its thread. The third is ``identify(_:at:)`` for one operation,
  /// or ``signIn(_:at:)`` for a session.
  ///
  /// The origin is where somebody comes from: an account of the operating system, or a network address. Wrong tries from elsewhere
  /// don't count. A moment that lies before the last wrong try shortens no delay.
  ///
  /// - Throws: ``PracticeError`` with `notSignedIn` while wrong tries slow down, for names that nobody has as for others.
  public func challenge(_ name: String, from origin: String, at now: Timestamp) throws -> SignInChallenge {
    try reporting {
      guard try connection.users.hasAny() else { throw PracticeError.hasNoUsers }
      try refuseWhileSlow(name, origin, at: now, in: connection)
      let user = try connection.users.user(named: name)
      let verifier = try user.flatMap { $0.isDisabled ? nil : try connection.users.verifier(row: $0.rowID) }
      return SignInChallenge(name: name, origin: origin, verifier: verifier, cost: practice.secrets.passphraseCost)
    }
  }

  /// Who answered, for what is done next; puts the try on record.
  ///
  /// - Throws: ``PracticeError`` with `notSignedIn`, in the same words for a wrong name and a wrong passphrase.
  public func identify(_ answer: SignInAnswer, at now: Timestamp) throws -> Actor {
    try admit(answer, at: now, isOnRecordOnly: true) { _, _ in }
  }

  /// ``identify(_:at:)`` in one step.
  public func identify(
    _ name: String, _ passphrase: Passphrase, from origin: String, at now: Timestamp
  ) throws -> Actor {
    try identify(challenge(name, from: origin, at: now).answer(passphrase), at: now)
  }

  static let signInOperation = "user.sign_in"

  /// Refuses whoever tried too often, by a passphrase or a passkey.
  func refuseWhileSlow(
    _ name: String, _ origin: String, at now: Timestamp, in connection: Connection
  ) throws {
    let digest = SignInTryStore.digest(ofName: name)
    guard let wrong = try connection.signInTries.wrong(digest, origin: origin) else { return }
    let passed = max(0, now.seconds - wrong.lastAt.seconds)
    let left = SignInDelay.seconds(afterWrong: wrong.count) - passed
    guard left > 0 else { return }
    throw PracticeError(
      .notSignedIn, "\(wrong.count) wrong tries in a row: the next is looked at in \(left) seconds",
      hint: "A forgotten passphrase is set anew by an administrator: vetnet user passphrase NAME")
  }

  /// Puts a try on record, and lets whoever answered rightly in: `work` is done in the same transaction.
  ///
  /// `isOnRecordOnly` says that nothing but the record would be lost where it can't be written: nobody is kept from a patient's
  /// record by a full disk, and ``DoorState/unrecorded`` then says why.
  func admit(
    _ answer: SignInAnswer, at now: Timestamp, isOnRecordOnly: Bool,
    _ work: (Connection, User) throws(StoreError) -> Void
  ) throws -> Actor {
    let challenge = answer.challenge
    let digest = SignInTryStore.digest(ofName: challenge.name)
    var admitted: PracticeUser?
    let known = try reporting { try connection.users.user(named: challenge.name) }
    if practice.door.isStill {
      guard isOnRecordOnly, answer.isRight, let known, !known.isDisabled else {
        throw PracticeError.wrongNameOrPassphrase
      }
      admitted = try PracticeUser(known)
    }
    do {
      try practice.recordingAside { connection in
        try connection.mixedTransaction {
          admitted = nil
          let user = try connection.users.user(named: challenge.name)
          // Others may have tried, or somebody changed the passphrase, while this one was looked at.
          let verifier = try user.flatMap { try connection.users.verifier(row: $0.rowID) }
          let isRight = answer.isRight && user?.isDisabled == false && verifier == challenge.verifier
          if let user, isRight {
            try refuseWhileSlow(challenge.name, challenge.origin, at: now, in: connection)
            try connection.signInTries.forget(digest, origin: challenge.origin)
            try work(connection, user)
            admitted = try PracticeUser(user)
          } else {
            try connection.signInTries.addWrong(digest, origin: challenge.origin, at: now)
          }
          try connection.audit.append(
            AuditEntry(
              isRight ? .access : .refusal, at: now, actor: user?.name ?? "nobody", role: user?.role,
              operation: Self.signInOperation, subjects: user.map { [.init(kind: "user", id: $0.name)] } ?? []),
            key: practice.secrets.auditKey)
        }
        practice.secrets.auditKey?.settle()
      }
    } catch let error as PracticeError where [.locked, .fileRights, .failed].contains(error.code) {
      guard isOnRecordOnly, answer.isRight, let known, !known.isDisabled else { throw error }
      admitted = try PracticeUser(known)
    }
    guard let admitted else { throw PracticeError.wrongNameOrPassphrase }
    return Actor(name: admitted.name, role: admitted.role)
  }
}

extension PracticeError {
  static let hasNoUsers = PracticeError(
    .notSignedIn, "this practice has no users: whoever can read its file may use it",
    hint: "Maybe leave --as out, or add somebody: vetnet user add NAME --role administrator")

  static let wrongNameOrPassphrase = PracticeError(
    .notSignedIn, "the name or the passphrase is wrong, or the user is disabled",
    hint: "An administrator can look: vetnet user list, and set a passphrase anew: vetnet user passphrase NAME")

  static func notSignedIn(_ operation: String, _ permission: Permission) -> Self {
    PracticeError(
      .notSignedIn, "'\(operation)' is not permitted to somebody who isn't signed in: this practice is for its users",
      hint: "It needs the role \(roles(permission)). Maybe run: vetnet login --as NAME, or add --as NAME here.")
  }

  static func roles(_ permission: Permission) -> String {
    let names = Role.allCases.filter { $0 != .owner && $0.may(permission) }.map(\.rawValue)
    return names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}
