extension Thesaurus {
  /// What a question should also look for, where shorthand counts as one thing.
  ///
  /// "FIV" is analysed with the words that it stands for beside it. One of them alone ("feline") is not what is meant, so a form
  /// must stand for all of them, or for the shorthand itself.
  ///
  /// - Parameter tokens: as for ``expansions(of:)``.
  /// - Returns: as ``expansions(of:)``.
  public func expansionsOfWholes(in tokens: [Token]) -> [Expansion] {
    let plain = Self.withoutReadings(tokens)
    var found: [Expansion] = []
    for (index, token) in tokens.enumerated() {
      let isReading =
        index > 0 && tokens[index - 1].position == token.position && tokens[index - 1].range == token.range
      if isReading || token.text.contains("/") { continue }
      let readings = tokens[(index + 1)...].prefix { $0.position == token.position && $0.range == token.range }
      if readings.count > 1 { found += expansions(ofReadings: Array(readings), range: token.range) }
    }
    // A word that shorthand stands for among others says it too: "cobalamin" of "B12".
    return Self.distinct(matches(of: plain) + found, known: Set(plain.map(\.text)))
  }

  /// Shorthand as written, without the words that it stands for together; a single word that it stands for stays.
  static func withoutReadings(_ tokens: [Token]) -> [Token] {
    var plain: [Token] = []
    for (index, token) in tokens.enumerated() {
      if index > 0, tokens[index - 1].position == token.position, tokens[index - 1].range == token.range { continue }
      let readings = tokens[(index + 1)...].prefix { $0.position == token.position && $0.range == token.range }
      plain.append(token)
      if readings.count == 1 || token.text.contains("/") { plain += readings }
    }
    return plain
  }

  /// The expansions of all the words that shorthand stands for together.
  private func expansions(ofReadings readings: [Token], range: Range<Int>) -> [Expansion] {
    let words = readings.enumerated().map { place, reading in
      Token(text: reading.text, range: place..<(place + 1), position: place)
    }
    return matches(of: words).filter { $0.range == 0..<words.count }.map { expansion in
      Expansion(
        terms: expansion.terms, phrase: expansion.phrase, weight: expansion.weight, kind: expansion.kind,
        row: expansion.row, range: range)
    }
  }
}
