import Clinical

/// What a note shows to whoever asks whether a treatment was borne: its treatments and the signs of disease, each with what the
/// note says of it. Words are read once, for all passages and treatments.
package struct ReactionScene {
  struct Sign {
    let words: Range<Int>
    /// The body system, empty where the table names none.
    let system: UInt64
    let assertion: Assertion
  }

  /// A word as a feature.
  struct Token {
    enum Kind: UInt8 { case word, number, lineBreak }

    let kind: Kind
    /// Of a word its first letters.
    let hash: UInt64
    var isSign = false
    /// The place of the treatment that it is part of.
    var treatment: Int16 = -1
  }

  let text: ScannedText
  /// In the order of the text.
  let treatments: [Treatment]
  /// Of each treatment.
  let assertions: [Assertion]
  /// Of each treatment, its classes.
  let classes: [[UInt64]]
  let signs: [Sign]
  /// One a word.
  let tokens: [Token]

  /// - Complexity: O(words + treatments × cues of a sentence + findings).
  package init(_ context: FactContext, treatments: [Treatment], findings: [Finding]) {
    let text = context.text
    self.text = text
    self.treatments = treatments
    assertions = treatments.map { context.assertion(of: $0.words) }
    classes = treatments.map { $0.classes.map { Spelling.hash($0) } }
    let signs = findings.filter { $0.kind == .sign || $0.kind == .problem }.map {
      Sign(words: text.wordRange(of: $0.range), system: Spelling.hash($0.system), assertion: $0.assertion)
    }
    self.signs = signs
    var tokens = text.words.enumerated().map { place, word -> Token in
      // A contraction counts as one word, as it was learned.
      if word.flags.contains(.contracted) { return Token(kind: .lineBreak, hash: 0) }
      let next = place + 1 < text.words.count ? text.words[place + 1] : word
      let end = next.flags.contains(.contracted) ? next.end : word.end
      return switch word.kind {
      case .number: Token(kind: .number, hash: 0)
      case .lineBreak: Token(kind: .lineBreak, hash: 0)
      case .symbol: Token(kind: .word, hash: word.hash)
      case .word: Token(kind: .word, hash: Self.prefix(of: Int(word.start)..<Int(end), in: text))
      }
    }
    for sign in signs { for word in sign.words where tokens[word].kind == .word { tokens[word].isSign = true } }
    for (place, treatment) in treatments.enumerated() {
      for word in treatment.words where tokens[word].treatment < 0 { tokens[word].treatment = Int16(clamping: place) }
    }
    self.tokens = tokens
  }

  private static let prefixLength = 5

  private static func prefix(of word: Range<Int>, in text: ScannedText) -> UInt64 {
    var hash = FNV1a()
    var length = 0
    for byte in text.bytes[word] where length < prefixLength {
      // Apostrophes are nothing, whatever they look like: "wasn't" is "wasnt".
      let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      guard (0x61...0x7A).contains(lower) || (0x30...0x39).contains(lower) else { continue }
      hash.add(lower)
      length += 1
    }
    return hash.value
  }
}
