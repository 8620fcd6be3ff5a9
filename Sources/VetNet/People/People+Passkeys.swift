public import Clinical
import Store

/// A key that somebody signs in by.
public struct Passkey: Encodable, Hashable, Sendable {
  /// By which it is taken away.
  public let number: Int64
  public let label: String
  /// The name under which the server was opened.
  public let relyingParty: String
  public let addedAt: Timestamp
  public let usedAt: Timestamp?
}

/// A key that a browser just made, as it gives it.
public struct NewPasskey: Codable, Sendable {
  public var ceremony: PasskeyCeremony
  public var clientData: [UInt8]
  public var authenticatorData: [UInt8]
  /// SubjectPublicKeyInfo.
  public var publicKey: [UInt8]
  /// Which machine it is on, in the person's words.
  public var label: String

  public init(
    ceremony: PasskeyCeremony, clientData: [UInt8], authenticatorData: [UInt8], publicKey: [UInt8], label: String
  ) {
    self.ceremony = ceremony
    self.clientData = clientData
    self.authenticatorData = authenticatorData
    self.publicKey = publicKey
    self.label = label
  }
}

/// That somebody has a key, as a browser says it.
public struct PasskeyAssertion: Sendable {
  public var credential: [UInt8]
  public var clientData: [UInt8]
  public var authenticatorData: [UInt8]
  public var signature: [UInt8]

  public init(credential: [UInt8], clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8]) {
    self.credential = credential
    self.clientData = clientData
    self.authenticatorData = authenticatorData
    self.signature = signature
  }
}

extension Practice.People {
  /// As many keys as one person may have.
  static let mostPasskeys = 20

