import Chart
import Clinical
import Extraction

/// Answers that facts and lasting states give, before any sentence is weighed.
extension Answerer {
  /// What lasting states, drug regimens and measured values say; nil when the question is for none of them.
  ///
  /// The first step that answers is the answer, so their order matters: what is told of one thing only comes before what would
  /// take the same words for anything.
  func answerFromFacts(
    _ composer: AnswerComposer, _ record: PatientRecord, _ ranking: EvidenceRanking, names: [String],
    askedAt: Timestamp
  ) -> Answer? {
    let finder = ranking.finder
    // With words spelt as the record spells them; lasting states and reactions have tables of their own for that.
    var corrected = ranking.question
    corrected.groups = finder.groups
    let parse = { parser.parse($0, names: names, askedAt: askedAt, zone: composer.zone) }
    // A contradiction: first, since every step after it would show one of its sides only.
    if let answer = answerByContradiction(composer, ranking) { return answer }
    // Two regimens of one drug, likewise.
    if let answer = answerByRegimens(composer, corrected, record, ranking) { return answer }
    // How the animal lives: before whatever would take a name or a fact beside such a word for the answer.
    if let answer = answerByAttribute(composer, ranking) { return answer }
    // What was not borne, from the chart: before all that would tell of the drug and not of what it did.
    let chart = PatientChart(record, protections: tables.prevention)
    if let answer = answerByWarning(composer, chart, ranking, isGeneral: false) { return answer }
    // Every reaction and ban: before drugs, since a drug that is banned was given too. No "no" and no silence over a chart's.
    let told = answerByReactions(composer, ranking)
    if let told, told.answerClass == .found || told.answerClass == .conflicting { return told }
    if let answer = answerByWarning(composer, chart, ranking, isGeneral: true) ?? told { return answer }
    // Anaesthetics: before occasions, which would tell of the operation.
    if let answer = answerByAnaesthetics(composer, ranking) { return answer }
    // What was borne: after whatever knows of trouble.
    if let answer = answerByToleration(composer, chart, ranking) { return answer }
    // What is computed: before tests, drugs and values, of which it asks at one time.
    let asked = AskedRecord(
      question: corrected, record: record, chart: chart, ranking: ranking,
      reader: reader(zone: composer.zone, askedAt: askedAt, parse: parse))
    if let best = AnswerEngine.shipped.best(for: asked) {
      return composer.answer(from: best.finding, of: best.rule, ranking)
    }
    // Levels, samples and ranges: before drugs and values, since a level names a drug and is no dose of it.
    if let answer = answerByTests(composer, corrected, record, ranking) { return answer }
    // When, by whom, how often, until when: before regimens, which say what is given and not when.
    if let answer = answerByEvents(composer, corrected, record, chart, finder, askedAt: askedAt) { return answer }
    // What is given or was ended.
    if let answer = answerByMedication(composer, corrected, record, chart, finder, askedAt: askedAt) { return answer }
    // Measured values last: they take any question for a number.
    return answerByMeasure(composer, corrected, record, ranking)
  }

  private func reader(
    zone: PracticeTimeZone, askedAt: Timestamp, parse: @escaping (String) -> Question
  ) -> RecordReader {
    RecordReader(
      analyzer: analyzer, signs: signs, classifier: classifier, groups: tables.prevention, zone: zone, askedAt: askedAt,
      parse: parse)
  }

  /// A state that can't be left, and what speaks against it.
  private func answerByContradiction(_ composer: AnswerComposer, _ ranking: EvidenceRanking) -> Answer? {
    tables.opposites.contradiction(ranking.question, in: ranking.finder.units, classifier: classifier)
      .map { composer.answer(disagreeing: $0) }
  }

  /// What was prescribed, and what is said to be given.
  private func answerByRegimens(
    _ composer: AnswerComposer, _ question: Question, _ record: PatientRecord, _ ranking: EvidenceRanking
  ) -> Answer? {
    let medication = MedicationAnswer(question: question, analyzer: analyzer, record: record)
    return RegimenDisagreement(
      question: question, signs: signs, frequencies: tables.frequencies, classifier: classifier
    )
    .disagreement(
      in: ranking.finder, best: ranking.readings.first?.match.unit, isAsked: medication.isAsked
    ).map { composer.answer(.conflicting, at: $0) }
  }

