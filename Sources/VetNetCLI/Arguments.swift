/// The words after the command, sorted into options and positionals, nothing interpreted yet.
struct Arguments: Equatable, Sendable {
  private(set) var positionals: [String] = []
  private var values: [String: [String]] = [:]

  func isSet(_ option: String) -> Bool { values[option] != nil }

  /// The last value given wins.
  func value(_ option: String) -> String? { values[option]?.last }

  func values(_ option: String) -> [String] { values[option] ?? [] }

  /// Sorts the words after a command.
  ///
  /// `--name value` and `--name=value` are the same; `--` ends the options; `-` is an ordinary word.
  ///
  /// - Throws: ``UsageError`` for an unknown option (with a suggestion), a missing or superfluous value, and too many or
  ///   too few positionals.
  init(_ words: [String], for command: Command) throws {
    let options = command.options + Option.global
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positionals += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        positionals.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0] == "-h" ? "--help" : parts[0]
      guard let option = options.first(where: { $0.name == name }) else {
        throw UsageError(
          "unknown option '\(name)' for 'vetnet \(command.name)'",
          suggestion: Suggestions.nearest(to: name, among: options.map(\.name)))
      }
      if option.placeholder == nil {
        guard parts.count == 1 else { throw UsageError("option '\(name)' takes no value") }
        values[name, default: []].append("")
      } else if parts.count == 2 {
        values[name, default: []].append(parts[1])
      } else if let next = rest.popFirst() {
        values[name, default: []].append(next)
      } else {
        throw UsageError("option '\(name)' needs a value: \(option.usage)")
      }
    }
    if isSet("--help") { return }
    let required = command.positionals.filter { !$0.isOptional }.count
    if positionals.count < required {
      throw UsageError("'vetnet \(command.name)' needs \(command.positionals[positionals.count].usage)")
    }
    if positionals.count > command.positionals.count, command.positionals.last?.isRepeating != true {
      throw UsageError(
        "'vetnet \(command.name)' does not know what to do with '\(positionals[command.positionals.count])'")
    }
  }
}

/// A command line that can't be understood.
struct UsageError: Error, Equatable {
  let message: String
  /// A word that was probably meant.
  let suggestion: String?

  init(_ message: String, suggestion: String? = nil) {
    self.message = message
    self.suggestion = suggestion
  }
}
