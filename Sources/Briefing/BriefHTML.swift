public import Clinical

/// Briefs as one self-contained HTML page, a printed page each: no script, nothing fetched.
public struct BriefHTML: Sendable {
  private let zone: PracticeTimeZone

  public init(zone: PracticeTimeZone) {
    self.zone = zone
  }

  private static let style = """
    body{font:14px/1.35 system-ui,sans-serif;max-width:48rem;margin:1rem auto;color:#111}
    article{break-after:page}h1{font-size:1.15rem;margin:0 0 .2rem}h2{font-size:.95rem;margin:.7rem 0 .1rem}
    ul{margin:.1rem 0;padding-left:1.1rem}.suggestion{color:#444;border-left:3px solid #bbb;padding-left:.6rem}
    .source{color:#666;font-size:.85em}
    """

  public func document(_ briefs: [Brief]) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>Briefs</title>
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
      let mark = section.kind == .suggestion ? " (suggestion, to be confirmed)" : ""
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
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.append(character)
      }
    }
    return result
  }
}
