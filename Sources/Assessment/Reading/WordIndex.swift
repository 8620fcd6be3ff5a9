import Clinical
import TextAnalysis

/// Every word of the concept forms, found again in text through inflection, prefixes and misspelling.
///
/// A form's word matches a text's word when they are equal, when their stems are, when the form's word ends in `*` and the
/// text's begins so, or when the text's word is no known word and one typing slip away (two in words of nine letters, where
/// the consonants stay: "electrolytes" is not "electrocuted").
/// A form's word written `=word` matches only itself.
///
/// Words are compared by hashes of 64 bits, stemmed and compared letter by letter only where a text asks for it: the tables are
/// read at every start of the program.
struct WordIndex: Sendable {
  /// Identifiers by the hash of the form's word as it is written.
  private var identifiers: [UInt64: Int32] = [:]
  private var prefixLengths: [Int] = []
  /// Words that match other inflections, until ``finish()``.
  private var inflected: [(number: Int32, text: String)] = []
  private var stems = StemIndex(of: [])
  private var known: Set<UInt64> = []
  private let stemmer = Stemmer()

  /// Spellings that a misspelt word may be meant for, one after the other.
  private var letters: [UInt8] = []
  private var spellings: [Spelling] = []
  /// The last spelling of each first letter and length, and the last long enough beginning of each first letter.
  private var lastSpellings: [SpellingKey: Int32] = [:]
  private var lastBeginnings: [UInt8: Int32] = [:]

  private struct SpellingKey: Hashable {
    let first: UInt8
    let length: Int
  }

  private struct Spelling: Sendable {
    let letters: Range<Int>
    let identifier: Int32
    /// The one before it of the same kind; -1 for the first.
    let previous: Int32
  }

  /// Words from which on a slip, or two, is forgiven. Shorter ones turn into other words too easily.
  private static let lengthForOneSlip = 6
  private static let lengthForTwoSlips = 9
  /// Words from which on a consonant may be doubled or not: "slugg", "pelets", "carr".
  private static let lengthForDoubling = 4
  private static let star = UInt8(ascii: "*")
  private static let equal = UInt8(ascii: "=")

  /// The identifier of a form's word, UTF-8, added when new.
  mutating func add(_ word: UnsafeBufferPointer<UInt8>) -> Int32 {
    let hash = FNV1a.hash(word)
    if let identifier = identifiers[hash] { return identifier }
    let identifier = Int32(identifiers.count)
    identifiers[hash] = identifier
    if word.last == Self.star {
      let prefix = UnsafeBufferPointer(rebasing: word.dropLast())
      if !prefixLengths.contains(prefix.count) {
        prefixLengths.append(prefix.count)
        prefixLengths.sort()
      }
      addSpelling(prefix, identifier)
      if prefix.count >= Self.lengthForOneSlip {
        lastBeginnings[prefix[0]] = added(prefix, identifier, after: lastBeginnings[prefix[0]])
      }
    } else if word.first != Self.equal {
      if word.count > 2 { inflected.append((identifier, String(decoding: word, as: UTF8.self))) }
      addSpelling(word, identifier)
    }
    return identifier
  }

  /// Words that are right as they are, however near to a sign of disease: `having` is not `heaving`.
  mutating func addKnown(_ table: DataTable, column: String) {
    known.reserveCapacity(known.count + table.rows.count)
    for row in table.rows { known.insert(row.withBytes(column, FNV1a.hash)) }
  }

  mutating func addKnown(_ words: Set<String>) { known.formUnion(words.map { FNV1a.hash(Array($0.utf8)) }) }

  /// Makes what was added ready to be found.
  mutating func finish() {
    stems = StemIndex(of: inflected)
    inflected = []
  }

  private mutating func addSpelling(_ word: UnsafeBufferPointer<UInt8>, _ identifier: Int32) {
    guard word.count >= Self.lengthForDoubling - 1 else { return }
    let key = SpellingKey(first: word[0], length: word.count)
    lastSpellings[key] = added(word, identifier, after: lastSpellings[key])
  }

  private mutating func added(
    _ word: UnsafeBufferPointer<UInt8>, _ identifier: Int32, after previous: Int32?
  ) -> Int32 {
    let start = letters.count
    letters.append(contentsOf: word)
    spellings.append(Spelling(letters: start..<letters.count, identifier: identifier, previous: previous ?? -1))
    return Int32(spellings.count - 1)
  }

