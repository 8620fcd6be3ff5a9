import Training
import Assessment
import Foundation
import VetNet

/// Fits what triage learns; the tables it writes are the ones that ship.
enum FitTriageCommand {
  static let command = Command(
    "evaluate fit-triage", "fits urgency, letters, visit types and specialties to the exemplars in Models/triage",
    options: [
      Option("--out", "DIR", "a model folder to write the files into (default: shows figures only)"),
      Option("--by-kind", nil, "show the figures of each kind of exemplars too"),
    ],
    examples: [
      Example("vetnet evaluate fit-triage", "what judging each writer's cases by the others' gives"),
      Example("vetnet evaluate fit-triage --out Models", "writes the files; run it after changing exemplars or rules"),
    ],
    discussion: """
      Reads triage/exemplars.tsv, triage/learning.tsv and the rules. Writes triage/case-model.vnm, triage/level-calibration.tsv
      and triage/rule-trust.tsv. The same exemplars and rules give the same files on one machine.
      """
  ) { invocation in
    let outcome = try TriageFitting.run(models: invocation.models())
    if let folder = invocation.arguments.value("--out") {
      for file in outcome.files {
        let place = URL(filePath: "\(folder)/\(file.file)")
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: place, options: .atomic)
        invocation.terminal.say("wrote \(folder)/\(file.file)")
      }
    }
    let figures = outcome.crossValidation.figures
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(
        Dictionary(uniqueKeysWithValues: figures.map { ($0.name, ($0.value * 10000).rounded() / 10000) }))
      return .ok
    }
    var columns = [(name: "all \(outcome.ids.count)", figures: figures)]
    if invocation.arguments.isSet("--by-kind") {
      columns += outcome.byKind.map { ("\($0.kind) \($0.crossValidation.truth.count)", $0.crossValidation.figures) }
    }
    invocation.terminal.print("each kind of fully labelled exemplars judged by what the others teach")
    invocation.terminal.print(
      "".padded(to: 26) + columns.map { $0.name.padded(to: 14) }.joined())
    for (index, figure) in figures.enumerated() {
      let cells = columns.map { "\(($0.figures[index].value * 1000).rounded() / 1000)".padded(to: 14) }
      invocation.terminal.print("  " + figure.name.padded(to: 24) + cells.joined())
    }
    return .ok
  }
}