  /// Keeps a key of somebody who has shown their passphrase a moment before. It is not asked which maker vouches for it: they are who
  /// they are by their passphrase.
  func addPasskey(_ wanted: NewPasskey, for name: String, at now: Timestamp) throws {
    let label = wanted.label.trimmingSpaces()
    guard (1...60).contains(label.count),
      !label.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw PracticeError(.invalidArgument, "a passkey has a name of 1 to 60 characters", hint: "Maybe: desk, phone.")
    }
    guard wanted.ceremony.isMeant(by: wanted.clientData, for: .create),
      let data = AuthenticatorData(wanted.authenticatorData), data.isFor(wanted.ceremony.relyingParty), data.isVerified,
      let credential = data.credential
    else { throw PracticeError(.invalidArgument, "that passkey was made for something else", hint: "Maybe try again.") }
    guard let key = PasskeyPublicKey(subjectPublicKeyInfo: wanted.publicKey) else {
      throw PracticeError(
        .invalidArgument, "passkeys of that kind can't be used here", hint: "Maybe use another machine or key.")
    }
    try writing {
      let user = try user(name)
      guard try connection.passkeys.list(ofUser: user.rowID).count < Self.mostPasskeys else {
        throw PracticeError(
          .failed, "nobody may have more than \(Self.mostPasskeys) passkeys", hint: "Maybe remove one.")
      }
      guard try connection.passkeys.passkey(credential: credential) == nil else {
        throw PracticeError(.failed, "that passkey is on file already")
      }
      try connection.passkeys.add(
        user: user.rowID, credential: credential, algorithm: key.algorithm, publicKey: key.bytes,
        relyingParty: wanted.ceremony.relyingParty, label: label, counter: data.counter, at: now)
    }
  }

  func passkeys(of name: String) throws -> [Passkey] {
    try reading {
      guard let user = try connection.users.user(named: name) else { return [] }
      return try connection.passkeys.list(ofUser: user.rowID).map {
        Passkey(
          number: $0.rowID, label: $0.label, relyingParty: $0.relyingParty, addedAt: $0.addedAt, usedAt: $0.usedAt)
      }
    }
  }

  /// Takes a key away, and ends the sessions that may have begun by it: all but the one in which that is done.
  func removePasskey(_ number: Int64, of name: String, keeping session: [UInt8]?) throws {
    try writing {
      let user = try user(name).rowID
      guard try connection.passkeys.remove(row: number, ofUser: user) else {
        throw PracticeError(.notFound, "there is no passkey \(number) of yours")
      }
      try connection.sessions.endAll(ofUser: user, but: session)
    }
  }

  /// Refuses a key that nobody has on file, and one that was tried too often, at the cost of a look: nothing is written, so that
  /// strangers hold up nobody and fill no log.
  ///
  /// - Throws: ``PracticeError`` with `notSignedIn`.
  public func checkPasskey(_ credential: [UInt8], from origin: String, at now: Timestamp) throws {
    try reporting {
      guard let known = try connection.passkeys.passkey(credential: credential),
        let user = try connection.users.user(row: known.userRowID)
      else { throw PracticeError.wrongPasskey }
      try refuseWhileSlow(user.name, origin, at: now, in: connection)
    }
  }

  /// Lets somebody in who has one of their keys at hand; the session ends as others do.
  ///
  /// - Parameters:
  ///   - assertion: what the browser says.
  ///   - ceremony: what it was asked.
  ///   - origin: where from; wrong tries slow down the next as those by a passphrase do.
  ///   - now: the present moment.
  /// - Returns: what the session is known by.
  /// - Throws: ``PracticeError`` with `notSignedIn`, in the same words whatever is wrong with it, and with `failed` where libfido2 isn't
  ///   installed.
  public func signIn(
    _ assertion: PasskeyAssertion, for ceremony: PasskeyCeremony, from origin: String, at now: Timestamp
  ) throws -> SessionToken {
    try checkPasskey(assertion.credential, from: origin, at: now)
    let known = try reporting { try connection.passkeys.passkey(credential: assertion.credential) }
    let isRight = try known.map { try self.isRight(assertion, of: $0, for: ceremony) } ?? false
    let token = SessionToken(practice.secrets.randomness())
    var isIn = false
    try practice.recordingAside { connection in
      try connection.mixedTransaction {
        isIn = false
        // It may have been used, or taken away, meanwhile.
        let present = try connection.passkeys.passkey(credential: assertion.credential)
        guard let present, let user = try connection.users.user(row: present.userRowID) else { return }
        let digest = SignInTryStore.digest(ofName: user.name)
        let counter = AuthenticatorData(assertion.authenticatorData)?.counter ?? 0
        if isRight, present.counter == known?.counter, !user.isDisabled {
          try refuseWhileSlow(user.name, origin, at: now, in: connection)
          try connection.signInTries.forget(digest, origin: origin)
          try connection.passkeys.use(row: present.rowID, counter: counter, at: now)
          try connection.sessions.endAll(ofUser: user.rowID, seenBefore: now.adding(days: -1))
          try connection.sessions.begin(token.digest, user: user.rowID, at: now)
          isIn = true
        } else {
          try connection.signInTries.addWrong(digest, origin: origin, at: now)
        }
        try connection.audit.append(
          AuditEntry(
            isIn ? .access : .refusal, at: now, actor: user.name, role: user.role, operation: Self.signInOperation,
            details: #"{"by":"passkey"}"#, subjects: [.init(kind: "user", id: user.name)]),
          key: practice.secrets.auditKey)
      }
      practice.secrets.auditKey?.settle()
    }
    guard isIn else { throw PracticeError.wrongPasskey }
    return token
  }

  private func isRight(
    _ assertion: PasskeyAssertion, of known: StoredPasskey, for ceremony: PasskeyCeremony
  ) throws -> Bool {
    guard known.relyingParty == ceremony.relyingParty, ceremony.isMeant(by: assertion.clientData, for: .get),
      let data = AuthenticatorData(assertion.authenticatorData), data.isFor(ceremony.relyingParty), data.isVerified,
      // A count that doesn't grow says that somebody else has a copy of the key.
      data.counter == 0 && known.counter == 0 || data.counter > known.counter
    else { return false }
    return try PasskeyPublicKey(algorithm: known.algorithm, bytes: known.publicKey).hasSigned(
      assertion.authenticatorData, clientData: assertion.clientData, signature: assertion.signature,
      for: ceremony.relyingParty)
  }
}

extension PracticeError {
  static let wrongPasskey = PracticeError(
    .notSignedIn, "that passkey lets nobody in here", hint: "Maybe sign in by name and passphrase.")
}
