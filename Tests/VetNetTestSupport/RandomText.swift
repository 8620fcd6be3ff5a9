public import Clinical

/// Text of every kind that breaks careless code: several bytes per code point, several code points per character, line
/// ends of every system, and the shorthand of notes.
public enum RandomText {
  private static let pieces = [
    "a", "Z", "vomiting", "PU/PD", "V+", "D-", "0.1mg/kg", "38.6°C", "½", "2½", "T4", "q12h", "5/6", "x3", "++",
    "?FB", "owner's", "follow-up", "b.i.d.", "HR120", "12.03.24", "1,000", "µmol/L", "Hx:", "Plan:", "S:", "O:", "P:",
    "O/E", "Dr.", "approx.", "e.g.", "# L tibia", "## Plan", "- bloods", "1. MMVD", "RESULTS:", "ALT    38   U/L",
    "K\t4.1\t3.5-5.8", "(10-100)", "<25", "985 112 345 678 900", "é", "e\u{301}", "n\u{303}\u{323}", "ß", "œdema", "日本",
    "猫", "🐶", "👩🏽‍⚕️", "🇬🇧", "\u{200D}", "\u{FEFF}", "\u{AD}", "\u{A0}", "\u{2028}", "“", "”", "’", "–", "−", "⁄", "±",
    "²", "10⁹/l", "℃", "ﬁt", "İ", "ǅ", "ا", "हिन्दी", ".", "...", "!", "?", ";", ",", ":", "/", "-", "+", "&", "%", "#",
    "'",
    "\"", "(", ")", "*", "|", "_", "<", ">", "=",
  ]
  private static let gaps = [" ", " ", " ", " ", "", "", "  ", "\n", "\n", "\r\n", "\n\n", "\t", "\r", ". ", "; "]

  /// `count` pieces with gaps between them.
  public static func notes(pieces count: Int, using generator: inout SplitMix64) -> String {
    var text = ""
    for _ in 0..<count {
      text += pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      text += gaps[Int.random(in: 0..<gaps.count, using: &generator)]
    }
    return text
  }

  /// Code points from everywhere, surrogates excepted.
  public static func codePoints(_ count: Int, using generator: inout SplitMix64) -> String {
    var scalars = String.UnicodeScalarView()
    let ranges: [ClosedRange<UInt32>] = [
      0x0...0x7F, 0x20...0x7E, 0x80...0x24F, 0x300...0x36F, 0x370...0x7FF, 0x2000...0x206F, 0x3040...0x30FF,
      0xE000...0xFFFD, 0x1F300...0x1F6FF, 0x10000...0x10FFFF,
    ]
    while scalars.count < count {
      let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { scalars.append(scalar) }
    }
    return String(scalars)
  }
}

extension String {
  /// The UTF-8 offsets at which code points begin, and the end.
  public var codePointBorders: Set<Int> {
    var borders: Set<Int> = [0]
    var offset = 0
    for scalar in unicodeScalars {
      offset += UTF8.width(scalar)
      borders.insert(offset)
    }
    return borders
  }
}
