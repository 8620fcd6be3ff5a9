import Clinical

/// Weights as people write them: `12.4`, `27 lb`, `12st 4lb`, `850g`.
enum WeightText {
  /// In kilograms; the international avoirdupois pound of 1959.
  private static let kilograms: [String: Double] = [
    "kg": 1, "g": 0.001, "lb": 0.453_592_37, "oz": 0.453_592_37 / 16, "st": 0.453_592_37 * 14,
  ]

  private static let spellings: [String: String] = [
    "kg": "kg", "kgs": "kg", "kilo": "kg", "kilos": "kg", "kilogram": "kg", "kilograms": "kg", "g": "g", "gr": "g",
    "gram": "g", "grams": "g", "gm": "g", "gms": "g", "lb": "lb", "lbs": "lb", "pound": "lb", "pounds": "lb", "#": "lb",
    "oz": "oz", "ounce": "oz", "ounces": "oz", "st": "st", "stone": "st", "stones": "st",
  ]

  static let units = ["kg", "g", "lb", "oz", "st"]

  /// The unit that a word names.
  static func unit(named word: some StringProtocol) -> String? {
    spellings[word.lowercased().filter { $0 != "." && $0 != "(" && $0 != ")" }]
  }

  /// Numbers each with its unit, nil where it has none; nil where the text is something else.
  static func parts(_ text: String) -> [(number: Double, unit: String?)]? {
    var parts: [(Double, String?)] = []
    var rest = text[...]
    while true {
      rest = rest.drop { $0 == " " || (!parts.isEmpty && $0 == ",") }
      guard !rest.isEmpty else { return parts.isEmpty ? nil : parts }
      let digits = rest.prefix { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      let letters = rest.prefix { $0.isLetter || $0 == "#" }
      rest = rest.dropFirst(letters.count).drop { $0 == "." }
      guard let number = number(digits), number.isFinite else { return nil }
      if letters.isEmpty {
        parts.append((number, nil))
      } else {
        guard let unit = unit(named: letters) else { return nil }
        parts.append((number, unit))
      }
      guard parts.count <= 2 else { return nil }
    }
  }

  private static func number(_ digits: Substring) -> Double? {
    let text = digits.last == "," ? digits.dropLast() : digits
    if let value = Double(text) { return value }
    let halves = text.split(separator: ",", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[1].utf8.count != 3 else { return nil }
    return Double("\(halves[0]).\(halves[1])")
  }

  /// The weight to a gram; a number without a unit has `unit`, behind another the next smaller one. Nil for what is no weight.
  static func kilograms(_ text: String, unit: String?) -> Double? {
    guard let parts = parts(text) else { return nil }
    var total = 0.0
    var last: String?
    for part in parts {
      let smaller = last == "st" ? "lb" : last == "lb" ? "oz" : last == "kg" ? "g" : nil
      guard let name = part.unit ?? (last == nil ? unit ?? "kg" : smaller), let factor = kilograms[name] else {
        return nil
      }
      total += part.number * factor
      last = name
    }
    return (total * 1000).rounded() / 1000
  }
}
