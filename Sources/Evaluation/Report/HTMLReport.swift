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
  ///   - metrics: the rows, in their order.
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
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>VetNet: \(HTMLText.escaped(report.suite))</title>
      <style>
      \(HTMLStyle.text)
      </style></head><body>
      <h1>\(HTMLText.escaped(report.suite))</h1>
      <p>\(report.n) cases, 95 % bootstrap intervals in brackets, seed \(report.seed).</p>

      """
    page += table(report.values(metrics))
    if !report.comparisons.isEmpty {
      page += "<h2>Differences, with the p-values of a paired randomisation test</h2>\n"
      page += table(report.differences(metrics))
    }
    // Plots that follow each other stand side by side where there is room.
    var isAmongPlots = false
    for section in sections {
      if section.isPlot != isAmongPlots { page += section.isPlot ? "<div class=\"plots\">\n" : "</div>\n" }
      isAmongPlots = section.isPlot
      page += "<section>\n\(html(section))</section>\n"
    }
    if isAmongPlots { page += "</div>\n" }
    let versions = report.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " · ")
    page += """
      <footer>\(HTMLText.escaped(versions))<br>Decision support, not a diagnosis; cases were written for evaluation.</footer>
      </body></html>

      """
    return page
  }

  private func table(_ table: TextTable) -> String { html(head: table.head, rows: table.rows) }

  /// A table whose rows become blocks on a narrow screen: each cell names its column, for there the head is hidden.
  private func html(head: [String], rows: [[String]]) -> String {
    let columns = head.map { "<th scope=\"col\">\(Self.breakable($0))</th>" }.joined()
    let body = rows.map { row in
      let cells = zip(head, row).dropFirst().map { column, cell in
        let label = HTMLText.escaped(column)
        return cell.isEmpty
          ? "<td class=\"none\"></td>" : "<td data-of=\"\(label)\"><span>\(Self.figure(cell))</span></td>"
      }
      return "<tr><th scope=\"row\">\(Self.breakable(row.first ?? ""))</th>\(cells.joined())</tr>\n"
    }
    return "<table>\n<thead><tr>\(columns)</tr></thead>\n<tbody>\n\(body.joined())</tbody></table>\n"
  }

  /// `0.398 [0.361, 0.435]` with what stands in brackets small.
  private static func figure(_ cell: String) -> String {
    guard let bracket = cell.firstRange(of: " [") ?? cell.firstRange(of: " (p ") else { return HTMLText.escaped(cell) }
    let rest = cell[cell.index(after: bracket.lowerBound)...]
    return "\(HTMLText.escaped(String(cell[..<bracket.lowerBound]))) <small>\(HTMLText.escaped(String(rest)))</small>"
  }

  /// A metric's name may be broken at its underscores.
  private static func breakable(_ name: String) -> String {
    HTMLText.escaped(name).replacing("_", with: "_<wbr>")
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
