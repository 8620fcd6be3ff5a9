import Chart
import Clinical
import Extraction

/// What a measured value was at the moments that a question names, each where it stands: "weight before and after the steroids",
/// "the lowest albumin", "most and least he weighed"; and, where it asks for a change, how far it went up or down between two of them:
/// "how much has she gained since the spay", "how far did the creatinine fall from its peak to November".
struct MomentRule: AnswerRule {
  let name = "moments"

  private static let otherAims: Set<QuestionLexicon.Role> = [.why, .who, .advice, .permission, .side, .others, .list]

  func finding(for asked: AskedRecord) -> RuleFinding? {
    let (words, question) = (asked.words, asked.question)
    guard question.roles.isDisjoint(with: Self.otherAims),
      words.first?.isOne(of: .whetherOpeners) != true || QuestionParser.isRequest(words)
    else {
      return nil
    }
    let named = AskedMoments(question.text, words, periods: asked.reader.periods)
    // In "before the dose went up" what went up is no value.
    let events = (named?.moments ?? []).filter(\.isEvent).map(\.range)
    let change = ChangeWords.change(
      in: words.filter { word in !events.contains { $0.contains(word.range.lowerBound) } })
    // "How many kilos" are no count of occasions.
    if question.asks(for: .count), change == nil || !words.has(.noage) { return nil }
    guard let moments = Self.asked(named?.moments ?? [], change, words),
      !moments.allSatisfy(\.isExtreme) || question.asks(for: .extreme) || words.contains(where: Self.isSuperlative),
      // "Highest T4, and when?" The value has its date.
      !question.asks(for: .when) || moments.allSatisfy(\.isExtreme),
      !question.namesAnother(outside: moments.map(\.range))
    else { return nil }
    let isSingle = moments.count == 1
    let ranges = moments.map(\.range) + (change?.ranges ?? []) + (named?.within.map { [$0.range] } ?? [])
    // What happened is no value.
    let isOfEvents = words.has(.happened) && !words.starts(with: Self.whatBecame)
    let isWritten = !isSingle && !isOfEvents && named?.subject.isEmpty == false
    let subject = isWritten ? named.map { asked.reader.parse($0.subject) } : nil
    guard
      let series = MeasuredSeries(
        asked, outside: moments.filter { !$0.isOfSeries }.map(\.range) + (named?.within.map { [$0.range] } ?? []),
        impliesWeight: change?.impliesWeight == true || words.has(.heaviest) ? ranges : nil, subject: subject
      )?.within(named?.within?.readings.first, zone: asked.reader.zone)
    else { return nil }
    let taken = MomentValues(series: series, events: EventFinder(asked: asked))
    if isSingle, change == nil, let isThen = taken.untaken(at: moments[0]) {
      return isTold(asked, outside: moments[0].range, isThen) ? nil : .silence
    }
    if isSingle, moments[0].isPeriod, change == nil { return nil }
    guard let values = taken.values(at: moments) else { return nil }
    let shown = Self.eachDayOnce(values)
    let isOne = isSingle && moments[0].edge == .at || change == nil && moments.allSatisfy(\.isOfSeries)
    guard shown.count > 1 || isOne else { return nil }
    if isSingle, shown.count == 1, let two = disagreement(on: shown[0].date, asked) { return two }
    let most = moments.contains { $0.isExtreme } || change != nil ? 1 : Self.coverage
    let coverage = min(most, asked.coverage(of: ranges + series.named))
    return RuleFinding(
      headline: headline(values, moments, isChange: change != nil, of: series.values.count),
      passages: shown.prefix(MomentValues.longestList).flatMap(\.passages), coverage: coverage)
  }

  /// Moments and what is measured at them account for all of a question but what joins them.
  private static let coverage = 0.9

  /// Whether the sentences of a time tell of what is measured, or that results are awaited.
  private func isTold(
    _ asked: AskedRecord, outside moment: Range<Int>, _ isThen: (EvidenceUnit, CalendarDate) -> Bool
  ) -> Bool {
    asked.ranking.readings.contains { tells($0, asked, outside: moment, isThen) }
      || asked.units.contains { unit in
        unit.facts.contains { $0.kind == .pendingResult } && isThen(unit, asked.date(of: unit.note))
          && SampleAnswer.tellsOfAwaited(unit, asked.question.classes)
      }
  }

  /// Whether a sentence of a time names what is measured, with a number, or as not done, normal or awaited.
  private func tells(
    _ reading: Reading, _ asked: AskedRecord, outside moment: Range<Int>, _ isThen: (EvidenceUnit, CalendarDate) -> Bool
  ) -> Bool {
    let (groups, unit) = (asked.ranking.finder.groups, reading.match.unit)
    let isNamed = groups.indices.contains { index in
      groups[index].force != .weak && !moment.overlaps(groups[index].range) && reading.match.own[index] >= Match.naming
    }
    // "3.4 in March" may be told in June.
    let isLater = asked.question.periods.allSatisfy { $0.lowerBound <= unit.note.recordedAt }
    let looksBack = isLater && (reading.signs.contains(.date) || reading.assertion.temporality == .historical)
    return isNamed && (isThen(unit, asked.date(of: unit.note)) || looksBack)
      && (EvidenceRanking.hasNumberBeside(reading.match, asked.question.classes) || reading.isDenial
        || !reading.signs.isDisjoint(with: [.refusal, .health, .comparison])
        || SampleAnswer.tellsOfAwaited(unit, asked.question.classes))
  }

