import Presentation
import VetNet

/// Naming commands that somebody repeats.
enum AliasCommands {
  static let alias = Command(
    "alias", "names a command that you repeat, so that its name alone does it",
    positionals: [
      Positional("NAME", "small letters, digits and hyphens; no command of VetNet"),
      Positional("COMMAND", "the command in quotes, with or without vetnet in front", repeating: true),
    ],
    examples: [
      Example("vetnet alias today \"schedule show\"", "then: vetnet today"),
      Example(
        "vetnet alias web \"intake --channel web\"", "arguments are appended: vetnet web - --from \"Jane Marsh\""),
    ],
    discussion: """
      Kept for your account, in $XDG_CONFIG_HOME/vetnet/aliases.json or ~/.config/vetnet/aliases.json, whatever practice file is
      open. VetNet's own commands always stand before; an alias names one of them, never another alias, and no shell reads it. What
      an owner or a note says doesn't belong into it: give text by a file or standard input.
      """
  ) { invocation in
    let words = invocation.arguments.positionals
    let name = words[0]
    let command = words.dropFirst().joined(separator: " ")
    try require(name)
    var expanded = try AliasFile.words(of: command)
    if expanded.first == "vetnet" { expanded.removeFirst() }
    let known = CommandTable.all.filter { expanded.starts(with: $0.path) }
    guard !known.isEmpty else {
      throw UsageError(
        "'\(command)' is no command of VetNet; an alias names one",
        suggestion: expanded.first.flatMap { first in
          Suggestions.nearest(to: first, among: CommandTable.all.map { $0.path[0] })
        })
    }
    guard expanded.first != "alias" else { throw UsageError("an alias can't change aliases") }
    let file = AliasFile(environment: invocation.environment)
    var aliases = try file.read()
    let before = aliases.updateValue(command, forKey: name)
    try file.write(aliases)
    invocation.terminal.print(
      "vetnet \(name) is: vetnet \(expanded.joined(separator: " "))\(before.map { $0 == command ? "" : " (it was: \($0))" } ?? "")"
        .withoutControls)
    return .ok
  }

  static let list = Command(
    "alias list", "lists your names for commands",
    examples: [Example("vetnet alias list --json", "one JSON object a name")]
  ) { invocation in
    struct Output: Encodable {
      let name: String
      let command: String
    }
    let aliases = try AliasFile(environment: invocation.environment).read()
    for (name, command) in aliases.sorted(by: { $0.key < $1.key }) {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(Output(name: name, command: command))
      } else {
        invocation.terminal.print("\(name.padded(to: 16))\(command)".withoutControls)
      }
    }
    if aliases.isEmpty { invocation.terminal.say("There is none. To name a command: vetnet alias NAME 'COMMAND…'") }
    return .ok
  }

  static let remove = Command(
    "alias remove", "takes a name for a command away",
    positionals: [Positional("NAME", "as vetnet alias list shows it")],
    examples: [Example("vetnet alias remove today", "the command itself stays")]
  ) { invocation in
    let name = invocation.arguments.positionals[0]
    let file = AliasFile(environment: invocation.environment)
    var aliases = try file.read()
    guard aliases.removeValue(forKey: name) != nil else {
      throw PracticeError(.notFound, "there is no alias '\(name)'", hint: "See: vetnet alias list")
    }
    try file.write(aliases)
    invocation.terminal.print("\(name) is no command any more")
    return .ok
  }

  /// Refuses a name that is a command's, or would be read as something else.
  private static func require(_ name: String) throws {
    let letters = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    guard letters, (1...32).contains(name.utf8.count), name.utf8.first != 0x2D else {
      throw UsageError("'\(name)' is no name for an alias; write small letters, digits and hyphens, 32 at most")
    }
    let taken = Set((CommandTable.all + CommandTable.hidden).map { $0.path[0] } + ["help", "list", "remove", "vetnet"])
    guard !taken.contains(name) else { throw UsageError("'\(name)' is VetNet's own: an alias never stands before it") }
  }
}
