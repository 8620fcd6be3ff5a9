import Chart
import Clinical
import TextAnalysis

/// Reads the time a question is about: "this year", "since March", "in 2024", "over the last 6 months".
struct PeriodParser {
  let now: Timestamp
  let zone: PracticeTimeZone

  struct Found {
    let period: Range<Timestamp>
    /// Positions of the words that named it; they are no topic.
    let words: Range<Int>
  }

  /// The first period that `words` (lower case) name.
  func parse(_ words: [ClassedWord]) -> Found? { parseAll(words).first }

  /// The same, of a month without the year that stands behind it.
  private func next(_ words: [ClassedWord]) -> Found? {
    for index in words.indices {
      if let found = day(words, at: index) ?? relative(words, at: index) ?? calendar(words, at: index)
        ?? bare(words, at: index)
      {
        return found
      }
    }
    return nil
  }

  /// All the periods that `words` name, in their order.
  func parseAll(_ words: [ClassedWord]) -> [Found] {
    let asked = words
    var words = words
    var found: [Found] = []
    while let next = next(words), found.count < 4 {
      found.append(next)
      // What has been read is put out of the way without moving the rest.
      for index in next.words { words[index] = ClassedWord(text: "", classes: []) }
    }
    return joined(found.sorted { $0.words.lowerBound < $1.words.lowerBound }, in: asked)
  }

  /// "September last year", "in May of this year": the month of that year is one period, not two.
  private func joined(_ found: [Found], in words: [ClassedWord]) -> [Found] {
    found.reduce(into: []) { joined, next in
      guard let month = joined.last, let period = self.month(month, of: next, in: words),
        words[month.words.upperBound..<next.words.lowerBound].allSatisfy({ $0.isOne(of: .of) })
      else {
        joined.append(next)
        return
      }
      joined[joined.count - 1] = Found(period: period, words: month.words.lowerBound..<next.words.upperBound)
    }
  }

  /// A month that is named without its year, in "this year" or "last year"; nil for all else, and for a time to come.
  private func month(_ month: Found, of year: Found, in words: [ClassedWord]) -> Range<Timestamp>? {
    let named = words[month.words]
    guard let name = named.last.flatMap({ WrittenDate.month($0.text) }),
      named.dropLast().allSatisfy({ $0.isOne(of: .dating) && !$0.isOne(of: [.since, .before, .after]) }),
      year.words.count == 2, words[year.words.lowerBound + 1].isOne(of: .year)
    else { return nil }
    let first = zone.date(of: year.period.lowerBound)
    guard (first.month, first.day) == (1, 1), let start = CalendarDate(year: first.year, month: name, day: 1),
      start <= today
    else { return nil }
    return span(start, start.adding(days: CalendarDate.daysInMonth(name, year: first.year)))
  }

  private var today: CalendarDate { zone.date(of: now) }

  private func span(_ first: CalendarDate, _ end: CalendarDate?) -> Range<Timestamp> {
    let upper = end.map { zone.timestamp(of: $0) } ?? now.adding(days: 1)
    let lower = zone.timestamp(of: first)
    return lower..<max(lower, upper)
  }

  /// "this year", "last month", "last 6 months", "past 2 weeks", "12 mo".
  private func relative(_ words: [ClassedWord], at index: Int) -> Found? {
    let word = words[index]
    guard index + 1 < words.count else { return nil }
    let next = words[index + 1]
    if word.isOne(of: [.this, .last]), let found = season(word, next, at: index) { return found }
    if word.isOne(of: [.this, .last, .previous]) {
      if let days = Self.days(of: next) {
        if word.isOne(of: .this), days >= 28 {
          let first =
            next.isOne(of: .year)
            ? CalendarDate(year: today.year, month: 1, day: 1)
            : CalendarDate(year: today.year, month: today.month, day: 1)
          return first.map { Found(period: span($0, nil), words: index..<(index + 2)) }
        }
        let isRolling = index > 0 && words[index - 1].isOne(of: .the)
        if word.isOne(of: .last), next.text == "year", !isRolling,
          let first = CalendarDate(year: today.year - 1, month: 1, day: 1)
        {
          return Found(
            period: span(first, CalendarDate(year: today.year, month: 1, day: 1)), words: index..<(index + 2))
        }
        return Found(period: span(today.adding(days: -days), nil), words: index..<(index + 2))
      }
      if index + 2 < words.count, let count = Self.number(next), let days = Self.days(of: words[index + 2]) {
        return Found(period: span(today.adding(days: -days * count), nil), words: index..<(index + 3))
      }
    }
    if let count = Self.number(word), let days = Self.days(of: next), index == 0 || !words[index - 1].isOne(of: .each) {
      return Found(period: span(today.adding(days: -days * count), nil), words: index..<(index + 2))
    }
    return nil
  }

