/// What a passage looks like from a treatment that it names: words near it, before and behind it, and in pairs, and who plays
/// which part.
///
/// Words count by their first five letters, so that inflection needs no stemmer; the treatment itself, other treatments,
/// numbers and signs of disease count as what they are, so that what is learned of one drug holds for all. Features are hashed
/// into ``bucketCount`` buckets. A value keeps its memory from passage to passage.
///
/// - Source: K. Weinberger et al., "Feature hashing for large scale multitask learning", ICML 2009.
package struct ReactionFeatures {
  package static let bucketCount = 1 << 16
  /// Words on either side of the treatment that count with their distance.
  private static let nearby = 4

  /// The buckets that the last passage fills, each once.
  package private(set) var buckets: [Int] = []
  /// By bucket, the number of the passage that filled it last.
  private var filled = [Int32](repeating: 0, count: bucketCount)
  private var passageNumber: Int32 = 0
  private var tokens: [Token] = []

  package init() {}

  /// Reads a passage.
  ///
  /// - Parameters:
  ///   - passage: words of the text.
  ///   - scene: in which the passage stands.
  ///   - target: the treatment that is asked about, by its place among the scene's.
  /// - Complexity: O(words of the passage).
  package mutating func read(_ passage: Range<Int>, in scene: ReactionScene, target: Int) {
    passageNumber += 1
    buckets.removeAll(keepingCapacity: true)
    readTokens(of: passage, in: scene, target: target)
    addWords()
    addRoles(of: passage, in: scene, target: target)
  }

  private mutating func readTokens(of passage: Range<Int>, in scene: ReactionScene, target: Int) {
    let asked = scene.treatments[target]
    tokens.removeAll(keepingCapacity: true)
    var place = passage.lowerBound
    while place < passage.upperBound {
      let token = scene.tokens[place]
      if asked.words.contains(place) {
        tokens.append(Token(Token.target))
        place = asked.words.upperBound
      } else if token.treatment >= 0 {
        let other = scene.treatments[Int(token.treatment)]
        tokens.append(Token(other.kind == asked.kind ? Token.sameKind : Token.other))
        place = max(place + 1, other.words.upperBound)
      } else {
        switch token.kind {
        case .number: tokens.append(Token(Token.number))
        case .lineBreak: break
        case .word: tokens.append(Token(token.hash, isSign: token.isSign))
        }
        place += 1
      }
    }
  }

  private mutating func addWords() {
    let centre = tokens.firstIndex { $0.value == Token.target } ?? 0
    for index in tokens.indices {
      let token = tokens[index]
      add(.word, token.value)
      if token.value != Token.target {
        add(index < centre ? .before : .behind, token.value)
        if token.isSign { add(index < centre ? .before : .behind, Token.sign) }
      }
      if abs(index - centre) <= Self.nearby, index != centre {
        add(.near, token.value, UInt64(index - centre + Self.nearby))
      }
      let isLast = index + 1 == tokens.count
      add(.pair, token.value, isLast ? Token.end : tokens[index + 1].value)
      add(.typedPair, token.typed, isLast ? Token.end : tokens[index + 1].typed)
      if index + 2 < tokens.count { add(.skip, token.value, tokens[index + 2].value) }
      if index == 0 { add(.pair, Token.end, token.value) }
    }
  }

  /// Who plays which part: what is asked about and what else was given, by class, and the signs, by body system, with what the
  /// note says of each and whether it comes before or behind.
  private mutating func addRoles(of passage: Range<Int>, in scene: ReactionScene, target: Int) {
    let asked = scene.treatments[target]
    let assertion = scene.assertions[target]
    add(.kind, UInt64(asked.kind.rawValue))
    for name in scene.classes[target] { add(.classOf, name) }
    add(.assertion, Self.polarity(assertion))
    add(.assertion, assertion.temporality == .current ? 4 : assertion.temporality == .historical ? 5 : 6)
    add(.assertion, assertion.experiencer == .patient ? 7 : 8)
    for (place, other) in scene.treatments.enumerated()
    where place != target && passage.contains(other.words.lowerBound) {
      let isBehind = other.words.lowerBound > asked.words.lowerBound
      for name in scene.classes[place] { add(isBehind ? .classBehind : .classBefore, name) }
    }
    let sentence = scene.text.sentence(ofWord: asked.words.lowerBound)
    for sign in scene.signs where passage.contains(sign.words.lowerBound) {
      let isBehind = sign.words.lowerBound > asked.words.lowerBound
      let said = Self.polarity(sign.assertion)
      add(isBehind ? .signBehind : .signBefore, said)
      add(isBehind ? .systemBehind : .systemBefore, sign.system, said)
      add(.signPlace, sentence.contains(sign.words.lowerBound) ? 1 : isBehind ? 2 : 0, said)
    }
  }

  private static func polarity(_ assertion: Assertion) -> UInt64 {
    switch assertion.polarity {
    case .present: 1
    case .absent: 2
    case .uncertain: 3
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

    init(_ value: UInt64, isSign: Bool = false) {
      self.value = value
      self.isSign = isSign
    }
  }

  private enum Shape: UInt64 {
    case kind, word, before, behind, near, pair, typedPair, skip
    case classOf, assertion, classBefore, classBehind, signBefore, signBehind, systemBefore, systemBehind, signPlace
  }

  private mutating func add(_ shape: Shape, _ first: UInt64, _ second: UInt64 = 0) {
    var mixed = (shape.rawValue &+ 1) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ first) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 29) ^ (second &* 0x94D0_49BB_1331_11EB)) &* 0xBF58_476D_1CE4_E5B9
    let bucket = Int(truncatingIfNeeded: mixed >> 40) & (Self.bucketCount - 1)
    if filled[bucket] != passageNumber {
      filled[bucket] = passageNumber
      buckets.append(bucket)
    }
  }
}
