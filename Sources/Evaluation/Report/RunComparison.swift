import FoundationEssentials

/// What changed between two runs of one suite.
public enum RunComparison {
  /// Lines of a table: each metric of the shipped system then, now, and the difference, marked where the intervals part.
  ///
  /// - Parameters:
  ///   - earlier: the run to compare with.
  ///   - now: this run.
  ///   - metrics: the rows, in their order.
  ///   - file: of the earlier run, for the error.
  /// - Returns: lines without their ends; the versions that differ come last.
  /// - Throws: ``EvaluationError`` when the runs are of two suites.
  public static func lines(
    earlier: SuiteReport, now: SuiteReport, metrics: [String], file: String
  ) throws(EvaluationError) -> [String] {
    guard earlier.suite == now.suite else {
      throw EvaluationError(
        file: file, line: nil, problem: "is a run of '\(earlier.suite)', not of '\(now.suite)'")
    }
    let (then, here) = (earlier.systems["default"] ?? [:], now.systems["default"] ?? [:])
    let rows = metrics.compactMap { metric -> [String]? in
      guard let old = then[metric], let new = here[metric] else { return nil }
      let difference = new.value - old.value
      let mark = new.low > old.high || new.high < old.low ? "intervals apart" : ""
      return [
        metric, TextTable.decimals(old.value, 3), TextTable.decimals(new.value, 3),
        (difference < 0 ? "" : "+") + TextTable.decimals(difference, 3), mark,
      ]
    }
    var lines = TextTable(head: ["metric", "then", "now", "change", ""], rows: rows).lines
    if earlier.n != now.n { lines.append("then \(earlier.n) cases, now \(now.n)") }
    let names = Set(earlier.versions.keys).union(now.versions.keys).sorted()
    for name in names where earlier.versions[name] != now.versions[name] {
      lines.append("\(name): \(earlier.versions[name] ?? "none") → \(now.versions[name] ?? "none")")
    }
    return lines
  }

  /// Reads the JSON of a run.
  ///
  /// - Throws: ``EvaluationError`` when the file can't be read or is no run.
  public static func read(_ path: String) throws(EvaluationError) -> SuiteReport {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw EvaluationError(file: path, line: nil, problem: "can't be read")
    }
    guard let report = try? JSONDecoder().decode(SuiteReport.self, from: data) else {
      throw EvaluationError(file: path, line: nil, problem: "is not the JSON of a run")
    }
    return report
  }
}