  /// "this autumn", "last December", "this May": the latest that has begun; seasons are those of the northern half.
  private func season(_ word: ClassedWord, _ name: ClassedWord, at index: Int) -> Found? {
    let first: Int
    let length: Int
    if name.isOne(of: .monthname), let month = WrittenDate.month(name.text) {
      (first, length) = (month, 1)
    } else if let season = Self.seasons.firstIndex(where: name.isOne(of:)) {
      (first, length) = (season * 3 + 3, 3)
    } else {
      return nil
    }
    let year = first > today.month ? today.year - 1 : today.year
    guard var start = CalendarDate(year: year, month: first, day: 1) else { return nil }
    var end = start.adding(days: length * 31)
    // "Last December" said in December is a year ago.
    if word.isOne(of: .last), end > today, let before = CalendarDate(year: year - 1, month: first, day: 1) {
      start = before
      end = before.adding(days: length * 31)
    }
    return Found(period: span(start, end), words: index..<(index + 2))
  }

  /// "Spring 2021": three months. No parse takes it for a limit, since people mean the weeks around it as well.
  func seasonOfYear(_ words: [ClassedWord]) -> Range<Timestamp>? {
    guard words.count == 2, let season = Self.seasons.firstIndex(where: words[0].isOne(of:)),
      let year = Self.year(words[1]), let first = CalendarDate(year: year, month: season * 3 + 3, day: 1)
    else { return nil }
    return span(first, first.adding(days: 92))
  }

  /// "5 November", "on the 14th of May 2024", "since 4/6/24": that day, or what lies before or behind it.
  private func day(_ words: [ClassedWord], at index: Int) -> Found? {
    let opener = words[index].isOne(of: .on) || words[index].isOne(of: .dating) ? words[index] : nil
    var place = opener == nil ? index : index + 1
    if place < words.count, words[place].isOne(of: .the) { place += 1 }
    guard let (first, end) = date(words, at: place) else { return nil }
    return Found(period: around(first, first.adding(days: 1), by: opener), words: index..<end)
  }

  /// A day of the calendar and the place behind its words; without a year the last such day.
  private func date(_ words: [ClassedWord], at place: Int) -> (CalendarDate, end: Int)? {
    guard place < words.count else { return nil }
    if let date = numeric(words[place]) { return (date, place + 1) }
    guard place + 1 < words.count else { return nil }
    let (month, day, end, isDayFirst): (Int, Int, Int, Bool)
    if let first = Self.dayOfMonth(words[place]) {
      let second = words[place + 1].isOne(of: .of) ? place + 2 : place + 1
      guard second < words.count, let named = WrittenDate.month(words[second].text) else { return nil }
      (month, day, end, isDayFirst) = (named, first, second + 1, true)
    } else if let named = WrittenDate.month(words[place].text), let second = Self.dayOfMonth(words[place + 1]) {
      (month, day, end, isDayFirst) = (named, second, place + 2, false)
    } else {
      return nil
    }
    if let (year, behind) = year(words, at: end, isDayFirst: isDayFirst) {
      return CalendarDate(year: year, month: month, day: day).map { ($0, behind) }
    }
    // "Mar 23" is a month of a year, "Mar 23rd" a day.
    guard isDayFirst || Int(words[place + 1].text) == nil else { return nil }
    let near = [today.year, today.year - 1].compactMap { CalendarDate(year: $0, month: month, day: day) }
    return near.first { $0 <= today }.map { ($0, end) }
  }

  /// "2024", "24" behind a day and month, "this year", "last year": the year and the place behind its words.
  private func year(_ words: [ClassedWord], at place: Int, isDayFirst: Bool) -> (Int, end: Int)? {
    guard place < words.count else { return nil }
    if let year = Self.year(words[place]) { return (year, place + 1) }
    if place + 1 < words.count, words[place + 1].isOne(of: .year), words[place].isOne(of: [.this, .last]) {
      return (today.year - (words[place].isOne(of: .last) ? 1 : 0), place + 2)
    }
    guard isDayFirst, words[place].text.count == 2, let short = Int(words[place].text),
      place + 1 == words.count || Self.days(of: words[place + 1]) == nil
    else { return nil }
    return (2000 + short, place + 1)
  }

  /// "4/6/24", "04.06.2024", "2024-06-04": three numbers in one word.
  private func numeric(_ word: ClassedWord) -> CalendarDate? {
    let parts = word.text.split { !$0.isNumber }
    guard parts.count == 3, parts[0].count == 4 || parts[2].count > 1,
      word.text.allSatisfy({ $0.isNumber || "/.-".contains($0) })
    else { return nil }
    let date = WrittenDate(word.text, writtenOn: today, .backwards)?.readings[0].lowerBound
    return date.flatMap { Self.years.contains($0.year) ? $0 : nil }
  }

