package import Clinical
package import TextAnalysis

/// Phrases that are looked up word by word, as written but for case, apostrophes and contractions (``WordForm``).
///
/// Stems would be too much here: "lunges" and "lungs" share one. A star within a phrase stands for one or two words, whatever
/// they are: "ring * first" is said of anybody. A name in angle brackets stands for any word of that class, `<name?>` for such a
/// word or none: "<kin> is <degree?> allergic".
package struct WordPhrases: Sendable {
  /// By first word.
  private var phrases: [String: [[String]]] = [:]
  /// The words of each slot, by the slot as phrases write it: `<kin>`.
  private let slots: [String: Set<String>]

  /// - Parameters:
  ///   - texts: the phrases.
  ///   - slots: what ``slots(of:)`` read.
  package init(_ texts: [String], slots: [String: Set<String>] = [:]) {
    self.slots = slots
    for text in texts {
      for words in Self.withoutOptions(Self.pattern(text)[...]) {
        guard let first = words.first else { continue }
        for beginning in slots[first] ?? [first] { phrases[beginning, default: []].append(words) }
      }
    }
  }

  /// A phrase with and without each of the words that may be left out, the longer ones first.
  private static func withoutOptions(_ words: ArraySlice<String>) -> [[String]] {
    guard let place = words.firstIndex(where: { isSlot($0[...]) && $0.hasSuffix("?>") }) else { return [Array(words)] }
    let before = Array(words[..<place])
    let rest = withoutOptions(words[(place + 1)...])
    let slot = words[place].dropLast(2) + ">"
    return rest.map { before + [String(slot)] + $0 } + rest.map { before + $0 }
  }

  private static let gap = "*"
  private static let widestGap = 2

  private static func pattern(_ text: String) -> [String] {
    guard text.contains(gap) || text.contains("<") else { return words(of: text) }
    return text.split(separator: " ").flatMap { $0 == gap || isSlot($0) ? [String($0)] : words(of: String($0)) }
  }

  private static func isSlot(_ word: Substring) -> Bool { word.hasPrefix("<") && word.hasSuffix(">") }

  /// The classes that phrases name.
  ///
  /// - Parameter classes: `extraction/word-classes.tsv`.
  /// - Returns: their words by their names in angle brackets; words that are written by their ending alone are left out.
  package static func slots(of classes: DataTable) -> [String: Set<String>] {
    var slots: [String: Set<String>] = [:]
    for row in classes.rows {
      slots["<\(row["class"])>", default: []].formUnion(row.list("words").filter { !$0.hasPrefix(gap) })
    }
    return slots
  }

  /// The words of a phrase, as ``words(in:range:)`` reads them.
  static func words(of phrase: String) -> [String] {
    // Most phrases are plain words, which the tokenizer leaves as they are.
    if phrase.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x20 }) {
      return phrase.utf8.split(separator: 0x20).flatMap { WordForm.words(String(decoding: $0, as: UTF8.self)) }
    }
    return words(in: phrase, range: nil).map(\.text)
  }

  /// The bytes of the first phrase among the words.
  package func first(in words: [Token]) -> Range<Int>? {
    for (index, word) in words.enumerated() {
      for phrase in phrases[word.text] ?? [] {
        if let last = end(of: phrase[...], in: words, at: index) {
          return word.range.lowerBound..<words[last].range.upperBound
        }
      }
    }
    return nil
  }

  /// The place of the last word of a phrase that begins at a word; nil where it does not stand there.
  private func end(of phrase: ArraySlice<String>, in words: [Token], at start: Int) -> Int? {
    var place = start
    for (index, part) in zip(phrase.indices, phrase) {
      if part == Self.gap {
        let rest = phrase[(index + 1)...]
        return (1...Self.widestGap).lazy.compactMap { end(of: rest, in: words, at: place + $0) }.first
      }
      guard place < words.count, words[place].text == part || slots[part]?.contains(words[place].text) ?? false else {
        return nil
      }
      place += 1
    }
    return place - 1
  }

  /// The words of a text as phrases compare them: "pre-visit" is two.
  package static func words(in text: String, range: Range<Int>?) -> [Token] {
    let tokens = Tokenizer().tokens(in: text, range: range)
    let parts = tokens.indices.filter { index in
      index + 1 == tokens.count || tokens[index + 1].range.lowerBound >= tokens[index].range.upperBound
    }
    var words: [Token] = []
    words.reserveCapacity(parts.count)
    for token in CaseFoldFilter().apply(to: parts.map { tokens[$0] }) { append(token, to: &words, in: text) }
    return words
  }

  private static func append(_ token: Token, to words: inout [Token], in text: String) {
    // "Didn t", "can´t": the scanner of the index parts what is one word.
    if token.text == "t", let last = words.last, isJoined(last, token, in: text),
      case .denied(let verb, _)? = WordForm.read(last.text + "t")
    {
      words[words.count - 1].text = verb
      words.append(Token(text: WordForm.not, range: token.range, position: token.position))
      return
    }
    words += apart(token)
  }

  /// Whether an apostrophe alone stands between two words, or what is before can be no word by itself.
  private static func isJoined(_ first: Token, _ second: Token, in text: String) -> Bool {
    let between = Array((text.slice(utf8: first.range.upperBound..<second.range.lowerBound) ?? "").utf8)
    return !between.isEmpty
      && (between == [0x20] && WordForm.isCutContraction(first.text)
        || WordForm.apostropheLength(between, at: 0) == between.count)
  }

  /// A token as the words it reads as: the verb and the *not* of a contraction, each with its bytes.
  static func apart(_ token: Token) -> [Token] {
    // Folding has made every apostrophe a straight one.
    var token = token
    if token.text.utf8.contains(UInt8(ascii: "'")) {
      token.text = WordForm.withoutPossessive(token.text)
      token.text.removeAll { $0 == "'" }
    }
    let words = WordForm.words(token.text)
    guard words.count == 2, case .denied(_, let tail)? = WordForm.read(token.text) else {
      token.text = words[0]
      return [token]
    }
    let middle = token.range.upperBound - tail - (token.range.count - token.text.utf8.count)
    return [
      Token(text: words[0], range: token.range.lowerBound..<middle, position: token.position),
      Token(text: words[1], range: middle..<token.range.upperBound, position: token.position),
    ]
  }
}
