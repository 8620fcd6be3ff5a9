extension Pattern {
  /// How the words that a pattern asks for must lie in the text.
  struct Arrangement: Hashable, Sendable {
    var scope: Scope
    /// In the order of the terms.
    var isOrdered = false
    /// The sentence has fewer content words; nil for any number.
    var wordLimit: Int?

    init(scope: Scope) { self.scope = scope }

    /// Takes a part of a pattern as the rule files write it: `>`, `~7`, `words<5`.
    ///
    /// - Returns: false for a part that says something else.
    /// - Throws: ``PatternError`` for a reach or limit that is none.
    mutating func takes(_ part: Substring) throws(PatternError) -> Bool {
      if part == ">" {
        isOrdered = true
      } else if part.first == "~" {
        scope = try Self.scope(part)
      } else if part.hasPrefix("words<") {
        guard let limit = Int(part.dropFirst(6)), limit > 1 else {
          throw PatternError(problem: "'\(part)' is no limit")
        }
        wordLimit = limit
      } else {
        return false
      }
      return true
    }

    private static func scope(_ part: Substring) throws(PatternError) -> Scope {
      if part == "~t" { return .text }
      if part == "~s" { return .sentence }
      guard let window = Int(part.dropFirst()), window > 0 else {
        throw PatternError(problem: "'\(part)' is no reach")
      }
      return .window(window)
    }
  }
}

extension Pattern.Arrangement {
  /// Whether the sentence in which a term stands is short enough.
  func admits(sentenceOf place: ConceptOccurrence, in reading: IntakeReading) -> Bool {
    wordLimit.map { reading.contentWords(besideAsidesOf: place.words) < $0 } ?? true
  }

  /// Whether the next term may stand at a place when those before it stand where they do.
  func admits(_ candidate: ConceptOccurrence, after group: [ConceptOccurrence], in reading: IntakeReading) -> Bool {
    for member in group where member.words.overlaps(candidate.words) { return false }
    if isOrdered, let last = group.last, candidate.words.lowerBound < last.words.upperBound { return false }
    guard case .window(let window) = scope, !group.isEmpty else { return true }
    // Between the end of one and the beginning of the next: long phrases don't use the window up.
    let all = (group + [candidate]).sorted()
    guard let first = all.first, let last = all.last else { return true }
    let start = reading.contentPosition[first.words.upperBound - 1]
    return reading.contentPosition[last.words.lowerBound] - start <= window
  }
}
