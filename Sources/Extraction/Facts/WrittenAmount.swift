/// An amount as a note writes it ("2.5 mg", "½ tablet", "50"), read once.
public struct WrittenAmount: Hashable, Sendable {
  /// As written.
  public let text: String
  /// In the unit that doses are compared in: micrograms as mg, all units of insulin as `u`, others as written in small letters.
  /// Nil for ranges, fractions, numbers of nothing, and for what has no number.
  public let comparable: ConvertedValue?

  /// - Complexity: O(bytes).
  public init(_ text: String) {
    self.text = text
    comparable = Self.comparable(text)
  }

  private static func comparable(_ text: String) -> ConvertedValue? {
    // Most of what is asked for an amount is a word.
    guard let first = text.utf8.first(where: { $0 > 0x20 }),
      first > 0x7F || first == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return nil }
    let compact = text.lowercased().filter { !$0.isWhitespace }
    let digits = compact.prefix { $0.isNumber || $0 == "." }
    let unit = compact.dropFirst(digits.count)
    guard let value = Double(digits), value > 0, !unit.isEmpty,
      unit.allSatisfy({ $0.isLetter || $0 == "/" || $0 == "µ" })
    else { return nil }
    switch unit {
    case "mcg", "ug", "µg": return ConvertedValue(value: value / 1000, unit: "mg")
    case "iu", "units", "unit": return ConvertedValue(value: value, unit: "u")
    case "mls": return ConvertedValue(value: value, unit: "ml")
    default: return ConvertedValue(value: value, unit: String(unit))
    }
  }
}
