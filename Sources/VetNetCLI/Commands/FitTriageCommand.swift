import Assessment
import Foundation
import VetNet

/// Fits what triage learns; the tables it writes are the ones that ship.
enum FitTriageCommand {
  static let command = Command(
    "evaluate fit-triage", "fits levels and visit types to the exemplars in Models/triage",
    options: [
      Option("--out", "DIR", "a model folder to write the tables into (default: shows figures only)"),
      Option("--seed", "N", "for the folds of the cross-validation (default: 1)"),
    ],
    examples: [
      Example("vetnet evaluate fit-triage", "what cross-validation over situations gives"),
      Example("vetnet evaluate fit-triage --out Models", "writes the tables; run it after changing exemplars or rules"),
    ],
    discussion: """
      Reads triage/exemplars.tsv and the rules. Writes triage/level-weights.tsv, triage/level-calibration.tsv and
      specialties/visit-weights.tsv. The same exemplars, rules and seed give the same tables.
      """
  ) { invocation in
    var seed = TriageFitting.defaultSeed
    if let word = invocation.arguments.value("--seed") {
      guard let number = UInt64(word) else { throw UsageError("--seed '\(word)' is no whole number") }
      seed = number
    }
    let outcome = try TriageFitting.run(models: invocation.models(), seed: seed)
    if let folder = invocation.arguments.value("--out") {
      for table in outcome.tables {
        try Data(table.text.utf8).write(to: URL(filePath: "\(folder)/\(table.file)"), options: .atomic)
        invocation.terminal.say("wrote \(folder)/\(table.file)")
      }
    }
    let figures = outcome.crossValidation.figures
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(
        Dictionary(uniqueKeysWithValues: figures.map { ($0.name, ($0.value * 10000).rounded() / 10000) }))
    } else {
      invocation.terminal.print("cross-validated over situations, \(outcome.ids.count) exemplars, seed \(seed)")
      for figure in figures {
        invocation.terminal.print("  \(figure.name.padded(to: 24))\((figure.value * 1000).rounded() / 1000)")
      }
    }
    return .ok
  }
}
