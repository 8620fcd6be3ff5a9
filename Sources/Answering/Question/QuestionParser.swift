public import Clinical
import Extraction
public import TextAnalysis

/// Turns the words of a question into what is asked and about what.
public struct QuestionParser: Sendable {
  let lexicon: QuestionLexicon
  let analyzer: Analyzer
  let thesaurus: Thesaurus
  /// What only questions say.
  let synonyms: Thesaurus
  let concepts: ConceptMap
  /// Everyday words in any form.
  private let weakTerms: Set<String>
  private let plainTerms: Set<String>

  package var classes: QuestionClasses { lexicon.classes }

  public init(
    lexicon: QuestionLexicon, analyzer: Analyzer, thesaurus: Thesaurus, synonyms: Thesaurus, concepts: ConceptMap
  ) {
    self.synonyms = synonyms
    self.concepts = concepts
    self.lexicon = lexicon
    self.analyzer = analyzer
    self.thesaurus = thesaurus
    func terms(_ role: QuestionLexicon.Role) -> Set<String> {
      Set(
        lexicon.phrases.filter { $0.role == role && $0.words.count == 1 }
          .flatMap { analyzer.tokens(in: $0.words[0], keepingStopWords: true).map(\.text) })
    }
    weakTerms = terms(.weak)
    plainTerms = terms(.plain)
  }

  /// - Parameters:
  ///   - text: the question as typed.
  ///   - names: names of the patient, its species and owner, which say whom, not what.
  ///   - askedAt: the moment that "this year" is relative to.
  ///   - zone: the practice's.
  /// - Returns: what is asked, about what, of when; without groups when nothing is named to look for.
  public func parse(_ text: String, names: [String], askedAt: Timestamp, zone: PracticeTimeZone) -> Question {
    guard let singular = Self.withoutPlurals(text) else {
      return parse(plain: text, names, askedAt, zone, isSeries: false)
    }
    return parse(plain: singular, names, askedAt, zone, isSeries: true)
  }

  private func parse(
    plain text: String, _ names: [String], _ askedAt: Timestamp, _ zone: PracticeTimeZone, isSeries: Bool
  ) -> Question {
    var frame = QuestionFrame(text, classes: lexicon.classes)
    frame.mark(lexicon.phrases)
    frame.markOrdinary(weak: weakTerms, plain: plainTerms, analyzer)
    let periods = frame.takePeriods(now: askedAt, zone: zone)
    frame.markNames(names)
    frame.mark(lexicon.topics, names: names)
    let species = Set(names.compactMap(Species.init(rawValue:)))
    let asides = QuestionAsides(text, frame.written, words: frame.words).places
    var groups = self.groups(frame, species: species, asides: asides)
    if groups.isEmpty {
      frame.freeContent(analyzer)
      groups = self.groups(frame, species: species, asides: asides)
    }
    frame.settleRoles(periods: periods.count)
    let (words, roles) = (frame.words, frame.roles)
    let isPlainYesOrNo =
      Self.isYesOrNo(words, roles) || endsInYesOrNo(text, roles) || turnsToYesOrNo(text, roles)
    let isTerseYesOrNo =
      !isPlainYesOrNo && !text.contains("%")
      && Self.isTerseYesOrNo(words, roles, asks: text.last == "?")
      && groups.allSatisfy { $0.kinds.isDisjoint(with: Self.valueKinds) }
    let spoken = Set(words.map(\.text)).union(isSeries ? ["values"] : [])
    return Question(
      text: text, terms: terms(frame, names, asides.union(periods.flatMap(\.words))),
      words: spoken, roles: roles,
      isYesOrNo: isPlainYesOrNo || isTerseYesOrNo,
      isTerseYesOrNo: isTerseYesOrNo,
      isAboutPresent: words.first { $0.isOne(of: [.presentverb, .pastverb]) }?.isOne(of: .presentverb) ?? false,
      isAboutPast: words.first { $0.isOne(of: [.presentverb, .pastverb]) }?.isOne(of: .pastverb) ?? false,
      groups: groups,
      circumstances: QuestionClauses(
        text, things: groups.filter { $0.force != .weak }.map(\.range), classes: lexicon.classes
      ).circumstances,
      namedKinds: frame.namedKinds,
      sidePart: words.first { $0.isOne(of: [.paired, .sidepart]) }?.text,
      period: periods.first?.period, periods: periods.map(\.period),
      tests: lexicon.tests, classes: lexicon.classes, named: lexicon.classes.classes(of: spoken))
  }

  /// The terms of the words that say neither whom nor when, nor why it is asked.
  private func terms(_ frame: QuestionFrame, _ names: [String], _ aside: Set<Int>) -> [String] {
    let nameWords = Set(names.flatMap(QuestionFrame.nameWords))
    return frame.written.indices
      .filter { !aside.contains($0) && !nameWords.contains(frame.words[$0].text) }
      .flatMap { analyzer.terms(in: frame.text, range: frame.written[$0].range) }.filter(TranslationModel.isWord)
  }

  /// Whether a word frames questions or is everyday speech.
  func knows(_ word: String) -> Bool {
    let terms = analyzer.tokens(in: word, keepingStopWords: true).map(\.text)
    return lexicon.words.contains(word) || terms.contains { weakTerms.contains($0) || plainTerms.contains($0) }
      || !thesaurus.expansions(of: word).isEmpty
  }

  private static let valueKinds: Set<FactKind> = [
    .weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate, .lab,
  ]
}
