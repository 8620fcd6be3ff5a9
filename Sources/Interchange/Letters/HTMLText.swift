/// The words of a page, for messages that have no other text: tags left out, lines where blocks end, entities read.
enum HTMLText {
  private static let blocks: Set<Substring> = [
    "p", "div", "br", "tr", "li", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "blockquote", "hr",
    "section",
  ]
  private static let hidden: Set<Substring> = ["script", "style", "head", "title", "template"]
  private static let entities: [Substring: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "auml": "ä", "ouml": "ö", "uuml": "ü",
    "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "ndash": "–", "mdash": "—",
    "rsquo": "’", "lsquo": "‘", "ldquo": "“", "rdquo": "”", "deg": "°", "pound": "£", "euro": "€", "hellip": "…",
  ]

  static func read(_ html: String) -> String {
    var output = ""
    var rest = html[...]
    var hiddenIn: Substring?
    while let next = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      if hiddenIn == nil { output += spaced(rest[..<next]) }
      rest = rest[next...]
      if rest.first == "&" {
        let (text, after) = entity(rest.dropFirst())
        if hiddenIn == nil { output += text }
        rest = after
        continue
      }
      if rest.hasPrefix("<!--") {
        rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
        continue
      }
      guard let end = rest.firstIndex(of: ">") else { return output }
      let inside = rest[rest.index(after: next)..<end]
      rest = rest[rest.index(after: end)...]
      let isEnd = inside.first == "/"
      let name = Substring(inside.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased())
      if let open = hiddenIn {
        if isEnd, name == open { hiddenIn = nil }
      } else if !isEnd, hidden.contains(name), inside.last != "/" {
        hiddenIn = name
      } else if blocks.contains(name) {
        output += "\n"
      } else if name == "td" || name == "th" {
        output += "\t"
      }
    }
    return hiddenIn == nil ? output + spaced(rest) : output
  }

  /// Line ends of the source mean a space.
  private static func spaced(_ text: Substring) -> String {
    String(text.map { $0 == "\n" || $0 == "\r\n" || $0 == "\r" ? " " : $0 })
  }

  private static func entity(_ text: Substring) -> (text: String, rest: Substring) {
    let name = text.prefix(10).prefix { $0.isLetter || $0.isNumber || $0 == "#" }
    guard !name.isEmpty else { return ("&", text) }
    var rest = text[name.endIndex...]
    if rest.first == ";" { rest = rest.dropFirst() }
    if let known = entities[name] { return (known, rest) }
    if name.first == "#" {
      let digits = name.dropFirst()
      let code =
        digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      if let scalar = code.flatMap(Unicode.Scalar.init) { return (String(scalar), rest) }
    }
    return ("&\(name)", text[name.endIndex...])
  }
}
