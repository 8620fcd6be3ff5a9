import Presentation

/// Text in columns of a terminal: what a character takes there, and lines that go on below their beginning.
enum Columns {
  /// A beginning, and text behind it that goes on in the same column where the line is full; below a beginning that takes most of the
  /// line itself.
  static func hanging(_ head: String, _ text: String, width: Int) -> [String] {
    if width == .max { return [head + text] }
    let indent = min(head.columns, max(4, width / 3))
    let lines = text.wrapped(to: max(16, width - indent))
    let margin = String(repeating: " ", count: indent)
    guard let first = lines.first else { return [head] }
    if head.columns + first.columns <= width { return [head + first] + lines.dropFirst().map { margin + $0 } }
    return [head.shortened(to: width)] + lines.map { margin + $0 }
  }
}
