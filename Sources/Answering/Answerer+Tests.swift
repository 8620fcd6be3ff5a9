import Chart

/// Questions for levels of drugs, for results that are not back, and for whether a value is high or low.
extension Answerer {
  /// What results and samples say; nil where a question is for none of them.
  func answerByTests(
    _ composer: AnswerComposer, _ question: Question, _ record: PatientRecord, _ ranking: EvidenceRanking
  ) -> Answer? {
    let finder = ranking.finder
    if let undone = UndoneTest(question: question, finder: finder, signs: signs).outcome() {
      return composer.answer(undone.answerClass, at: undone.units)
    }
    if let lines = SusceptibilityAnswer(question: question, finder: finder).units() {
      return composer.answer(at: lines)
    }
    switch LevelAnswer(question: question, finder: finder).outcome() {
    case .found(let units): return composer.answer(at: units)
    case .silent: return composer.silence(ranking, Measures())
    case nil: break
    }
    let range = RangeAnswer(question: question, analyzer: analyzer, zone: composer.zone)
    if let outcome = range.outcome(in: record) {
      return composer.answer(from: [outcome.value], finder: finder, class: outcome.isYes ? .found : .negative)
    }
    let state = VitalStateAnswer(question: question, ranges: tables.vitals, zone: composer.zone)
    if let outcome = state.outcome(in: record) {
      return composer.answer(from: [outcome.value], finder: finder, class: outcome.isYes ? .found : .negative)
    }
    return SampleAnswer(question: question, finder: finder).units().map { composer.answer(at: $0) }
  }
}
