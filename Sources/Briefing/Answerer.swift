public import Clinical
public import Extraction
public import TextAnalysis

/// Answers a question from a patient's record with sentences of the record itself.
///
/// The steps: understand the question, compare it with every sentence, keep those that are about it, read what each asserts, tell
/// the class of answer, and cite. A sentence that only resembles the question is no evidence: what it has to cover is in ``Limits``.
public struct Answerer: Sendable {
  private let parser: QuestionParser
  private let builder: UnitBuilder
  private let classifier: AssertionClassifier
  private let analyzer: Analyzer
  private let signs: SignReader
  private let opposites: StateOpposites
  private let model: AnswerModel

  public init(
    lexicon: QuestionLexicon, analyzer: Analyzer, thesaurus: Thesaurus, synonyms: Thesaurus, sections: SectionSplitter,
    sentences: SentenceSplitter, classifier: AssertionClassifier, signs: SignReader,
    opposites: StateOpposites, model: AnswerModel
  ) {
    parser = QuestionParser(lexicon: lexicon, analyzer: analyzer, thesaurus: thesaurus, synonyms: synonyms)
    builder = UnitBuilder(sections: sections, sentences: sentences, analyzer: analyzer)
    self.classifier = classifier
    self.analyzer = analyzer
    self.signs = signs
    self.opposites = opposites
    self.model = model
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

  /// Whether a word in small letters is everyday English or a word that questions are made of, rather than a name.
  public func isEveryday(_ word: String) -> Bool { parser.knows(word.lowercased()) }

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
    let asked = namesPatients ? Self.ofSpecies(named: text, records) : records
    let units = asked.flatMap { builder.units(of: $0) }
    let finder = EvidenceFinder(question: question, units: units)
    let patients = Dictionary(records.map { ($0.patient.id, $0.patient) }, uniquingKeysWith: { first, _ in first })
    let composer = AnswerComposer(
      question: question, zone: zone, patients: namesPatients ? patients : [:], limits: model.limits)
    if namesPatients {
      let ranking = EvidenceRanking(finder, signs: signs, classifier: classifier, model: model)
      return composer.answerByPatient(from: ranking, model: model)
    }
    let ranking = EvidenceRanking(finder, signs: signs, classifier: classifier, model: model)
    if let units = opposites.contradiction(question, in: units, classifier: classifier) {
      return composer.answer(disagreeing: units)
    }
    if records.count == 1 {
      let medication = MedicationAnswer(question: question, analyzer: analyzer, record: records[0])
      if let outcome = medication.outcome(of: records[0], at: askedAt, near: units) {
        return composer.answer(from: outcome, finder: finder)
      }
      let measure = MeasureAnswer(question: question, analyzer: analyzer, zone: zone)
      if let two = measure.disagreement(in: records[0]) {
        return composer.answer(disagreeing: two, finder: finder)
      }
      let anchor = ranking.readings.first.map { zone.date(of: $0.match.unit.note.recordedAt) }
      if let values = measure.values(in: records[0], anchor: anchor, units: units) {
        return composer.answer(from: values, finder: finder)
      }
    }
    return composer.answer(from: ranking, model: model)
  }

  /// The records of the species that a question names ("which cats"); all where it names none or none is left.
  private static func ofSpecies(named text: String, _ records: [PatientRecord]) -> [PatientRecord] {
    let words = text.lowercased().split { !$0.isLetter }.map(String.init)
    let species = Set(words.compactMap { Species(describing: $0) })
    let fitting = records.filter { species.contains($0.patient.species) }
    return fitting.isEmpty ? records : fitting
  }
}
