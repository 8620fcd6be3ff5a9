import Clinical
import TextAnalysis

/// Left or right, as notes write it.
enum Side: Hashable {
  case left, right

  /// The bytes of the longest of them, as far as ASCII goes; few words of a sentence are as short.
  private static let longestWord = 8

  /// By the plain words alone, as questions have them.
  init?(plain word: ClassedWord) {
    if word.isOne(of: .left) { self = .left } else if word.isOne(of: .right) { self = .right } else { return nil }
  }

  /// The sides a sentence names.
  static func named(in unit: EvidenceUnit, _ classes: QuestionClasses) -> Set<Side> {
    Set(unit.tokens.compactMap { Side($0, of: unit, classes) })
  }

  /// Of the sides a sentence names the one that stands nearest to a place in it: "tilt to the left, fast phase right" tells of
  /// a tilt to the left. Of two as near it is the one before it, as in "left eye, right ear".
  static func named(in unit: EvidenceUnit, nearest target: Range<Int>, _ classes: QuestionClasses) -> Side? {
    let named = unit.tokens.compactMap { token in
      Side(token, of: unit, classes).map { (side: $0, range: token.range) }
    }
    return named.min { distance($0.range, target) < distance($1.range, target) }?.side
  }

  private static func distance(_ range: Range<Int>, _ target: Range<Int>) -> Int {
    range.overlaps(target)
      ? 0 : max(target.lowerBound - range.upperBound, range.lowerBound - target.upperBound)
  }

  private init?(_ token: Token, of unit: EvidenceUnit, _ classes: QuestionClasses) {
    guard token.range.count <= Self.longestWord, let word = unit.note.text.slice(utf8: token.range) else { return nil }
    // The Latin pairs are shorthand only in capitals: "as" and "ad" are words.
    let named = classes.classes(of: word.lowercased())
    if named.contains(.sideincapitals), word != word.uppercased() { return nil }
    if !named.isDisjoint(with: [.left, .leftshort]) {
      self = .left
    } else if !named.isDisjoint(with: [.right, .rightshort]) {
      self = .right
    } else {
      return nil
    }
  }
}

extension Question {
  /// Whether a side is what is asked for: by a word for it, or by "which" before a part of which there are two, where what
  /// follows is no more of its name ("which eye drops").
  var asksWhichSide: Bool {
    if asks(for: .side) { return true }
    let words = WordForm.runs(of: text).map { classes.word($0) }
    return words.indices.contains { index in
      guard words[index].isOne(of: .which), index + 1 < words.count, words[index + 1].isOne(of: .paired) else {
        return false
      }
      return index + 2 == words.count || words[index + 2].isOne(of: .behindPart)
    }
  }

  /// It names the part of the body that is asked about, by its name or by shorthand for a side of it.
  func namesPart(_ unit: EvidenceUnit) -> Bool {
    guard let part = sidePart else { return false }
    let words = classes.words(in: unit)
    let own = classes.classes(of: part)
    guard let one = Self.parts.first(where: own.contains) else { return words.contains { $0.text == part } }
    return words.has(one)
  }

  /// Each is one part of the body, by its names and by shorthand for a side of it.
  private static let parts: [QuestionClass] = [
    .eyepart, .earpart, .legpart, .stiflepart, .quarterpart, .hippart, .chestpart,
  ]
}
