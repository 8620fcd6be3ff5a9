import VetNet

/// One thing `vetnet` can do, as data: the same table makes the parser, the help and the test that README names it.
struct Command: Sendable {
  /// The words that select it: `["schedule", "book"]`.
  let path: [String]
  /// One line, no full stop.
  let summary: String
  let positionals: [Positional]
  let options: [Option]
  let examples: [Example]
  /// What a user may want to know beyond the summary; empty where that is nothing.
  let discussion: String
  /// Whom it may talk to, by its arguments.
  let reach: @Sendable (Arguments) -> Reach
  /// What it may touch, by its arguments.
  private(set) var files: @Sendable (Arguments) -> FileUse
  let run: @Sendable (Invocation) throws -> ExitCode

  init(
    _ path: String, _ summary: String, positionals: [Positional] = [], options: [Option] = [], examples: [Example],
    discussion: String = "", reach: @escaping @Sendable (Arguments) -> Reach = { _ in .nothing },
    files: @escaping @Sendable (Arguments) -> FileUse = { _ in .named },
    run: @escaping @Sendable (Invocation) throws -> ExitCode
  ) {
    self.path = path.split(separator: " ").map(String.init)
    self.summary = summary
    self.positionals = positionals
    self.options = options
    self.examples = examples
    self.discussion = discussion
    self.reach = reach
    self.files = files
    self.run = run
  }

  var name: String { path.joined(separator: " ") }

  /// The command as one that measures: it starts programs and keeps files wherever it is told to.
  var measuring: Command {
    var command = self
    command.files = { _ in .anywhere }
    return command
  }
}

/// An argument known by its place.
struct Positional: Sendable {
  let name: String
  let help: String
  let isOptional: Bool
  let isRepeating: Bool

  init(_ name: String, _ help: String, optional: Bool = false, repeating: Bool = false) {
    self.name = name
    self.help = help
    isOptional = optional
    isRepeating = repeating
  }

  /// `PATH…` or `[PATH]`
  var usage: String {
    let word = isRepeating ? "\(name)…" : name
    return isOptional ? "[\(word)]" : word
  }
}

/// An argument known by its name; a flag when it has no placeholder.
struct Option: Sendable {
  let name: String
  let placeholder: String?
  let help: String

  init(_ name: String, _ placeholder: String? = nil, _ help: String) {
    self.name = name
    self.placeholder = placeholder
    self.help = help
  }

  var usage: String { placeholder.map { "\(name) \($0)" } ?? name }

  /// Understood by every command.
  static let global: [Option] = [
    Option("--practice", "FILE", "the practice file (default: $VETNET_PRACTICE, then the data folder)"),
    Option("--models", "DIR", "the model folder (default: $VETNET_MODELS, then beside the program)"),
    Option("--as", "NAME", "act as this user of the practice, who is asked for the passphrase"),
    Option("--passphrase-file", "FILE", "read the passphrase from the first line of a file (- is standard input)"),
    Option("--passphrase-fd", "N", "read the passphrase from the first line of an open descriptor"),
    Option("--json", nil, "print data as JSON, or JSON Lines where it is long"),
    Option("--config", "KEY=VALUE", "a setting for this run only; may be given several times (vetnet config)"),
    Option("--now", "TIME", "take this as the present moment (ISO 8601), to repeat a run"),
    Option("--no-color", nil, "no colours (so does a non-empty NO_COLOR)"),
    Option("--help", nil, "show help for the command"),
  ]
}

/// A line a user can type, and what it does.
struct Example: Sendable {
  let line: String
  let meaning: String

  init(_ line: String, _ meaning: String) {
    self.line = line
    self.meaning = meaning
  }
}
