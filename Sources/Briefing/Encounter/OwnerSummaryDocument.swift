public import Clinical

/// An owner's summary to be printed or sent, as text and as a page without anything from elsewhere.
public struct OwnerSummaryDocument: Sendable {
  private let title: String
  private let summary: OwnerSummary

  /// - Parameters:
  ///   - summary: what it says.
  ///   - patient: whose it is.
  ///   - date: of the visit.
  ///   - practice: as the practice calls itself; nil where it has no name.
  public init(_ summary: OwnerSummary, patient: Patient, date: CalendarDate, practice: String?) {
    self.summary = summary
    title = "\(patient.name), visit of \(date)\(practice.map { ", \($0)" } ?? "")"
  }

  /// What no summary leaves out.
  public static let foot =
    "Made from what the vet accepted of the visit. It replaces no advice: if you are worried, ring us, whatever is written here."

  /// A line of text each, without line ends.
  public var lines: [String] {
    var lines = [title]
    for part in summary.parts {
      lines += ["", part.title + (part.kind == .watch ? ":" : "")]
      lines += part.lines.map { "- \($0.text)" }
    }
    return lines + ["", Self.foot]
  }

  public var html: String {
    let parts = summary.parts.map { part in
      "<section><h2>\(BriefHTML.escaped(part.title))</h2><ul>"
        + part.lines.map { "<li>\(BriefHTML.escaped($0.text))</li>" }.joined() + "</ul></section>"
    }.joined(separator: "\n")
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>\(BriefHTML.escaped(title))</title>
      <style>body{font:16px/1.5 sans-serif;max-width:40em;margin:2em auto;padding:0 1em}h1{font-size:1.3em}h2{font-size:1.05em}</style></head>
      <body><h1>\(BriefHTML.escaped(title))</h1>
      \(parts)
      <p>\(BriefHTML.escaped(Self.foot))</p></body></html>
      """
  }
}
