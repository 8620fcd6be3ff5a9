/// How a file spells its characters in bytes.
public enum TextEncoding: String, CaseIterable, Hashable, Sendable {
  case utf8 = "UTF-8"
  case utf16LittleEndian = "UTF-16LE"
  case utf16BigEndian = "UTF-16BE"
  case windows1252 = "Windows-1252"
  case iso8859Part15 = "ISO 8859-15"

  /// The encoding that a person names: in any case, with or without hyphens, under its common short names.
  ///
  /// ISO 8859-1 is read as Windows-1252, as browsers do: the two differ only in control characters, which no text has.
  ///
  /// - Source: WHATWG Encoding Standard, "Names and labels".
  public init?(named name: String) {
    switch String(name.lowercased().filter { $0.isLetter || $0.isNumber }) {
    case "utf8": self = .utf8
    case "utf16", "utf16le", "unicode": self = .utf16LittleEndian
    case "utf16be": self = .utf16BigEndian
    case "windows1252", "cp1252", "win1252", "ansi", "iso88591", "latin1": self = .windows1252
    case "iso885915", "885915", "latin9": self = .iso8859Part15
    default: return nil
    }
  }

  /// The byte order mark with which a text in this encoding may begin.
  var mark: [UInt8] {
    switch self {
    case .utf8: byteOrderMark
    case .utf16LittleEndian: [0xFF, 0xFE]
    case .utf16BigEndian: [0xFE, 0xFF]
    case .windows1252, .iso8859Part15: []
    }
  }

  /// The name under which glibc's `iconv` knows it.
  var systemName: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16LittleEndian: "UTF-16LE"
    case .utf16BigEndian: "UTF-16BE"
    case .windows1252: "CP1252"
    case .iso8859Part15: "ISO-8859-15"
    }
  }

  /// What a byte order mark, or the zero bytes of UTF-16, say about a file that begins with `bytes`; nil for nothing.
  ///
  /// Every other byte of a text in a Latin script is zero in UTF-16, and none is in any other encoding here.
  static func announced(by bytes: some Collection<UInt8>) -> TextEncoding? {
    for encoding in [utf8, utf16LittleEndian, utf16BigEndian] where bytes.starts(with: encoding.mark) {
      return encoding
    }
    var zeros = (even: 0, odd: 0)
    for (index, byte) in bytes.enumerated() where byte == 0 {
      if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
    }
    let pairs = bytes.count / 2
    guard pairs > 0 else { return nil }
    if zeros.odd * 2 > pairs, zeros.even * 20 < pairs { return .utf16LittleEndian }
    if zeros.even * 2 > pairs, zeros.odd * 20 < pairs { return .utf16BigEndian }
    return nil
  }
}
