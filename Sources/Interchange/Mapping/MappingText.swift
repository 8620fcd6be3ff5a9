import Clinical

/// A mapping file taken apart: sections with keys and values, each with its place. The form is TOML, of which a mapping needs
/// tables, text, and lists of text.
///
/// - Source: TOML 1.0.0 (toml.io): comments, bare and quoted keys, basic and literal strings, arrays, `[table]`, `[[table]]`.
struct MappingText {
  /// Line and column, both from 1; a column is a code point.
  struct Place: Hashable, Sendable {
    let line: Int
    let column: Int
  }

  struct Entry {
    let key: String
    let place: Place
    /// One text, or those of a list.
    let values: [String]
    let isList: Bool
    let valuePlace: Place
  }

  struct Section {
    /// `["table", "values", "species"]`; empty before the first head.
    let path: [String]
    /// Whether it stands in double brackets: another item of a list.
    let isItem: Bool
    let place: Place
    var entries: [Entry] = []
  }

  private(set) var sections: [Section] = [Section(path: [], isItem: false, place: Place(line: 1, column: 1))]

  /// - Throws: ``MappingError`` with the line and column at which the text can't be read on.
  init(_ text: String) throws(MappingError) {
    var scanner = MappingScanner(text)
    while true {
      scanner.skipBlank(lines: true)
      guard let next = scanner.peek else { return }
      if next == "[" {
        sections.append(try scanner.head())
      } else {
        let entry = try scanner.entry()
        let last = sections.count - 1
        if let twin = sections[last].entries.first(where: { $0.key == entry.key }) {
          throw MappingError(
            entry.place, "'\(entry.key.shortened)' stands there twice", hint: "the first is in line \(twin.place.line)")
        }
        sections[last].entries.append(entry)
      }
      try scanner.endLine()
    }
  }
}

/// Why a mapping can't be used, and where.
public struct MappingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// From 1.
  public let line: Int
  /// From 1, in code points.
  public let column: Int
  public let problem: String
  public let hint: String

  init(_ place: MappingText.Place, _ problem: String, hint: String = "") {
    line = place.line
    column = place.column
    self.problem = problem
    self.hint = hint
  }

  /// `12:3: 'colums' is no part of a table; did you mean columns?`
  public var description: String { "\(line):\(column): \(problem)\(hint.isEmpty ? "" : "; \(hint)")" }
}

/// Reads a mapping's text from its beginning.
private struct MappingScanner {
  private let text: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var column = 1

  init(_ text: String) {
    self.text = Array(text.unicodeScalars)
    if self.text.first == "\u{FEFF}" { index = 1 }
  }

  var peek: Unicode.Scalar? { index < text.count ? text[index] : nil }
  private var place: MappingText.Place { .init(line: line, column: column) }

  private mutating func take() -> Unicode.Scalar? {
    guard let next = peek else { return nil }
    index += 1
    if next == "\n" {
      line += 1
      column = 1
    } else {
      column += 1
    }
    return next
  }

  /// White space and comments; over line ends where `lines` says so.
  mutating func skipBlank(lines: Bool) {
    while let next = peek {
      if next == "#" {
        while peek != nil, peek != "\n" { _ = take() }
      } else if next == " " || next == "\t" || next == "\r" || (lines && next == "\n") {
        _ = take()
      } else {
        return
      }
    }
  }

  mutating func endLine() throws(MappingError) {
    skipBlank(lines: false)
    guard let next = peek else { return }
    guard next == "\n" else {
      throw MappingError(place, "something stands behind the value", hint: "one key or one [head] a line")
    }
    _ = take()
  }

  mutating func head() throws(MappingError) -> MappingText.Section {
    let start = place
    _ = take()
    var isItem = false
    if peek == "[" {
      isItem = true
      _ = take()
    }
    var path: [String] = []
    while true {
      skipBlank(lines: false)
      path.append(try key())
      skipBlank(lines: false)
      guard peek == "." else { break }
      _ = take()
    }
    for _ in 0..<(isItem ? 2 : 1) {
      guard peek == "]" else {
        throw MappingError(place, "the head is not closed", hint: isItem ? "write [[table]]" : "write [table.columns]")
      }
      _ = take()
    }
    return MappingText.Section(path: path, isItem: isItem, place: start)
  }

  mutating func entry() throws(MappingError) -> MappingText.Entry {
    let start = place
    let name = try key()
    skipBlank(lines: false)
    guard peek == "=" else {
      throw MappingError(place, "no '=' behind the key", hint: "write it like name = \"Pet name\"")
    }
    _ = take()
    skipBlank(lines: false)
    let valuePlace = place
    if peek == "[" {
      return MappingText.Entry(key: name, place: start, values: try list(), isList: true, valuePlace: valuePlace)
    }
    return MappingText.Entry(key: name, place: start, values: [try value()], isList: false, valuePlace: valuePlace)
  }

  private mutating func key() throws(MappingError) -> String {
    if peek == "\"" || peek == "'" { return try value() }
    var name = String.UnicodeScalarView()
    while let next = peek, next == "_" || next == "-" || next.properties.isAlphabetic || ("0"..."9").contains(next) {
      name.append(next)
      _ = take()
    }
    guard !name.isEmpty else {
      throw MappingError(place, "no key", hint: "write it like name = \"Pet name\"; other keys stand in quotes")
    }
    return String(name)
  }

  private mutating func list() throws(MappingError) -> [String] {
    let start = place
    _ = take()
    var items: [String] = []
    while true {
      skipBlank(lines: true)
      if peek == "]" {
        _ = take()
        return items
      }
      guard peek != nil else { throw MappingError(start, "the list is not closed", hint: "close it with ]") }
      items.append(try value())
      skipBlank(lines: true)
      if peek == "," {
        _ = take()
      } else if peek != "]" {
        throw MappingError(place, "no comma in the list", hint: "write it like [\"First name\", \"Surname\"]")
      }
    }
  }

  /// A text in quotes.
  private mutating func value() throws(MappingError) -> String {
    let start = place
    guard let quote = peek, quote == "\"" || quote == "'" else {
      throw MappingError(place, "the value is not in quotes", hint: "write it like \"Pet name\"")
    }
    _ = take()
    var text = String.UnicodeScalarView()
    while let next = peek, next != "\n" {
      let at = place
      _ = take()
      if next == quote { return String(text) }
      text.append(next == "\\" && quote == "\"" ? try escaped(at) : next)
    }
    throw MappingError(start, "the quote is never closed", hint: "close it in the same line; line breaks are \\n")
  }

  private mutating func escaped(_ at: MappingText.Place) throws(MappingError) -> Unicode.Scalar {
    let next = take()
    switch next {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "\"", "\\": return next ?? "\\"
    case "u", "U":
      var code: UInt32 = 0
      for _ in 0..<(next == "u" ? 4 : 8) {
        guard let digit = take().flatMap({ Character($0).hexDigitValue }) else { break }
        code = code &* 16 &+ UInt32(digit)
      }
      if let scalar = Unicode.Scalar(code) { return scalar }
    default: break
    }
    throw MappingError(at, "the escape is unknown", hint: "a backslash itself is \\\\, or use 'single quotes'")
  }
}

extension String {
  /// At most thirty characters, for messages.
  var shortened: String { count <= 30 ? self : "\(prefix(29))…" }
}
