public import Chart
public import Clinical
public import Extraction
public import TextAnalysis

/// Answers a question from a patient's record with sentences of the record itself.
///
/// The steps: understand the question, compare it with every sentence, keep those that are about it, read what each asserts, tell
/// the class of answer, and cite. A sentence that only resembles the question is no evidence: what it has to cover is in ``Limits``.
public struct Answerer: Sendable {
  let parser: QuestionParser
  let builder: UnitBuilder
  let classifier: AssertionClassifier
  let analyzer: Analyzer
  let signs: SignReader
  let tables: AnswerTables
  package private(set) var model: AnswerModel

  public init(
    parser: QuestionParser, analyzer: Analyzer, sections: SectionSplitter, sentences: SentenceSplitter,
    classifier: AssertionClassifier, signs: SignReader, tables: AnswerTables, model: AnswerModel
  ) {
    self.parser = parser
    builder = UnitBuilder(sections: sections, sentences: sentences, analyzer: analyzer, signs: signs)
    self.classifier = classifier
    self.analyzer = analyzer
    self.signs = signs
    self.tables = tables
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
    let names = names + Self.names(record.patient)
    let spelling = spelling(of: question, about: [record], names: names)
    let question = AskedDate.settled(spelling.text, by: record, zone: zone)
    var answer = answerAsAsked(
      question, parse: { parser.parse($0, names: names, askedAt: askedAt, zone: zone) },
      ask: { self.answer($0, about: [record], names: names, namesPatients: false, askedAt: askedAt, zone: zone) })
    if answer.answerClass == .notRecorded {
      let words = parser.classes.words(in: question).classes
      let onFile = Registration(patient: record.patient, today: zone.date(of: askedAt)).line(askedFor: words)
      if let onFile { answer.text = answer.text == Self.nothingNamed ? onFile : "\(answer.text) \(onFile)" }
    }
    if let note = spelling.note { answer.lead(with: note) }
    return answer
  }

  /// The question with the drugs that it mistypes put right.
  private func spelling(of question: String, about records: [PatientRecord], names: [String]) -> DrugSpelling {
    let names = Set(names.flatMap { WordForm.runs(of: $0) })
    return DrugSpelling(
      question, formulary: tables.tolerance.formulary, isKnown: { names.contains($0) || parser.knows($0) },
      isWritten: { word in
        records.contains { record in record.notes.contains { WordForm.runs(of: $0.text).contains(word) } }
      })
  }

  /// Answers about several patients, from the parts of their records that a search found; sentences name the patient.
  public func answer(
    _ question: String, aboutPractice records: [PatientRecord], askedAt: Timestamp, zone: PracticeTimeZone
  ) -> Answer {
    // "Which rabbits …": the species says whose records, not what to look for in them.
    let species = WordForm.runs(of: question).filter { Species(mention: $0) != nil }
    let spelling = spelling(of: question, about: records, names: species)
    var answer = answer(
      spelling.text, about: records, names: species, namesPatients: true, askedAt: askedAt, zone: zone)
    if let note = spelling.note { answer.lead(with: note) }
    return answer
  }

  /// The same with other weights.
  public func weighing(_ model: AnswerModel) -> Answerer {
    var answerer = self
    answerer.model = model
    return answerer
  }

  /// Whether a word in small letters is everyday English or a word that questions are made of, rather than a name.
  public func isEveryday(_ word: String) -> Bool { parser.knows(word.lowercased()) }

  private static let nothingNamed =
    "The question names nothing to look for. Ask about a sign, a drug, a test or a date."

  private func answer(
    _ text: String, about records: [PatientRecord], names: [String], namesPatients: Bool, askedAt: Timestamp,
    zone: PracticeTimeZone
  ) -> Answer {
    if !namesPatients, records.count == 1,
      let answer = answerByTimeline(text, records[0], names: names, askedAt: askedAt, zone: zone)
    {
      return answer
    }
    let question = parser.parse(text, names: names, askedAt: askedAt, zone: zone)
    guard !question.groups.isEmpty else {
      if !namesPatients, let record = records.first,
        let answer = answerByAuthor(question, record, zone: zone) ?? answerByState(question, record, zone: zone)
      {
        return answer
      }
      return Answer(
        .notRecorded, text: Self.nothingNamed,
        explanation: Explanation("no topic understood", value: 0))
    }
    let asked = namesPatients ? Self.ofSpecies(named: text, records) : records
    let units = Concurrent.map(asked, portion: 2) { builder.units(of: $0) }.flatMap { $0 }
    let finder = EvidenceFinder(question: question, units: units).translated(by: model.translation)
    let patients = Dictionary(records.map { ($0.patient.id, $0.patient) }, uniquingKeysWith: { first, _ in first })
    let composer = AnswerComposer(
      question: question, zone: zone, patients: namesPatients ? patients : [:], limits: model.limits)
    let ranking = EvidenceRanking(finder, signs: signs, classifier: classifier, model: model)
    if namesPatients { return composer.answerByPatient(from: ranking, model: model) }
    let answer =
      records.count == 1 ? answerFromFacts(composer, records[0], ranking, names: names, askedAt: askedAt) : nil
    let told = answer ?? answerFromSentences(composer, ranking)
    guard records.count == 1 else { return told }
    return warned(told, composer, records[0], ranking) ?? told
  }

