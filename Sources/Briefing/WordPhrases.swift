import Clinical
import TextAnalysis

/// Phrases that are looked up word by word, as written but for case and apostrophes.
///
/// Stems would be too much here: "lunges" and "lungs" share one. A star within a phrase stands for one or two words, whatever
/// they are: "ring * first" is said of anybody.
struct WordPhrases: Sendable {
  /// By first word.
  private var phrases: [String: [[String]]] = [:]

  init(_ texts: [String]) {
    for text in texts {
      let words = Self.pattern(text)
      if let first = words.first { phrases[first, default: []].append(words) }
    }
  }

  private static let gap = "*"
  private static let widestGap = 2

  private static func pattern(_ text: String) -> [String] {
    guard text.contains(gap) else { return words(of: text) }
    return text.split(separator: " ").flatMap { $0 == gap ? [gap] : words(of: String($0)) }
  }

  /// The words of a phrase, as ``words(in:range:)`` reads them.
  static func words(of phrase: String) -> [String] {
    // Most phrases are plain words, which the tokenizer leaves as they are.
    if phrase.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x20 }) {
      return phrase.utf8.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    }
    return words(in: phrase, range: nil).map(\.text)
  }

  /// The bytes of the first phrase among the words.
  func first(in words: [Token]) -> Range<Int>? {
    for (index, word) in words.enumerated() {
      for phrase in phrases[word.text] ?? [] {
        if let last = Self.end(of: phrase[...], in: words, at: index) {
          return word.range.lowerBound..<words[last].range.upperBound
        }
      }
    }
    return nil
  }

  /// The place of the last word of a phrase that begins at a word; nil where it does not stand there.
  private static func end(of phrase: ArraySlice<String>, in words: [Token], at start: Int) -> Int? {
    var place = start
    for (index, part) in zip(phrase.indices, phrase) {
      if part == gap {
        let rest = phrase[(index + 1)...]
        return (1...widestGap).lazy.compactMap { end(of: rest, in: words, at: place + $0) }.first
      }
      guard place < words.count, words[place].text == part else { return nil }
      place += 1
    }
    return place - 1
  }

  /// The words of a text as phrases compare them: "pre-visit" is two.
  static func words(in text: String, range: Range<Int>?) -> [Token] {
    let tokens = Tokenizer().tokens(in: text, range: range)
    let parts = tokens.indices.filter { index in
      index + 1 == tokens.count || tokens[index + 1].range.lowerBound >= tokens[index].range.upperBound
    }
    return CaseFoldFilter().apply(to: parts.map { tokens[$0] }).map { token in
      // Folding has made a typographic apostrophe a straight one.
      guard token.text.utf8.contains(UInt8(ascii: "'")) else { return token }
      var token = token
      token.text.removeAll { $0 == "'" }
      return token
    }
  }
}
