import TextAnalysis

/// Words by their spelling, found by misspelt ones.
///
/// A word is another one misspelt when it begins with the same letter and is one typing slip away (two in words of nine letters,
/// where the consonants stay: "electrolytes" is not "electrocuted"), or doubles other consonants.
struct SpellingIndex: Sendable {
  /// Of all spellings, one after the other.
  private var letters: [UInt8] = []
  private var spellings: [Spelling] = []
  /// The last spelling of each first letter and length, and the last long enough beginning of each first letter.
  private var lastSpellings: [Key: Int32] = [:]
  private var lastBeginnings: [UInt8: Int32] = [:]

  private struct Key: Hashable {
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

  /// Adds the spelling of a word, UTF-8; one that is too short to be misspelt is left out.
  mutating func add(_ word: UnsafeBufferPointer<UInt8>, _ identifier: Int32) {
    guard word.count >= Self.lengthForDoubling - 1 else { return }
    let key = Key(first: word[0], length: word.count)
    lastSpellings[key] = added(word, identifier, after: lastSpellings[key])
  }

  /// Adds what words begin with, which is a spelling too.
  mutating func add(beginning prefix: UnsafeBufferPointer<UInt8>, _ identifier: Int32) {
    add(prefix, identifier)
    guard prefix.count >= Self.lengthForOneSlip else { return }
    lastBeginnings[prefix[0]] = added(prefix, identifier, after: lastBeginnings[prefix[0]])
  }

  private mutating func added(
    _ word: UnsafeBufferPointer<UInt8>, _ identifier: Int32, after previous: Int32?
  ) -> Int32 {
    let start = letters.count
    letters.append(contentsOf: word)
    spellings.append(Spelling(letters: start..<letters.count, identifier: identifier, previous: previous ?? -1))
    return Int32(spellings.count - 1)
  }

  /// The identifiers of the words that a word in small letters is a misspelling of, those with the fewest slips.
  ///
  /// - Returns: none for a word of other letters, or of too few.
  func identifiers(meantBy bytes: [UInt8]) -> Set<Int32> {
    guard bytes.count >= Self.lengthForDoubling, bytes.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) else { return [] }
    let first = bytes[0]
    let doubled = doubled(bytes, first: first)
    if bytes.count < Self.lengthForOneSlip { return doubled }
    if !doubled.isEmpty { return doubled.union(misspeltBeginnings(bytes, first: first, distance: 1)) }
    let limit = bytes.count >= Self.lengthForTwoSlips ? 2 : 1
    for distance in 1...limit {
      var found: Set<Int32> = []
      for length in (bytes.count - distance)...(bytes.count + distance) {
        forEachSpelling(from: lastSpellings[Key(first: first, length: length)]) { spelling, identifier in
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
      forEachSpelling(from: lastSpellings[Key(first: first, length: length)]) { spelling, identifier in
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
