import TextAnalysis

/// Every word of the concept forms, found again in text through inflection, prefixes and misspelling.
///
/// A form's word matches a text's word when they are equal, when their stems are, when the form's word ends in `*` and the
/// text's begins so, or when the text's word is no known word and one typing slip away (two in words of nine letters, where
/// the consonants stay: "electrolytes" is not "electrocuted").
/// A form's word written `=word` matches only itself.
struct WordIndex: Sendable {
  private var exact: [String: [Int32]] = [:]
  private var stems: [String: [Int32]] = [:]
  private var prefixes: [String: [Int32]] = [:]
  private var prefixLengths: [Int] = []
  private var spellings: [SpellingKey: [Spelling]] = [:]
  private var prefixSpellings: [UInt8: [Spelling]] = [:]
  private var known: Set<String> = []
  private var identifiers: [String: Int32] = [:]
  private let stemmer = Stemmer()

  private struct SpellingKey: Hashable {
    let first: UInt8
    let length: Int
  }

  private struct Spelling: Sendable {
    let bytes: [UInt8]
    let words: [Int32]
  }

  /// Words from which on a slip, or two, is forgiven. Shorter ones turn into other words too easily.
  private static let lengthForOneSlip = 6
  private static let lengthForTwoSlips = 9

  /// The identifier of a form's word, added when new.
  mutating func add(_ word: String) -> Int32 {
    if let identifier = identifiers[word] { return identifier }
    let identifier = Int32(identifiers.count)
    identifiers[word] = identifier
    if word.hasSuffix("*") {
      let prefix = String(word.dropLast())
      prefixes[prefix, default: []].append(identifier)
      if !prefixLengths.contains(prefix.utf8.count) { prefixLengths.append(prefix.utf8.count) }
      prefixLengths.sort()
      addSpelling(prefix, identifier)
      let bytes = Array(prefix.utf8)
      if bytes.count >= Self.lengthForOneSlip, let first = bytes.first {
        prefixSpellings[first, default: []].append(Spelling(bytes: bytes, words: [identifier]))
      }
    } else if word.hasPrefix("=") {
      exact[String(word.dropFirst()), default: []].append(identifier)
    } else {
      exact[word, default: []].append(identifier)
      if word.utf8.count > 2 { stems[stemmer.stem(word), default: []].append(identifier) }
      addSpelling(word, identifier)
    }
    return identifier
  }

  /// Words that are right as they are, however near to a sign of disease: `having` is not `heaving`.
  mutating func addKnown(_ words: some Sequence<String>) {
    known.formUnion(words)
  }

  private mutating func addSpelling(_ word: String, _ identifier: Int32) {
    let bytes = Array(word.utf8)
    guard bytes.count >= Self.lengthForOneSlip - 1, let first = bytes.first else { return }
    let key = SpellingKey(first: first, length: bytes.count)
    spellings[key, default: []].append(Spelling(bytes: bytes, words: [identifier]))
  }

  /// The identifiers of all form words that a text's word stands for, ascending.
  ///
  /// - Parameters:
  ///   - word: folded, as ``IntakeWord`` has it.
  ///   - isName: whether it is written as a name, which is no misspelling: Stacey is not spacey.
  /// - Returns: none for a word that is nowhere near a form's.
  func identifiers(of word: String, isName: Bool = false) -> [Int32] {
    var found: Set<Int32> = []
    if let words = exact[word] { found.formUnion(words) }
    if word.utf8.count > 2, let words = stems[stemmer.stem(word)] { found.formUnion(words) }
    let bytes = Array(word.utf8)
    for length in prefixLengths where length <= bytes.count {
      if let words = prefixes[String(decoding: bytes[..<length], as: UTF8.self)] { found.formUnion(words) }
    }
    if found.isEmpty, !isName, bytes.count >= Self.lengthForOneSlip, !known.contains(word) { found = misspelt(bytes) }
    return found.sorted()
  }

  /// Whether a word is everyday, or stands in a form as it is.
  func knows(_ word: String) -> Bool { known.contains(word) || exact[word] != nil }

  private func misspelt(_ bytes: [UInt8]) -> Set<Int32> {
    guard let first = bytes.first, bytes.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) else { return [] }
    let limit = bytes.count >= Self.lengthForTwoSlips ? 2 : 1
    for distance in 1...limit {
      var found: Set<Int32> = []
      for length in (bytes.count - distance)...(bytes.count + distance) {
        for spelling in spellings[SpellingKey(first: first, length: length)] ?? []
        where isSlip(distance, bytes, spelling.bytes) {
          found.formUnion(spelling.words)
        }
      }
      found.formUnion(misspeltBeginnings(bytes, first: first, distance: distance))
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Prefixes that the word begins with but for `distance` slips: "haemmorhage" for `haemorrhag*`.
  private func misspeltBeginnings(_ bytes: [UInt8], first: UInt8, distance: Int) -> Set<Int32> {
    var found: Set<Int32> = []
    for spelling in prefixSpellings[first] ?? [] where spelling.bytes.count < bytes.count {
      if distance == 2, spelling.bytes.count < Self.lengthForTwoSlips { continue }
      for length in spelling.bytes.count...min(bytes.count, spelling.bytes.count + 1)
      where isSlip(distance, Array(bytes.prefix(length)), spelling.bytes) {
        found.formUnion(spelling.words)
      }
    }
    return found
  }

  /// Whether two words are `distance` slips apart. People double, drop and swap letters and guess vowels; two slips that
  /// put other consonants in make another word.
  private func isSlip(_ distance: Int, _ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard EditDistance.isWithin(distance, left, right) else { return false }
    return distance == 1 || Self.consonants(left) == Self.consonants(right)
  }

  /// A word's consonants in order, doubled ones once.
  private static func consonants(_ word: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for letter in word where !vowels.contains(letter) && result.last != letter { result.append(letter) }
    return result
  }

  private static let vowels = Set("aeiouy".utf8)
}
