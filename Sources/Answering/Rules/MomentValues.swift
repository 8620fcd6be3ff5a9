import Clinical
import Extraction

/// Finds which values of a series were taken at moments.
struct MomentValues {
  typealias Value = MeasuredSeries.Value
  typealias Moment = AskedMoments.Moment

  let series: MeasuredSeries
  let events: EventFinder
  /// A value belongs to an event when it was taken so near to it, in days.
  private static let anchorDays = 45
  /// The same where one moment only is named, which then says what the value was and no course.
  private static let nearDays = 7
  /// "A month later" may be three weeks.
  private static let laterDays = 21
  /// Each of several occasions has its own.
  private static let eachDays = 3
  /// Occasions further apart than this are several.
  private static let episodeDays = 14
  /// Blood that was taken on the day is reported so much later.
  private static let reportDays = 3
  /// A value so long before an event still says where a trend comes from.
  private static let priorDays = 120
  /// Values of a course that are told.
  static let longestList = 6

  /// The value of each moment: as they are asked for where each is an end or an extreme, else in time order and each day once.
  ///
  /// - Returns: nil where an event is not found, or no value was taken near to a moment.
  func values(at moments: [Moment]) -> [Value]? {
    var chosen: [Value] = []
    // The day of the moment before.
    var day: CalendarDate?
    for moment in moments {
      guard let (values, date) = values(at: moment, after: chosen.last, day, isSingle: moments.count == 1) else {
        return nil
      }
      chosen += values
      day = date
    }
    if moments.allSatisfy(\.isOfSeries) { return chosen }
    let days = Dictionary(grouping: chosen, by: \.date).sorted { $0.key < $1.key }
    return days.compactMap(\.value.first)
  }

  private typealias Found = (values: [Value], day: CalendarDate)

  private func values(at moment: Moment, after last: Value?, _ previous: CalendarDate?, isSingle: Bool) -> Found? {
    switch moment.time {
    case .first: return found(series.values.first)
    case .last: return found(series.values.last)
    case .extreme(let isLeast):
      // Of equal values the latest is told.
      return found(
        series.values.filter { $0.number != nil }.max {
          isLeast ? $0.number ?? 0 >= $1.number ?? 0 : $0.number ?? 0 <= $1.number ?? 0
        })
    case .later(let days):
      guard let day = (previous ?? last?.date)?.adding(days: days) else { return nil }
      return found(nearest(to: day, within: max(Self.laterDays, days / 3)), on: day)
    case .period(let readings):
      for period in readings {
        let inside = series.values.filter { period.contains(events.asked.reader.zone.timestamp(of: $0.date)) }
        let value = moment.edge == .end || moment.edge == .at && last != nil ? inside.last : inside.first
        if let value { return found(value) }
      }
      return nil
    case .event(let words): return values(at: moment, of: words, after: last, previous, isSingle: isSingle)
    }
  }

  private func found(_ value: Value?, on day: CalendarDate? = nil) -> Found? {
    value.map { ([$0], day ?? $0.date) }
  }

  // MARK: - Events

  private func values(
    at moment: Moment, of words: String, after last: Value?, _ previous: CalendarDate?, isSingle: Bool
  ) -> Found? {
    let occasions = occasions(moment, of: words, isSingle: isSingle)
    guard let occasion = occasion(moment, among: occasions, after: previous) else { return nil }
    let day = occasion.date
    switch moment.edge {
    case .before: return found(before(day), on: day)
    case .after:
      // After two moments of two events the later one counts; of one event, what follows the value before it.
      let since = last.map { max($0.date, day) } ?? day
      let later = series.values.first { $0.date > since }
      return found(later ?? (isSingle ? following(occasion) : series.values.first { $0.date >= day }), on: day)
    case .onwards where isSingle: return (following(day, within: Self.priorDays), day)
    case .each:
      let days = EventFinder.apart(occasions, days: Self.episodeDays).map(\.date)
      return (days.compactMap { nearest(to: $0, within: Self.eachDays) }, day)
    case .onwards, .start, .end, .at:
      return found(nearest(to: day, within: isSingle ? Self.nearDays : Self.anchorDays), on: day)
    }
  }

  private func occasions(_ moment: Moment, of words: String, isSingle: Bool) -> [Occasion] {
    let isTold = isSingle || moment.ordinal != nil || [.start, .end, .each].contains(moment.edge)
    return events.anchors(of: words, isTold: isTold)
  }

  /// The occasion that is meant: the one with its number, else the next after the moment before, else the first.
  private func occasion(_ moment: Moment, among occasions: [Occasion], after day: CalendarDate?) -> Occasion? {
    if let ordinal = moment.ordinal {
      if ordinal == 0 { return occasions.last }
      let each = EventFinder.apart(occasions, days: Self.episodeDays)
      return each.indices.contains(ordinal - 1) ? each[ordinal - 1] : nil
    }
    if moment.edge == .end { return occasions.last(where: \.isEnd) ?? occasions.last }
    if moment.edge == .start { return occasions.first }
    let next = day.flatMap { day in occasions.first { $0.date > day } }
    return next ?? occasions.first
  }

  /// The first value that was taken after it.
  private func following(_ occasion: Occasion) -> Value? {
    series.values.first { value in value.passages.contains { occasion.isBefore($0.unit, of: value.date) } }
  }

  /// What tells which sentences, by their days, are of a time in which no value was taken, after something that happened or in a
  /// month: of "potassium since the supplement" the one for which it was given is no answer. Nil where one was taken, or what
  /// happened is not told.
  func untaken(at moment: Moment) -> ((EvidenceUnit, CalendarDate) -> Bool)? {
    switch (moment.time, moment.edge) {
    case (.event(let words), .after), (.event(let words), .onwards):
      let occasions = occasions(moment, of: words, isSingle: true)
      guard let occasion = occasion(moment, among: occasions, after: nil), !occasion.isHistory,
        following(occasion) == nil
      else { return nil }
      return { occasion.isBefore($0, of: $1) }
    case (.period(let readings), .at):
      let zone = events.asked.reader.zone
      let isThen = { (day: CalendarDate) in
        let time = zone.timestamp(of: day)
        return readings.contains { $0.contains(time) || $0.contains(time.adding(days: -Self.untilReported)) }
      }
      return series.values.contains { isThen($0.date) } ? nil : { isThen($1) }
    default: return nil
    }
  }

  /// What was measured in a month may be told in the next, in days.
  private static let untilReported = 21

  private func before(_ day: CalendarDate) -> Value? {
    series.values.last { $0.date <= day || ($0.isReport && $0.date <= day.adding(days: Self.reportDays)) }
  }

  /// A trend begins with what it was before.
  private func following(_ day: CalendarDate, within days: Int) -> [Value] {
    let begin = series.values.last { $0.date <= day && distance($0.date, day) <= days }?.date ?? day
    let all = series.values.filter { $0.date >= begin }
    return all.count <= Self.longestList ? all : [all[0]] + all.suffix(Self.longestList - 1)
  }

  private func nearest(to day: CalendarDate, within days: Int) -> Value? {
    series.values.filter { distance($0.date, day) <= days }.min { distance($0.date, day) < distance($1.date, day) }
  }

  private func distance(_ first: CalendarDate, _ second: CalendarDate) -> Int {
    abs(first.daysSince1970 - second.daysSince1970)
  }
}
