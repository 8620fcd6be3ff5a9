import Clinical
import TextAnalysis

/// Phrases that are looked up word by word, as written but for case and apostrophes.
///
/// Stems would be too much here: "lunges" and "lungs" share one.
struct WordPhrases: Sendable {
  /// By first word.
  private var phrases: [String: [[String]]] = [:]

  init(_ texts: [String]) {
    for text in texts {
      let words = Self.words(of: text)
      if let first = words.first { phrases[first, default: []].append(words) }
    }
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
      for phrase in phrases[word.text] ?? [] where phrase.count <= words.count - index {
        let last = index + phrase.count - 1
        if zip(words[index...last], phrase).allSatisfy({ $0.text == $1 }) {
          return word.range.lowerBound..<words[last].range.upperBound
        }
      }
    }
    return nil
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
