/// A step between tokenizer and index: changes, adds or drops tokens, and never touches a range.
public protocol TokenFilter: Sendable {
  func apply(to tokens: [Token]) -> [Token]
}

/// Brings every token into the form in which words are compared; see ``Normalizer``.
public struct CaseFoldFilter: TokenFilter {
  public init() {}

  public func apply(to tokens: [Token]) -> [Token] {
    tokens.compactMap { token in
      var token = token
      token.text = Normalizer.fold(token.text)
      return token.text.isEmpty ? nil : token
    }
  }
}

/// Drops words that every text is full of. Expects folded tokens.
public struct StopWordFilter: TokenFilter {
  private let words: Set<String>

  public init(words: Set<String>) {
    self.words = words
  }

  public func apply(to tokens: [Token]) -> [Token] {
    tokens.filter { !words.contains($0.text) }
  }
}

/// Brings British and American spellings together; see ``SpellingRules``. Expects folded tokens.
public struct SpellingFilter: TokenFilter {
  private let rules: SpellingRules

  public init(rules: SpellingRules) {
    self.rules = rules
  }

  public func apply(to tokens: [Token]) -> [Token] {
    tokens.map { token in
      var token = token
      token.text = rules.fold(token.text)
      return token
    }
  }
}

/// Reduces words to their Snowball English stems. Expects folded tokens.
public struct StemFilter: TokenFilter {
  private let stemmer: Stemmer

  public init(stemmer: Stemmer = Stemmer()) {
    self.stemmer = stemmer
  }

  public func apply(to tokens: [Token]) -> [Token] {
    tokens.map { token in
      var token = token
      token.text = stemmer.stem(token.text)
      return token
    }
  }
}
