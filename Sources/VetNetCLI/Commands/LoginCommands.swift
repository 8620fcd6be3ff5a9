import VetNet

/// Who is signed in on this account of the machine.
enum LoginCommands {
  static let login = Command(
    "login", "signs in, so that the commands that follow need no passphrase",
    positionals: [Positional("NAME", "who; or --as NAME", optional: true)],
    examples: [
      Example("vetnet login --as vera", "asks for the passphrase; then: vetnet ask, vetnet brief and so on"),
      Example("vetnet login vera --passphrase-file ~/.vera", "without a terminal"),
    ],
    discussion: """
      The session ends after 15 minutes without use (vetnet user rules --idle), 12 hours after it began, with vetnet logout, and when
      an administrator disables the user or changes role or passphrase. Its token lies in a file of this account of the machine,
      under $XDG_RUNTIME_DIR or the state folder, readable by you only. Signing in again as somebody else takes the
      session over. --as NAME beside a session acts as that user for one command.
      """
  ) { invocation in
    let arguments = invocation.arguments
    guard let name = arguments.value("--as") ?? arguments.positionals.first else {
      throw UsageError("who signs in? Give --as NAME")
    }
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let file = try TokenFile(practice: practice, environment: invocation.environment)
    let challenge = try practice.people.challenge(name, from: Invocation.origin, at: now)
    let answer = challenge.answer(try invocation.passphrase("Passphrase of \(name): "))
    let minutes = try practice.people.idleMinutes
    let token: SessionToken
    if let before = file.read(idleMinutes: minutes) {
      token = try practice.people.switchPerson(before, to: answer, at: now)
    } else {
      token = try practice.people.signIn(answer, at: now)
    }
    try file.write(token)
    let actor = try practice.people.session(token, at: now)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(
        SessionOutput(signed_in: true, name: actor.name, role: actor.role.rawValue, idle_minutes: minutes))
    } else {
      invocation.terminal.say(
        "Signed in as \(actor.name) (\(actor.role.rawValue)); after \(minutes) minutes without use that is over.")
    }
    return .ok
  }

  static let logout = Command(
    "logout", "ends the session of whoever is signed in here",
    examples: [Example("vetnet logout", "the next command needs a passphrase again")]
  ) { invocation in
    let practice = try invocation.openPractice()
    let file = try TokenFile(practice: practice, environment: invocation.environment)
    let token = file.read(idleMinutes: .max / 60)
    if let token { try practice.people.endSession(token, at: invocation.now(in: practice.timeZone)) }
    file.remove()
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(SessionOutput(signed_in: false, name: nil, role: nil, idle_minutes: nil))
    } else {
      invocation.terminal.say(token == nil ? "Nobody was signed in here." : "Signed out.")
    }
    return .ok
  }

  private struct SessionOutput: Encodable {
    let signed_in: Bool
    let name: String?
    let role: String?
    let idle_minutes: Int?
  }
}
