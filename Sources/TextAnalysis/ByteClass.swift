/// What a code point does in a word, so that the tokenizer can run over bytes.
enum ByteClass: UInt8 {
  case separator
  case letter
  case digit
  /// `½` and its like: a number that is a single sign.
  case fraction
  /// Combining marks and invisible format signs: part of a word, never its start.
  case mark
  /// `°`, or the ordinal sign that people type for it.
  case degree
  case hyphen
  case apostrophe
  case slash
  case plus
  /// `.`, `,`, `:`, `^`, `&`, `%`, `#`, `±`: what each does depends on its neighbours.
  case punctuation

  /// The class of each byte below 0x80; the rest are decided per code point.
  static let ascii: [ByteClass] = (0..<128).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): .letter
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
    case UInt8(ascii: "-"): .hyphen
    case UInt8(ascii: "'"): .apostrophe
    case UInt8(ascii: "/"): .slash
    case UInt8(ascii: "+"): .plus
    case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "^"), UInt8(ascii: "&"),
      UInt8(ascii: "%"), UInt8(ascii: "#"):
      .punctuation
    default: .separator
    }
  }

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0xB0, 0xBA: self = .degree
    case 0xB1: self = .punctuation
    case 0xBC...0xBE, 0x2150...0x215E: self = .fraction
    case 0x2010...0x2013, 0x2212: self = .hyphen
    case 0x2018, 0x2019, 0x02BC: self = .apostrophe
    case 0x2044: self = .slash
    case 0xB2, 0xB3, 0xB9, 0x2070, 0x2074...0x2079: self = .digit
    case 0xAD, 0x200C, 0x200D, 0x2060, 0xFEFF: self = .mark
    default:
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: self = .letter
      case .decimalNumber, .letterNumber: self = .digit
      case .nonspacingMark, .spacingMark, .enclosingMark: self = .mark
      default: self = .separator
      }
    }
  }
}

/// Reads code points out of well-formed UTF-8.
struct UTF8Cursor {
  let bytes: UnsafeBufferPointer<UInt8>
  let end: Int
  private let ascii: [ByteClass]

  init(_ bytes: UnsafeBufferPointer<UInt8>, end: Int) {
    self.bytes = bytes
    self.end = end
    ascii = ByteClass.ascii
  }

  /// The class and the length in bytes of the code point at `index`; a separator of length 0 past the end.
  @inline(__always)
  func classify(_ index: Int) -> (kind: ByteClass, length: Int) {
    guard index < end else { return (.separator, 0) }
    let byte = bytes[index]
    if byte < 0x80 { return (ascii[Int(byte)], 1) }
    return classifyMultibyte(index)
  }

  @inline(never)
  private func classifyMultibyte(_ index: Int) -> (kind: ByteClass, length: Int) {
    let (scalar, length) = decode(index)
    guard let scalar else { return (.separator, length) }
    return (ByteClass(scalar), length)
  }

  /// The code point at `index`, nil for bytes that begin none (only when a range cuts one in two).
  func decode(_ index: Int) -> (scalar: Unicode.Scalar?, length: Int) {
    let lead = bytes[index]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    guard length > 1, index + length <= end else { return (nil, 1) }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
    return (Unicode.Scalar(value), length)
  }
}

extension String {
  /// Runs `body` on the text's UTF-8, without a copy for native strings.
  func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(utf8).withUnsafeBufferPointer(body)
  }
}
