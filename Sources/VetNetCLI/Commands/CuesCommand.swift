import Evaluation
import Foundation
import VetNet

/// Takes away the cues that the tables of understanding can do without.
enum CuesCommand {
  static let command = Command(
    "evaluate cues", "finds cues of the tables of understanding that no text hangs on, and families to write once",
    positionals: [
      Positional("FILE", "texts to try each step on, none of them held back", repeating: true)
    ],
    options: [
      Option("--longest", "N", "cues that no text hangs on stay up to so many words (default 3)"),
      Option("--out", "DIR", "a model folder to write the tables into (default: shows what would go)"),
    ],
    examples: [
      Example("vetnet evaluate cues sentences.jsonl notes.jsonl", "what would go, table by table"),
      Example("vetnet evaluate cues sentences.jsonl notes.jsonl --out Models", "writes the smaller tables"),
    ],
    discussion: """
      Each step is tried on every text that holds the cue, and taken back where a reading differs; a labelled target may only be read
      nearer to its label. Practices are re-indexed after the tables have changed.
      """
  ) { invocation in
    let longest = try invocation.integer("--longest", in: 1...5) ?? 3
    let changes = try CueTables.run(
      models: invocation.models(), files: invocation.arguments.positionals, longest: longest)
    if let folder = invocation.arguments.value("--out") {
      for change in changes {
        let path = URL(filePath: "\(folder)/\(change.file)")
        // Where that fails, writing says so.
        try? FileManager.default.createDirectory(
          at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try OutputLines.write(Array(change.text.utf8), to: path.path)
      }
    }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(
        changes.flatMap { change in
          change.steps.map {
            ["file": change.file, "row": $0.row, "cue": $0.cue, "reason": $0.reason.rawValue]
          }
        })
      return .ok
    }
    for change in changes {
      invocation.terminal.print("\(change.file): \(change.before) cues, \(change.after) without what went")
      for step in change.steps {
        invocation.terminal.print("  \(step.row.padded(to: 24))\(step.reason.rawValue.padded(to: 9))\(step.cue)")
      }
    }
    return .ok
  }
}
