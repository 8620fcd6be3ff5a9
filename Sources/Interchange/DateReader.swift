import Clinical

/// Reads the dates of rows: ISO 8601 everywhere, and in tables also the forms people's spreadsheets write.
struct DateReader {
  /// A date that was understood.
  struct Reading: Equatable {
    let local: LocalDateTime
    /// Minutes east of UTC where the text said.
    let offsetMinutes: Int?
    let hasTime: Bool
  }

  /// A date that wasn't.
  enum Failure: Error, Equatable {
    case unreadable
    /// `31/02/2024`, `2024-13-01`.
    case noSuchDay
    /// `03/05/2024`, and nothing says which number is the day.
    case ambiguous
    /// `25/12/2024` under month-first, or the reverse.
    case wrongOrder(DateOrder)
    case twoDigitYear
  }

  /// What is known about `03/05/2024` in this file.
  enum Order: Equatable {
    case known(DateOrder)
    case unknown
    /// The file has dates of both kinds.
    case conflicting
  }

  let timeZone: PracticeTimeZone
  /// Whether anything but ISO 8601 is read.
  var acceptsLocalForms = false
  var order = Order.unknown
  /// The last day on which anything can have happened: today at the practice; nil where nobody says what day it is.
  var today: CalendarDate?

  func read(_ text: String) -> Result<Reading, Failure> {
    if let iso = ISODateTime(text) {
      return .success(Reading(local: iso.local, offsetMinutes: iso.offsetMinutes, hasTime: iso.hasTime))
    }
    guard text.utf8.count <= 40 else { return .failure(.unreadable) }
    guard acceptsLocalForms else { return .failure(Self.hasFormOfISODay(text) ? .noSuchDay : .unreadable) }
    let (dateText, timeText) = Self.splitTime(text)
    let time: (minuteOfDay: Int, second: Int)
    if let timeText {
      guard let parsed = Self.parseTime(timeText) else { return .failure(.unreadable) }
      time = parsed
    } else {
      time = (0, 0)
    }
    return readDay(dateText).map { day in
      Reading(
        local: LocalDateTime(date: day, minuteOfDay: time.minuteOfDay, second: time.second), offsetMinutes: nil,
        hasTime: timeText != nil)
    }
  }

  func timestamp(of reading: Reading) -> Timestamp {
    guard let offset = reading.offsetMinutes else { return timeZone.timestamp(of: reading.local) }
    return PracticeTimeZone.utc.timestamp(of: reading.local).adding(minutes: -offset)
  }

  /// The order of a date such as `28/04/2024` that only one order can read; nil for every other text.
  static func onlyOrder(of text: String) -> DateOrder? {
    guard text.utf8.count <= 40 else { return nil }
    let parts = dayParts(splitTime(text).date)
    guard parts.count == 3, parts[2].utf8.count == 4, parts[0].utf8.count <= 2, parts[1].utf8.count <= 2,
      let first = number(parts[0]), let second = number(parts[1]), let year = number(parts[2])
    else { return nil }
    let isDayFirst = CalendarDate(year: year, month: second, day: first) != nil
    let isMonthFirst = CalendarDate(year: year, month: first, day: second) != nil
    return isDayFirst == isMonthFirst ? nil : isDayFirst ? .dayFirst : .monthFirst
  }

  private func readDay(_ text: String) -> Result<CalendarDate, Failure> {
    let parts = Self.dayParts(text)
    guard parts.count == 3 else { return .failure(.unreadable) }
    let numbers = parts.map(Self.number)
    switch (numbers[0], numbers[1], numbers[2]) {
    case (let year?, let month?, let day?) where parts[0].utf8.count == 4:
      return Self.day(year, month, day)
    case (let first?, let second?, let year?) where parts[2].utf8.count == 4:
      switch order {
      case .known(let order):
        let isDayFirst = order == .dayFirst
        if CalendarDate(year: year, month: isDayFirst ? first : second, day: isDayFirst ? second : first) != nil,
          CalendarDate(year: year, month: isDayFirst ? second : first, day: isDayFirst ? first : second) == nil
        {
          return .failure(.wrongOrder(order))
        }
        return isDayFirst ? Self.day(year, second, first) : Self.day(year, first, second)
      case .unknown, .conflicting:
        let isDay =
          CalendarDate(year: year, month: second, day: first) ?? CalendarDate(year: year, month: first, day: second)
        return .failure(isDay == nil ? .noSuchDay : .ambiguous)
      }
    case (_?, _?, _?):
      return .failure(.twoDigitYear)
    case (let day?, nil, let year?):
      guard let month = Self.month(named: parts[1]) else { return .failure(.unreadable) }
      return parts[2].utf8.count == 4 ? Self.day(year, month, day) : .failure(.twoDigitYear)
    case (nil, let day?, let year?):
      guard let month = Self.month(named: parts[0]) else { return .failure(.unreadable) }
      return parts[2].utf8.count == 4 ? Self.day(year, month, day) : .failure(.twoDigitYear)
    default:
      return .failure(.unreadable)
    }
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Result<CalendarDate, Failure> {
    guard let date = CalendarDate(year: year, month: month, day: day) else { return .failure(.noSuchDay) }
    return .success(date)
  }

  /// Whether a text is written like 2024-02-31, and perhaps a time behind it.
  private static func hasFormOfISODay(_ text: String) -> Bool {
    let parts = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [4, 2, 2] && parts.allSatisfy { number($0) != nil }
  }

  /// `3/5/2024, 9:05 am` in its day and its time.
  private static func splitTime(_ text: String) -> (date: String, time: String?) {
    let bytes = Array(text.utf8)
    guard let colon = bytes.firstIndex(of: 0x3A) else { return (text.trimmingSpaces(), nil) }
    var start = colon
    while start > 0, (0x30...0x39).contains(bytes[start - 1]) { start -= 1 }
    var end = start
    while end > 0, [0x20, 0x2C, 0x54].contains(bytes[end - 1]) { end -= 1 }
    return (
      String(decoding: bytes[..<end], as: UTF8.self).trimmingSpaces(),
      String(decoding: bytes[start...], as: UTF8.self).trimmingSpaces()
    )
  }

  private static func dayParts(_ text: String) -> [Substring] {
    text.split { $0 == "/" || $0 == "." || $0 == "-" || $0 == " " || $0 == "," }
  }

  /// `9:05`, `09:05:30`, `9:05 pm`.
  static func parseTime(_ text: String) -> (minuteOfDay: Int, second: Int)? {
    var digits = text.lowercased()
    var afternoon: Bool?
    for (suffix, value) in [("am", false), ("pm", true), ("a.m.", false), ("p.m.", true)]
    where digits.hasSuffix(suffix) {
      digits = String(digits.dropLast(suffix.count)).trimmingSpaces()
      afternoon = value
      break
    }
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), var hour = number(parts[0]), let minute = number(parts[1]), minute < 60,
      parts[1].utf8.count == 2
    else { return nil }
    let second = parts.count == 3 ? number(parts[2].split(separator: ".").first ?? "") : 0
    guard let second, second < 60 else { return nil }
    if let afternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (afternoon ? 12 : 0)
    }
    guard hour < 24 else { return nil }
    return (hour * 60 + minute, second)
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  /// 1...12 for an English month's name or its first three letters.
  static func month(named text: Substring) -> Int? {
    let word = text.lowercased()
    guard word.utf8.count >= 3 else { return nil }
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
      "december",
    ]
    return names.firstIndex { $0 == word || (word.utf8.count <= 4 && $0.hasPrefix(word)) }.map { $0 + 1 }
  }
}
