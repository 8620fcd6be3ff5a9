import Clinical

/// Asks every rule, and takes what accounts for most of the question.
struct AnswerEngine: Sendable {
  let rules: [any AnswerRule]

  /// What accounts for less of a question than this answers another one.
  private static let leastCoverage = 0.5

  /// Values and events that are computed with. The order has no meaning.
  static let shipped = AnswerEngine(rules: [
    CountRule(), IntervalRule(), LastDateRule(), MomentRule(), NearMissRule(), UnexplainedRule(), UnwrittenValueRule(),
  ])

  /// The best finding with the name of its rule; of equals that of the rule whose name comes first.
  ///
  /// - Complexity: one pass of each rule.
  func best(for asked: AskedRecord) -> (rule: String, finding: RuleFinding)? {
    rules.sorted { $0.name < $1.name }
      .compactMap { rule in rule.finding(for: asked).map { (rule.name, $0) } }
      .filter { $0.1.coverage >= Self.leastCoverage }
      .reduce(nil) { best, next in
        if let best, best.finding.coverage >= next.1.coverage { return best }
        return (rule: next.0, finding: next.1)
      }
  }
}

extension AnswerComposer {
  /// What a rule found, with what it comes to at its head.
  func answer(from finding: RuleFinding, of rule: String, _ ranking: EvidenceRanking) -> Answer {
    guard finding.answerClass != .notRecorded else { return silence(ranking, Measures()) }
    var answer = compose(
      finding.answerClass, finding.passages, Explanation("the rule of \(rule)", value: finding.coverage))
    if let headline = finding.headline, !answer.citations.isEmpty { answer.lead(with: headline) }
    return answer
  }
}
