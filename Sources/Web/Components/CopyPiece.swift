import Clinical

/// A button that copies text, with what it rests on, as plain text.
struct CopyPiece {
  let text: String

  var html: HTML {
    "<span class=\"copy\"><button type=\"button\" class=\"small\" data-copy data-testid=\"copy_button\">Copy</button><span hidden data-copy-text>\(text)</span></span>"
  }

  /// `N0046, 3 Feb 2026: “stopped, as she vomited”`
  static func source(_ citation: Citation, _ call: Call) -> String {
    "\(citation.noteID), \(Badges.shortDate(call.zone.date(of: citation.recordedAt))): “\(citation.quote)”"
  }
}
