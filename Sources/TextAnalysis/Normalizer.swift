import Foundation

/// The form in which words are compared: one alphabet, one case, one spelling of signs.
///
///     Normalizer.fold("Hernía")      // "hernia"
///     Normalizer.fold("follow-up")   // "followup"
///     Normalizer.fold("b.i.d")       // "bid"
///     Normalizer.fold("2½")          // "2.5"
///     Normalizer.fold("µmol/L")      // "umol/l"
public enum Normalizer {
  /// Compatibility forms replaced (NFKD), diacritics and invisible signs removed, lower case; hyphens and points between
  /// letters and commas between digits dropped; the many hyphens, apostrophes, slashes and fractions made one.
  ///
  /// Folding twice changes nothing.
  ///
  /// - Complexity: O(length); ASCII never leaves a byte loop.
  public static func fold(_ word: String) -> String {
    var word = word
    let plain = word.withUTF8 { bytes in bytes.allSatisfy { $0 < 0x80 } }
    return foldASCII(plain ? word : foldUnicode(word))
  }

  private static func foldASCII(_ word: String) -> String {
    var word = word
    return word.withUTF8 { bytes in
      if bytes.allSatisfy({ isLower($0) || isDigit($0) }) { return nil }
      var folded: [UInt8] = []
      folded.reserveCapacity(bytes.count + 1)
      for (index, byte) in bytes.enumerated() {
        let before = index > 0 ? bytes[index - 1] : 0
        let after = index + 1 < bytes.count ? bytes[index + 1] : 0
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."):
          if isLetter(before), isLetter(after) { continue }
          if byte == UInt8(ascii: "."), isDigit(after), !isDigit(before) { folded.append(UInt8(ascii: "0")) }
        case UInt8(ascii: ","):
          if isDigit(before), isDigit(after) { continue }
        default: break
        }
        folded.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
      }
      return String(decoding: folded, as: UTF8.self)
    } ?? word
  }

  private static func foldUnicode(_ word: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in word.unicodeScalars { appendPlain(scalar, to: &scalars) }
    let decomposed = String(scalars).lowercased().decomposedStringWithCompatibilityMapping
    var folded = String.UnicodeScalarView()
    for scalar in decomposed.unicodeScalars where !(0x300...0x36F).contains(scalar.value) {
      appendPlain(scalar, to: &folded)
    }
    // Compatibility forms can be capitals (`℃`), so lower case comes last as well.
    return String(folded).lowercased()
  }

  /// Signs for which NFKD has no answer, or one that would change a number's meaning.
  private static func appendPlain(_ scalar: Unicode.Scalar, to scalars: inout String.UnicodeScalarView) {
    switch scalar.value {
    case 0xAD, 0x200C, 0x200D, 0x2060, 0xFEFF: break
    case 0xB5, 0x3BC: scalars.append("u")
    case 0xBA: scalars.append("\u{B0}")
    case 0xB1: scalars.append(contentsOf: "+/-".unicodeScalars)
    case 0xBC...0xBE, 0x2150...0x215E: appendFraction(scalar, to: &scalars)
    case 0x2010...0x2013, 0x2212: scalars.append("-")
    case 0x2018, 0x2019, 0x02BC: scalars.append("'")
    case 0x2044: scalars.append("/")
    case 0xB2, 0xB3, 0xB9, 0x2070, 0x2074...0x2079: appendSuperscript(scalar, to: &scalars)
    case 0xC6, 0xE6: scalars.append(contentsOf: "ae".unicodeScalars)
    case 0x152, 0x153: scalars.append(contentsOf: "oe".unicodeScalars)
    case 0xD8, 0xF8: scalars.append("o")
    case 0x141, 0x142: scalars.append("l")
    case 0xDF, 0x1E9E: scalars.append(contentsOf: "ss".unicodeScalars)
    default: scalars.append(scalar)
    }
  }

  /// `½` is `1/2`, but `2½` is `2.5`: `21/2` would be another number.
  private static func appendFraction(_ scalar: Unicode.Scalar, to scalars: inout String.UnicodeScalarView) {
    guard let value = scalar.properties.numericValue else { return }
    if let last = scalars.last, ("0"..."9").contains(last) {
      let hundredths = Int((value * 100).rounded())
      let digits = hundredths % 10 == 0 ? "\(hundredths / 10)" : hundredths < 10 ? "0\(hundredths)" : "\(hundredths)"
      scalars.append(".")
      scalars.append(contentsOf: digits.unicodeScalars)
    } else {
      let plain = String(scalar).decomposedStringWithCompatibilityMapping
      for part in plain.unicodeScalars { scalars.append(part.value == 0x2044 ? "/" : part) }
    }
  }

  /// `10⁹` is `10^9`, never `109`.
  private static func appendSuperscript(_ scalar: Unicode.Scalar, to scalars: inout String.UnicodeScalarView) {
    if let last = scalars.last, ("0"..."9").contains(last), !scalars.dropLast().hasSuffix("^") { scalars.append("^") }
    scalars.append(contentsOf: String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars)
  }

  private static func isLower(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  private static func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) || byte >= 0x80 }
}

extension Substring.UnicodeScalarView {
  fileprivate func hasSuffix(_ scalar: Unicode.Scalar) -> Bool { last == scalar }
}
