/// Text inside HTML.
enum HTMLText {
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}

/// A run as one self-contained HTML file: no script, nothing loaded from anywhere.
public struct HTMLReport: Sendable {
  public let report: SuiteReport
  public let sections: [ReportSection]
  private let metrics: [String]

  /// - Parameters:
  ///   - report: the figures.
  ///   - metrics: the columns, in their order.
  ///   - sections: plots, tables and cases, in their order.
  public init(_ report: SuiteReport, metrics: [String], sections: [ReportSection]) {
    self.report = report
    self.metrics = metrics
    self.sections = sections
  }

  /// The page.
  public var html: String {
    var page = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>VetNet: \(HTMLText.escaped(report.suite))</title>
      <style>
      body { font: 14px/1.45 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: #222 }
      table { border-collapse: collapse; margin: .6em 0 1.4em } th, td { padding: .25em .7em; text-align: right; \
      border-bottom: 1px solid #ddd; font-variant-numeric: tabular-nums } th:first-child, td:first-child { text-align: left }
      svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif } pre { white-space: pre-wrap; margin: .2em 0 .8em; \
      color: #444 } blockquote { margin: .2em 0; padding-left: .8em; border-left: 3px solid #ccc; white-space: pre-wrap }
      .wide { overflow-x: auto } footer { color: #666; margin-top: 2em }
      </style></head><body>
      <h1>\(HTMLText.escaped(report.suite))</h1>
      <p>\(report.n) cases, 95 % bootstrap intervals in brackets, seed \(report.seed).</p>

      """
    page += table(report.values(metrics))
    if !report.comparisons.isEmpty {
      page += "<h2>Differences, with the p-values of a paired randomisation test</h2>\n"
      page += table(report.differences(metrics))
    }
    for section in sections { page += html(section) }
    let versions = report.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " · ")
    page += """
      <footer>\(HTMLText.escaped(versions))<br>Decision support, not a diagnosis; cases were written for evaluation.</footer>
      </body></html>

      """
    return page
  }

  private func table(_ table: TextTable) -> String { html(head: table.head, rows: table.rows) }

  private func html(head: [String], rows: [[String]]) -> String {
    func row(_ cells: [String], _ tag: String) -> String {
      "<tr>" + cells.map { "<\(tag)>\(HTMLText.escaped($0))</\(tag)>" }.joined() + "</tr>\n"
    }
    return "<div class=\"wide\"><table>\n" + row(head, "th") + rows.map { row($0, "td") }.joined() + "</table></div>\n"
  }

  private func html(_ section: ReportSection) -> String {
    var html = "<h2>\(HTMLText.escaped(section.title))</h2>\n"
    switch section.content {
    case .table(let head, let rows): html += self.html(head: head, rows: rows)
    case .confusion(let labels, let counts): html += SVGPlot.confusion(labels: labels, counts: counts) + "\n"
    case .curves(let curves, let x, let y, let diagonal):
      html += SVGPlot.curves(curves, x: x, y: y, diagonal: diagonal) + "\n"
    case .bars(let bars, let x): html += SVGPlot.bars(bars, x: x) + "\n"
    case .cases(let cases):
      for item in cases {
        html += """
          <h3>\(HTMLText.escaped(item.id)): \(HTMLText.escaped(item.verdict))</h3>
          <blockquote>\(HTMLText.escaped(item.text))</blockquote>
          <pre>\(HTMLText.escaped(item.reasons.joined(separator: "\n")))</pre>

          """
      }
    }
    return html
  }
}
