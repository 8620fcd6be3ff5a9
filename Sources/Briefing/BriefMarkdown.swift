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
      let mark = section.kind == .suggestion ? " *(suggestion, to be confirmed)*" : ""
      lines.append("**\(section.title)**\(mark)")
      lines.append("")
      lines += section.lines.map { "- \(Self.escaped($0.text + BriefHeading.sources($0, brief)))" }
      lines.append("")
    }
    return lines.joined(separator: "\n")
  }

  /// Note text is data: nothing in it may become a heading, a link or HTML.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "\\`*_{}[]<>#|&".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
