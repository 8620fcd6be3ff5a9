/// Amounts of a drug as notes write them: "30 mg", "2u", "1 tablet".
enum WrittenDose {
  static let units: Set<String> = insulinUnits.union([
    "mg", "ml", "mcg", "ug", "tab", "tabs", "tablet", "tablets", "drop", "drops",
  ])
  static let insulinUnits: Set<String> = ["u", "iu", "unit", "units"]

  /// Whether a number with one of the units stands among the words, joined to it or not.
  static func stands(in words: [String], units: Set<String>) -> Bool {
    words.indices.contains { index in
      guard words[index].first?.isNumber == true else { return false }
      let rest = words[index].drop { $0.isNumber || $0 == "." || $0 == "/" }
      return units.contains(String(rest))
        || (rest.isEmpty && index + 1 < words.endIndex && units.contains(words[index + 1]))
    }
  }
}
