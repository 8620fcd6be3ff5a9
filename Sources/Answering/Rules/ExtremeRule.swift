/// The highest or lowest of a measured value, or both: "the lowest albumin", "when was he heaviest", "most and least he weighed". Of
/// equal values the latest is told.
struct ExtremeRule: AnswerRule {
  let name = "extreme"

  private static let otherAims: Set<QuestionLexicon.Role> = [
    .why, .who, .advice, .permission, .side, .others, .next, .list, .count, .comparison,
  ]

  func finding(for asked: AskedRecord) -> RuleFinding? {
    let (words, question) = (asked.words, asked.question)
    // "Most recent" is no extreme.
    let superlatives = words.indices.filter { !words[min($0 + 1, words.count - 1)].isOne(of: .recent) }
      .compactMap { place in ChangeWords.isLeast(words[place]).map { (word: words[place], isLeast: $0) } }
    guard question.roles.isDisjoint(with: Self.otherAims), !question.isYesOrNo, !question.isSince,
      let first = superlatives.first,
      question.asks(for: .extreme) || first.word.text.hasSuffix("est"),
      // "Lost since her heaviest" asks for a difference.
      ChangeWords.change(in: words) == nil,
      !MeasureAnswer(question: question, analyzer: asked.reader.analyzer, zone: asked.reader.zone).hasNames
    else { return nil }
    let period = question.periods.count == 1 ? asked.reader.periods.parse(words) : nil
    let when = period.map { [Self.bytes(words[$0.words])] } ?? []
    guard let series = MeasuredSeries(asked, outside: when) else { return nil }
    let values = period.map { series.values(in: $0.period, zone: asked.reader.zone) } ?? series.values
    let asksForBoth = superlatives.contains { $0.isLeast != first.isLeast }
    let extremes = (asksForBoth ? [first.isLeast, !first.isLeast] : [first.isLeast]).compactMap { isLeast in
      values.max { isLeast ? $0.number >= $1.number : $0.number <= $1.number }.map { (isLeast: isLeast, best: $0) }
    }
    let passages = extremes.compactMap { asked.passage(of: $0.best.item) }
    guard !passages.isEmpty, passages.count == extremes.count else { return nil }
    return RuleFinding(
      headline: Self.headline(extremes.map { ($0.best.told, $0.isLeast) }, of: values.count), passages: passages,
      coverage: asked.coverage(of: series.named + superlatives.map(\.word.range) + when))
  }

  /// `3.2 mmol/L on 2023-06-13, the lowest of 7 on record.`
  private static func headline(_ extremes: [(told: String, isLeast: Bool)], of count: Int) -> String {
    guard count > 1 else { return extremes.first.map { $0.told + "." } ?? "" }
    let told = extremes.map { "\($0.told), the \($0.isLeast ? "lowest" : "highest")" }
    return told.joined(separator: "; ") + " of \(count) on record."
  }

  private static func bytes(_ words: ArraySlice<ClassedWord>) -> Range<Int> {
    (words.first?.range.lowerBound ?? 0)..<(words.last?.range.upperBound ?? 0)
  }
}
