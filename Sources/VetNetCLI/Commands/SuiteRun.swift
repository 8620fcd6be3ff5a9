import Clinical
import Evaluation
import FoundationEssentials
import VetNet

/// What a suite found, and the ways in which a user can have it: printed, as a page, beside an earlier run, kept in a folder.
struct SuiteRun {
  let report: SuiteReport
  /// In the order in which they are shown.
  let metrics: [String]
  /// The labelled files that were measured on.
  let paths: [String]
  var sections: [ReportSection] = []

  /// Understood by every suite.
  static let options = [
    Option("--predictions", "FILE", "write per case, as JSON Lines with its id, what the program makes of it"),
    Option("--seed", "N", "for intervals and tests (default 1)"),
    Option("--report", "FILE", "write a self-contained HTML page with plots and the worst cases"),
    Option("--compare", "RUN", "the JSON of an earlier run: show what changed since"),
    Option("--runs", "DIR", "keep figures, predictions and page in DIR/<date>-<machine>, with how they were made"),
    Option("--figures-only", nil, "with --runs: keep no predictions and no page, so that the cases stay unread"),
  ]

  static func seed(_ invocation: Invocation) throws -> UInt64 {
    UInt64(try invocation.integer("--seed", in: 0...Int.max) ?? 1)
  }

  /// Does what the options say.
  ///
  /// - Parameters:
  ///   - invocation: where the options stand.
  ///   - predictions: JSON Lines; made only when they are asked for.
  /// - Throws: what writing the files throws.
  func show(_ invocation: Invocation, predictions: () throws -> [UInt8]) throws {
    let arguments = invocation.arguments
    if let file = arguments.value("--predictions") { try OutputLines.write(try predictions(), to: file) }
    if let file = arguments.value("--report") { try OutputLines.write(Array(page.utf8), to: file) }
    if let runs = arguments.value("--runs") {
      try keep(in: runs, predictions: arguments.isSet("--figures-only") ? nil : try predictions(), invocation)
    }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(report)
    } else {
      for line in report.lines(metrics: metrics) { invocation.terminal.print(line) }
    }
    guard let file = arguments.value("--compare") else { return }
    let lines = try RunComparison.lines(
      earlier: RunComparison.read(file), now: report, metrics: metrics, file: file)
    // Beside JSON the comparison is a message; alone it is what was asked for.
    for line in [""] + lines {
      if invocation.wantsJSON { invocation.terminal.say(line) } else { invocation.terminal.print(line) }
    }
  }

  private var page: String { HTMLReport(report, metrics: metrics, sections: sections).html }

  /// What the files of a run are called after; of so many paths that no file could have all their names, the first and how many more.
  static func name(of paths: [String]) -> String {
    // The last two parts tell suites' splits apart and say nothing of where a clone is.
    let names = paths.map { path in
      URL(filePath: path).pathComponents.filter { $0 != "/" }.suffix(2).joined(separator: "-")
        .replacing(".jsonl", with: "")
    }
    let all = names.joined(separator: "+")
    guard all.utf8.count > longestName, let first = names.first else { return all }
    return "\(first)+\(names.count - 1)-more"
  }

  /// Bytes; a file's name has 255 at most, with what is put before and behind this one.
  private static let longestName = 180

  private func keep(in runs: String, predictions: [UInt8]?, _ invocation: Invocation) throws {
    let zone = PracticeTimeZone.current
    let now = try invocation.now(in: zone)
    let machine = Machine.current()
    let name = Self.name(of: paths)
    let stem = name.hasPrefix(report.suite) ? name : "\(report.suite)-\(name)"
    let run = RunFolder(runs: runs, date: zone.date(of: now), machine: machine)
    let files =
      predictions == nil
      ? "Raw figures: `\(stem).json`. Page and predictions are not kept, so that the cases stay unread."
      : "Raw figures: `\(stem).json`; page: `\(stem).html`; predictions: `\(stem).predictions.jsonl`."
    let section =
      RunFolder.provenance(
        command: "vetnet evaluate \(report.suite) … --seed \(report.seed)", commit: SourceCommit.current(),
        machine: machine, versions: report.versions, startedAt: zone.iso8601(now), seed: report.seed)
      + ["", files, ""]
      + report.markdown(metrics: metrics)
    try run.keep("evaluate \(stem)", file: "\(stem).json", content: OutputLines.lines([report]), section: section)
    guard let predictions else { return }
    try OutputLines.write(predictions, to: "\(run.path)/\(stem).predictions.jsonl")
    try OutputLines.write(Array(page.utf8), to: "\(run.path)/\(stem).html")
  }
}