  /// The identifiers of all form words that a text's word stands for, ascending.
  ///
  /// - Parameters:
  ///   - word: folded, as ``IntakeWord`` has it.
  ///   - isName: whether it is written as a name, which is no misspelling: Stacey is not spacey.
  /// - Returns: none for a word that is nowhere near a form's.
  func identifiers(of word: String, isName: Bool = false) -> [Int32] {
    let bytes = Array(word.utf8)
    var found = spelled(word, bytes)
    if found.isEmpty, !isName, bytes.count >= Self.lengthForDoubling, !known.contains(FNV1a.hash(bytes)) {
      found = misspelt(bytes)
    }
    return found.sorted()
  }

  /// Whether a word is no form's, and would be taken for a misspelt one.
  func isTakenForSlip(_ word: String) -> Bool {
    let bytes = Array(word.utf8)
    return spelled(word, bytes).isEmpty && !identifiers(of: word).isEmpty
  }

  /// The identifiers of the form words that a word is, inflected or not.
  private func spelled(_ word: String, _ bytes: [UInt8]) -> Set<Int32> {
    var found: Set<Int32> = []
    if let exact = identifiers[FNV1a.hash(bytes)] { found.insert(exact) }
    if let exact = identifiers[FNV1a.hash([Self.equal] + bytes)] { found.insert(exact) }
    if bytes.count > 2 { found.formUnion(stems.numbers(ofStem: stemmer.stem(word))) }
    for length in prefixLengths where length <= bytes.count {
      if let prefix = identifiers[FNV1a.hash(bytes[..<length] + [Self.star])] { found.insert(prefix) }
    }
    return found
  }

  /// Whether a word is everyday, or stands in a form as it is.
  func knows(_ word: String) -> Bool {
    let bytes = Array(word.utf8)
    let hash = FNV1a.hash(bytes)
    return known.contains(hash) || identifiers[hash] != nil || identifiers[FNV1a.hash([Self.equal] + bytes)] != nil
  }

  private func misspelt(_ bytes: [UInt8]) -> Set<Int32> {
    guard let first = bytes.first, bytes.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) else { return [] }
    let doubled = doubled(bytes, first: first)
    if bytes.count < Self.lengthForOneSlip { return doubled }
    if !doubled.isEmpty { return doubled.union(misspeltBeginnings(bytes, first: first, distance: 1)) }
    let limit = bytes.count >= Self.lengthForTwoSlips ? 2 : 1
    for distance in 1...limit {
      var found: Set<Int32> = []
      for length in (bytes.count - distance)...(bytes.count + distance) {
        forEachSpelling(from: lastSpellings[SpellingKey(first: first, length: length)]) { spelling, identifier in
          if isSlip(distance, bytes, Array(spelling)) { found.insert(identifier) }
        }
      }
      found.formUnion(misspeltBeginnings(bytes, first: first, distance: distance))
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Form words that differ only in which consonants are doubled.
  private func doubled(_ bytes: [UInt8], first: UInt8) -> Set<Int32> {
    let plain = Self.undoubled(bytes)
    var found: Set<Int32> = []
    for length in plain.count...(plain.count + Self.mostDoubled) {
      forEachSpelling(from: lastSpellings[SpellingKey(first: first, length: length)]) { spelling, identifier in
        if Self.undoubled(spelling) == plain { found.insert(identifier) }
      }
    }
    return found
  }

  private static let mostDoubled = 3

  /// A word with each doubled consonant once.
  private static func undoubled(_ word: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for letter in word where vowels.contains(letter) || result.last != letter { result.append(letter) }
    return result
  }

  /// Prefixes that the word begins with but for `distance` slips: "haemmorhage" for `haemorrhag*`.
  private func misspeltBeginnings(_ bytes: [UInt8], first: UInt8, distance: Int) -> Set<Int32> {
    var found: Set<Int32> = []
    forEachSpelling(from: lastBeginnings[first]) { spelling, identifier in
      guard spelling.count <= bytes.count, distance == 1 || spelling.count >= Self.lengthForTwoSlips else { return }
      for length in (spelling.count - 1)...min(bytes.count, spelling.count + 1)
      where isSlip(distance, Array(bytes.prefix(length)), Array(spelling)) {
        found.insert(identifier)
      }
    }
    return found
  }

  private func forEachSpelling(from last: Int32?, _ body: (ArraySlice<UInt8>, Int32) -> Void) {
    var place = last ?? -1
    while place >= 0 {
      let spelling = spellings[Int(place)]
      body(letters[spelling.letters], spelling.identifier)
      place = spelling.previous
    }
  }

  /// Whether two words are `distance` slips apart. People double, drop and swap letters and guess vowels; two slips that
  /// put other consonants in make another word.
  private func isSlip(_ distance: Int, _ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard EditDistance.between(left, right, limit: distance) != nil else { return false }
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
