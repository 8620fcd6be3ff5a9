import Clinical
public import Extraction

/// Reads intakes into concepts, quantities and assertions: what every rule table of this target works on.
public struct IntakeReader: Sendable {
  public let lexicon: ConceptLexicon
  let quantities: QuantityReader
  private let classifiers: [AssertionClassifier]

  /// - Parameter classifiers: the notes' classifier, and one with the owners' ways of speaking; each may veto a sign.
  public init(lexicon: ConceptLexicon, quantities: QuantityReader, classifiers: [AssertionClassifier]) {
    self.lexicon = lexicon
    self.quantities = quantities
    self.classifiers = classifiers
  }

  /// - Complexity: O(words × forms that begin with each).
  func reading(of text: String) -> IntakeReading {
    let words = IntakeScanner.words(in: text)
    let occurrences = lexicon.occurrences(in: words)
    return IntakeReading(
      text: text, words: words, occurrences: occurrences, quantities: quantities.quantities(in: words),
      lexicon: lexicon, classifiers: classifiers)
  }

  /// Whether any of `phrases` (problems, drugs, a breed) speaks of `concept`.
  func mentions(_ concept: Int, in phrases: [String]) -> Bool {
    phrases.contains { phrase in
      lexicon.occurrences(in: IntakeScanner.words(in: phrase)).contains { $0.concept == concept }
    }
  }
}

/// An intake, read.
struct IntakeReading {
  let text: String
  let words: [IntakeWord]
  let lexicon: ConceptLexicon
  let quantities: [Quantity]
  /// Content words before each word: distances are counted without fillers.
  let contentPosition: [Int]
  private(set) var byConcept: [Int: [ConceptOccurrence]] = [:]
  private var standings: [Range<Int>: Standing] = [:]
  private let plain: any AssertionReading
  private let grammar: Set<Int>
  private let sentenceStarts: [Int]

  init(
    text: String, words: [IntakeWord], occurrences: [ConceptOccurrence], quantities: [Quantity],
    lexicon: ConceptLexicon, classifiers: [AssertionClassifier]
  ) {
    self.text = text
    self.words = words
    self.lexicon = lexicon
    self.quantities = quantities
    var content = 0
    contentPosition = words.map { word in
      defer { if !lexicon.isFiller(word.text) { content += 1 } }
      return content
    }
    for occurrence in occurrences { byConcept[occurrence.concept, default: []].append(occurrence) }
    grammar = Set(["not", "cant"].compactMap { lexicon.index(of: $0) })
    let negations = lexicon.index(of: "not").flatMap { byConcept[$0] } ?? []
    var starts: [Int] = []
    for (index, word) in words.enumerated() where index == 0 || words[index - 1].sentence != word.sentence {
      starts.append(index)
    }
    sentenceStarts = starts

    // "Not eating and vomiting": the negation belongs to the sign it is part of and must not reach the next one.
    let grammar = self.grammar
    let consumers = occurrences.filter { occurrence in
      occurrence.words.count > 1 && lexicon.kinds[occurrence.concept] == .other && !grammar.contains(occurrence.concept)
        && negations.contains { occurrence.words.contains(range: $0.words) }
    }
    let plain = ClassifiedAssertions(text, classifiers: classifiers)
    self.plain = plain
    var masked: (any AssertionReading)?
    if !consumers.isEmpty {
      var bytes = Array(text.utf8)
      for negation in negations where consumers.contains(where: { $0.words.contains(range: negation.words) }) {
        for index in Self.bytes(of: negation.words, words) where bytes[index] != 0x20 { bytes[index] = 0x78 }
      }
      masked = ClassifiedAssertions(String(decoding: bytes, as: UTF8.self), classifiers: classifiers)
    }
    for occurrence in occurrences where !grammar.contains(occurrence.concept) {
      guard standings[occurrence.words] == nil else { continue }
      let range = Self.bytes(of: occurrence.words, words)
      let isInsideConsumer = consumers.contains { $0.words.overlaps(occurrence.words) }
      standings[occurrence.words] = (isInsideConsumer ? plain : masked ?? plain).standing(of: range)
    }
  }

  private static func bytes(of range: Range<Int>, _ words: [IntakeWord]) -> Range<Int> {
    words[range.lowerBound].range.lowerBound..<words[range.upperBound - 1].range.upperBound
  }

  /// UTF-8 bytes of some words.
  func bytes(of range: Range<Int>) -> Range<Int> { Self.bytes(of: range, words) }

  func occurrences(of concept: Int) -> [ConceptOccurrence] { byConcept[concept] ?? [] }

  func sentence(of occurrence: ConceptOccurrence) -> Int { words[occurrence.words.lowerBound].sentence }

  /// The standing of concepts that stand together in a rule.
  ///
  /// Where one of them is itself a "can't" or "not", the words from the first to the last are judged as one, so that
  /// "can't breathe" isn't read as a denial of breathing.
  func standing(of group: [ConceptOccurrence]) -> Standing {
    if group.contains(where: { grammar.contains($0.concept) }), let first = group.map(\.words.lowerBound).min(),
      let last = group.map(\.words.upperBound).max()
    {
      return plain.standing(of: bytes(of: first..<last))
    }
    var result = Standing.present
    for occurrence in group {
      let standing = standings[occurrence.words] ?? .present
      if !standing.counts { return standing }
      if standing == .uncertain { result = .uncertain }
    }
    return result
  }

  /// Adds places found by other means than the lexicon, such as poisons of the toxin table.
  mutating func add(_ occurrence: ConceptOccurrence) {
    byConcept[occurrence.concept, default: []].append(occurrence)
    if standings[occurrence.words] == nil { standings[occurrence.words] = plain.standing(of: bytes(of: occurrence.words)) }
  }

  /// The standing of any words of the text.
  func standing(ofWords range: Range<Int>) -> Standing { plain.standing(of: bytes(of: range)) }

  func evidence(_ range: Range<Int>) -> Evidence {
    let bytes = bytes(of: range)
    return Evidence(range: bytes, quote: text.slice(utf8: bytes).map(String.init) ?? "")
  }
}