  private static let whatBecame: [QuestionClass] = [.what, .happened, .to]

  /// Two weights of the day that is asked about.
  private func disagreement(on day: CalendarDate, _ asked: AskedRecord) -> RuleFinding? {
    let measure = MeasureAnswer(question: asked.question, analyzer: asked.reader.analyzer, zone: asked.reader.zone)
    guard let two = measure.disagreement(in: asked.record, on: day) else { return nil }
    let passages = two.compactMap { asked.passage(of: $0.item) }
    return passages.count == 2
      ? RuleFinding(answerClass: .conflicting, passages: passages, coverage: Self.coverage) : nil
  }

  /// "Worst" says of no value which way it is bad.
  private static func isSuperlative(_ word: ClassedWord) -> Bool {
    ChangeWords.isLeast(word) != nil && word.text.hasSuffix("est")
  }

  private static func eachDayOnce(_ values: [MeasuredSeries.Value]) -> [MeasuredSeries.Value] {
    values.reduce(into: []) { days, value in if !days.contains(where: { $0.date == value.date }) { days.append(value) }
    }
  }

  // MARK: - Which moments

  /// The moments between which a change is asked for; else those that are named, where that is more than the first or the last.
  private static func asked(
    _ named: [AskedMoments.Moment], _ change: ChangeWords.Found?, _ words: [ClassedWord]
  ) -> [AskedMoments.Moment]? {
    guard change != nil else {
      let each = named.filter { $0.edge == .each }
      if named.count > 1 { return each.isEmpty ? named : each }
      // "What happened to the ratio after the telmisartan?"
      if words.starts(with: whatBecame), let only = named.first, only.isEvent, only.edge == .after {
        return [only.with(.before), only]
      }
      return named.first.flatMap { $0.isExtreme || $0.isEvent || $0.isPeriod ? [$0] : nil }
    }
    if named.count > 1 { return named }
    guard let only = named.first else {
      let asksHowMuch = zip(words, words.dropFirst()).contains {
        $0.isOne(of: .how) && $1.isOne(of: [.many, .muchfar])
      }
      return asksHowMuch || words.has(.overall) ? [.first, .last] : nil
    }
    switch (only.time, only.edge) {
    // "In 2023": its first value and its last.
    case (.period, .at): return [only.with(.start), only.with(.end)]
    case (.period, .before), (.event, .before), (.last, _), (.later, _): return [.first, only]
    case (.event, .after): return [only.with(.before), .last]
    default: return [only, .last]
    }
  }

  // MARK: - What it comes to

  private func headline(
    _ values: [MeasuredSeries.Value], _ moments: [AskedMoments.Moment], isChange: Bool, of count: Int
  ) -> String? {
    let told = values.compactMap(\.told)
    guard told.count == values.count else { return nil }
    if isChange { return Self.change(values, told) }
    let labels = moments.compactMap(\.label)
    guard labels.count == moments.count, values.count == moments.count else { return nil }
    if count == 1 { return told[0] + "." }
    let each = Self.eachDayOnce(values).map { value in
      let named = zip(values, labels).filter { $0.0.date == value.date }.map { "the \($0.1)" }
      return "\(value.told ?? ""), \(named.joined(separator: " and "))"
    }
    return each.joined(separator: "; ") + " of \(count) on record."
  }

  /// `1.9 kg less: 21.1 kg on 2023-09-12, 19.2 kg on 2025-05-20.`
  private static func change(_ values: [MeasuredSeries.Value], _ told: [String]) -> String? {
    let inTime = values.indices.sorted { values[$0].date < values[$1].date }
    guard values.count == 2, let from = values[inTime[0]].number, let to = values[inTime[1]].number,
      values[0].unit == values[1].unit
    else { return nil }
    let amount = MeasuredSeries.Value.text(abs(to - from), values[0].unit)
    let change = ChartNumber.text(abs(to - from)) == "0" ? "No difference" : "\(amount) \(to < from ? "less" : "more")"
    return "\(change): \(told[inTime[0]]), \(told[inTime[1]])."
  }
}

extension AskedMoments.Moment {
  /// Ends of the record that a question leaves out.
  fileprivate static let first = Self(time: .first, range: 0..<0)
  fileprivate static let last = Self(time: .last, range: 0..<0)

  fileprivate func with(_ edge: Edge) -> Self {
    var moment = self
    moment.edge = edge
    return moment
  }

  var isExtreme: Bool { if case .extreme = time { true } else { false } }
  /// An end of the series or an extreme.
  var isOfSeries: Bool { label != nil }

  /// What a value is called that stands so in its series.
  fileprivate var label: String? {
    switch time {
    case .first: "first"
    case .last: "latest"
    case .extreme(let isLeast): isLeast ? "lowest" : "highest"
    case .period, .later, .event: nil
    }
  }

  fileprivate var isEvent: Bool { if case .event = time { true } else { false } }
  fileprivate var isPeriod: Bool { if case .period = time { edge == .at } else { false } }
}
