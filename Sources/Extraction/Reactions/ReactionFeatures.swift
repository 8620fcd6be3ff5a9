/// What a passage looks like from a treatment that it names: words near it, before and behind it, and in pairs.
///
/// Words count by their first five letters, so that inflection needs no stemmer; the treatment itself, other treatments,
/// numbers and signs of disease count as what they are, so that what is learned of one drug holds for all. Features are hashed
/// into ``bucketCount`` buckets.
///
/// - Source: K. Weinberger et al., "Feature hashing for large scale multitask learning", ICML 2009.
struct ReactionFeatures {
  static let bucketCount = 1 << 15
  private static let prefixLength = 5
  /// Words on either side of the treatment that count with their distance.
  private static let nearby = 4

  /// The buckets that a passage fills.
  ///
  /// - Parameters:
  ///   - passage: words of the text.
  ///   - scene: in which the passage stands.
  ///   - target: the treatment that is asked about, by its place among the scene's.
  /// - Returns: each bucket once, ascending.
  /// - Complexity: O(words of the passage).
  static func buckets(of passage: Range<Int>, in scene: ReactionScene, target: Int) -> [Int] {
    var found: Set<Int> = []
    let tokens = tokens(of: passage, in: scene, target: target)
    addWords(tokens, to: &found)
    addRoles(of: passage, in: scene, target: target, to: &found)
    return found.sorted()
  }

  private static func tokens(of passage: Range<Int>, in scene: ReactionScene, target: Int) -> [Token] {
    let asked = scene.treatments[target]
    var tokens: [Token] = []
    var place = passage.lowerBound
    while place < passage.upperBound {
      if asked.words.contains(place) {
        tokens.append(Token(.target, isSign: false))
        place = max(place + 1, asked.words.upperBound)
      } else if let other = scene.treatments.first(where: { $0.words.contains(place) }) {
        tokens.append(Token(other.kind == asked.kind ? .sameKind : .other, isSign: false))
        place = max(place + 1, other.words.upperBound)
      } else {
        let word = scene.text.words[place]
        let isSign = scene.signs.contains { $0.words.contains(place) }
        switch word.kind {
        case .number: tokens.append(Token(.number, isSign: false))
        case .lineBreak: break
        case .symbol: tokens.append(Token(word.hash, isSign: false))
        case .word: tokens.append(Token(prefix(of: word, in: scene.text), isSign: isSign))
        }
        place += 1
      }
    }
    return tokens
  }

  private static func addWords(_ tokens: [Token], to found: inout Set<Int>) {
    let centre = tokens.firstIndex { $0.value == Token.target } ?? 0
    for (index, token) in tokens.enumerated() {
      found.insert(bucket(.word, token.value))
      if token.value != Token.target {
        found.insert(bucket(index < centre ? .before : .behind, token.value))
        if token.isSign { found.insert(bucket(index < centre ? .before : .behind, Token.sign)) }
      }
      if abs(index - centre) <= nearby, index != centre {
        found.insert(bucket(.near, token.value, UInt64(index - centre + nearby)))
      }
      let next = index + 1 < tokens.count ? tokens[index + 1].typed : Token.end
      found.insert(bucket(.pair, token.value, index + 1 < tokens.count ? tokens[index + 1].value : Token.end))
      found.insert(bucket(.typedPair, token.typed, next))
      if index + 2 < tokens.count { found.insert(bucket(.skip, token.value, tokens[index + 2].value)) }
      if index == 0 { found.insert(bucket(.pair, Token.end, token.value)) }
    }
  }

  /// Who plays which part: what is asked about and what else was given, by class, and the signs, by body system, with what the
  /// note says of each and whether it comes before or behind.
  private static func addRoles(
    of passage: Range<Int>, in scene: ReactionScene, target: Int, to found: inout Set<Int>
  ) {
    let asked = scene.treatments[target]
    let assertion = scene.assertions[target]
    found.insert(bucket(.kind, UInt64(asked.kind.rawValue)))
    for name in asked.classes { found.insert(bucket(.classOf, Spelling.hash(name))) }
    found.insert(bucket(.assertion, Spelling.hash(assertion.polarity.rawValue)))
    found.insert(bucket(.assertion, Spelling.hash(assertion.temporality.rawValue)))
    found.insert(bucket(.assertion, Spelling.hash(assertion.experiencer.rawValue)))
    for other in scene.treatments where other.words != asked.words && passage.contains(other.words.lowerBound) {
      let isBehind = other.words.lowerBound > asked.words.lowerBound
      for name in other.classes { found.insert(bucket(isBehind ? .classBehind : .classBefore, Spelling.hash(name))) }
    }
    let sentence = scene.text.sentence(ofWord: asked.words.lowerBound)
    for sign in scene.signs where passage.contains(sign.words.lowerBound) {
      let isBehind = sign.words.lowerBound > asked.words.lowerBound
      let said = Spelling.hash(sign.assertion.polarity.rawValue)
      found.insert(bucket(isBehind ? .signBehind : .signBefore, said))
      found.insert(bucket(isBehind ? .systemBehind : .systemBefore, Spelling.hash(sign.system), said))
      found.insert(bucket(.signPlace, sentence.contains(sign.words.lowerBound) ? 1 : isBehind ? 2 : 0, said))
    }
  }

  private struct Token {
    static let target: UInt64 = 1
    static let sameKind: UInt64 = 2
    static let other: UInt64 = 3
    static let number: UInt64 = 4
    static let sign: UInt64 = 5
    static let end: UInt64 = 6

    let value: UInt64
    let isSign: Bool
    /// A sign of disease as such, else the word.
    var typed: UInt64 { isSign ? Self.sign : value }

    init(_ value: UInt64, isSign: Bool) {
      self.value = value
      self.isSign = isSign
    }

    enum Special: UInt64 { case target = 1, sameKind, other, number }

    init(_ special: Special, isSign: Bool) { self.init(special.rawValue, isSign: isSign) }
  }

  private enum Shape: UInt64 {
    case kind, word, before, behind, near, pair, typedPair, skip
    case classOf, assertion, classBefore, classBehind, signBefore, signBehind, systemBefore, systemBehind, signPlace
  }

  private static func prefix(of word: Word, in text: ScannedText) -> UInt64 {
    var hash = SpellingHash()
    var length = 0
    for byte in text.bytes[word.range] where length < prefixLength {
      // Apostrophes are nothing, whatever they look like: "wasn't" is "wasnt".
      let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      guard (0x61...0x7A).contains(lower) || (0x30...0x39).contains(lower) else { continue }
      hash.add(lower)
      length += 1
    }
    return hash.value
  }

  private static func bucket(_ shape: Shape, _ first: UInt64, _ second: UInt64 = 0) -> Int {
    var mixed = (shape.rawValue &+ 1) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ first) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 29) ^ (second &* 0x94D0_49BB_1331_11EB)) &* 0xBF58_476D_1CE4_E5B9
    return Int(truncatingIfNeeded: mixed >> 40) & (bucketCount - 1)
  }
}
