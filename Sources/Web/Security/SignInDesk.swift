import Clinical
import FoundationEssentials
import VetNet

/// Lets people in and out.
///
/// A sign-in is three steps on three threads: the practice says what has to be answered, the passphrase is tried where it holds up
/// nobody, and the practice begins the session.
final class SignInDesk: Sendable {
  private let sessions: Sessions
  private let ceremonies: Ceremonies
  private let pool: WorkerPool
  private let passphrases: PassphraseThreads
  private let clock: @Sendable () -> Timestamp

  /// Whoever made the passphrases' threads stops them.
  init(
    sessions: Sessions, ceremonies: Ceremonies, pool: WorkerPool, passphrases: PassphraseThreads,
    clock: @escaping @Sendable () -> Timestamp
  ) {
    self.passphrases = passphrases
    self.sessions = sessions
    self.ceremonies = ceremonies
    self.pool = pool
    self.clock = clock
  }

  private struct Words: Decodable {
    let name: String
    let passphrase: String
  }

  typealias Reply = @Sendable (Response) -> Void

  func receive(_ request: Request, _ reply: @escaping Reply) {
    switch request.path {
    case PasskeyRoutes.challengePath: reply(challenge(request))
    case PasskeyRoutes.signInPath: signInByPasskey(request, reply)
    default: signIn(request, reply)
    }
  }

  private struct Challenge: Encodable {
    let challenge: String
    let relying_party: String?
  }

  private func challenge(_ request: Request) -> Response {
    let challenge = Challenge(
      challenge: Base64URL.text(ceremonies.begin(for: request.peer, at: clock())),
      relying_party: ceremonies.relyingParty(of: request))
    return (try? .json(challenge)) ?? ErrorBody(500, "failed", "something went wrong in this program").response
  }

  private struct Signed: Decodable {
    let challenge: String
    let credential: String
    let client_data: String
    let authenticator_data: String
    let signature: String
  }

  private func signInByPasskey(_ request: Request, _ reply: @escaping Reply) {
    guard let signed = try? JSONDecoder().decode(Signed.self, from: Data(request.body)),
      let challenge = Base64URL.bytes(signed.challenge), let credential = Base64URL.bytes(signed.credential),
      let clientData = Base64URL.bytes(signed.client_data),
      let data = Base64URL.bytes(signed.authenticator_data), let signature = Base64URL.bytes(signed.signature)
    else {
      return reply(ErrorBody(400, "bad_json", "that is no answer of a passkey", hint: "Try again.").response)
    }
    let assertion = PasskeyAssertion(
      credential: credential, clientData: clientData, authenticatorData: data, signature: signature)
    let before = sessions.cookie.token(of: request)
    let origin = "address \(request.peer)"
    // What lets nobody in anyway is refused where it holds up nobody who writes.
    let isTaken = pool.submit(.reading) { [self] practice in
      let asked = attempt(reply) {
        let ceremony = try ceremonies.end(challenge, request, at: clock())
        try practice.people.checkPasskey(credential, from: origin, at: clock())
        return ceremony
      }
      guard let asked else { return }
      let isTaken = pool.submit(.writing) { [self] practice in
        let now = clock()
        let response = attempt(reply) {
          try begun(instead: before, practice, at: now) {
            try practice.people.signIn(assertion, for: asked, from: origin, at: now)
          }
        }
        if let response { reply(response) }
      }
      if !isTaken { reply(Self.busy) }
    }
    if !isTaken { reply(Self.busy) }
  }

  /// Answers with a session's cookie; a session that the request shows already ends, as another person goes on in its place.
  func signIn(_ request: Request, _ reply: @escaping Reply) {
    guard let words = try? JSONDecoder().decode(Words.self, from: Data(request.body)) else {
      return reply(
        ErrorBody(
          400, "bad_json", "a sign-in has a name and a passphrase", hint: #"Send {"name":"…","passphrase":"…"}."#
        )
        .response)
    }
    let passphrase = Passphrase(words.passphrase)
    let name = words.name.trimming(while: \.isWhitespace)
    let before = sessions.cookie.token(of: request)
    let origin = "address \(request.peer)"
    let isTaken = pool.submit(.reading) { [self] practice in
      guard let challenge = attempt(reply, { try practice.people.challenge(name, from: origin, at: clock()) }) else {
        return
      }
      let isTaken = passphrases.submit(from: origin) { [self] in
        let answer = challenge.answer(passphrase)
        let isTaken = pool.submit(.writing) { [self] practice in
          guard let response = attempt(reply, { try begin(answer, instead: before, practice) }) else { return }
          reply(response)
        }
        if !isTaken { reply(Self.busy) }
      }
      if !isTaken { reply(Self.busy) }
    }
    if !isTaken { reply(Self.busy) }
  }

  private func begin(_ answer: SignInAnswer, instead before: SessionToken?, _ practice: Practice) throws -> Response {
    let now = clock()
    return try begun(instead: before, practice, at: now) { try practice.people.signIn(answer, at: now) }
  }

  /// A session that somebody else's was shown for ends when the new one has begun.
  private func begun(
    instead before: SessionToken?, _ practice: Practice, at now: Timestamp, _ signIn: () throws -> SessionToken
  ) throws -> Response {
    let isSwitch = before.map { (try? practice.people.session($0, at: now)) != nil } ?? false
    let token = try signIn()
    if let before, isSwitch {
      try practice.people.endSession(before, at: now)
      sessions.forget(before)
    }
    let session = try sessions.session(token, in: practice, at: now, isUse: true)
    return try .json(
      SessionOutput(session, now: now, zone: practice.timeZone), status: 201, headers: [sessions.cookie.setting(token)])
  }

