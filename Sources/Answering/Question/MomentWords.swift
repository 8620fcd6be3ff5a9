import Clinical
import TextAnalysis

/// Reads what the words of one moment name: an end of the record, an extreme, a time of the calendar or an event.
struct MomentWords {
  typealias Moment = AskedMoments.Moment

  let words: [ClassedWord]
  let periods: PeriodParser

  /// A moment that stands by itself: "the highest recorded", "now", "October 2022", "two weeks on".
  ///
  /// - Parameters:
  ///   - place: its first word.
  ///   - end: of its clause.
  /// - Returns: it and the place behind its words; nil where none begins here.
  func standing(at place: Int, before end: Int) -> (moment: Moment, end: Int)? {
    let head = (place..<end).first { !words[$0].isOne(of: [.article, .possessive]) } ?? end
    guard head < end else { return nil }
    if let (days, behind) = length(at: head, before: end) {
      return (Moment(time: .later(days: days), range: bytes(place..<behind)), behind)
    }
    if let time = edgeOfRecord(at: head) {
      let behind = (head + 1..<end).first { !isFrame($0) && !(time.isLast && isLatest($0)) } ?? end
      if time.isFirst || time.isLast, isOfContent(behind, before: end) { return nil }
      return (Moment(time: time, range: bytes(place..<behind)), behind)
    }
    guard let found = periods.parse(Array(words[head..<end])), found.words.lowerBound == 0,
      words[head + found.words.upperBound - 1].text.count > 1,
      // "The 2019 operation" is that operation.
      head == place || Self.isShort(found.period)
    else { return nil }
    let behind = head + found.words.upperBound
    let month = monthOfYear(Array(words[head..<behind])).map { [$0] } ?? []
    return (Moment(time: .period(month + [found.period]), range: bytes(place..<behind)), behind)
  }

  /// "The first home injection leaked", "the first month of it": what is the first of more than a value. "First size" is of one.
  private func isOfContent(_ place: Int, before end: Int) -> Bool {
    let content = words[place..<end].prefix { !$0.isOne(of: .comparingjoint) && !$0.isOne(of: .contrast) }
    return content.count > 1 || content.first?.isOne(of: .lengths) == true
  }

  /// The first, the last, the highest or the lowest there is.
  private func edgeOfRecord(at place: Int) -> Moment.Time? {
    let word = words[place]
    if isLatest(place) { return .last }
    if let isLeast = ChangeWords.isLeast(word) {
      // "Most recent" is no extreme.
      let isRecent = place + 1 < words.count && words[place + 1].isOne(of: .recent)
      return isRecent ? .last : .extreme(isLeast: isLeast)
    }
    return word.isOne(of: [.first, .start, .baseline]) && !word.isOne(of: .occasion) ? .first : nil
  }

  /// What an opener stands before; a time without a year has that of the other one.
  func moment(_ place: Range<Int>, edge: Moment.Edge = .at, yearOf other: Range<Int>? = nil) -> Moment {
    let named = words[place]
    let plain = place.filter { !isFrame($0) }
    let range = bytes(place)
    if let isLeast = named.lazy.compactMap(ChangeWords.isLeast).first, !named.has(.recent) {
      return Moment(time: .extreme(isLeast: isLeast), edge: .at, range: range)
    }
    // "The booster a year later": it is told by its distance.
    for begin in place {
      if let (days, behind) = length(at: begin, before: place.upperBound), behind == place.upperBound {
        return Moment(time: .later(days: days), range: range)
      }
    }
    if plain.allSatisfy({ words[$0].isOne(of: .earliest) || words[$0].isOne(of: .diagnosis) }),
      named.has(.earliest) || named.has(.diagnosis)
    {
      return Moment(time: .first, edge: .at, range: range)
    }
    if plain.allSatisfy({ isLatest($0) || words[$0].isOne(of: .finish) }),
      place.contains(where: isLatest) || named.has(.finish)
    {
      return Moment(time: .last, edge: .at, range: range)
    }
    let readings = readings(place, yearOf: other, isAll: plain.count)
    return readings.isEmpty
      ? event(place, edge: edge) : Moment(time: .period(readings), edge: edge, range: range)
  }

