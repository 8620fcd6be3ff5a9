/// The highest or lowest of a measured value: "the lowest albumin", "when was he heaviest". Of equal values the latest is told.
struct ExtremeRule: AnswerRule {
  let name = "extreme"

  private static let otherAims: Set<QuestionLexicon.Role> = [
    .why, .who, .advice, .permission, .side, .others, .next, .list, .count, .comparison,
  ]

  func finding(for asked: AskedRecord) -> RuleFinding? {
    let (words, question) = (asked.words, asked.question)
    guard question.roles.isDisjoint(with: Self.otherAims), !question.isYesOrNo, !question.isSince,
      let superlative = words.first(where: { ChangeWords.isLeast($0) != nil }),
      let isLeast = ChangeWords.isLeast(superlative),
      // "Most recent" is no extreme.
      question.asks(for: .extreme) || superlative.text.hasSuffix("est"),
      // "Lost since her heaviest" asks for a difference.
      ChangeWords.change(in: words) == nil,
      !MeasureAnswer(question: question, analyzer: asked.reader.analyzer, zone: asked.reader.zone).hasNames
    else { return nil }
    let period = question.periods.count == 1 ? asked.reader.periods.parse(words) : nil
    let when = period.map { [Self.bytes(words[$0.words])] } ?? []
    guard let series = MeasuredSeries(asked, outside: when) else { return nil }
    let values = period.map { series.values(in: $0.period, zone: asked.reader.zone) } ?? series.values
    guard
      let best = values.max(by: { isLeast ? $0.number >= $1.number : $0.number <= $1.number }),
      let passage = asked.passage(of: best.item)
    else { return nil }
    return RuleFinding(
      headline: Self.headline(best.told, isLeast, of: values.count), passages: [passage],
      coverage: asked.coverage(of: series.named + [superlative.range] + when))
  }

  /// `3.2 mmol/L on 2023-06-13, the lowest of 7 on record.`
  private static func headline(_ told: String, _ isLeast: Bool, of count: Int) -> String {
    count > 1 ? "\(told), the \(isLeast ? "lowest" : "highest") of \(count) on record." : "\(told)."
  }

  private static func bytes(_ words: ArraySlice<ClassedWord>) -> Range<Int> {
    (words.first?.range.lowerBound ?? 0)..<(words.last?.range.upperBound ?? 0)
  }
}
