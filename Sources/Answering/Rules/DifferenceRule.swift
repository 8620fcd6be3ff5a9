import Chart
import Clinical

/// How far a measured value went up or down between two moments: "how much has she gained since the spay", "how far did the
/// creatinine fall from its peak to November". Both values are shown, with what lies between them.
struct DifferenceRule: AnswerRule {
  let name = "difference"

  /// A value belongs to an event when it was taken so near to it, in days.
  private static let anchorDays = 45

  func finding(for asked: AskedRecord) -> RuleFinding? {
    let words = asked.words
    guard
      asked.question.roles.isDisjoint(with: [.why, .who, .when, .advice, .permission, .others, .list, .count]
      ),
      Self.asksHowMuch(words), let change = ChangeWords.change(in: words)
    else { return nil }
    let span = AskedSpan(words, periods: asked.reader.periods)
    guard
      let series = MeasuredSeries(asked, outside: span.ranges, isWeightImplied: change.impliesWeight),
      let (first, last) = Self.ends(of: span, series, asked), first.date < last.date
    else { return nil }
    let passages = [first, last].compactMap { asked.passage(of: $0.item) }
    guard passages.count == 2 else { return nil }
    return RuleFinding(
      headline: Self.headline(first, last), passages: passages,
      coverage: asked.coverage(of: change.ranges + span.ranges + series.named))
  }

  /// "How much", "how far", "by what", "what is the difference": an amount, not whether.
  private static func asksHowMuch(_ words: [ClassedWord]) -> Bool {
    if zip(words, words.dropFirst()).contains(where: { $0.isOne(of: .how) && $1.isOne(of: [.many, .muchfar]) }) {
      return true
    }
    return words.first?.isOne(of: .whetherOpeners) != true && words.has([.between, .since, .from, .overall])
  }

  // MARK: - The two values

  private typealias Value = MeasuredSeries.Value

  private static func ends(of span: AskedSpan, _ series: MeasuredSeries, _ asked: AskedRecord) -> (Value, Value)? {
    guard series.values.count > 1 else { return nil }
    guard let last = value(at: span.to, of: series.values, isEnd: true, series, asked) else { return nil }
    let earlier = series.values.filter { $0.date <= last.date }
    guard let first = value(at: span.from, of: earlier, isEnd: false, series, asked) else { return nil }
    return (first, last)
  }

  private static func value(
    at moment: AskedSpan.Moment, of values: [Value], isEnd: Bool, _ series: MeasuredSeries, _ asked: AskedRecord
  ) -> Value? {
    switch moment {
    case .first: return values.first
    case .last: return values.last
    case .extreme(let isLeast):
      return values.max { isLeast ? $0.number > $1.number : $0.number < $1.number }
    case .period(let readings):
      for period in readings {
        let inside = series.values(in: period, zone: asked.reader.zone)
        if let value = isEnd ? inside.last : inside.first { return value }
      }
      return nil
    case .event(let event):
      let occasions = EventFinder(asked: asked).occasions(of: event)
      guard let day = (isEnd ? occasions.last : occasions.first)?.date else { return nil }
      return values.filter { distance($0.date, day) <= anchorDays }.min {
        distance($0.date, day) < distance($1.date, day)
      }
    }
  }

  private static func distance(_ first: CalendarDate, _ second: CalendarDate) -> Int {
    abs(first.daysSince1970 - second.daysSince1970)
  }

  // MARK: - What it comes to

  /// `1.9 kg less: 21.1 kg on 2023-09-12, 19.2 kg on 2025-05-20.`
  private static func headline(_ first: Value, _ last: Value) -> String {
    let difference = last.number - first.number
    let amount = Value.text(abs(difference), last.unit)
    let change =
      ChartNumber.text(abs(difference)) == "0" ? "No difference" : "\(amount) \(difference < 0 ? "less" : "more")"
    return "\(change): \(first.told), \(last.told)."
  }
}
