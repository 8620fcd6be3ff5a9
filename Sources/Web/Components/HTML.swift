/// Markup that escapes by construction: what is written in the source is markup, what is put in is text, unless it is markup
/// itself.
///
///     let row: HTML = "<td title=\"\(name)\">\(name)</td>"
///
/// Attributes are always quoted. Addresses are made by ``Link``, never of what somebody typed.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  let markup: String

  init(stringLiteral markup: String) { self.markup = markup }

  init(stringInterpolation: Interpolation) { markup = stringInterpolation.markup }

  fileprivate init(markup: String) { self.markup = markup }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { markup += literal }
    mutating func appendInterpolation(_ text: String) { HTML.escape(text, into: &markup) }
    mutating func appendInterpolation(_ text: Substring) { HTML.escape(String(text), into: &markup) }
    mutating func appendInterpolation(_ text: String?) { if let text { HTML.escape(text, into: &markup) } }
    mutating func appendInterpolation(_ number: Int) { markup += String(number) }
    mutating func appendInterpolation(_ number: Int64) { markup += String(number) }
    mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
    mutating func appendInterpolation(_ html: HTML?) { if let html { markup += html.markup } }
    mutating func appendInterpolation(_ list: [HTML]) { for html in list { markup += html.markup } }
  }

  static let empty: HTML = ""

  /// Text as markup. Characters that no page may hold become visible ones.
  private static func escape(_ text: String, into markup: inout String) {
    var text = text
    // Most texts are as they are.
    if text.withUTF8({ $0.allSatisfy(isPlain) }) {
      markup += text
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": markup += "&amp;"
      case "<": markup += "&lt;"
      case ">": markup += "&gt;"
      case "\"": markup += "&quot;"
      case "'": markup += "&#39;"
      case "\n", "\t": markup.unicodeScalars.append(scalar)
      case "\r": continue
      default:
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        markup.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
      }
    }
  }

  /// Whether a byte of UTF-8 is text whatever stands beside it; 0xC2 begins the controls behind 0x7F.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x26, 0x3C, 0x3E, 0x22, 0x27, 0x7F, 0xC2: false
    case 0x0A, 0x09: true
    default: byte >= 0x20
    }
  }

  static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.markup + right.markup) }
}

extension Sequence {
  /// The markup of each, one behind the other.
  func html(_ body: (Element) throws -> HTML) rethrows -> HTML {
    var parts: [HTML] = []
    for element in self { parts.append(try body(element)) }
    return "\(parts)"
  }
}
