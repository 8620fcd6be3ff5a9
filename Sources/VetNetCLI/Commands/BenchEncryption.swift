import Clinical
import Evaluation
import VetNet

extension BenchCommand {
  static let encryption = Command(
    "bench encryption", "measures what encryption costs: the same work on a plain and an encrypted practice file",
    options: [
      Option("--corpus", "DIR", "the practice that is repeated with variation"),
      Option("--chunks", "N", "how many chunks the practice has at least (default 20000)"),
      Option("--repeat", "N", "how often each question is asked (default 9)"),
      Option("--seed", "N", "for the variation (default 1)"),
      Option("--runs", "DIR", "keep the report in DIR/<date>-<machine>, with how it was made"),
    ],
    examples: [Example("vetnet bench encryption --corpus Corpus", "import, index, and questions, cold and warm")],
    discussion: "The kernel holds the key of the measured file meanwhile. No practice file of yours is touched."
  ) { invocation in
    let arguments = invocation.arguments
    guard let corpus = arguments.value("--corpus") else {
      throw UsageError("'vetnet bench encryption' needs --corpus DIR")
    }
    var configuration = PracticeBench.Configuration(corpus: corpus)
    configuration.chunks = try invocation.integer("--chunks", in: 1...10_000_000) ?? 20_000
    configuration.repetitions = try invocation.integer("--repeat", in: 1...1000) ?? configuration.repetitions
    configuration.seed = UInt64(try invocation.integer("--seed", in: 0...Int.max) ?? 1)
    let zone = PracticeTimeZone.current
    let now = try invocation.now(in: zone)
    let bench = PracticeBench(
      configuration, models: try invocation.models(), executable: invocation.executable, scratch: try ScratchFolder())
    let report = try bench.runEncryption(
      command: "vetnet bench encryption --corpus \(corpus) --chunks \(configuration.chunks)",
      startedAt: zone.iso8601(now), commit: SourceCommit.current()
    ) { text in
      if !invocation.wantsJSON { invocation.terminal.say("\(text) …") }
    }
    if let runs = arguments.value("--runs") {
      try RunFolder(runs: runs, date: zone.date(of: now), machine: report.machine).keep(
        "bench encryption", file: "bench-encryption.json", content: OutputLines.lines([report]),
        section: report.markdown)
    }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(report)
    } else {
      for line in report.lines { invocation.terminal.print(line) }
    }
    return .ok
  }
}
