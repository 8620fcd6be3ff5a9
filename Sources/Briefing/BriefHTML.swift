public import Clinical

/// Briefs as one self-contained HTML page, a printed page each: no script, nothing fetched.
public struct BriefHTML: Sendable {
  private let zone: PracticeTimeZone

  public init(zone: PracticeTimeZone) {
    self.zone = zone
  }

  private static let style = """
    body{font:13px/1.35 system-ui,sans-serif;max-width:52rem;margin:1rem auto;padding:0 1rem;color:#111}
    article{break-after:page;margin-bottom:2rem}h1{font-size:1.15rem;margin:0 0 .2rem}p{margin:0 0 .4rem}
    section{display:grid;grid-template-columns:7rem 1fr;border-top:1px solid #ddd;padding:.2rem 0}
    h2{font-size:.95rem;margin:0}ul{margin:0;padding-left:1rem}
    .suggestion{color:#444;border-left:3px solid #bbb;padding-left:.6rem}.mark{font-weight:normal;font-size:.8em}
    .source{color:#666;font-size:.85em}
    @media print{body{margin:0;max-width:none}}
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

  private func article(_ brief: Brief) -> String {
    var parts = [
      "<article><h1>\(Self.escaped(BriefHeading.title(brief, zone: zone)))</h1>",
      "<p>\(Self.escaped(BriefHeading.signalment(brief, zone: zone)))</p>",
    ]
    for section in brief.sections {
      let mark = section.kind == .suggestion ? " <span class=\"mark\">(\(BriefHeading.suggestionMark))</span>" : ""
      parts.append("<section class=\"\(section.kind.rawValue)\"><h2>\(Self.escaped(section.title))\(mark)</h2><ul>")
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
    return parts.joined(separator: "\n") + "</article>"
  }

  /// Note text is data, never markup.
  private static func escaped(_ text: String) -> String {
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