  /// What the chart says was not borne, where sentences leave it untold: no silence over a treatment, whatever was asked of it,
  /// and, where reactions are asked for, no "no" that says nothing of what they are asked to be to, and no answer that tells neither of
  /// that nor of any.
  private func warned(
    _ told: Answer, _ composer: AnswerComposer, _ record: PatientRecord, _ ranking: EvidenceRanking
  ) -> Answer? {
    let causes = causes(ranking)
    let isMissed =
      asksForReactions(ranking)
      && (told.answerClass == .negative || told.answerClass == .found)
      && !cited(by: told, ranking).contains { reading in
        names(reading, causes) || told.answerClass == .found && reading.match.unit.isOfReaction
      }
    guard told.answerClass == .notRecorded || isMissed else { return nil }
    let chart = PatientChart(record)
    if let answer = answerByWarning(composer, chart, ranking, isGeneral: false, isSilent: true) { return answer }
    return isMissed ? answerByWarning(composer, chart, ranking, isGeneral: true, isSilent: true) : nil
  }

  private static let reactions: Set<FactKind> = [.allergy, .reaction]

  private func asksForReactions(_ ranking: EvidenceRanking) -> Bool {
    let question = ranking.question
    return !question.kinds.isDisjoint(with: Self.reactions)
      || question.groups.contains { !$0.kinds.isDisjoint(with: Self.reactions) }
  }

  /// Whether a sentence names one of these: "negative for flea saliva" denies an allergy to fleas, whatever else was not borne; "no
  /// known allergies" denies none to a drug that it doesn't name.
  private func names(_ reading: Reading, _ causes: [Int]) -> Bool {
    causes.contains { reading.match.own[$0] >= Match.naming }
  }

  /// What reactions are asked to be to.
  private func causes(_ ranking: EvidenceRanking) -> [Int] {
    let groups = ranking.finder.groups
    return groups.indices.filter {
      groups[$0].force == .specific && !groups[$0].isName && groups[$0].kinds.isDisjoint(with: Self.reactions)
    }
  }

  /// The sentences that an answer shows.
  private func cited(by told: Answer, _ ranking: EvidenceRanking) -> [Reading] {
    ranking.readings.filter { reading in
      let unit = reading.match.unit
      return told.citations.contains { $0.noteID == unit.note.id && $0.range.overlaps(unit.range) }
    }
  }

  private func answerFromSentences(_ composer: AnswerComposer, _ ranking: EvidenceRanking) -> Answer {
    let answer = composer.answer(from: ranking, model: model)
    // "No exercise intolerance" is no word on drugs: only a note that says so denies allergies.
    let deniesReactions =
      answer.answerClass == .negative
      && ReactionAnswer(question: ranking.question, alerts: tables.alerts, classifier: classifier).isAsked
    return deniesReactions ? composer.silence(ranking, Measures()) : answer
  }

  /// The records of the species that a question names ("which cats"); all where it names none or none is left.
  private static func ofSpecies(named text: String, _ records: [PatientRecord]) -> [PatientRecord] {
    let words = WordForm.runs(of: text)
    let species = Set(words.compactMap { Species(mention: $0) })
    let fitting = records.filter { species.contains($0.patient.species) }
    return fitting.isEmpty ? records : fitting
  }

  /// The words that name the patient or owner.
  private static func names(_ patient: Patient) -> [String] {
    // "Peppers allergies": the apostrophe is often left out.
    [patient.name, patient.name + "s", patient.species.rawValue] + [patient.ownerName, patient.breed].compactMap { $0 }
  }

  /// What fitting measures of a question to one record, before any weight.
  package struct Measured {
    package let finder: EvidenceFinder
    /// Not scored yet, in the order of the record.
    package let readings: [Reading]
    /// Facts alone answer it, whatever the weights are.
    package let isAnsweredByFacts: Bool
  }

  package func measured(_ asked: String, record: PatientRecord, askedAt: Timestamp) -> Measured {
    // Periods in questions are days; which zone they are of moves no label.
    let zone = PracticeTimeZone.utc
    let names = Self.names(record.patient)
    let asked = AskedDate.settled(spelling(of: asked, about: [record], names: names).text, by: record, zone: zone)
    let question = parser.parse(asked, names: names, askedAt: askedAt, zone: zone)
    let finder = EvidenceFinder(question: question, units: builder.units(of: record))
    let readings = EvidenceRanking.readings(finder, signs: signs, classifier: classifier, all: true)
    let composer = AnswerComposer(question: question, zone: zone, patients: [:], limits: model.limits)
    let ranking = EvidenceRanking(finder, readings, model: model)
    let facts = answerFromFacts(
      composer, record, ranking, names: names, askedAt: askedAt)
    return Measured(finder: finder, readings: readings, isAnsweredByFacts: facts != nil)
  }
}
