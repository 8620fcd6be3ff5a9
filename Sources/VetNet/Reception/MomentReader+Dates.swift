import Clinical
import Interchange

// Days by their number: `24/11`, `24.11.2026`, `24 nov`, `nov 24 2026`, `24th`.

extension MomentReader {
  func date(_ words: [String], at index: Int) throws(MomentError) -> (Piece, count: Int)? {
    let word = words[index]
    if let iso = CalendarDate(iso: word) { return (.date(iso), 1) }
    if let numbers = Self.numbers(word) { return (.date(try date(numbers)), 1) }
    if let month = Self.month(word), index + 1 < words.count, let day = Self.day(words[index + 1]) {
      return try date(day, month, words, at: index)
    }
    guard let day = Self.day(word) else { return nil }
    var rest = index + 1
    if rest < words.count, words[rest] == "of" { rest += 1 }
    if rest < words.count, let month = Self.month(words[rest]) {
      let (piece, count) = try date(day, month, words, at: rest - 1)
      return (piece, count + rest - 1 - index)
    }
    // `24th`, but not a plain 24.
    guard Int(word) == nil else { return nil }
    let near = (0...61).map { today.adding(days: looksBack ? -$0 : $0) }
    guard let found = near.first(where: { $0.day == day }) else { throw .noSuchDay }
    return (.date(found), 1)
  }

  /// A day and a month that two words from `index` on name, and the year behind them.
  private func date(
    _ day: Int, _ month: Int, _ words: [String], at index: Int
  ) throws(MomentError) -> (Piece, count: Int) {
    if index + 2 < words.count, words[index + 2].count == 4, let year = Int(words[index + 2]), year >= 1900 {
      guard let date = CalendarDate(year: year, month: month, day: day) else { throw .noSuchDay }
      return (.date(date), 3)
    }
    guard let date = nearest(day: day, month: month) else { throw .noSuchDay }
    return (.date(date), 2)
  }

  /// `24/11`, `24/11/2026`, `24.11.26`: nil for a word that is no such date. A full stop between two numbers is a time.
  private static func numbers(_ word: String) -> [Int]? {
    for separator in ["/", ".", "-"] as [Character] where word.contains(separator) {
      var parts = word.split(separator: separator, omittingEmptySubsequences: false)
      let endsInStop = separator == "." && parts.count == 3 && parts[2].isEmpty
      if endsInStop { parts.removeLast() }
      guard parts.count == 3 || (parts.count == 2 && (separator == "/" || endsInStop)) else { return nil }
      let numbers = parts.compactMap { $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int($0) : nil }
      guard numbers.count == parts.count, parts[0].count <= 2, parts[1].count <= 2,
        parts.count == 2 || parts[2].count == 2 || parts[2].count == 4
      else { return nil }
      return numbers
    }
    return nil
  }

  private func date(_ numbers: [Int]) throws(MomentError) -> CalendarDate {
    let year = numbers.count == 3 ? (numbers[2] < 100 ? 2000 + numbers[2] : numbers[2]) : nil
    func date(day: Int, month: Int) -> CalendarDate? {
      year.map { CalendarDate(year: $0, month: month, day: day) } ?? nearest(day: day, month: month)
    }
    let dayFirst = date(day: numbers[0], month: numbers[1])
    let monthFirst = date(day: numbers[1], month: numbers[0])
    switch (dateOrder, dayFirst, monthFirst) {
    case (.dayFirst, let date?, _), (.monthFirst, _, let date?): return date
    case (.dayFirst, nil, _), (.monthFirst, _, nil): throw .noSuchDay
    case (nil, let first?, let second?):
      guard first == second else { throw .ambiguous(first, second) }
      return first
    case (nil, let date?, nil), (nil, nil, let date?): return date
    case (nil, nil, nil): throw .noSuchDay
    }
  }

  /// The next such day, today included, or the last.
  private func nearest(day: Int, month: Int) -> CalendarDate? {
    let years = looksBack ? Array((today.year - 8...today.year).reversed()) : Array(today.year...today.year + 8)
    return years.lazy.compactMap { CalendarDate(year: $0, month: month, day: day) }
      .first { looksBack ? $0 <= today : $0 >= today }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  private static func month(_ word: String) -> Int? {
    let word = word == "sept" ? "sep" : word
    guard word.count >= 3, let index = months.firstIndex(where: { $0.hasPrefix(word) }) else { return nil }
    return index + 1
  }

  /// `24`, `24th`, `1st`.
  private static func day(_ word: String) -> Int? {
    var digits = word[...]
    for suffix in ["st", "nd", "rd", "th"] where digits.hasSuffix(suffix) { digits = digits.dropLast(2) }
    guard (1...2).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }), let day = Int(digits),
      (1...31).contains(day)
    else { return nil }
    return day
  }
}
