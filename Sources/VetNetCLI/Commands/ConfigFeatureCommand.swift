import Presentation
import VetNet

/// What a practice has switched off.
enum ConfigFeatureCommand {
  static let command = Command(
    "config feature", "lists what a practice can switch on and off, or does so",
    positionals: [
      Positional("NAME", Feature.allCases.map(\.rawValue).joined(separator: ", "), optional: true),
      Positional("on|off", "what it is to be", optional: true),
    ],
    options: [Option("--dry-run", nil, "check the words, change nothing")],
    examples: [
      Example("vetnet config feature", "each, and whether it is on"),
      Example("vetnet config feature assistant off", "vetnet mcp serves this practice no more"),
    ],
    discussion: """
      All are on unless the practice says otherwise, but for what leaves it (share-terms, share-cases, share-figures). It is kept in the practice file, so that it holds on every machine that opens it,
      and vetnet status shows what is off. What is switched off is refused with exit code 15.
      """
  ) { invocation in
    let words = invocation.arguments.positionals
    guard let name = words.first else {
      for state in try invocation.perform(ListFeatures(), on: invocation.openPractice()) {
        try invocation.show(state) {
          ["\(state.name.padded(to: 18))\((state.isOn ? "on" : "off").padded(to: 5))\(state.summary)"]
        }
      }
      return .ok
    }
    guard let feature = Feature(rawValue: name) else {
      let all = Feature.allCases.map(\.rawValue)
      throw UsageError(
        "there is no feature '\(name)'; there are \(all.joined(separator: ", "))",
        suggestion: Suggestions.nearest(to: name, among: all))
    }
    guard words.count == 2, words[1] == "on" || words[1] == "off" else {
      throw UsageError("say whether '\(name)' is to be on or off")
    }
    let isDryRun = invocation.arguments.isSet("--dry-run")
    try invocation.perform(
      SwitchFeature(feature, isOn: words[1] == "on", isDryRun: isDryRun), on: invocation.openPractice(.write))
    try invocation.show(FeatureOutput(name: name, on: words[1] == "on", dry_run: isDryRun)) {
      ["\(name) \(isDryRun ? "would be" : "is") \(words[1])"]
    }
    return .ok
  }

  private struct FeatureOutput: Encodable {
    let name: String
    let on: Bool
    let dry_run: Bool
  }
}
