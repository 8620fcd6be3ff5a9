public import Clinical
public import Extraction
public import TextAnalysis

/// Answers a question from a patient's record with sentences of the record itself.
///
/// The steps: understand the question, compare it with every sentence, keep those that are about it, read what each asserts, tell
/// the class of answer, and cite. A sentence that only resembles the question is no evidence: what it has to cover is in ``Limits``.
public struct Answerer: Sendable {
  /// How much of a question a sentence must be about before it counts. Engineering choices, judged on labelled questions.
  public struct Limits: Sendable {
    /// The share of the question's weight that sentence and surroundings cover, when each thing asked about stands somewhere
    /// in the record.
    public var coverage = 0.45
    /// The same when one of them stands nowhere: a test that is never named was probably never done.
    public var strictCoverage = 0.62
    /// The share that the sentence itself covers.
    public var ownCoverage = 0.34
    /// How far below the best a further sentence may be.
    public var margin = 0.12
    public var maximumSentences = 4

    public init() {}
  }

  private let parser: QuestionParser
  private let builder: UnitBuilder
  private let classifier: AssertionClassifier
  private let analyzer: Analyzer
  public let limits: Limits

  public init(
    lexicon: QuestionLexicon, analyzer: Analyzer, thesaurus: Thesaurus, sections: SectionSplitter,
    sentences: SentenceSplitter, classifier: AssertionClassifier, limits: Limits = Limits()
  ) {
    parser = QuestionParser(lexicon: lexicon, analyzer: analyzer, thesaurus: thesaurus)
    builder = UnitBuilder(sections: sections, sentences: sentences, analyzer: analyzer)
    self.classifier = classifier
    self.analyzer = analyzer
    self.limits = limits
  }

  /// Answers about one patient.
  ///
  /// - Parameters:
  ///   - question: in plain words.
  ///   - record: as of `askedAt`; notes of later moments must not be in it.
  ///   - names: further words that name the patient or owner.
  ///   - askedAt: the moment of asking.
  ///   - zone: for dates in sentences and periods in questions.
  /// - Returns: an answer whose every sentence is cited; of class `notRecorded` when nothing in the record is about it.
  /// - Complexity: linear in the length of the record.
  public func answer(
    _ question: String, about record: PatientRecord, names: [String] = [], askedAt: Timestamp, zone: PracticeTimeZone
  ) -> Answer {
    answer(
      question, about: [record],
      names: names + [record.patient.name, record.patient.species.rawValue]
        + [record.patient.ownerName, record.patient.breed].compactMap { $0 },
      namesPatients: false, askedAt: askedAt, zone: zone)
  }

  /// Answers about several patients, from the parts of their records that a search found; sentences name the patient.
  public func answer(
    _ question: String, aboutPractice records: [PatientRecord], askedAt: Timestamp, zone: PracticeTimeZone
  ) -> Answer {
    answer(question, about: records, names: [], namesPatients: true, askedAt: askedAt, zone: zone)
  }

  private func answer(
    _ text: String, about records: [PatientRecord], names: [String], namesPatients: Bool, askedAt: Timestamp,
    zone: PracticeTimeZone
  ) -> Answer {
    let question = parser.parse(text, names: names, askedAt: askedAt, zone: zone)
    guard !question.groups.isEmpty else {
      return Answer(
        .notRecorded, text: "The question names nothing to look for. Ask about a sign, a drug, a test or a date.",
        explanation: Explanation("no topic understood", value: 0))
    }
    let units = records.flatMap { builder.units(of: $0) }.filter { unit in
      question.period.map { $0.contains(unit.note.recordedAt) } ?? true
    }
    let finder = EvidenceFinder(question: question, units: units)
    let patients = Dictionary(records.map { ($0.patient.id, $0.patient) }, uniquingKeysWith: { first, _ in first })
    let composer = AnswerComposer(
      question: question, zone: zone, patients: namesPatients ? patients : [:], limits: limits)
    if records.count == 1,
      let outcome = MedicationAnswer(question: question, analyzer: analyzer).outcome(of: records[0], at: askedAt)
    {
      return composer.answer(from: outcome, finder: finder)
    }
    let evidence = readings(of: finder)
    return composer.answer(from: evidence, finder: finder)
  }

  /// What each sentence that is about the question asserts of it.
  private func readings(of finder: EvidenceFinder) -> [Reading] {
    let least = finder.knowsEveryTopic ? limits.coverage : limits.strictCoverage
    var contexts: [String: AssertionContext] = [:]
    var readings: [Reading] = []
    for match in finder.matches() where match.coverage >= least && match.ownCoverage >= limits.ownCoverage {
      guard let target = match.target else { continue }
      let note = match.unit.note
      let context = contexts[note.id] ?? classifier.context(of: note.text)
      contexts[note.id] = context
      readings.append(Reading(match: match, assertion: classifier.assertion(of: target, in: context)))
    }
    return readings
  }
}

/// A sentence that is about the question, and what it says of it.
struct Reading {
  let match: Match
  let assertion: Assertion

  var isDenial: Bool { assertion.polarity == .absent }
  var isAboutPatient: Bool { assertion.experiencer == .patient }
  /// Advice and conditions say nothing about what was.
  var isHypothetical: Bool { assertion.temporality == .hypothetical }
}
