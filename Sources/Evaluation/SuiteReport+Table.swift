extension SuiteReport {
  /// The report for a person: a row per metric with its intervals, the baselines marked, then the paired tests of the shipped
  /// system.
  ///
  /// - Parameter metrics: the rows, in their order.
  /// - Returns: lines without their ends.
  public func lines(metrics: [String]) -> [String] {
    var lines = ["\(n) cases, 95 % bootstrap intervals, seed \(seed)", ""] + values(metrics).lines
    if !comparisons.isEmpty {
      lines += ["", "differences, with the p-values of a paired randomisation test:", ""] + differences(metrics).lines
    }
    lines.append("")
    lines.append(versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " · "))
    return lines
  }

  /// The same tables in Markdown.
  public func markdown(metrics: [String]) -> [String] {
    ["\(n) cases, 95 % bootstrap intervals in brackets.", ""] + values(metrics).markdown
      + ["", "Differences, with the p-values of a paired randomisation test:", ""] + differences(metrics).markdown
  }

  /// A row per metric, a column per system; the shipped one first.
  func values(_ metrics: [String]) -> TextTable {
    let columns =
      systems.sorted { ($0.key == "default" ? 0 : 1, $0.key) < ($1.key == "default" ? 0 : 1, $1.key) }
      .map { ($0.key, $0.value) } + baselines.sorted { $0.key < $1.key }.map { ("\($0.key) (baseline)", $0.value) }
    return TextTable(
      corner: suite, metrics: metrics,
      columns: columns.map { name, estimates in
        (name, metrics.map { metric in estimates[metric].map(Self.text) ?? "" })
      })
  }

  /// A row per metric, a column per system that the shipped one is tested against.
  func differences(_ metrics: [String]) -> TextTable {
    var others: [String] = []
    for comparison in comparisons where !others.contains(comparison.against) { others.append(comparison.against) }
    return TextTable(
      corner: "default against", metrics: metrics,
      columns: others.map { other in
        (
          other,
          metrics.map { metric in
            comparisons.first { $0.against == other && $0.metric == metric }.map(Self.text) ?? ""
          }
        )
      })
  }

  /// `0.398 [0.361, 0.435]`
  private static func text(_ estimate: Estimate) -> String {
    "\(TextTable.decimals(estimate.value, 3)) [\(TextTable.decimals(estimate.low, 3)), \(TextTable.decimals(estimate.high, 3))]"
  }

  /// `+0.041 (p 0.0003)`
  private static func text(_ comparison: Comparison) -> String {
    let sign = comparison.difference < 0 ? "" : "+"
    return "\(sign)\(TextTable.decimals(comparison.difference, 3)) (p \(TextTable.decimals(comparison.pValue, 4)))"
  }
}

/// Columns of text: the first to the left, the others to the right.
struct TextTable {
  let head: [String]
  let rows: [[String]]

  init(head: [String], rows: [[String]]) {
    self.head = head
    self.rows = rows
  }

  /// Metrics in rows, where fourteen of them fit a page; systems in rows where they are many and the metrics few (ablations).
  init(corner: String, metrics: [String], columns: [(name: String, cells: [String])]) {
    if columns.count > 6, columns.count > metrics.count {
      self.init(head: [corner] + metrics, rows: columns.map { [$0.name] + $0.cells })
    } else {
      self.init(
        head: [corner] + columns.map(\.name),
        rows: metrics.enumerated().map { place, metric in [metric] + columns.map { $0.cells[place] } })
    }
  }

  var lines: [String] {
    let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
    return ([head] + rows).map { row in
      zip(row, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + padding : padding + cell.0
      }
      .joined(separator: "  ")
    }
  }

  /// The same as a table of Markdown.
  var markdown: [String] {
    let rule = "|---|" + String(repeating: "---:|", count: max(0, head.count - 1))
    return ["| \(head.joined(separator: " | ")) |", rule] + rows.map { "| \($0.joined(separator: " | ")) |" }
  }

  /// A number with a fixed count of decimals, `0.398`; rounded half away from zero.
  static func decimals(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 9e15 else { return "\(value)" }
    let digits = String(Int(scaled))
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = value < 0 && scaled > 0 ? "-" : ""
    return places == 0 ? sign + padded : "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}