  /// What happened, and which time of it is meant.
  func event(_ place: Range<Int>, edge: Moment.Edge) -> Moment {
    let named = words[place]
    let ordinal =
      named.contains { $0.isOne(of: .latestOnes) } ? 0 : named.lazy.compactMap { Ordinal.value($0.text) }.first
    let plain = named.filter { Ordinal.value($0.text) == nil && !$0.isOne(of: .latestOnes) }
    return Moment(time: .event(plain.text), edge: edge, ordinal: ordinal, range: bytes(place))
  }

  // MARK: - The calendar

  /// What the words may mean as a time of the calendar, the likelier first; none where they name none, or a long one of something
  /// else ("the 2023 operation").
  private func readings(_ place: Range<Int>, yearOf other: Range<Int>?, isAll count: Int) -> [Range<Timestamp>] {
    let named = Array(words[place])
    var readings = named.indices.compactMap { place in
      let two = Array(named[place...].prefix(2))
      return monthOfYear(two) ?? periods.seasonOfYear(two)
    }
    if let year = other?.last(where: { PeriodParser.year(words[$0]) != nil }),
      !named.contains(where: { PeriodParser.year($0) != nil }),
      // "April 2023 and that December": a later month without a word that points back is this year's.
      place.lowerBound < year || named.has(.pronounback)
    {
      readings += named.compactMap { periods.calendar([$0, words[year]]) }
    }
    if let period = periods.calendar(named) { readings.append(period) }
    if let found = periods.parse(named), found.words.count >= count || Self.isShort(found.period),
      // "The 8 week films" are of no 8 weeks.
      PeriodParser.number(named[found.words.lowerBound]) == nil
        || !named[found.words].has(.lengths)
    {
      readings.append(found.period)
    }
    return readings
  }

  private static func isShort(_ period: Range<Timestamp>) -> Bool {
    period.upperBound <= period.lowerBound.adding(days: season)
  }

  /// The length of a season, in days, and some.
  private static let season = 100

  /// "Nov 22" as November 2022.
  private func monthOfYear(_ named: [ClassedWord]) -> Range<Timestamp>? {
    guard named.count == 2, named[1].text.count == 2, let year = Int(named[1].text),
      named[0].text.first?.isLetter == true
    else { return nil }
    return periods.calendar([named[0], ClassedWord(text: String(2000 + year), classes: [])])
  }

  /// "Two weeks on", "a year later", "three months after it", "the next morning", "the day after": its days, and the place behind
  /// it.
  private func length(at place: Int, before end: Int) -> (days: Int, end: Int)? {
    guard place < end else { return nil }
    if place + 1 < end, words[place].isOne(of: [.next, .following]), let days = step(place + 1) {
      return (days, place + 2)
    }
    let number = PeriodParser.number(words[place])
    let unit = number == nil ? place : place + 1
    guard unit + 1 < end, let days = number == nil ? step(unit) : PeriodParser.days(of: words[unit]) else { return nil }
    let rest = unit + 2..<end
    let isBehind =
      words[unit + 1].isOne(of: .later) || words[unit + 1].isOne(of: .on) && rest.isEmpty
      || words[unit + 1].isOne(of: .after) && rest.allSatisfy { words[$0].isOne(of: .pronounback) }
    guard isBehind else { return nil }
    return (days * (number ?? 1), words[unit + 1].isOne(of: .after) ? end : unit + 2)
  }

  /// The days of one "day", "morning" or "month".
  private func step(_ place: Int) -> Int? {
    words[place].isOne(of: .daypart) ? 1 : PeriodParser.days(of: words[place])
  }

  // MARK: - Words

  /// Words that stand beside the first and the last of anything, and name no event.
  private func isFrame(_ place: Int) -> Bool { words[place].isOne(of: .momentFrames) }

  private func isLatest(_ place: Int) -> Bool { words[place].isOne(of: .latestOnes) || words[place].isOne(of: .recent) }

  func bytes(_ place: Range<Int>) -> Range<Int> {
    words[place].first.map { $0.range.lowerBound..<words[place.upperBound - 1].range.upperBound } ?? 0..<0
  }
}
