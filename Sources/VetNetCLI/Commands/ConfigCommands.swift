import Clinical
import Presentation
import VetNet

/// The practice's settings: what holds, where it comes from, and changing it.
enum ConfigCommands {
  static let list = Command(
    "config", "lists the practice's settings, and where each value comes from",
    examples: [
      Example("vetnet config", "every setting, its value and its source"),
      Example("vetnet config --config time-zone=Europe/Dublin", "what would hold with this flag"),
      Example("vetnet config --json", "one JSON object a setting"),
    ],
    discussion: """
      A flag (--config KEY=VALUE, for one run) stands before the environment (VETNET_TIME_ZONE, VETNET_HOURS and so on), which stands
      before the practice file. Imports take date-order only for files whose dates tell nothing.
      """
  ) { invocation in
    let practice = try invocation.openPractice()
    let values = try invocation.perform(ListSettings(), on: practice)
    if invocation.wantsJSON {
      for value in values { try invocation.terminal.printJSON(value) }
      return .ok
    }
    let keys = (values.map(\.key.count).max() ?? 0) + 2
    let width = (values.map { ($0.value ?? "–").count }.max() ?? 0) + 2
    for value in values {
      let source = value.source == .environment ? "environment (\(value.variable))" : value.source.rawValue
      let hidden = value.stored.map { "; the practice file says \($0)" } ?? ""
      invocation.terminal.print(
        "\(value.key.padded(to: keys))\(invocation.terminal.shown((value.value ?? "–").padded(to: width)))\(source)\(hidden)"
      )
    }
    return .ok
  }

  static let get = Command(
    "config get", "prints one setting's value",
    positionals: [Positional("KEY", keys)],
    examples: [Example("vetnet config get time-zone", "the value alone, for scripts")]
  ) { invocation in
    let setting = try setting(invocation)
    let practice = try invocation.openPractice()
    guard let value = try invocation.perform(ListSettings(), on: practice).first(where: { $0.key == setting.rawValue })
    else { throw UsageError("there is no setting '\(setting.rawValue)'") }
    try invocation.show(value) { value.value.map { [$0] } ?? [] }
    return .ok
  }

  static let set = Command(
    "config set", "gives a setting another value in the practice file",
    positionals: [Positional("KEY", keys), Positional("VALUE", "what it is to be", repeating: true)],
    options: [dryRun],
    examples: [
      Example("vetnet config set time-zone Europe/London", "appointments keep their moments, not their readings"),
      Example("vetnet config set hours \"mon-fri 08:30-18:30, sat 09:00-12:00\"", "when the practice is open"),
      Example("vetnet config set quantile 0.8", "plans reserve more of each visit's predicted length"),
    ],
    discussion: PracticeSetting.allCases.map { "\($0.rawValue): \($0.summary); \($0.allowed)." }.joined(separator: "\n")
  ) { invocation in
    let words = invocation.arguments.positionals
    return try change(invocation, to: words.dropFirst().joined(separator: " "))
  }

  static let unset = Command(
    "config unset", "takes a setting out of the practice file, so that the default holds",
    positionals: [Positional("KEY", keys)],
    options: [dryRun],
    examples: [Example("vetnet config unset quantile", "back to the shipped share")]
  ) { invocation in try change(invocation, to: nil) }

  private static let keys = "one of \(PracticeSetting.allCases.map(\.rawValue).joined(separator: ", "))"
  private static let dryRun = Option("--dry-run", nil, "check the value, change nothing")

  /// The setting that the first word names.
  private static func setting(_ invocation: Invocation) throws -> PracticeSetting {
    let word = invocation.arguments.positionals[0]
    guard let setting = PracticeSetting(named: word) else {
      throw UsageError(
        "there is no setting '\(word)'; there are \(PracticeSetting.allCases.map(\.rawValue).joined(separator: ", "))",
        suggestion: Suggestions.nearest(to: word, among: PracticeSetting.allCases.map(\.rawValue)))
    }
    return setting
  }

  private static func change(_ invocation: Invocation, to value: String?) throws -> ExitCode {
    let setting = try setting(invocation)
    let isDryRun = invocation.arguments.isSet("--dry-run")
    let practice = try invocation.openPractice(.write)
    let change = try invocation.perform(
      ChangeSetting(key: setting.rawValue, value: value, isDryRun: isDryRun), on: practice)
    let holding = try invocation.perform(ListSettings(), on: practice).first { $0.key == change.key }
    try invocation.show(change) {
      let would = isDryRun ? "would be " : ""
      var lines = ["\(change.key): \(change.before ?? "not set") → \(would)\(change.after ?? "not set")"]
      if let holding, holding.source == .flag || holding.source == .environment {
        lines.append("For now \(holding.value ?? "") holds, from the \(holding.source.rawValue).")
      }
      return lines
    }
    return .ok
  }
}
