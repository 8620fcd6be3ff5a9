import Clinical
import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Who may use a practice, who is signed in, and for how long.
struct PeopleTests {
  /// A practice with one user of each role, each with their name for a passphrase, at the least cost.
  private final class Closed {
    let clinic: SmallClinic
    var practice: Practice { clinic.practice }
    let now = SmallClinic.at("2026-11-23T09:00")
    static let roles = Role.allCases.filter { $0 != .owner }

    init() throws {
      clinic = try SmallClinic()
      clinic.practice.secrets.passphraseCost = .least
      var by = Actor.local
      for role in [Role.administrator] + Self.roles.filter({ $0 != .administrator }) {
        try practice.perform(
          AddUser(name: "a \(role.rawValue)", role: role, verifier: Self.verifier("words of a \(role.rawValue)")),
          by: by,
          at: now)
        by = Actor(name: "a administrator", role: .administrator)
      }
    }

    static func verifier(_ text: String) throws -> PassphraseVerifier {
      try PassphraseVerifier(of: Passphrase(text), cost: .least)
    }

    func identify(_ name: String, _ text: String? = nil, from origin: String = "here", after seconds: Int = 0) throws
      -> Actor
    {
      try practice.people.identify(
        name, Passphrase(text ?? "words of \(name)"), from: origin, at: Timestamp(seconds: now.seconds + Int64(seconds))
      )
    }

    func signIn(_ name: String, after minutes: Int = 0) throws -> SessionToken {
      try practice.people.signIn(name, Passphrase("words of \(name)"), from: "here", at: now.adding(minutes: minutes))
    }

    func entries() throws -> [AuditEntry] { try practice.connection.audit.entries().compactMap(\.entry) }
  }

  private func code(_ work: () throws -> Any) -> PracticeError.Code? {
    do {
      _ = try work()
      return nil
    } catch {
      return (error as? PracticeError)?.code
    }
  }

  private struct Row {
    let who: String
    let actor: Actor
  }

