import Clinical
import Extraction
import TextAnalysis

/// What a sentence looks like to a question: its words and those of the sentence behind it, alone, in
/// pairs and around what is asked for, with what its reading says of that.
///
/// What is asked for counts as such, whatever it is, so that "meniscus intact" teaches what "roots intact" means; other words by
/// their first five letters, so that inflection needs no stemmer. Features are hashed into ``bucketCount`` buckets.
///
/// - Source: K. Weinberger et al., "Feature hashing for large scale multitask learning", ICML 2009.
package struct ReplyFeatures {
  package static let bucketCount = 1 << 16
  /// Words on either side of what is asked for that count with their distance.
  private static let nearby = 3
  private static let prefixLength = 5

  /// The buckets that are filled, each once, in their order.
  package let buckets: [Int]

  /// - Parameters:
  ///   - question: whatever it asks for.
  ///   - reading: of the sentence.
  ///   - next: the sentence behind it in its note, which may tell what came of it.
  /// - Complexity: O(words × what the sentence names).
  package init(of question: Question, in reading: Reading, next: EvidenceUnit?) {
    var filled: Set<Int> = []
    func add(_ shape: Shape, _ first: UInt64, _ second: UInt64 = 0) {
      var hash = FNV1a()
      for value in [shape.rawValue, first, second] {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { hash.add(UInt8(truncatingIfNeeded: value >> shift)) }
      }
      filled.insert(Int(truncatingIfNeeded: hash.value >> 20) & (Self.bucketCount - 1))
    }
    let words = Self.words(of: reading.match.unit) { range in
      reading.match.parts.contains { part in
        part.range.overlaps(range) || part.others.contains { $0.overlaps(range) }
      }
    }
    let centre = words.firstIndex(of: Self.asked)
    for index in words.indices {
      add(.word, words[index])
      add(.pair, words[index], index + 1 < words.count ? words[index + 1] : Self.end)
      if index == 0 { add(.pair, Self.end, words[index]) }
      if index + 2 < words.count { add(.skip, words[index], words[index + 2]) }
      guard let centre, words[index] != Self.asked else { continue }
      add(index < centre ? .before : .behind, words[index])
      if abs(index - centre) <= Self.nearby { add(.near, words[index], UInt64(index - centre + Self.nearby)) }
    }
    let following = next.map { Self.words(of: $0) { _ in false } } ?? []
    for index in following.indices {
      add(.next, following[index])
      add(.nextPair, following[index], index + 1 < following.count ? following[index + 1] : Self.end)
    }
    let polarity = Self.polarity(reading)
    add(.polarity, polarity)
    // "Gone" is a yes to "is it gone?" and a no to "has he still got it?": each word of the question, the opener by itself,
    // is learned with each of the sentence.
    for (place, asking) in Self.words(of: question.text).enumerated() {
      add(.asking, asking, place == 0 ? polarity : 0)
      for word in Set(words) { add(place == 0 ? .openerWord : .askingWord, asking, word) }
    }
    for bit in 0..<SentenceSigns.bitWidth where reading.signs.rawValue & (1 << bit) != 0 {
      add(.sign, UInt64(bit), reading.nearSigns.rawValue & (1 << bit) != 0 ? 1 : 0)
    }
    buckets = filled.sorted()
  }

  private enum Shape: UInt64 {
    case word, pair, skip, before, behind, near, next, nextPair, polarity, asking, openerWord, askingWord, sign
  }

  /// What the reading says of what weighs most, whether it denies anything else, and whether it is only thought of.
  private static func polarity(_ reading: Reading) -> UInt64 {
    let said: UInt64 =
      switch reading.assertion.polarity {
      case .present: 1
      case .absent: 2
      case .uncertain: 3
      }
    return said | (reading.deniesPart ? 4 : 0) | (reading.isHypothetical ? 8 : 0)
      | (reading.match.parts.isEmpty ? 16 : 0)
  }

  // MARK: - Words

  /// Stands for whatever is asked for, for the end of a sentence, for a number, and for nought.
  private static let asked: UInt64 = 1
  private static let end: UInt64 = 2
  private static let number: UInt64 = 3
  private static let nought: UInt64 = 4

  /// The words of a sentence; what is asked for once for all its words.
  private static func words(of unit: EvidenceUnit, isAsked: (Range<Int>) -> Bool) -> [UInt64] {
    var words: [UInt64] = []
    for token in WordPhrases.words(in: unit.note.text, range: unit.range) {
      let word = isAsked(token.range) ? asked : word(token.text)
      if word != asked || words.last != asked { words.append(word) }
    }
    return words
  }

  private static func words(of question: String) -> [UInt64] {
    WordPhrases.words(in: question, range: nil).map { word($0.text) }
  }

  private static func word(_ text: String) -> UInt64 {
    guard let first = text.utf8.first, (0x30...0x39).contains(first) else {
      return FNV1a.hash(text.utf8.prefix(prefixLength))
    }
    return Double(text) == 0 ? nought : number
  }
}
