public import Clinical

/// Briefs as Markdown.
public struct BriefMarkdown: Sendable {
  private let zone: PracticeTimeZone

  public init(zone: PracticeTimeZone) {
    self.zone = zone
  }

  public func document(_ briefs: [Brief]) -> String {
    briefs.map(page).joined(separator: "\n---\n\n")
  }

  private func page(_ brief: Brief) -> String {
    var lines = [
      "## \(Self.escaped(BriefHeading.title(brief, zone: zone)))", "",
      Self.escaped(BriefHeading.signalment(brief, zone: zone)), "",
    ]
    for section in brief.sections {
      let mark = section.kind == .suggestion ? " *(\(BriefHeading.suggestionMark))*" : ""
      lines.append("**\(Self.escaped(section.title))**\(mark)")
      lines.append("")
      lines += section.lines.map { "- \(Self.escaped($0.text + BriefHeading.sources($0, brief)))" }
      lines.append("")
    }
    if let foot = BriefHeading.foot(brief) { lines += [Self.escaped(foot), ""] }
    return lines.joined(separator: "\n")
  }

  /// Note text is data: nothing in it may become a heading, a list, a link, HTML or a line of its own.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}" {
        result.append(" ")
        continue
      }
      if "\\`*_{}[]()<>#|&~!+-".unicodeScalars.contains(scalar), needsEscape(scalar, in: result) { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// Signs that only mean something where a line begins are left readable elsewhere.
  private static func needsEscape(_ scalar: Unicode.Scalar, in before: String) -> Bool {
    switch scalar {
    case "+", "-": before.isEmpty
    case "(", ")", "!": false
    default: true
    }
  }
}
