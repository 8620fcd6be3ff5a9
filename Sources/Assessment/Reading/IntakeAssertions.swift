import Extraction

/// Reads whose and how certain the signs of a text are.
struct AssertionReader: Sendable {
  let classifiers: [AssertionClassifier]
  let past: PastReading

  func reading(of text: String) -> ClassifiedAssertions {
    ClassifiedAssertions(text, classifiers: classifiers, past: past)
  }
}

/// How the signs of an intake stand: each is read in the text without those words that are no part of what is said of it.
struct IntakeAssertions {
  /// The text but for the words that name subjects which are no other animal.
  let plain: ClassifiedAssertions
  /// ``plain`` without the denials that belong to a sign, for all other signs.
  private let masked: ClassifiedAssertions
  /// ``masked`` without what stands before a turn to the patient, for the signs behind it.
  private let turned: ClassifiedAssertions
  /// Signs that a denial is part of: "not eating".
  private let consumers: [ConceptOccurrence]
  /// Where a sentence turns to the patient: "my friend's dog died and now mine".
  private let turns: [ConceptOccurrence]
  private let words: [IntakeWord]
  private let lexicon: ConceptLexicon

  /// - Parameters:
  ///   - text: the intake.
  ///   - words: of it.
  ///   - occurrences: the concepts in them.
  ///   - lexicon: the concepts.
  ///   - grammar: concepts that are no signs, but are said of them.
  ///   - reader: reads a text.
  init(
    text: String, words: [IntakeWord], occurrences: [ConceptOccurrence], lexicon: ConceptLexicon, grammar: Set<Int>,
    reader: AssertionReader
  ) {
    self.words = words
    self.lexicon = lexicon
    let negation = lexicon.index(of: "not")
    let negations = occurrences.filter { $0.concept == negation }
    let signs = occurrences.filter { lexicon.kinds[$0.concept].isPlain && !grammar.contains($0.concept) }
    // "Not eating and vomiting": the negation belongs to the sign it is part of and must not reach the next one.
    let consumers = signs.filter { sign in
      sign.words.count > 1 && negations.contains { sign.words.contains(range: $0.words) }
    }
    self.consumers = consumers
    // "Feeding her pups, now shaking", "my sister-in-law sent lilies": neither is about another animal.
    let named = words.hiding(occurrences.filter { lexicon.kinds[$0.concept] == .subject }, of: text)
    var hidden = negations.filter { negation in consumers.contains { $0.words.contains(range: negation.words) } }
    hidden += Self.beginnings(occurrences, of: Set(signs.map(\.words.lowerBound)), words, lexicon)
    plain = reader.reading(of: named)
    masked = hidden.isEmpty ? plain : reader.reading(of: words.hiding(hidden, of: named))
    // "My friend's dog died and now mine has collapsed": from there on it is the patient.
    let turn = lexicon.index(of: "turn")
    turns = occurrences.filter { $0.concept == turn }
    let before = turns.compactMap { turn -> ConceptOccurrence? in
      let sentence = words[turn.words.lowerBound].sentence
      let start = words.firstIndex { $0.sentence == sentence } ?? turn.words.lowerBound
      return start < turn.words.lowerBound
        ? ConceptOccurrence(concept: turn.concept, words: start..<turn.words.lowerBound) : nil
    }
    turned = turns.isEmpty ? masked : reader.reading(of: words.hiding(hidden + before, of: named))
  }

  /// "Gone blue" began, it is not over: the words for becoming right before a sign.
  private static func beginnings(
    _ occurrences: [ConceptOccurrence], of signs: Set<Int>, _ words: [IntakeWord], _ lexicon: ConceptLexicon
  ) -> [ConceptOccurrence] {
    let becoming = lexicon.index(of: "becoming")
    return occurrences.filter { occurrence in
      guard occurrence.concept == becoming else { return false }
      var next = occurrence.words.upperBound
      while next < words.count, lexicon.isFiller(words[next].text), !signs.contains(next) { next += 1 }
      return signs.contains(next) || signs.contains(next + 1)
    }
  }

  /// How a sign stands.
  func standing(of sign: ConceptOccurrence) -> Standing {
    // Auxiliaries at the beginning are no part of what is denied: "hasn't been sick".
    let first = sign.words.first { !lexicon.isFiller(words[$0].text) } ?? sign.words.lowerBound
    let isInsideConsumer = consumers.contains { $0.words.overlaps(sign.words) }
    let reading = isTurned(sign) ? turned : isInsideConsumer ? plain : masked
    let kind = lexicon.kinds[sign.concept]
    let standing = reading.standing(of: words.bytes(of: first..<sign.words.upperBound), isExposure: kind == .object)
    if standing == .negated, hasOwnNegation(sign.words) { return .present }
    // A booster is asked for, not observed: a plan for it is as good as a statement.
    if standing == .hypothetical, kind == .request { return .present }
    return standing
  }

  /// Whether some words are a sign that a denial is part of.
  func hasOwnNegation(_ range: Range<Int>) -> Bool { consumers.contains { $0.words == range } }

  private func isTurned(_ sign: ConceptOccurrence) -> Bool {
    turns.contains {
      $0.words.upperBound <= sign.words.lowerBound
        && words[$0.words.lowerBound].sentence == words[sign.words.lowerBound].sentence
    }
  }
}

extension [IntakeWord] {
  /// UTF-8 bytes of some words.
  func bytes(of range: Range<Int>) -> Range<Int> {
    self[range.lowerBound].range.lowerBound..<self[range.upperBound - 1].range.upperBound
  }

  /// The text of these words with some of them made meaningless, at the same length.
  func hiding(_ places: [ConceptOccurrence], of text: String) -> String {
    guard !places.isEmpty else { return text }
    var bytes = Array<UInt8>(text.utf8)
    for place in places {
      for index in self.bytes(of: place.words) where bytes[index] != 0x20 { bytes[index] = 0x78 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
