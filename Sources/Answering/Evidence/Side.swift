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
  static func named(in unit: EvidenceUnit) -> Set<Side> { Set(unit.tokens.compactMap { Side($0, of: unit) }) }

  /// Of the sides a sentence names the one that stands nearest to a place in it: "tilt to the left, fast phase right" tells of
  /// a tilt to the left. Of two as near it is the one before it, as in "left eye, right ear".
  static func named(in unit: EvidenceUnit, nearest target: Range<Int>) -> Side? {
    let named = unit.tokens.compactMap { token in Side(token, of: unit).map { (side: $0, range: token.range) } }
    return named.min { distance($0.range, target) < distance($1.range, target) }?.side
  }

  private static func distance(_ range: Range<Int>, _ target: Range<Int>) -> Int {
    range.overlaps(target)
      ? 0 : max(target.lowerBound - range.upperBound, range.lowerBound - target.upperBound)
  }

  private init?(_ token: Token, of unit: EvidenceUnit) {
    guard token.range.count <= Self.longestWord, let word = unit.note.text.slice(utf8: token.range) else { return nil }
    // The Latin pairs are shorthand only in capitals: "as" and "ad" are words.
    let lower = word.lowercased()
    if ["os", "as", "od", "ad"].contains(lower), word != word.uppercased() { return nil }
    guard let side = Self.words[lower] else { return nil }
    self = side
  }
}

extension Question {
  /// Whether a side is what is asked for: by a word for it, or by "which" before a part of which there are two, where what
  /// follows is no more of its name ("which eye drops").
  var asksWhichSide: Bool {
    if asks(for: .side) { return true }
    let words = WordForm.runs(of: text)
    return words.indices.contains { index in
      guard words[index] == "which", index + 1 < words.count, Self.paired.contains(words[index + 1]) else {
        return false
      }
      return index + 2 == words.count || Self.verbs.contains(words[index + 2])
    }
  }

  /// It names the part of the body that is asked about, by its name or by shorthand for a side of it.
  func namesPart(_ unit: EvidenceUnit) -> Bool {
    guard let part = sidePart else { return false }
    let words = Set(WordPhrases.words(in: unit.note.text, range: unit.range).map(\.text))
    return !words.isDisjoint(with: Self.parts.first { $0.contains(part) } ?? [part])
  }

  private static let parts: [Set<String>] = [
    ["eye", "eyes", "od", "os", "socket", "globe", "cornea"], ["ear", "ears", "pinna"],
    [
      "leg", "legs", "limb", "foot", "paw", "fore", "hind", "lf", "rf", "lh", "rh", "l/f", "r/f", "l/h", "r/h",
      "foreleg",
      "forelimb", "hindleg", "hindlimb",
    ],
    ["stifle", "knee", "stifles"], ["quarter", "quarters", "udder", "qtr", "lf", "rf", "lh", "rh"], ["hip", "hips"],
    ["chest", "thorax", "thoracic"],
  ]

  static let paired: Set<String> = [
    "eye", "ear", "leg", "limb", "foot", "paw", "foreleg", "forelimb", "forefoot", "hindleg", "hindlimb", "hind",
    "fore", "thigh", "knee", "stifle", "hock", "elbow", "shoulder", "hip", "carpus", "wrist", "tarsus", "ankle",
    "flank", "cheek", "kidney", "adrenal", "testicle", "testis", "ovary", "lung", "quarter", "wing", "nostril",
    "horn", "cruciate", "pinna", "canine", "jaw", "tonsil", "thyroid", "armpit", "axilla", "groin", "buttock", "rib",
    "lobe",
  ]

  private static let verbs: Set<String> = [
    "is", "was", "are", "were", "has", "had", "have", "did", "does", "do", "the", "got", "needed", "can", "should",
    "would", "will", "of", "he", "she", "they", "we", "it",
  ]
}
