public import Clinical
import Extraction
import TextAnalysis

/// A date as notes write it: "10/02/27", "11/22", "Sep 25", "21 Nov", "2019".
///
/// Notes leave out years, and 03/04/22 is March in one hand and April in another: all readings are kept, so that nothing is
/// concluded from one of them alone.
public struct WrittenDate: Hashable, Sendable {
  public enum Direction: Sendable {
    /// Without a year the next such day is meant, as of a due date.
    case onwards
    /// Without a year the last such day is meant, as of a result.
    case backwards
  }

  /// The likeliest first; a month or a year without a day is all of its days. Never empty.
  public let readings: [ClosedRange<CalendarDate>]

  /// Nil when the words name no date.
  ///
  /// - Parameters:
  ///   - text: the date alone.
  ///   - day: the day it was written on.
  ///   - direction: which way a missing year is found.
  public init?(_ text: some StringProtocol, writtenOn day: CalendarDate, _ direction: Direction) {
    let parts = text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    let month = parts.indices.first { Self.month(parts[$0]) != nil }
    let found = month.map { Self.named(parts, month: $0, day, direction) } ?? Self.numeric(parts, day, direction)
    var readings: [ClosedRange<CalendarDate>] = []
    for reading in found where !readings.contains(reading) { readings.append(reading) }
    guard !readings.isEmpty else { return nil }
    self.readings = readings
  }

  /// Whether the date has passed on `day`, whichever way it is read.
  public func isPast(on day: CalendarDate) -> Bool { readings.allSatisfy { $0.upperBound < day } }

  /// The last day of the likeliest reading.
  public var likeliest: CalendarDate { readings[0].upperBound }

  // MARK: - Readings

  /// "12 Oct 2027", "Oct 12", "Oct 27", "21st Nov".
  private static func named(
    _ parts: [String], month index: Int, _ day: CalendarDate, _ direction: Direction
  ) -> [ClosedRange<CalendarDate>] {
    guard let month = month(parts[index]) else { return [] }
    let before = index > 0 ? ordinal(parts[index - 1]) : nil
    let after = index + 1 < parts.count ? ordinal(parts[index + 1]) : nil
    let last = index + 2 < parts.count ? ordinal(parts[index + 2]) : nil
    if let before, before <= 31 {
      return [after.flatMap(year).flatMap { single($0, month, before) } ?? yearless(month, before, day, direction)]
        .compactMap { $0 }
    }
    guard let after else { return [] }
    if let last, after <= 31 { return [year(last).flatMap { single($0, month, after) }].compactMap { $0 } }
    if after >= 1000 { return [whole(after, month)].compactMap { $0 } }
    return [year(after).flatMap { whole($0, month) }, after <= 31 ? yearless(month, after, day, direction) : nil]
      .compactMap { $0 }
  }

  private static func numeric(
    _ parts: [String], _ day: CalendarDate, _ direction: Direction
  ) -> [ClosedRange<CalendarDate>] {
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count else { return [] }
    switch numbers.count {
    case 1 where (1990...2100).contains(numbers[0]):
      return span(numbers[0], 1, 1, numbers[0], 12, 31).map { [$0] } ?? []
    case 2 where numbers[1] > 12:
      return [year(numbers[1]).flatMap { whole($0, numbers[0]) }].compactMap { $0 }
    case 2:
      return [yearless(numbers[1], numbers[0], day, direction), yearless(numbers[0], numbers[1], day, direction)]
        .compactMap { $0 }
    case 3 where numbers[0] >= 1000:
      return [single(numbers[0], numbers[1], numbers[2])].compactMap { $0 }
    case 3:
      guard let year = year(numbers[2]) else { return [] }
      return [single(year, numbers[1], numbers[0]), single(year, numbers[0], numbers[1])].compactMap { $0 }
    default: return []
    }
  }

  private static func yearless(
    _ month: Int, _ number: Int, _ day: CalendarDate, _ direction: Direction
  ) -> ClosedRange<CalendarDate>? {
    let near = (-1...1).compactMap { CalendarDate(year: day.year + $0, month: month, day: number) }
    let found = direction == .onwards ? near.first { $0 >= day } : near.last { $0 <= day }
    return found.map { $0...$0 }
  }

  private static func single(_ year: Int, _ month: Int, _ number: Int) -> ClosedRange<CalendarDate>? {
    CalendarDate(year: year, month: month, day: number).map { $0...$0 }
  }

  private static func whole(_ year: Int, _ month: Int) -> ClosedRange<CalendarDate>? {
    span(year, month, 1, year, month, CalendarDate.daysInMonth(month, year: year))
  }

  private static func span(
    _ year: Int, _ month: Int, _ day: Int, _ endYear: Int, _ endMonth: Int, _ endDay: Int
  ) -> ClosedRange<CalendarDate>? {
    guard let first = CalendarDate(year: year, month: month, day: day),
      let last = CalendarDate(year: endYear, month: endMonth, day: endDay)
    else { return nil }
    return first...last
  }

  /// Two digits are of this century: records of living animals begin in it.
  private static func year(_ number: Int) -> Int? {
    switch number {
    case 0...99: 2000 + number
    case 1990...2100: number
    default: nil
    }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// 3 for "mar" and "march"; nil for a word that names no month.
  package static func month(_ word: String) -> Int? {
    (months.firstIndex { $0 == word || $0.prefix(3) == word } ?? (word == "sept" ? 8 : nil)).map { $0 + 1 }
  }

  /// "21", "21st".
  private static func ordinal(_ word: String) -> Int? {
    Int(NumberWord.suffixes.contains(word.suffix(2)) ? String(word.dropLast(2)) : word)
  }
}

extension RecordedFact {
  /// The day it tells of: that of its line, where it begins with a date, else its note's.
  public func day(in zone: PracticeTimeZone) -> CalendarDate {
    let written = zone.date(of: note.recordedAt)
    let date = fact.writtenDate.flatMap { WrittenDate($0, writtenOn: written, .backwards)?.likeliest }
    return date.map { min($0, written) } ?? written
  }
}
