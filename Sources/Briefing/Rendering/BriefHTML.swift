public import Clinical

/// Briefs as one self-contained HTML page, a printed page each: no script, nothing fetched.
public struct BriefHTML: Sendable {
  private let zone: PracticeTimeZone
  private let isFull: Bool

  /// Rows of a printed page, and the signs of one row.
  private static let pageRows = 62
  private static let pageColumns = 105

  /// - Parameters:
  ///   - zone: for dates and times.
  ///   - isFull: keeps the lines that do not fit on one page.
  public init(zone: PracticeTimeZone, isFull: Bool = false) {
    self.zone = zone
    self.isFull = isFull
  }

  private static let style = """
    body{font:13px/1.35 system-ui,sans-serif;max-width:52rem;margin:1rem auto;padding:0 1rem;color:#111}
    article{break-after:page;margin-bottom:2rem}h1{font-size:1.15rem;margin:0 0 .2rem}p{margin:0 0 .4rem}
    section{display:grid;grid-template-columns:7rem 1fr;border-top:1px solid #ddd;padding:.2rem 0}
    h2{font-size:.95rem;margin:0}ul{margin:0;padding-left:1rem}
    .suggestion{color:#444;border-left:3px solid #bbb;padding-left:.6rem}.mark{font-weight:normal;font-size:.8em}
    .source{color:#666;font-size:.85em}.foot{color:#666;font-size:.8em;border-top:1px solid #ddd}
    .alert li{font-weight:600}
    .trends{display:flex;gap:1rem;flex-wrap:wrap;border-top:1px solid #ddd;padding:.2rem 0}
    .trends figure{margin:0}.trends figcaption{font-size:.8em;color:#444}
    svg{display:block}.line{fill:none;stroke:#246;stroke-width:1.5}.dot{fill:#246}
    @page{size:A4;margin:12mm}
    @media print{body{margin:0;max-width:none;font-size:10.5px;padding:0}article{margin:0}
    article:last-child{break-after:auto}section{break-inside:avoid}}
    """

  public func document(_ briefs: [Brief]) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>Briefs</title>
    <meta name="viewport" content="width=device-width">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <style>\(Self.style)</style></head><body>
    \(briefs.map(article).joined(separator: "\n"))
    </body></html>
    """
  }

  private func article(_ whole: Brief) -> String {
    var brief = whole
    var omitted = 0
    if !isFull {
      let trendRows = whole.trends.isEmpty ? 0 : 5
      (brief, omitted) = BriefScreen.fit(whole, rows: Self.pageRows - trendRows) { line, _ in
        let signs = line.text.count + BriefHeading.sources(line, whole).count
        return max(1, (signs + Self.pageColumns - 1) / Self.pageColumns)
      }
    }
    var parts = [
      "<article><h1>\(Self.escaped(BriefHeading.title(brief, zone: zone)))</h1>",
      "<p>\(Self.escaped(BriefHeading.signalment(brief, zone: zone)))</p>",
    ]
    if !brief.trends.isEmpty {
      let figures = brief.trends.map { trend in
        "<figure>\(TrendChart(trend).svg)<figcaption>\(Self.escaped(TrendChart.caption(trend)))</figcaption></figure>"
      }
      parts.append("<div class=\"trends\">\(figures.joined())</div>")
    }
    for section in brief.sections {
      let mark = section.kind == .suggestion ? " <span class=\"mark\">(\(BriefHeading.suggestionMark))</span>" : ""
      parts.append(
        "<section class=\"\(section.kind.rawValue)\(section.title == "Alerts" ? " alert" : "")\"><h2>\(Self.escaped(section.title))\(mark)</h2><ul>"
      )
      for line in section.lines {
        let quotes = line.citations.map { brief.citations[$0].quote }.joined(separator: " … ")
        let sources = BriefHeading.sources(line, brief)
        let mark =
          sources.isEmpty
          ? "" : "<span class=\"source\" title=\"\(Self.escaped(quotes))\">\(Self.escaped(sources))</span>"
        parts.append("<li>\(Self.escaped(line.text))\(mark)</li>")
      }
      parts.append("</ul></section>")
    }
    var foot = [BriefHeading.foot(brief)].compactMap { $0 }
    if omitted > 0 { foot.insert("\(omitted) more \(omitted == 1 ? "line" : "lines") with --full", at: 0) }
    if !foot.isEmpty { parts.append("<p class=\"foot\">\(Self.escaped(foot.joined(separator: ". ")))</p>") }
    return parts.joined(separator: "\n") + "</article>"
  }

  /// Note text is data, never markup.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
