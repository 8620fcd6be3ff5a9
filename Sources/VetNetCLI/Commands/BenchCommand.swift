import Clinical
import Evaluation
import FoundationEssentials
import VetNet

enum BenchCommand {
  static let practice = Command(
    "bench practice", "measures import, indexing and cold questions on a practice of any size",
    options: [
      Option("--corpus", "DIR", "the practice that is repeated with variation"),
      Option("--chunks", "N", "how many chunks the large practice has at least (default 100000)"),
      Option("--repeat", "N", "how often each question is asked (default 21)"),
      Option("--seed", "N", "for the variation (default 1)"),
      Option("--question", "TEXT", "asked of the whole practice"),
      Option("--list-question", "TEXT", "asked of the whole practice for a list of patients"),
      Option("--patient", "ID", "whom the other question is about (default P001)"),
      Option("--patient-question", "TEXT", "asked about the patient"),
      Option("--runs", "DIR", "keep the report in DIR/<date>-<machine>, with how it was made"),
    ],
    examples: [
      Example("vetnet bench practice --corpus Corpus --runs Evaluations/runs", "the whole measurement, some minutes"),
      Example("vetnet bench practice --corpus Corpus --chunks 2000", "a small one"),
    ],
    discussion: """
      Builds a practice by repeating the corpus with new ids, dates, numbers and words, imports and indexes it with this program,
      and asks questions, each in a new process. Baselines are measured in the same run: plain SQLite tables, FTS5, and the
      start of a process. The files go to a temporary folder and away again; no practice file of yours is touched.
      """
  ) { invocation in
    let arguments = invocation.arguments
    guard let corpus = arguments.value("--corpus") else {
      throw UsageError("'vetnet bench practice' needs --corpus DIR")
    }
    var configuration = PracticeBench.Configuration(corpus: corpus)
    configuration.chunks = try invocation.integer("--chunks", in: 1...10_000_000) ?? configuration.chunks
    configuration.repetitions = try invocation.integer("--repeat", in: 1...1000) ?? configuration.repetitions
    configuration.seed = UInt64(try invocation.integer("--seed", in: 0...Int.max) ?? 1)
    configuration.question = arguments.value("--question") ?? configuration.question
    configuration.listQuestion = arguments.value("--list-question") ?? configuration.listQuestion
    configuration.patientID = arguments.value("--patient") ?? configuration.patientID
    configuration.patientQuestion = arguments.value("--patient-question") ?? configuration.patientQuestion
    let zone = PracticeTimeZone.current
    let now = try invocation.now(in: zone)
    let bench = PracticeBench(
      configuration, models: try invocation.models(), executable: invocation.executable, scratch: try ScratchFolder())
    let report = try bench.run(
      command: "vetnet bench practice --corpus \(corpus) --chunks \(configuration.chunks)",
      startedAt: zone.iso8601(now),
      commit: SourceCommit.current()
    ) { text in
      if !invocation.wantsJSON { invocation.terminal.say("\(text) …") }
    }
    if let runs = arguments.value("--runs") {
      let folder = RunFolder(runs: runs, date: zone.date(of: now), machine: report.machine)
      try folder.keep(
        "bench practice", file: "bench-practice.json", content: OutputLines.lines([report]), section: report.markdown)
    }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(report)
    } else {
      for line in report.lines { invocation.terminal.print(line) }
    }
    return .ok
  }

  static let search = Command(
    "bench search", "times the exact vector search on files of the ANN benchmarks",
    options: [
      Option("--base", "FILE", "the vectors to search, .fvecs of dimension 512"),
      Option("--queries", "FILE", "the vectors to search for, likewise"),
      Option("-k", "N", "how many vectors are wanted for each query (default 10)"),
      Option("--batch", "N", "queries that are answered together (default 1)"),
      Option("--threads", "N", "how many cores work at it (default: all)"),
    ],
    examples: [
      Example("vetnet bench search --base base.fvecs --queries queries.fvecs -k 10", "one query after the other"),
      Example(
        "vetnet bench search --base base.fvecs --queries queries.fvecs --batch 64 --json",
        "for a script, ids and scores"
      ),
    ],
    discussion: """
      The score is the inner product; the result is that of comparing every vector as floats, equal scores in the order of the
      file. Building the codes that the search reads first is timed apart. No practice file is needed.
      """
  ) { invocation in
    let arguments = invocation.arguments
    guard let base = arguments.value("--base"), let queries = arguments.value("--queries") else {
      throw UsageError("'vetnet bench search' needs --base FILE and --queries FILE")
    }
    let bench = try VectorSearchBench(base: base, queries: queries)
    let report = bench.run(
      count: try invocation.integer("-k", in: 1...1_000_000) ?? 10,
      batch: try invocation.integer("--batch", in: 1...4096) ?? 1,
      threads: try invocation.integer("--threads", in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(report)
    } else {
      for line in report.lines { invocation.terminal.print(line) }
    }
    return .ok
  }

  /// The command as it can be typed again, without what doesn't change the figures.
  private static func command(_ arguments: Arguments) -> String {
    let given = practice.options.filter { $0.name != "--runs" }.compactMap { option -> String? in
      guard let value = arguments.value(option.name) else { return nil }
      return value.contains(" ") ? "\(option.name) '\(value)'" : "\(option.name) \(value)"
    }
    return (["vetnet", practice.name] + given).joined(separator: " ")
  }
}
