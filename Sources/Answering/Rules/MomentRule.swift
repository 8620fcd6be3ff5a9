/// Values at the moments that a question names ("weight before and after the steroids"), each where it stands.
struct MomentRule: AnswerRule {
  let name = "moments"

  func finding(for asked: AskedRecord) -> RuleFinding? {
    let question = asked.question
    guard !question.isYesOrNo || question.asksForDifference,
      question.roles.isDisjoint(with: [.why, .who, .when, .advice, .permission, .side, .others, .list, .count]),
      let moments = QuestionMoments(question.text, classes: question.classes)
    else { return nil }
    let finder = OccasionFinder(units: asked.units, signs: asked.reader.signs, classifier: asked.reader.classifier)
    return MomentAnswer(
      moments: moments, subject: asked.reader.parse(moments.subject), analyzer: asked.reader.analyzer,
      zone: asked.reader.zone, finder: finder
    ).passages(in: asked.record, parse: asked.reader.parse).map { passages in
      // Its parts were parsed for themselves, and account for all of the question but what joins them.
      RuleFinding(passages: passages, coverage: Self.coverage)
    }
  }

  /// Less than what computes the very thing that is asked for.
  private static let coverage = 0.9
}
