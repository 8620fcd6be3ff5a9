import Clinical

/// Reads numbers with their units: "12.4kg", "0.1 mg/kg", "½ of 50 mg", "8-12 ml", "6/12".
public struct QuantityParser: Sendable {
  public let units: UnitTable
  private let classes: WordClasses

  /// - Parameters:
  ///   - units: `units.tsv`, read.
  ///   - wordClasses: the classes texts are scanned with.
  public init(units: UnitTable, wordClasses: WordClasses) {
    self.units = units
    classes = wordClasses
  }

  /// The quantities of a text, in order. Numbers without a unit are not among them.
  ///
  /// - Complexity: O(bytes).
  public func quantities(in text: String) -> [Quantity] {
    let scanned = ScannedText(text, classes: classes)
    var result: [Quantity] = []
    var index = 0
    while index < scanned.words.count {
      if let (quantity, end) = quantity(at: index, in: scanned), !quantity.unit.isEmpty {
        result.append(quantity)
        index = end
      } else {
        index += 1
      }
    }
    return result
  }

  /// The quantity that begins at word `index`, with or without a unit, and the word after it.
  func quantity(at index: Int, in text: ScannedText) -> (quantity: Quantity, end: Int)? {
    guard let (first, afterFirst) = number(at: index, in: text) ?? share(at: index, in: text) else { return nil }
    var position = afterFirst
    var value = first
    var upper: Double?
    // "1/2 of 50 mg", "½ x 50 mg", "half a 16 mg"
    if value < 1, let (whole, end) = whole(at: position, in: text) {
      value *= whole
      position = end
    } else if text.words[index].kind == .word {
      return nil
    } else if let dash = word(position, text), Self.dashes.contains(dash.hash),
      let (second, end) = number(at: position + 1, in: text), second > value
    {
      upper = second
      position = end
    }
    var unit = ""
    var dimension = ""
    if let (known, end) = units.unit(at: position, in: text) {
      unit = known.name
      dimension = known.dimension
      position = end
    }
    if dimension == "mass", upper == nil, let (rest, end) = remainder(at: position, of: unit, in: text) {
      value += rest
      position = end
    }
    let comparison = index > 0 ? Self.comparison(text.words[index - 1], text) : nil
    return (
      Quantity(
        value: value, upper: upper, unit: unit, dimension: dimension, comparison: comparison,
        range: text.byteRange(of: index..<position)), position
    )
  }

  /// What "6 oz" adds to "4 lb", or "4 lb" to "9 st", in the larger unit.
  private func remainder(at index: Int, of unit: String, in text: ScannedText) -> (value: Double, end: Int)? {
    guard unit == "lb" || unit == "st", let (value, afterNumber) = number(at: index, in: text),
      let (smaller, end) = units.unit(at: afterNumber, in: text),
      smaller.name == (unit == "st" ? "lb" : "oz"), value < (unit == "st" ? 14 : 16),
      let whole = units.converted(1, from: unit), smaller.base == whole.unit
    else { return nil }
    return (value * smaller.factor / whole.value, end)
  }

  /// The plain number at word `index`: "12.4", "1,200", "½", "1½", "1/2".
  func number(at index: Int, in text: ScannedText) -> (value: Double, end: Int)? {
    guard let word = word(index, text), word.kind == .number, let value = Self.value(of: word, in: text.bytes) else {
      return nil
    }
    if index + 2 < text.words.count, text.bytes[Int(text.words[index + 1].start)] == 0x2F,
      !text.words[index + 1].isSpaced, text.words[index + 2].kind == .number,
      let below = Self.value(of: text.words[index + 2], in: text.bytes)
    {
      // Only true fractions of a tablet; 6/12 is a time, 5/9 a score.
      if (value, below) == (1, 2) || (value, below) == (1, 4) || (value, below) == (3, 4) || (value, below) == (1, 3) {
        return (value / below, index + 3)
      }
    }
    return (value, index + 1)
  }

  /// "half", "quarter": the words, which mean a number only before what they are a share of.
  private func share(at index: Int, in text: ScannedText) -> (value: Double, end: Int)? {
    guard let word = word(index, text), word.kind == .word, let value = Self.shares[word.hash] else { return nil }
    return (value, index + 1)
  }

  /// The number behind "of", "x", "a" or "of a".
  private func whole(at index: Int, in text: ScannedText) -> (value: Double, end: Int)? {
    var position = index
    while position < index + 2, let joint = word(position, text), Self.times.contains(joint.hash) { position += 1 }
    return position > index ? number(at: position, in: text) : nil
  }

  /// Whether the quantity that begins at word `index` is a share of another, as in "1/2 of 50 mg".
  func isShare(at index: Int, in text: ScannedText) -> Bool {
    guard let (value, end) = number(at: index, in: text) ?? share(at: index, in: text), value < 1 else { return false }
    return whole(at: end, in: text) != nil
  }

  private static let shares: [UInt64: Double] = Dictionary(
    uniqueKeysWithValues: [("half", 0.5), ("quarter", 0.25), ("third", 1.0 / 3)].map { (Spelling.hash($0.0), $0.1) })

  private func word(_ index: Int, _ text: ScannedText) -> Word? {
    text.words.indices.contains(index) ? text.words[index] : nil
  }

  private static let times = Set(["of", "x", "a", "an", "the"].map { Spelling.hash($0) })
  private static let dashes: Set<UInt64> = [Sign.dash, Sign.minus, FNV1a.hash([0x2D]), Spelling.hash("to")]

  private static func comparison(_ word: Word, _ text: ScannedText) -> Comparison? {
    switch text.bytes[Int(word.start)] {
    case 0x3C: .less
    case 0x3E: .greater
    default: nil
    }
  }

  /// Digits with a decimal point or comma, thousands commas and a trailing vulgar fraction.
  static func value(of word: Word, in bytes: [UInt8]) -> Double? {
    var digits = 0.0
    var divisor = 0.0
    var fraction = 0.0
    var index = Int(word.start)
    let end = Int(word.end)
    while index < end {
      let byte = bytes[index]
      switch byte {
      case 0x30...0x39:
        digits = digits * 10 + Double(byte - 0x30)
        divisor *= 10
      case 0x2E: divisor = 1
      case 0x2C: if end - index != 4 || divisor != 0 { divisor = 1 }
      case 0xC2:
        let quarters: [UInt8: Double] = [0xBC: 0.25, 0xBD: 0.5, 0xBE: 0.75]
        guard index + 1 < end, let part = quarters[bytes[index + 1]] else { return nil }
        fraction = part
        index += 1
      default: return nil
      }
      index += 1
    }
    // One division keeps "1.72" the nearest double to 1.72.
    let whole = (divisor > 0 ? digits / divisor : digits) + fraction
    // No measurement has sixteen digits before the point; of several hundred the value is infinite, or none.
    return whole < 1e15 ? whole : nil
  }
}
