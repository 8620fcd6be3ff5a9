import Clinical

/// Reads the time a question is about: "this year", "since March", "in 2024", "over the last 6 months".
struct PeriodParser {
  let now: Timestamp
  let zone: PracticeTimeZone

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  struct Found {
    let period: Range<Timestamp>
    /// Positions of the words that named it; they are no topic.
    let words: Range<Int>
  }

  /// The first period that `words` (lower case) name.
  func parse(_ words: [String]) -> Found? {
    for index in words.indices {
      if let found = relative(words, at: index) ?? calendar(words, at: index) { return found }
    }
    return nil
  }

  private var today: CalendarDate { zone.date(of: now) }

  private func span(_ first: CalendarDate, _ end: CalendarDate?) -> Range<Timestamp> {
    let upper = end.map { zone.timestamp(of: $0) } ?? now.adding(days: 1)
    let lower = zone.timestamp(of: first)
    return lower..<max(lower, upper)
  }

  /// "this year", "last month", "last 6 months", "past 2 weeks", "12 mo".
  private func relative(_ words: [String], at index: Int) -> Found? {
    let word = words[index]
    guard index + 1 < words.count else { return nil }
    let next = words[index + 1]
    if word == "this" || word == "last" || word == "past" || word == "previous" {
      if let days = Self.days(of: next) {
        if word == "this", days >= 28 {
          let first =
            next.hasPrefix("y")
            ? CalendarDate(year: today.year, month: 1, day: 1)
            : CalendarDate(year: today.year, month: today.month, day: 1)
          return first.map { Found(period: span($0, nil), words: index..<(index + 2)) }
        }
        if word == "last", next == "year", let first = CalendarDate(year: today.year - 1, month: 1, day: 1) {
          return Found(
            period: span(first, CalendarDate(year: today.year, month: 1, day: 1)), words: index..<(index + 2))
        }
        return Found(period: span(today.adding(days: -days), nil), words: index..<(index + 2))
      }
      if index + 2 < words.count, let count = Self.number(next), let days = Self.days(of: words[index + 2]) {
        return Found(period: span(today.adding(days: -days * count), nil), words: index..<(index + 3))
      }
    }
    if let count = Self.number(word), let days = Self.days(of: next), index == 0 || words[index - 1] != "every" {
      return Found(period: span(today.adding(days: -days * count), nil), words: index..<(index + 2))
    }
    return nil
  }

  /// "since March", "since March 2025", "in 2024", "in May", "before 2023".
  private func calendar(_ words: [String], at index: Int) -> Found? {
    let word = words[index]
    guard ["since", "in", "during", "after", "before", "from", "until"].contains(word), index + 1 < words.count else {
      return nil
    }
    var end = index + 2
    let first: CalendarDate
    let next: CalendarDate
    if let month = Self.months.firstIndex(where: {
      $0 == words[index + 1] || ($0.prefix(3) == words[index + 1] && words[index + 1].count == 3)
    }) {
      var year = today.year
      if index + 2 < words.count, let named = Self.year(words[index + 2]) {
        year = named
        end += 1
      } else if month + 1 > today.month {
        year -= 1
      }
      guard let start = CalendarDate(year: year, month: month + 1, day: 1) else { return nil }
      first = start
      next = start.adding(days: CalendarDate.daysInMonth(month + 1, year: year))
    } else if let year = Self.year(words[index + 1]), let start = CalendarDate(year: year, month: 1, day: 1),
      let after = CalendarDate(year: year + 1, month: 1, day: 1)
    {
      first = start
      next = after
    } else {
      return nil
    }
    let words = index..<end
    switch word {
    case "since", "from": return Found(period: span(first, nil), words: words)
    case "after": return Found(period: span(next, nil), words: words)
    case "before", "until": return Found(period: Timestamp(seconds: 0)..<zone.timestamp(of: first), words: words)
    default: return Found(period: span(first, next), words: words)
    }
  }

  private static func year(_ word: String) -> Int? { Int(word).flatMap { (1990...2100).contains($0) ? $0 : nil } }

  private static func number(_ word: String) -> Int? {
    let words = ["one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "nine": 9, "twelve": 12]
    return (Int(word) ?? words[word]).flatMap { (1...600).contains($0) ? $0 : nil }
  }

  private static func days(of unit: String) -> Int? {
    switch unit {
    case "day", "days", "d": 1
    case "week", "weeks", "wk", "wks": 7
    case "month", "months", "mo", "mths", "mth": 31
    case "year", "years", "yr", "yrs": 366
    default: nil
    }
  }
}