  /// What whoever is signed in does by showing their passphrase: sets another, or keeps a passkey beside it.
  func receive(_ request: Request, of session: WebSession, _ reply: @escaping Reply) {
    guard let token = session.signIn else {
      return reply(
        ErrorBody(409, "no_sign_in", "nobody signs in here: there are neither passphrases nor passkeys").response)
    }
    if request.path == PasskeyRoutes.addPath {
      addPasskey(of: session.actor, request, reply)
    } else {
      changePassphrase(of: session.actor, token, request, reply)
    }
  }

  private struct NewWords: Decodable {
    let old: String
    let new: String
    let keep_passkeys: Bool?
  }

  /// Gives whoever is signed in another passphrase, if they know the one so far; their sessions end.
  private func changePassphrase(
    of actor: Actor, _ token: SessionToken, _ request: Request, _ reply: @escaping Reply
  ) {
    guard let words = try? JSONDecoder().decode(NewWords.self, from: Data(request.body)) else {
      return reply(
        ErrorBody(400, "bad_json", "a new passphrase comes with the old one", hint: #"Send {"old":"…","new":"…"}."#)
          .response)
    }
    let new = Passphrase(words.new)
    let keeps = words.keep_passkeys == true
    proven(Passphrase(words.old), of: actor, request, reply) {
      try PassphraseVerifier(of: new)
    } then: {
      [self] practice, verifier, now in
      try practice.perform(SetOwnPassphrase(verifier: verifier, keepsPasskeys: keeps), by: actor, at: now)
      sessions.forget(token)
      return try Response.json(["signed_in": false], headers: [sessions.cookie.removal])
    }
  }

  private struct Made: Decodable {
    let challenge: String
    let client_data: String
    let authenticator_data: String
    let public_key: String
    let label: String
    let passphrase: String
  }

  private func addPasskey(of actor: Actor, _ request: Request, _ reply: @escaping Reply) {
    guard let made = try? JSONDecoder().decode(Made.self, from: Data(request.body)),
      let challenge = Base64URL.bytes(made.challenge), let clientData = Base64URL.bytes(made.client_data),
      let data = Base64URL.bytes(made.authenticator_data), let key = Base64URL.bytes(made.public_key)
    else {
      return reply(
        ErrorBody(400, "bad_json", "a passkey comes with its name and your passphrase", hint: "Try again.").response)
    }
    proven(Passphrase(made.passphrase), of: actor, request, reply) { [self] in
      try ceremonies.end(challenge, request, at: clock())
    } then: { practice, ceremony, now in
      let passkey = NewPasskey(
        ceremony: ceremony, clientData: clientData, authenticatorData: data, publicKey: key, label: made.label)
      try practice.perform(AddPasskey(passkey: passkey), by: actor, at: now)
      let all = try practice.perform(ListPasskeys(), by: actor, at: now)
      return try .json(["passkeys": all.map { PasskeyOutput($0, zone: practice.timeZone) }], status: 201)
    }
  }

  /// Does something on the thread that writes for somebody who knows their passphrase; what has to be prepared for it is made where
  /// that holds up nobody.
  private func proven<Prepared: Sendable>(
    _ passphrase: Passphrase, of actor: Actor, _ request: Request, _ reply: @escaping Reply,
    preparing prepare: @escaping @Sendable () throws -> Prepared,
    then work: @escaping @Sendable (Practice, Prepared, Timestamp) throws -> Response
  ) {
    let origin = "address \(request.peer)"
    let isTaken = pool.submit(.reading) { [self] practice in
      guard
        let challenge = attemptOwn(reply, { try practice.people.challenge(actor.name, from: origin, at: clock()) })
      else { return }
      let isTaken = passphrases.submit(from: origin) { [self] in
        let answer = challenge.answer(passphrase)
        guard let prepared = attemptOwn(reply, prepare) else { return }
        let isTaken = pool.submit(.writing) { [self] practice in
          let response = attemptOwn(reply) {
            let now = clock()
            _ = try practice.people.identify(answer, at: now)
            return try work(practice, prepared, now)
          }
          if let response { reply(response) }
        }
        if !isTaken { reply(Self.busy) }
      }
      if !isTaken { reply(Self.busy) }
    }
    if !isTaken { reply(Self.busy) }
  }

  /// A wrong passphrase is no end of the session of whoever typed it.
  private func attemptOwn<Value>(_ reply: Reply, _ work: () throws -> Value) -> Value? {
    attempt(reply) {
      do {
        return try work()
      } catch let error as PracticeError where error.code == .notSignedIn {
        throw PracticeError(
          .notPermitted, "the passphrase so far is not the right one, or was tried too often",
          hint: "Try again in a minute; a forgotten one is set anew by an administrator.")
      }
    }
  }

  /// Ends the session that a request shows.
  func signOut(_ session: WebSession, _ practice: Practice, at now: Timestamp) throws -> Response {
    guard let token = session.signIn else {
      throw ErrorBody(
        409, "no_sign_in", "nobody signed in here: the server acts as \(session.actor.name) for everybody who opens it")
    }
    try practice.people.endSession(token, at: now)
    sessions.forget(token)
    return try .json(["signed_in": false], headers: [sessions.cookie.removal])
  }

  private static let busy: Response = {
    var response = ErrorBody(503, "busy", "too many sign in at once", hint: "Try again in a moment.").response
    response.headers.append(("Retry-After", "2"))
    return response
  }()

  private func attempt<Value>(_ reply: Reply, _ work: () throws -> Value) -> Value? {
    do {
      return try work()
    } catch let error as PracticeError {
      reply(ErrorBody(error).response)
    } catch let error as ErrorBody {
      reply(error.response)
    } catch {
      reply(ErrorBody(500, "failed", "something went wrong in this program").response)
    }
    return nil
  }
}
