import Clinical
import Evaluation
import FoundationEssentials
import VetNet

enum EvaluateCommand {
  static let retrieval = Command(
    "evaluate retrieval", "measures the search on a test collection",
    positionals: [Positional("DIR", "a folder in BEIR's layout: corpus.jsonl, queries.jsonl, qrels.tsv")],
    options: SuiteRun.options + [
      Option("--ablation", nil, "also search with one part after the other left out or replaced")
    ],
    examples: [
      Example("vetnet evaluate retrieval cranfield", "every system beside SQLite's full-text search"),
      Example("vetnet evaluate retrieval cases --json --predictions rankings.jsonl", "for a script, with all rankings"),
    ],
    discussion: """
      Needs no practice file. The projection is trained on the folder's documents only, never on queries or judgements. 'default'
      is the search of ask and similar; vector, lexical and hybrid are its parts. A query with patient_id is answered within
      that patient. Without qrels.tsv nothing can be measured, but --predictions are written.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let folder = arguments.positionals[0]
    let seed = try SuiteRun.seed(invocation)
    let predictions = arguments.value("--predictions")
    let collection = try RetrievalCollection(folder: folder, needsJudgements: predictions == nil)
    let outcome = try RetrievalEvaluation(collection, models: invocation.models())
      .run(seed: seed, ablates: arguments.isSet("--ablation"))
    let run = SuiteRun(report: outcome.report, metrics: RankingMetrics.names, paths: [folder])
    try run.show(invocation) { try OutputLines.lines(outcome.predictions(for: collection.queries)) }
    return .ok
  }
}

/// Values as JSON, into files.
enum OutputLines {
  /// JSON Lines, keys sorted.
  static func lines(_ values: [some Encodable]) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes: [UInt8] = []
    for value in values {
      bytes += try encoder.encode(value)
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw PracticeError(.failed, "can't write '\(path)'")
    }
  }
}