  @Test func `in a practice with users nobody acts who is none, nor as what they aren't`() throws {
    let closed = try Closed()
    let rows = [
      Row(who: "the file's owner", actor: .local),
      Row(who: "a stranger", actor: Actor(name: "eve", role: .veterinarian)),
      Row(who: "a receptionist as vet", actor: Actor(name: "a reception", role: .veterinarian)),
      Row(who: "a vet as owner", actor: Actor(name: "a veterinarian", role: .owner)),
    ]
    for row in rows {
      let error = #expect(throws: PracticeError.self, "\(row.who)") {
        try closed.practice.perform(ListTimeline(reference: "P1"), by: row.actor, at: closed.now)
      }
      #expect(error?.code == .notSignedIn && error?.description.contains("patient.timeline") == true, "\(row.who)")
      #expect(error?.hint?.contains("veterinarian or nurse") == true, "\(row.who)")
      #expect(try closed.entries().last?.kind == .refusal, "\(row.who)")
    }
    let vet = try closed.identify("A Veterinarian", "words of a veterinarian")
    #expect(vet == Actor(name: "a veterinarian", role: .veterinarian))
    try closed.practice.perform(ListTimeline(reference: "P1"), by: vet, at: closed.now)
    try closed.practice.perform(
      DisableUser(name: vet.name), by: Actor(name: "a administrator", role: .administrator), at: closed.now)
    #expect(
      code { try closed.practice.perform(ListTimeline(reference: "P1"), by: vet, at: closed.now) } == .notSignedIn)
    #expect(code { try closed.identify(vet.name, "words of a veterinarian") } == .notSignedIn)
  }

  @Test func `what each role may is the same for whoever has signed in`() throws {
    let closed = try Closed()
    for role in Closed.roles {
      let actor = try closed.identify("a \(role.rawValue)")
      for operation in OperationRegistry.all {
        // Those that can be tried without a value of their own: by whether the door lets them pass.
        let isRefused: Bool
        switch operation.name {
        case "practice.status":
          isRefused = code { try closed.practice.perform(ShowStatus(), by: actor, at: closed.now) } == .notPermitted
        case "patient.timeline":
          isRefused =
            code { try closed.practice.perform(ListTimeline(reference: "P1"), by: actor, at: closed.now) }
            == .notPermitted
        case "user.list":
          isRefused = code { try closed.practice.perform(ListUsers(), by: actor, at: closed.now) } == .notPermitted
        case "audit.log":
          isRefused = code { try closed.practice.perform(ReadAuditLog(), by: actor, at: closed.now) } == .notPermitted
        default: continue
        }
        #expect(isRefused == !role.may(operation.permission), "\(role) \(operation.name)")
      }
    }
  }

  @Test func `wrong tries slow down by name and place, for names that nobody has too, and never for long`() throws {
    #expect((0...12).map { SignInDelay.seconds(afterWrong: $0) } == [0, 0, 0, 0, 0, 5, 10, 20, 40, 60, 60, 60, 60])
    let closed = try Closed()
    for name in ["a nurse", "nobody at all"] {
      for second in 0..<5 {
        let error = #expect(throws: PracticeError.self) { try closed.identify(name, "wrong words", after: second) }
        #expect(error?.description == PracticeError.wrongNameOrPassphrase.description, "\(name)")
      }
      let error = #expect(throws: PracticeError.self) { try closed.identify(name, "wrong words", after: 8) }
      #expect(error?.description.contains("in 1 seconds") == true, "\(name)")
    }
    // Trying while it is slow makes it no slower, and a clock that is put back no faster.
    #expect(code { try closed.identify("a nurse", after: -3600) } == .notSignedIn)
    #expect(try closed.identify("a nurse", from: "elsewhere", after: 6).role == .nurse)
    #expect(try closed.identify("a nurse", after: 9).role == .nurse)
    #expect(code { try closed.identify("a nurse", "wrong words", after: 10) } == .notSignedIn)
    #expect(try closed.identify("a nurse", after: 10).role == .nurse)
  }

  @Test func `answers that are given side by side count each, also the right one`() throws {
    let closed = try Closed()
    let challenges = try (0..<8).map { _ in
      try closed.practice.people.challenge("a nurse", from: "here", at: closed.now)
    }
    for challenge in challenges.dropLast() {
      #expect(
        code { try closed.practice.people.identify(challenge.answer(Passphrase("wrong words")), at: closed.now) }
          == .notSignedIn)
    }
    let right = challenges[7].answer(Passphrase("words of a nurse"))
    #expect(code { try closed.practice.people.identify(right, at: closed.now) } == .notSignedIn)
    #expect(try closed.practice.people.identify(right, at: closed.now.adding(minutes: 1)).role == .nurse)
  }

  @Test
  func `a session goes on while it is used, and ends when it isn't, or by hand, or by what an administrator does`()
    throws
  {
    let closed = try Closed()
    let practice = closed.practice
    let boss = Actor(name: "a administrator", role: .administrator)
    func role(_ token: SessionToken, _ minutes: Int) -> Role? {
      try? practice.people.session(token, at: closed.now.adding(minutes: minutes)).role
    }
    let token = try closed.signIn("a nurse")
    #expect([10, 20, 35].map { role(token, $0) } == [.nurse, .nurse, .nurse])
    #expect(role(token, 51) == nil && role(token, 36) == nil)
    // However busy: half a day is the end.
    let busy = try closed.signIn("a nurse")
    #expect(stride(from: 10, through: 720, by: 10).allSatisfy { role(busy, $0) == .nurse } && role(busy, 721) == nil)
    let deeds: [(name: String, act: (SessionToken) throws -> Void)] = [
      ("sign out", { try practice.people.endSession($0, at: closed.now) }),
      ("role", { _ in try practice.perform(SetUserRole(name: "a nurse", role: .reception), by: boss, at: closed.now) }),
      (
        "passphrase",
        { _ in
          try practice.perform(
            ResetPassphrase(name: "a nurse", verifier: Closed.verifier("words of a nurse")), by: boss, at: closed.now)
        }
      ),
      ("disable", { _ in try practice.perform(DisableUser(name: "a nurse"), by: boss, at: closed.now) }),
    ]
    for deed in deeds {
      let (token, other) = (try closed.signIn("a nurse"), try closed.signIn("a veterinarian"))
      #expect(role(token, 1) != nil, "\(deed.name)")
      try deed.act(token)
      #expect(role(token, 1) == nil && role(other, 1) == .veterinarian, "\(deed.name)")
    }
  }

  @Test func `another person goes on in the same place, and who answers wrongly changes nothing`() throws {
    let closed = try Closed()
    let practice = closed.practice
    let first = try closed.signIn("a nurse")
    func answer(_ text: String) throws -> SignInAnswer {
      try practice.people.challenge("a veterinarian", from: "here", at: closed.now).answer(Passphrase(text))
    }
    #expect(code { try practice.people.switchPerson(first, to: answer("wrong words"), at: closed.now) } == .notSignedIn)
    #expect(try practice.people.session(first, at: closed.now).role == .nurse)
    let second = try practice.people.switchPerson(first, to: answer("words of a veterinarian"), at: closed.now)
    #expect(try practice.people.session(second, at: closed.now).role == .veterinarian)
    #expect(code { try practice.people.session(first, at: closed.now) } == .notSignedIn)
    // The file holds nothing that a session could be taken over with.
    #expect(try practice.connection.number("SELECT count(*) FROM user_session") == 1)
    let digest = try practice.connection.first("SELECT digest FROM user_session") { ContentHash(stored: $0.bytes(0)) }
    #expect(digest?.hexadecimal != second.text)
    let token = try #require(digest.flatMap { SessionToken(text: $0.hexadecimal) })
    #expect(code { try practice.people.session(token, at: closed.now) } == .notSignedIn)
    #expect(SessionToken(text: "") == nil && SessionToken(text: second.text + "0") == nil)
  }

  @Test func `who comes and who is refused is on record, and neither passphrase nor verifier`() throws {
    let closed = try Closed()
    _ = try closed.identify("a nurse")
    _ = code { try closed.identify("a nurse", "my secret words") }
    _ = code { try closed.identify("my secret words", "a nurse") }
    let entries = try closed.entries().filter { $0.operation == "user.sign_in" }
    #expect(entries.map(\.kind) == [.access, .refusal, .refusal])
    #expect(entries.map(\.actor) == ["a nurse", "a nurse", "nobody"])
    let all = "\(try closed.entries())"
    #expect(!all.contains("secret") && !all.contains("argon2"))
    #expect(try closed.practice.integrity.verify().ok)
  }

  @Test func `a verifier is Argon2id's with libsodium's interactive limits, and has a salt of its own`() throws {
    let (one, other) = (try PassphraseVerifier(of: Passphrase("eight or more")), try Closed.verifier("eight or more"))
    let again = try Closed.verifier("eight or more")
    #expect(one.encoded.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
    #expect(other.encoded.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$") && other != again)
    #expect(Argon2id.matches(Passphrase("eight or more").secret, one.encoded))
    for text in ["eight or mor", "eight or more ", "Eight or more", ""] {
      #expect(!Argon2id.matches(Passphrase(text).secret, other.encoded), "\(text)")
    }
    #expect(code { try Closed.verifier("sevenen") } == .invalidArgument)
    #expect(code { try Closed.verifier("achtächt") } == nil)
  }

  /// A passkey on file, of which nobody has the other half.
  private func addPasskey(_ credential: [UInt8], of name: String, _ closed: Closed) throws {
    let connection = closed.practice.connection
    try connection.passkeys.add(
      user: try #require(try connection.users.user(named: name)).rowID, credential: credential, algorithm: -7,
      publicKey: [UInt8](repeating: 1, count: 64), relyingParty: "desk", label: "desk", counter: 0, at: closed.now)
  }

  private func passkeys(of actor: Actor, _ closed: Closed) throws -> Int {
    try closed.practice.perform(ListPasskeys(), by: actor, at: closed.now).count
  }

  @Test func `another passphrase ends passkeys unless they are to stay, and one set by another ends calendars too`()
    throws
  {
    let closed = try Closed()
    let practice = closed.practice
    let (nurse, boss) = (
      Actor(name: "a nurse", role: .nurse), Actor(name: "a administrator", role: .administrator)
    )
    let verifier = try Closed.verifier("quite other words")
    func feeds(_ actor: Actor) throws -> Int {
      try practice.perform(ListCalendarFeeds(), by: actor, at: closed.now).count
    }
    for actor in [nurse, nurse, boss] { try practice.perform(AddCalendarFeed(), by: actor, at: closed.now) }
    try addPasskey([1], of: "a nurse", closed)
    try addPasskey([2], of: "a administrator", closed)
    try practice.perform(SetOwnPassphrase(verifier: verifier, keepsPasskeys: true), by: nurse, at: closed.now)
    #expect(try passkeys(of: nurse, closed) == 1)
    try practice.perform(SetOwnPassphrase(verifier: verifier), by: nurse, at: closed.now)
    #expect(try passkeys(of: nurse, closed) == 0 && feeds(nurse) == 2)
    try addPasskey([3], of: "a nurse", closed)
    let ended = try practice.perform(ResetPassphrase(name: "a nurse", verifier: verifier), by: boss, at: closed.now)
    #expect(try ended == 2 && passkeys(of: nurse, closed) == 0 && feeds(nurse) == 0)
    #expect(try passkeys(of: boss, closed) == 1 && feeds(boss) == 1)
    #expect(try closed.entries().last?.details?.contains(#""feeds":"2""#) == true)
  }

  @Test func `who takes a passkey away ends their sessions but the one they are in, and nobody else's`() throws {
    let closed = try Closed()
    let (own, other, stranger) = (
      try closed.signIn("a nurse"), try closed.signIn("a nurse"), try closed.signIn("a veterinarian")
    )
    try addPasskey([1], of: "a nurse", closed)
    let nurse = Actor(name: "a nurse", role: .nurse)
    let number = try #require(try closed.practice.perform(ListPasskeys(), by: nurse, at: closed.now).first).number
    try closed.practice.perform(RemovePasskey(number: number, session: own), by: nurse, at: closed.now)
    for session in [own, stranger] { _ = try closed.practice.people.session(session, at: closed.now) }
    #expect(code { try closed.practice.people.session(other, at: closed.now) } == .notSignedIn)
  }

  @Test func `wrong passkeys slow down as wrong passphrases do, and those that nobody has leave no word`() throws {
    let closed = try Closed()
    try addPasskey([1], of: "a nurse", closed)
    let ceremony = PasskeyCeremony(challenge: [], origin: "https://desk", relyingParty: "desk")
    func refusal(_ credential: [UInt8], from origin: String = "here", after seconds: Int64 = 0) throws -> String {
      let assertion = PasskeyAssertion(credential: credential, clientData: [], authenticatorData: [], signature: [])
      let error = #expect(throws: PracticeError.self) {
        try closed.practice.people.signIn(
          assertion, for: ceremony, from: origin, at: Timestamp(seconds: closed.now.seconds + seconds))
      }
      #expect(error?.code == .notSignedIn)
      return error?.description ?? ""
    }
    let wrong = PracticeError.wrongPasskey.description
    func entries() throws -> Int { try closed.entries().count { $0.operation == "user.sign_in" } }
    for _ in 0..<10 { #expect(try refusal([9]) == wrong) }
    #expect(try entries() == 0 && closed.practice.connection.number("SELECT count(*) FROM sign_in_try") == 0)
    for _ in 0..<5 { #expect(try refusal([1]) == wrong) }
    #expect(try entries() == 5)
    #expect(try refusal([1], after: 2).contains("in 3 seconds"))
    #expect(try entries() == 5)
    #expect(try refusal([1], from: "elsewhere", after: 2) == wrong)
    // The same tries count for a passphrase, and a right one ends them.
    #expect(code { try closed.identify("a nurse", after: 3) } == .notSignedIn)
    #expect(try closed.identify("a nurse", after: 6).role == .nurse)
    #expect(try refusal([1], after: 7) == wrong)
  }
}
