import VetNet

/// Who may use the practice.
enum UserCommands {
  private static let roles = "veterinarian, nurse, reception or administrator"
  private static let dryRun = Option("--dry-run", nil, "say what would be done, change nothing")

  static let add = Command(
    "user add", "adds somebody who may use the practice",
    positionals: [Positional("NAME", "what they sign in with")],
    options: [
      Option("--role", "ROLE", "\(roles); the first is an administrator"),
      Option("--staff", "ID", "the member of staff who that is"), PassphraseInput.newOption, dryRun,
    ],
    examples: [
      Example("vetnet user add ann --role administrator", "the first: from now on the practice is for its users only"),
      Example("vetnet user add tom --role nurse --staff S4 --as ann", "another, by her"),
    ],
    discussion: """
      As long as a practice has no users, whoever can read its file may do everything with it. The first that is added is an
      administrator and closes it: what is done from then on is done by somebody who has signed in (vetnet login, or --as with a
      passphrase), as far as their role goes. An administrator keeps the file and its users and sees no records; who does both
      has two names. This is no protection against somebody who reads the file with another program, as long
      as it isn't encrypted.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let name = arguments.positionals[0]
    let role = try role(arguments.value("--role"))
    let practice = try invocation.openPractice(.write)
    let isFirst = try !practice.people.isClosed
    // Who may not add anybody isn't asked for a passphrase first.
    if !isFirst { _ = try invocation.actor(in: practice) }
    let passphrase = try PassphraseInput.readNew(
      arguments, prompt: "New passphrase of \(name): ", to: invocation.terminal)
    let isDryRun = arguments.isSet("--dry-run")
    try invocation.perform(
      AddUser(
        name: name, role: role, verifier: PassphraseVerifier(of: passphrase), staff: arguments.value("--staff"),
        isDryRun: isDryRun), on: practice)
    try invocation.report(
      isDryRun ? "Would add \(name) as \(role.rawValue)." : "Added \(name) as \(role.rawValue).", name, role: role)
    if isFirst, !isDryRun {
      invocation.terminal.say("The practice is for its users only now. Next: vetnet login --as \(name)")
    }
    return .ok
  }

  static let list = Command(
    "user list", "lists who may use the practice",
    examples: [Example("vetnet user list", "names, roles, who is disabled")]
  ) { invocation in
    let users = try invocation.perform(ListUsers(), on: invocation.openPractice())
    for user in users {
      try invocation.show(user) {
        let more = [
          user.staffID.map { "staff \($0)" },
          user.locationRoles.map { own in
            own.sorted { $0.key < $1.key }.map { "\($0.value.rawValue) at \($0.key)" }.joined(separator: ", ")
          }, user.account.map { "account \($0)" }, user.isDisabled ? "disabled" : nil,
        ].compactMap(\.self)
        return [
          "\(user.name.padded(to: 20))\(user.role.rawValue)\(more.isEmpty ? "" : "  (\(more.joined(separator: ", ")))")"
        ]
      }
    }
    if users.isEmpty {
      invocation.terminal.say("None: whoever can read the practice file may do everything with it.")
    }
    return .ok
  }

  static let role = Command(
    "user role", "gives a user another role, everywhere or at one location",
    positionals: [Positional("NAME", "the user"), Positional("ROLE", "\(roles); with --location also none")],
    options: [
      Option("--location", "NAME", "only at this location, by id or name; none for the same as elsewhere"), dryRun,
    ],
    examples: [
      Example("vetnet user role tom veterinarian --as ann", "who signs in again to have it"),
      Example("vetnet user role tom administrator --location Harbour --as ann", "there, and what he was elsewhere"),
    ],
    discussion: """
      The role at a location counts for what names that location, or an appointment there; for everything else it is the role \
      without --location. A change of the book counts where each visit stands then, whether the location was named or not.
      """
  ) { invocation in
    let name = invocation.arguments.positionals[0]
    let word = invocation.arguments.positionals[1]
    let isDryRun = invocation.arguments.isSet("--dry-run")
    if let location = invocation.arguments.value("--location") {
      let role = word == "none" ? nil : try role(word)
      try invocation.perform(
        SetLocationRole(name: name, location: location, role: role, isDryRun: isDryRun),
        on: invocation.openPractice(.write))
      try invocation.report(
        "\(name) \(isDryRun ? "would be" : "is") \(role?.rawValue ?? "what they are elsewhere") at \(location) now, and signs in again.",
        name, role: role)
      return .ok
    }
    let role = try role(word)
    try invocation.perform(
      SetUserRole(name: name, role: role, isDryRun: isDryRun), on: invocation.openPractice(.write))
    try invocation.report(
      "\(name) \(isDryRun ? "would be" : "is") \(role.rawValue) now, and signs in again.", name, role: role)
    return .ok
  }

  static let disable = Command(
    "user disable", "lets a user in no more",
    positionals: [Positional("NAME", "the user")], options: [dryRun],
    examples: [Example("vetnet user disable tom --as ann", "at once, also where he is signed in")],
    discussion: "Nobody is deleted: the audit log names them. vetnet user enable lets them in again."
  ) { try set(disabled: true, $0) }

  static let enable = Command(
    "user enable", "lets a disabled user in again",
    positionals: [Positional("NAME", "the user")], options: [dryRun],
    examples: [Example("vetnet user enable tom --as ann", "with the passphrase that he had")]
  ) { try set(disabled: false, $0) }

  static let passphrase = Command(
    "user passphrase", "sets one's own passphrase anew, or as an administrator somebody else's",
    positionals: [Positional("NAME", "the user")], options: [PassphraseInput.newOption],
    examples: [
      Example("vetnet user passphrase tom --as tom", "his own: he is asked for the old one and the new one"),
      Example("vetnet user passphrase tom --as ann", "he has forgotten it: an administrator sets another"),
    ],
    discussion:
      "All sessions and passkeys of that user end; set by an administrator, the calendars they subscribed to as well."
  ) { invocation in
    let name = invocation.arguments.positionals[0]
    let practice = try invocation.openPractice(.write)
    let actor = try invocation.actor(in: practice)
    let isOwn = actor.name.lowercased() == name.lowercased()
    // Whoever comes upon an open session must not take it over for good.
    if isOwn, !invocation.arguments.isSet("--as") { _ = try invocation.signIn(actor.name, in: practice) }
    let new = try PassphraseInput.readNew(
      invocation.arguments, prompt: "New passphrase of \(name): ", to: invocation.terminal)
    let verifier = try PassphraseVerifier(of: new)
    var feeds = 0
    if isOwn {
      try invocation.perform(SetOwnPassphrase(verifier: verifier), on: practice)
    } else {
      feeds = try invocation.perform(ResetPassphrase(name: name, verifier: verifier), on: practice)
    }
    let ended = feeds > 0 ? " \(feeds) subscribed calendars of theirs lead nowhere any more." : ""
    try invocation.report("\(name) has another passphrase now, and signs in again.\(ended)", name)
    return .ok
  }

  static let linkAccount = Command(
    "user link-os", "lets an account of the operating system stand for a user's passphrase",
    positionals: [Positional("NAME", "the user"), Positional("ACCOUNT", "the account's name, or none")],
    examples: [Example("vetnet user link-os tom tom --as ann", "after vetnet user rules --os-accounts on")],
    discussion: """
      Off unless the practice's rules say otherwise: whoever uses that account of the machine is taken for the user. Good where
      everybody has an account of their own, wrong where a desk shares one.
      """
  ) { invocation in
    let words = invocation.arguments.positionals
    let practice = try invocation.openPractice(.write)
    try invocation.perform(LinkAccount(name: words[0], account: words[1] == "none" ? nil : words[1]), on: practice)
    try invocation.report(
      words[1] == "none"
        ? "\(words[0]) is unlocked by no account." : "\(words[0]) is linked to the account \(words[1]).", words[0])
    if try !invocation.perform(SetSignInRules(), on: practice).unlocksByAccount, words[1] != "none" {
      invocation.terminal.say("The practice doesn't use that yet: vetnet user rules --os-accounts on")
    }
    return .ok
  }

  static let rules = Command(
    "user rules", "shows how the practice lets its users in, or changes it",
    options: [
      Option("--idle", "MINUTES", "after so many minutes without use a session ends (1 to 720; 15 unless set)"),
      Option("--os-accounts", "on|off", "whether users may be unlocked by an account of the operating system"),
    ],
    examples: [Example("vetnet user rules --idle 5 --as ann", "for a desk in the hall")]
  ) { invocation in
    let arguments = invocation.arguments
    let word = arguments.value("--os-accounts")
    guard word == nil || word == "on" || word == "off" else {
      throw UsageError("--os-accounts '\(word ?? "")' is neither on nor off")
    }
    let change = SetSignInRules(
      idleMinutes: try invocation.integer("--idle", in: Practice.People.idleRange),
      unlocksByAccount: word.map { $0 == "on" })
    let rules = try invocation.perform(change, on: invocation.openPractice(change.changesNothing ? .read : .write))
    try invocation.show(rules) {
      [
        "sessions end after \(rules.idleMinutes) minutes without use",
        "accounts of the operating system \(rules.unlocksByAccount ? "unlock the users linked to them" : "unlock nobody")",
      ]
    }
    return .ok
  }

  private static func set(disabled: Bool, _ invocation: Invocation) throws -> ExitCode {
    let name = invocation.arguments.positionals[0]
    let isDryRun = invocation.arguments.isSet("--dry-run")
    try invocation.perform(
      DisableUser(name: name, isDisabled: disabled, isDryRun: isDryRun), on: invocation.openPractice(.write))
    let verb = isDryRun ? "would be" : "is"
    try invocation.report(
      disabled ? "\(name) \(verb) let in no more." : "\(name) \(verb) let in again.", name, disabled: disabled)
    return .ok
  }

  private static func role(_ word: String?) throws -> Role {
    guard let word else { throw UsageError("--role is needed: \(roles)") }
    guard let role = Role(rawValue: word), role != .owner else {
      throw UsageError(
        "'\(word)' is no role; there are \(roles)",
        suggestion: Suggestions.nearest(to: word, among: Role.allCases.map(\.rawValue)))
    }
    return role
  }
}

extension Invocation {
  private struct UserOutput: Encodable {
    let name: String
    let role: String?
    let disabled: Bool?
    let dry_run: Bool
  }

  fileprivate func report(_ line: String, _ name: String, role: Role? = nil, disabled: Bool? = nil) throws {
    guard wantsJSON else { return terminal.say(line) }
    try terminal.printJSON(
      UserOutput(name: name, role: role?.rawValue, disabled: disabled, dry_run: arguments.isSet("--dry-run")))
  }
}
