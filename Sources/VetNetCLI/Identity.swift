import Clinical
import VetNet

/// Who does what a command does, once that is known, and the passphrase that was given for it.
final class Identity {
  fileprivate var actor: Actor?
  /// Given once, by a file or a descriptor, for whatever needs it: a user, an encrypted file.
  fileprivate var passphrase: Passphrase?
  /// When the actor was last asked for, where somebody answers more than once.
  fileprivate var lastAsked: Timestamp?
}

extension Invocation {
  /// The passphrase that this command was given, the same for a user and an encrypted file; without one each is asked for on the
  /// terminal.
  func passphrase(_ prompt: String) throws -> Passphrase {
    if let known = identity.passphrase { return known }
    let passphrase = try PassphraseInput.read(arguments, prompt: prompt, to: terminal)
    if arguments.isSet("--passphrase-file") || arguments.isSet("--passphrase-fd") { identity.passphrase = passphrase }
    return passphrase
  }

  /// Who acts: whom `--as` names, with the passphrase; else who is signed in; else whom the account unlocks, where the practice
  /// allows that. A practice without users is for whoever can read its file; in one with users, whoever is none of these is
  /// refused by the door, which names the operation.
  func actor(in practice: Practice) throws -> Actor {
    let idle = try practice.people.idleMinutes
    if let known = identity.actor {
      // One who answers again and again, at a prompt, may have gone meanwhile.
      guard let last = identity.lastAsked, clock().seconds - last.seconds > Int64(idle) * 60 else {
        identity.lastAsked = clock()
        return known
      }
      throw PracticeError(
        .notSignedIn, "nobody was here for \(idle) minutes: the session is over", hint: "Maybe begin anew.")
    }
    guard try practice.people.isClosed || arguments.isSet("--as") else { return .local }
    let now = try now(in: practice.timeZone)
    if let name = arguments.value("--as") {
      let isLinked = !arguments.isSet("--passphrase-file") && !arguments.isSet("--passphrase-fd")
      if isLinked, let unlocked = try practice.people.identifyByAccount(at: now),
        unlocked.name.lowercased() == name.lowercased()
      {
        return remember(unlocked)
      }
      return remember(try signIn(name, in: practice))
    }
    let file = try TokenFile(practice: practice, environment: environment)
    // A backup knows nobody who signed in after it was made.
    if !practice.door.isStill, let token = file.read(idleMinutes: idle) {
      let actor = try practice.people.session(token, at: now)
      file.touch()
      return actor
    }
    if let unlocked = try practice.people.identifyByAccount(at: now) { return remember(unlocked) }
    return .local
  }

  /// Who acts on a file that is to be replaced. One that can't be opened any more is for whoever may write it.
  func actor(at path: String) throws -> Actor {
    try Practice.People.isClosed(at: path) ? actor(in: openPractice(at: path)) : .local
  }

  private func remember(_ actor: Actor) -> Actor {
    identity.actor = actor
    identity.lastAsked = clock()
    return actor
  }

  /// Has somebody prove who they are.
  func signIn(_ name: String, in practice: Practice) throws -> Actor {
    let now = try now(in: practice.timeZone)
    // First, so that nobody types a passphrase that isn't looked at.
    let challenge = try practice.people.challenge(name, from: Self.origin, at: now)
    let answer = challenge.answer(try passphrase("Passphrase of \(name): "))
    let actor = try practice.people.identify(answer, at: now)
    if let warning = Self.recordWarning(practice) { terminal.say(warning) }
    return actor
  }

  /// Where tries come from: the account of the operating system.
  static var origin: String { "account \(Actor.local.name)" }
}
