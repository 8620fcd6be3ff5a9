import Chart
import Clinical
import Extraction

/// Questions for the moments that they name, for the distance of two, and for a count.
extension Answerer {
  /// What was measured at the moments that a question names, or when the two events were whose distance it asks for; nil when
  /// it does neither, or the record does not tell of them.
  func answerByOccasions(
    _ composer: AnswerComposer, _ record: PatientRecord, _ ranking: EvidenceRanking, parse: (String) -> Question
  ) -> Answer? {
    let question = ranking.question
    let occasions = OccasionFinder(units: ranking.finder.units, signs: signs, classifier: classifier)
    if let interval = QuestionInterval(question.text) {
      let answer = IntervalAnswer(interval: interval, finder: occasions, zone: composer.zone)
      if let readings = answer.readings(parse: parse) {
        let counted = readings.last.flatMap { answer.counted(near: $0, among: ranking.finder.units) }
        return composer.answer(at: readings.map(\.match.unit) + (counted.map { [$0] } ?? []))
      }
    }
    if let counted = CountAnswer(question: question, finder: occasions).unit() {
      return composer.answer(at: [counted])
    }
    guard !question.isYesOrNo || question.asksForDifference,
      question.roles.isDisjoint(with: [.why, .who, .when, .advice, .permission, .side, .others, .list, .count]),
      let moments = QuestionMoments(question.text)
    else { return nil }
    return MomentAnswer(
      moments: moments, subject: parse(moments.subject), analyzer: analyzer, zone: composer.zone, finder: occasions
    ).passages(in: record, parse: parse).map { composer.answer(at: $0) }
  }
}
