import Clinical
import TextAnalysis

/// Left or right, as notes write it.
enum Side: Hashable {
  case left, right

  private static let words: [String: Side] = [
    "left": .left, "lt": .left, "lh": .left, "lf": .left, "l": .left, "os": .left, "as": .left, "sinistra": .left,
    "right": .right, "rt": .right, "rh": .right, "rf": .right, "r": .right, "od": .right, "ad": .right,
    "dextra": .right,
  ]

  /// The bytes of the longest of them, as far as ASCII goes; few words of a sentence are as short.
  private static let longestWord = 8

  /// By the plain words alone, as questions have them.
  init?(plain word: String) {
    switch word {
    case "left", "lh", "lf", "os": self = .left
    case "right", "rh", "rf", "od": self = .right
    default: return nil
    }
  }

  /// The sides a sentence names.
  static func named(in unit: EvidenceUnit) -> Set<Side> {
    Set(
      unit.tokens.compactMap { token in
        guard token.range.count <= longestWord, let word = unit.note.text.slice(utf8: token.range) else { return nil }
        // The Latin pairs are shorthand only in capitals: "as" and "ad" are words.
        let lower = word.lowercased()
        if ["os", "as", "od", "ad"].contains(lower), word != word.uppercased() { return nil }
        return words[lower]
      })
  }
}
