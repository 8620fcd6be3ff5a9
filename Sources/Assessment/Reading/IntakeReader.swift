import Clinical
import Extraction

/// Reads intakes into concepts, quantities and assertions: what every rule table of this target works on.
public struct IntakeReader: Sendable {
  public let lexicon: ConceptLexicon
  let breeds: BreedNames
  let quantities: QuantityReader
  private let classifiers: [AssertionClassifier]
  private let vitals: VitalsReader
  private let pastEvidence: PastEvidence

  /// - Parameters:
  ///   - lexicon: the concepts.
  ///   - breeds: what species an animal's breed tells.
  ///   - quantities: reads spans of time and counts.
  ///   - classifiers: the notes' classifier, and one with the owners' ways of speaking; each may veto a sign.
  ///   - vitals: reads temperatures, rates and weights.
  ///   - pastEvidence: tells what is over from what is quiet now.
  init(
    lexicon: ConceptLexicon, breeds: BreedNames, quantities: QuantityReader, classifiers: [AssertionClassifier],
    vitals: VitalsReader, pastEvidence: PastEvidence
  ) {
    self.pastEvidence = pastEvidence
    self.breeds = breeds
    self.lexicon = lexicon
    self.quantities = quantities
    self.classifiers = classifiers
    self.vitals = vitals
  }

  /// The classes that words are read with.
  var wordClasses: WordClasses { classifiers[0].wordClasses }

  /// The words of a text, each with the closed classes it is in.
  func words(in text: String) -> [IntakeWord] {
    IntakeScanner.words(in: text).map { word in
      var word = word
      word.closed = wordClasses.closed(of: word.text)
      return word
    }
  }

  /// - Complexity: O(words × forms that begin with each).
  func reading(of text: String) -> IntakeReading {
    let words = words(in: text)
    let occurrences = lexicon.occurrences(in: words)
    let quantities = quantities.quantities(in: words)
    return IntakeReading(
      text: text, words: words, occurrences: occurrences, quantities: quantities,
      bareNumbers: self.quantities.bareNumbers(in: words), vitals: vitals.vitals(in: text), lexicon: lexicon,
      assertions: AssertionReader(
        classifiers: classifiers,
        past: pastEvidence.reading(words: words, occurrences: occurrences, quantities: quantities)))
  }
}