  /// "Mar 23", "the November fit", "the 2024 dental", "at Christmas": no word that says how it counts.
  private func bare(_ words: [ClassedWord], at index: Int) -> Found? {
    if let year = Self.year(words[index]), let first = CalendarDate(year: year, month: 1, day: 1) {
      return Found(period: span(first, CalendarDate(year: year + 1, month: 1, day: 1)), words: index..<(index + 1))
    }
    if words[index].isOne(of: .christmas) { return christmas(words, at: index) }
    guard let month = WrittenDate.month(words[index].text) else { return nil }
    if index + 1 < words.count, words[index + 1].text.first?.isNumber == true,
      let date = WrittenDate(words[index...(index + 1)].text, writtenOn: today, .backwards)
    {
      return Found(
        period: span(date.readings[0].lowerBound, date.readings[0].upperBound.adding(days: 1)),
        words: index..<(index + 2))
    }
    // "March" and "may" are also what one does.
    guard !words[index].isOne(of: .monthverb), words[index].text.count > 3 else { return nil }
    let year = month > today.month ? today.year - 1 : today.year
    guard let first = CalendarDate(year: year, month: month, day: 1) else { return nil }
    return Found(
      period: span(first, first.adding(days: CalendarDate.daysInMonth(month, year: year))), words: index..<(index + 1))
  }

  /// The weeks around it: of the year that follows the word, else the last.
  private func christmas(_ words: [ClassedWord], at index: Int) -> Found? {
    let named = index + 1 < words.count ? Self.year(words[index + 1]) : nil
    let year = named ?? (today.month == 12 ? today.year : today.year - 1)
    guard let first = CalendarDate(year: year, month: 12, day: 15) else { return nil }
    return Found(period: span(first, first.adding(days: 28)), words: index..<(index + (named == nil ? 1 : 2)))
  }

  /// Each is three months long, the first from March on.
  private static let seasons: [QuestionClass] = [.spring, .summer, .autumn, .winter]

  private static func dayOfMonth(_ word: ClassedWord) -> Int? {
    let digits = word.text.prefix(while: \.isNumber)
    let suffix = word.text.dropFirst(digits.count)
    guard let day = Int(digits), (1...31).contains(day), suffix.isEmpty || NumberWord.suffixes.contains(suffix) else {
      return nil
    }
    return day
  }

  /// "since March", "since March 2025", "in 2024", "in May", "before 2023".
  private func calendar(_ words: [ClassedWord], at index: Int) -> Found? {
    let word = words[index]
    guard word.isOne(of: .dating), let (first, next, end) = named(words, at: index + 1) else { return nil }
    // "In Oct 24": behind "in" stands no day.
    if word.isOne(of: .topicframe), !word.isOne(of: .from), end == index + 2, end < words.count,
      let year = year(words, at: end, isDayFirst: true),
      let month = WrittenDate.month(words[index + 1].text), let first = CalendarDate(year: year.0, month: month, day: 1)
    {
      let next = first.adding(days: CalendarDate.daysInMonth(month, year: year.0))
      return Found(period: span(first, next), words: index..<year.end)
    }
    return Found(period: around(first, next, by: word), words: index..<end)
  }

  /// From a first day to the one behind the last, or what lies before or behind, as a word says.
  private func around(_ first: CalendarDate, _ next: CalendarDate, by opener: ClassedWord?) -> Range<Timestamp> {
    guard let opener else { return span(first, next) }
    if opener.isOne(of: [.since, .from]) { return span(first, nil) }
    if opener.isOne(of: .after) { return span(next, nil) }
    guard opener.isOne(of: [.before, .until]) else { return span(first, next) }
    let end = zone.timestamp(of: first)
    return min(Timestamp(seconds: 0), end)..<end
  }

  /// The month or year that the words name and nothing else: "May", "May 2024", "2024".
  func calendar(_ words: [ClassedWord]) -> Range<Timestamp>? {
    named(words, at: 0).flatMap { $0.end == words.count ? span($0.first, $0.next) : nil }
  }

  /// A month, with or without its year, or a year: its first day, the first after it, and where its words end.
  private func named(
    _ words: [ClassedWord], at index: Int
  ) -> (first: CalendarDate, next: CalendarDate, end: Int)? {
    guard index < words.count else { return nil }
    if let month = WrittenDate.month(words[index].text) {
      let named = index + 1 < words.count ? Self.year(words[index + 1]) : nil
      let year = named ?? (month > today.month ? today.year - 1 : today.year)
      guard let first = CalendarDate(year: year, month: month, day: 1) else { return nil }
      let next = first.adding(days: CalendarDate.daysInMonth(month, year: year))
      return (first, next, index + (named == nil ? 1 : 2))
    }
    guard let year = Self.year(words[index]), let first = CalendarDate(year: year, month: 1, day: 1),
      let next = CalendarDate(year: year + 1, month: 1, day: 1)
    else { return nil }
    return (first, next, index + 1)
  }

  static func year(_ word: ClassedWord) -> Int? {
    Int(word.text).flatMap { years.contains($0) ? $0 : nil }
  }

  /// What records of living animals may tell of.
  private static let years = 1990...2100

  static func number(_ word: ClassedWord) -> Int? {
    (Int(word.text) ?? NumberWord.value(word.text)).flatMap { (1...600).contains($0) ? $0 : nil }
  }

  static func days(of unit: ClassedWord) -> Int? {
    if unit.isOne(of: .day) { return 1 }
    if unit.isOne(of: .week) { return 7 }
    if unit.isOne(of: .month) { return 31 }
    return unit.isOne(of: .year) ? 366 : nil
  }
}
