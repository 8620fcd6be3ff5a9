import Clinical
import Evaluation
import FoundationEssentials
import VetNet

enum EvaluateCommand {
  static let retrieval = Command(
    "evaluate retrieval", "measures the search on a test collection",
    positionals: [Positional("DIR", "a folder in BEIR's layout: corpus.jsonl, queries.jsonl, qrels.tsv")],
    options: [
      Option("--predictions", "FILE", "write every ranking as JSON Lines: id, system, ranking"),
      Option("--seed", "N", "for intervals and tests (default 1)"),
      Option("--runs", "DIR", "keep the report in DIR/<date>-<machine>, with how it was made"),
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
    let seed = UInt64(try invocation.integer("--seed", in: 0...Int.max) ?? 1)
    let predictions = arguments.value("--predictions")
    let collection = try RetrievalCollection(folder: folder, needsJudgements: predictions == nil)
    let outcome = try RetrievalEvaluation(collection, models: invocation.models()).run(seed: seed)
    if let predictions {
      try OutputLines.write(outcome.predictions(for: collection.queries), to: predictions)
    }
    if let runs = arguments.value("--runs") {
      try keep(outcome.report, folder: folder, runs: runs, seed: seed, invocation)
    }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(outcome.report)
    } else {
      for line in outcome.report.lines(metrics: RankingMetrics.names) { invocation.terminal.print(line) }
    }
    return .ok
  }

  private static func keep(
    _ report: SuiteReport, folder: String, runs: String, seed: UInt64, _ invocation: Invocation
  ) throws {
    let zone = PracticeTimeZone.current
    let now = try invocation.now(in: zone)
    let machine = Machine.current()
    let name = URL(filePath: folder).lastPathComponent
    let run = RunFolder(runs: runs, date: zone.date(of: now), machine: machine)
    let command = "vetnet evaluate retrieval \(name) --seed \(seed)"
    try run.keep(
      "evaluate retrieval \(name)", file: "retrieval-\(name).json", content: OutputLines.json(report),
      section: RunFolder.provenance(
        command: command, commit: SourceCommit.current(), machine: machine, versions: report.versions,
        startedAt: zone.iso8601(now), seed: seed) + ["", "Raw figures: `retrieval-\(name).json`.", ""]
        + report.markdown(metrics: RankingMetrics.names))
  }
}

/// Values as JSON, into files.
enum OutputLines {
  private static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// One value on one line.
  static func json(_ value: some Encodable) throws -> [UInt8] {
    let encoder = encoder()
    return try [UInt8](encoder.encode(value)) + [UInt8(ascii: "\n")]
  }

  /// JSON Lines.
  static func write(_ values: [some Encodable], to path: String) throws {
    var bytes: [UInt8] = []
    for value in values { bytes += try json(value) }
    try write(bytes, to: path)
  }

  /// Text as it is.
  static func write(text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw PracticeError(.failed, "can't write '\(path)'")
    }
  }
}