/// An intake, read.
package struct IntakeReading {
  let text: String
  let words: [IntakeWord]
  let lexicon: ConceptLexicon
  let quantities: [SpokenQuantity]
  /// Indices of numbers without a unit.
  let bareNumbers: [Int]
  let vitals: [VitalSign]
  /// Content words before each word: distances are counted without fillers.
  let contentPosition: [Int]
  private(set) var byConcept: [Int: [ConceptOccurrence]] = [:]
  private var standings: [Range<Int>: Standing] = [:]
  private let plain: ClassifiedAssertions
  private let assertions: AssertionReader
  private let grammar: Set<Int>

  init(
    text: String, words: [IntakeWord], occurrences: [ConceptOccurrence], quantities: [SpokenQuantity],
    bareNumbers: [Int], vitals: [VitalSign], lexicon: ConceptLexicon, assertions: AssertionReader
  ) {
    self.text = text
    self.words = words
    self.lexicon = lexicon
    self.quantities = quantities
    self.bareNumbers = bareNumbers
    self.vitals = vitals
    self.assertions = assertions
    var position = 0
    contentPosition = words.map { word in
      defer { if !lexicon.isFiller(word.text) { position += 1 } }
      return position
    }
    for occurrence in occurrences { byConcept[occurrence.concept, default: []].append(occurrence) }
    grammar = Set(["not", "cant", "becoming", "trying", "turn"].compactMap { lexicon.index(of: $0) })
    let own = IntakeAssertions(
      text: text, words: words, occurrences: occurrences, lexicon: lexicon, grammar: grammar, reader: assertions)
    plain = own.plain
    for occurrence in occurrences where !grammar.contains(occurrence.concept) && standings[occurrence.words] == nil {
      standings[occurrence.words] = own.standing(of: occurrence)
    }
    // What only an aside of the sentence supposes is told all the same.
    for (range, standing) in standings where standing == .hypothetical {
      guard let kept = withoutAsides(beside: range) else { continue }
      var freed = self.standing(ofWords: content(of: range), within: kept)
      if freed == .negated, own.hasOwnNegation(range) { freed = .present }
      if freed.counts { standings[range] = freed }
    }
  }

  /// The words from the first that isn't a filler: auxiliaries at the beginning are no part of what is denied ("hasn't been sick").
  private func content(of range: Range<Int>) -> Range<Int> {
    (range.first { !lexicon.isFiller(words[$0].text) } ?? range.lowerBound)..<range.upperBound
  }

  /// The words that UTF-8 bytes of the text touch; nil when there are none.
  ///
  /// - Complexity: O(log words): a long message has many findings, each of which asks.
  func words(in bytes: Range<Int>) -> Range<Int>? {
    let first = firstWord { $0.range.upperBound > bytes.lowerBound }
    let end = firstWord { $0.range.lowerBound >= bytes.upperBound }
    return first < end ? first..<end : nil
  }

  /// The first word for which something holds that holds for all words after it too.
  private func firstWord(where holds: (IntakeWord) -> Bool) -> Int {
    var (low, high) = (0, words.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(words[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// UTF-8 bytes of some words.
  func bytes(of range: Range<Int>) -> Range<Int> { words.bytes(of: range) }

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
      let standing = plain.standing(of: bytes(of: first..<last), isExposure: false)
      guard standing == .hypothetical, let kept = withoutAsides(beside: first..<last) else { return standing }
      let freed = self.standing(ofWords: first..<last, within: kept)
      return freed.counts ? freed : standing
    }
    var result = Standing.present
    for occurrence in group {
      let standing = standings[occurrence.words] ?? .present
      if !standing.counts { return standing }
      if standing == .uncertain { result = .uncertain }
    }
    return result
  }

  /// The other kind of animal that the words before a place speak of: "the dog is panting" in a message about a cat.
  ///
  /// The last animal named earlier in the sentence decides, unless it only takes part ("bitten by a dog", "with the dog").
  func animal(otherThan species: Species, before word: Int) -> Species? {
    var index = word - 1
    while index >= 0, words[index].sentence == words[word].sentence {
      defer { index -= 1 }
      guard let named = Self.animals[words[index].text] else { continue }
      if named == species { return nil }
      let hasArticle = index > 0 && (words[index - 1].isOne(of: .determiner) || words[index - 1].text == "other")
      let hasAgent = index > 1 && words[index - 2].isOne(of: .beside)
      // "The dog got": only a subject counts, not "my dog food" or "cat caught our budgie".
      let isDoing = index + 1 < words.count && words[index + 1].isOne(of: .acting)
      return hasArticle && !hasAgent && isDoing ? named : nil
    }
    return nil
  }

  private static let animals: [String: Species] = [
    "dog": .dog, "dogs": .dog, "puppy": .dog, "cat": .cat, "cats": .cat, "kitten": .cat, "rabbit": .rabbit,
    "rabbits": .rabbit, "bunny": .rabbit, "hamster": .smallMammal, "horse": .horse, "pony": .horse, "parrot": .bird,
    "budgie": .bird, "ferret": .ferret, "tortoise": .reptile,
  ]

  /// Adds places found by other means than the lexicon, such as poisons of the toxin table.
  mutating func add(_ occurrence: ConceptOccurrence, isExposure: Bool = false) {
    byConcept[occurrence.concept, default: []].append(occurrence)
    if standings[occurrence.words] == nil {
      standings[occurrence.words] = standing(ofWords: occurrence.words, isExposure: isExposure)
    }
  }

  /// The standing of any words of the text; with `isExposure` as ``ClassifiedAssertions`` has it.
  func standing(ofWords range: Range<Int>, isExposure: Bool = false) -> Standing {
    let own = content(of: range)
    let standing = plain.standing(of: bytes(of: own), isExposure: isExposure)
    guard standing == .hypothetical, let kept = withoutAsides(beside: range) else { return standing }
    let freed = self.standing(ofWords: own, isExposure: isExposure, within: kept)
    return freed.counts ? freed : standing
  }

  /// The standing of some words where nothing is read but the words of `clause`.
  ///
  /// - Complexity: O(text): the clause is read anew.
  func standing(ofWords range: Range<Int>, isExposure: Bool = false, within clause: [Int]) -> Standing {
    let kept = Set(clause)
    let hidden = words.indices.filter { !kept.contains($0) }.map { ConceptOccurrence(concept: 0, words: $0..<($0 + 1)) }
    return assertions.reading(of: words.hiding(hidden, of: text))
      .standing(of: bytes(of: range), isExposure: isExposure)
  }

  /// The places of a kind of concept that count.
  private func counted(_ kind: ConceptLexicon.Kind) -> [ConceptOccurrence] {
    byConcept.lazy.filter { concept, _ in lexicon.kinds[concept] == kind }.flatMap(\.value)
      .filter { standing(of: [$0]).counts }
  }

  /// Whether a concept of that kind stands in the text and counts.
  func asserts(_ kind: ConceptLexicon.Kind) -> Bool { !counted(kind).isEmpty }

  /// Where something is said to be well; not within the words of a finding: in "stopped breathing" nothing has got better.
  private func reassurances(beside triage: TriageResult) -> [ConceptOccurrence] {
    let found = triage.fired.filter { $0.level >= .orange }.flatMap(\.evidence).map(\.range)
    return counted(.state).filter { state in !found.contains { $0.contains(range: bytes(of: state.words)) } }
  }

  /// The last sentence in which something is said to be well.
  func lastReassurance(beside triage: TriageResult) -> Int? { reassurances(beside: triage).map(sentence).max() }

  /// Whether anything is said to be well: in words, or by a letter that the rules call normal.
  func isReassured(_ triage: TriageResult) -> Bool {
    triage.abcde.values.contains(.normal) || !reassurances(beside: triage).isEmpty
  }

  /// Words of a place's sentence that are no fillers and stand in no aside: "dog fitting, and could you ring".
  func contentWords(besideAsidesOf range: Range<Int>) -> Int {
    let sentence = words[range.lowerBound].sentence
    let kept = withoutAsides(beside: range) ?? Array(words.indices)
    return kept.count { words[$0].sentence == sentence && !lexicon.isFiller(words[$0].text) }
  }

  /// Words that are no fillers.
  var contentWords: Int { words.count { !lexicon.isFiller($0.text) } }

  /// Whether one of the sentences of some words is a question.
  func asks(in told: [Int]) -> Bool {
    let bytes = Array(text.utf8)
    return Set(told.map { words[$0].sentence }).contains { sentence in
      guard let last = words.lastIndex(where: { $0.sentence == sentence }) else { return false }
      let next = last + 1 < words.count ? words[last + 1].range.lowerBound : bytes.count
      return bytes[words[last].range.upperBound..<next].contains(UInt8(ascii: "?"))
    }
  }

  func evidence(_ range: Range<Int>) -> Evidence {
    let bytes = bytes(of: range)
    return Evidence(range: bytes, quote: text.slice(utf8: bytes).map(String.init) ?? "")
  }
}