  /// What is told of how the animal lives.
  private func answerByAttribute(_ composer: AnswerComposer, _ ranking: EvidenceRanking) -> Answer? {
    let finder = ranking.finder
    return AttributeAnswer(question: ranking.question, table: tables.attributes, classifier: classifier)
      .outcome(among: finder.units, groups: finder.groups, ranked: ranking.readings)
      .map { composer.answer(from: $0, ranking) }
  }

  /// What the chart says was not tolerated: of what the question names, or, where it asks for all reactions, of anything.
  func answerByWarning(
    _ composer: AnswerComposer, _ chart: PatientChart, _ ranking: EvidenceRanking, isGeneral: Bool,
    isSilent: Bool = false
  ) -> Answer? {
    let question = ranking.question
    let tolerance = ToleranceAnswer(question: question, knowledge: tables.tolerance)
    if isGeneral, !isSilent, !tolerance.asksForBans,
      !ReactionAnswer(question: question, alerts: tables.alerts, classifier: classifier).isAsked
    {
      return nil
    }
    return tolerance.warning(of: chart, isGeneral: isGeneral, isSilent: isSilent)
      .map { composer.answer(from: $0, among: ranking.finder.units) }
  }

  /// What the chart says was borne well.
  private func answerByToleration(_ composer: AnswerComposer, _ chart: PatientChart, _ ranking: EvidenceRanking)
    -> Answer?
  {
    ToleranceAnswer(question: ranking.question, knowledge: tables.tolerance).toleration(of: chart)
      .map { composer.answer(from: $0, among: ranking.finder.units) }
  }

  /// Reactions and bans.
  private func answerByReactions(_ composer: AnswerComposer, _ ranking: EvidenceRanking) -> Answer? {
    ReactionAnswer(question: ranking.question, alerts: tables.alerts, classifier: classifier)
      .outcome(among: ranking.finder.units).map { composer.answer(from: $0, ranking) }
  }

  /// How anaesthetics went.
  private func answerByAnaesthetics(_ composer: AnswerComposer, _ ranking: EvidenceRanking) -> Answer? {
    AnaesthesiaAnswer(question: ranking.question, words: tables.anaesthesia, classifier: classifier)
      .outcome(among: ranking.finder.units).map { outcome in
        outcome.units.isEmpty
          ? composer.silence(ranking, Measures()) : composer.answer(outcome.answerClass, at: outcome.units)
      }
  }

  /// What is given, or was ended.
  private func answerByMedication(
    _ composer: AnswerComposer, _ question: Question, _ record: PatientRecord, _ chart: PatientChart,
    _ finder: EvidenceFinder, askedAt: Timestamp
  ) -> Answer? {
    MedicationAnswer(question: question, analyzer: analyzer, record: record)
      .outcome(of: record, chart, at: askedAt, near: finder.units).map { composer.answer(from: $0, finder: finder) }
  }

  /// Two values of one day that can't both be so; else the values that are asked for.
  private func answerByMeasure(
    _ composer: AnswerComposer, _ question: Question, _ record: PatientRecord, _ ranking: EvidenceRanking
  ) -> Answer? {
    let measure = MeasureAnswer(question: question, analyzer: analyzer, zone: composer.zone)
    let anchor = ranking.readings.first.map { composer.zone.date(of: $0.match.unit.note.recordedAt) }
    let values = measure.values(in: record, anchor: anchor, units: ranking.finder.units)
    if let two = measure.disagreement(in: record, on: values?.count == 1 ? values?.first?.date : nil) {
      return composer.answer(disagreeing: two, finder: ranking.finder)
    }
    return values.map {
      composer.answer(from: $0, finder: ranking.finder, class: Self.isDenied($0, ranking) ? .negative : .found)
    }
  }

  /// "EPI?" and "TLI 14.6, so not EPI": the sentence of the only value says no.
  private static func isDenied(_ values: [MeasureAnswer.Value], _ ranking: EvidenceRanking) -> Bool {
    guard ranking.question.isYesOrNo, values.count == 1, let item = values.first?.item else { return false }
    return ranking.readings.contains { reading in
      reading.isDenial && reading.match.unit.note.id == item.note.id
        && reading.match.unit.range.overlaps(item.fact.range)
        && !reading.match.parts.contains { $0.fact?.range == item.fact.range && $0.closeness >= 1 }
    }
  }
}
