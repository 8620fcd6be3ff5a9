/// The text of a Rich Text Format document.
///
/// - Source: Microsoft, Rich Text Format specification 1.9.1: control words, groups, destinations, `\'hh` under the document's code
///   page, `\uN` with the characters that stand in for it.
struct RTFText {
  private let bytes: [UInt8]
  private var index = 0
  private var output: [UInt8] = []
  private var states: [State] = []
  private var state = State()
  private var encoding = TextEncoding.windows1252
  /// Bytes of the document's code page that wait to be decoded together.
  private var pending: [UInt8] = []
  private var highSurrogate: UInt16?

  private struct State {
    /// In a part that is no text: fonts, pictures, properties.
    var isHidden = false
    /// Characters that stand in for a Unicode one.
    var fallbackCount = 1
  }

  /// Parts of a document that are no text.
  private static let hiddenDestinations: Set<String> = [
    "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "themedata", "colorschememapping", "datastore",
    "listtable", "listoverridetable", "latentstyles", "rsidtbl", "generator", "filetbl", "revtbl", "xmlnstbl",
    "fldinst",
    "nonshppict", "header", "headerf", "footer", "footerf",
  ]
  private static let deepest = 200

  static func read(_ bytes: [UInt8]) throws(LetterError) -> String {
    var reader = RTFText(bytes)
    try reader.run()
    return String(decoding: reader.output, as: UTF8.self)
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func run() throws(LetterError) {
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "{"):
        flush()
        states.append(state)
        guard states.count <= Self.deepest else {
          throw LetterError("its groups lie more than \(Self.deepest) deep in each other")
        }
      case UInt8(ascii: "}"):
        flush()
        guard let outer = states.popLast() else { throw LetterError("it closes a group that it didn't open") }
        state = outer
      case UInt8(ascii: "\\"): control()
      case 0x0A, 0x0D: break
      default: add(byte)
      }
      guard output.count <= LetterFile.longestText * 2 else {
        throw LetterError("it has more than \(LetterFile.longestText >> 20) MB of text", hint: "no letter is so long")
      }
    }
    flush()
    guard states.isEmpty else { throw LetterError("it ends in the middle", hint: "ask for it once more") }
  }

  private mutating func add(_ byte: UInt8) {
    guard !state.isHidden else { return }
    if byte < 0x80 { flush() }
    if byte < 0x80 { output.append(byte) } else { pending.append(byte) }
  }

  private mutating func add(_ text: String) {
    guard !state.isHidden else { return }
    flush()
    output += text.utf8
  }

  private mutating func flush() {
    guard !pending.isEmpty else { return }
    output += ((try? LetterFile.decoded(pending, encoding)) ?? String(repeating: "\u{FFFD}", count: pending.count)).utf8
    pending = []
  }

  private mutating func control() {
    guard index < bytes.count else { return }
    let first = bytes[index]
    guard (0x61...0x7A).contains(first) || (0x41...0x5A).contains(first) else {
      index += 1
      symbol(first)
      return
    }
    var word: [UInt8] = []
    while index < bytes.count, (0x61...0x7A).contains(bytes[index] | 0x20), word.count < 32 {
      word.append(bytes[index])
      index += 1
    }
    var digits = ""
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") {
      digits = "-"
      index += 1
    }
    while index < bytes.count, (0x30...0x39).contains(bytes[index]), digits.count < 11 {
      digits.unicodeScalars.append(Unicode.Scalar(bytes[index]))
      index += 1
    }
    if index < bytes.count, bytes[index] == 0x20 { index += 1 }
    obey(String(decoding: word, as: UTF8.self), Int(digits))
  }

  private mutating func symbol(_ symbol: UInt8) {
    switch symbol {
    case UInt8(ascii: "'"):
      guard index + 1 < bytes.count, let high = Self.digit(bytes[index]), let low = Self.digit(bytes[index + 1]) else {
        return
      }
      index += 2
      add(high << 4 | low)
    case UInt8(ascii: "*"): state.isHidden = true
    case UInt8(ascii: "~"): add(" ")
    case UInt8(ascii: "_"): add("-")
    case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): add(symbol)
    case 0x0A, 0x0D: add("\n")
    default: break
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }

  private mutating func obey(_ word: String, _ number: Int?) {
    switch word {
    case "par", "line", "row", "sect", "page": add("\n")
    case "tab", "cell": add("\t")
    case "emdash": add("—")
    case "endash": add("–")
    case "lquote", "rquote": add("'")
    case "ldblquote", "rdblquote": add("\"")
    case "bullet": add("•")
    case "ansicpg": if number == 65001 { encoding = .utf8 }
    case "uc": state.fallbackCount = min(8, max(0, number ?? 1))
    case "u":
      if let number { addUnicode(UInt16(truncatingIfNeeded: number)) }
      skipFallback()
    case "bin": index = min(bytes.count, index + max(0, number ?? 0))
    default: if Self.hiddenDestinations.contains(word) { state.isHidden = true }
    }
  }

  private mutating func addUnicode(_ unit: UInt16) {
    if (0xD800...0xDBFF).contains(unit) {
      highSurrogate = unit
    } else if let high = highSurrogate, (0xDC00...0xDFFF).contains(unit) {
      highSurrogate = nil
      add(String(decoding: [high, unit], as: UTF16.self))
    } else {
      highSurrogate = nil
      add(String(decoding: [unit], as: UTF16.self))
    }
  }

  /// Passes over what readers without Unicode show instead.
  private mutating func skipFallback() {
    for _ in 0..<state.fallbackCount where index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "'"): index += 4
      case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): return
      default: index += 1
      }
    }
    index = min(index, bytes.count)
  }
}
