import Clinical

/// Finds the forms of a table among the tokens of a question.
struct FormFinder {
  struct Match {
    /// The groups of all forms that stand here with as many words.
    let groups: [Int]
    /// Positions of the tokens, those of the fillers inside included.
    let places: Range<Int>
    /// UTF-8 bytes of the question.
    let range: Range<Int>
  }

  let forms: ThesaurusForms
  /// Words that may stand inside a form: articles, possessives, persons and words of degree.
  let fillers: Set<String>

  /// The terms of an analyzer's fillers.
  static func fillers(of analyzer: Analyzer) -> Set<String> {
    Set(analyzer.lexicon.fillers.flatMap { analyzer.tokens(in: $0, keepingStopWords: true).map(\.text) })
  }

  /// At each place the longest form wins; the next one begins after it.
  ///
  /// - Parameter tokens: analysed with stop words kept.
  /// - Returns: in the order of the tokens; several of one place where forms of several groups stand there.
  func matches(in tokens: [Token]) -> [Match] {
    let places = Self.places(tokens)
    var found: [Match] = []
    var index = 0
    while index < places.count {
      let here = matches(at: index, in: places)
      found += here
      index = max(index + 1, here.map(\.places.upperBound).max() ?? 0)
    }
    return found
  }

  /// The longest forms that begin at a place.
  private func matches(at start: Int, in places: [[Token]]) -> [Match] {
    var longest = 0
    var matches: [Match] = []
    for token in places[start] {
      for pattern in forms.patterns(beginningWith: token.text) {
        guard let end = match(pattern.terms, at: start, in: places) else { continue }
        if end - start > longest {
          longest = end - start
          matches.removeAll()
        }
        guard end - start == longest else { continue }
        let upper = places[start..<end].flatMap { $0 }.map(\.range.upperBound).max() ?? token.range.upperBound
        matches.append(
          Match(groups: pattern.groups, places: start..<end, range: token.range.lowerBound..<upper))
      }
    }
    return matches
  }

  /// The index after the last place of the form that begins at `start`; nil when it does not stand there.
  private func match(_ terms: [String], at start: Int, in places: [[Token]]) -> Int? {
    var index = start
    for (number, term) in terms.enumerated() {
      if number > 0 {
        while index < places.count, !places[index].contains(where: { $0.text == term }),
          places[index].contains(where: { fillers.contains($0.text) })
        {
          index += 1
        }
      }
      guard index < places.count, places[index].contains(where: { $0.text == term }) else { return nil }
      index += 1
    }
    return index
  }

  /// Tokens by position, so that a place holds all readings of a word.
  static func places(_ tokens: [Token]) -> [[Token]] {
    var places: [[Token]] = []
    for token in tokens.sorted(by: { $0.position < $1.position }) {
      if let last = places.last?.last, last.position == token.position {
        places[places.count - 1].append(token)
      } else {
        places.append([token])
      }
    }
    return places
  }
}

extension FormFinder {
  func pack(into packer: inout Packer) {
    forms.pack(into: &packer)
    packer.add(set: fillers)
  }

  init(from unpacker: inout Unpacker, analyzer: Analyzer) throws(PackingError) {
    forms = try ThesaurusForms(from: &unpacker, analyzer: analyzer)
    fillers = try unpacker.set()
  }
}
