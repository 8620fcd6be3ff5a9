public import Clinical

/// Public holidays of regions, by rules that hold for every year: `scheduling/public-holidays.tsv`.
public struct PublicHolidays: Sendable {
  private enum Move: String { case none = "", onward, nearest }

  private struct Holiday: Sendable {
    let name: String
    let rule: HolidayRule
    let move: Move
    let since: Int
  }

  private let holidays: [String: [Holiday]]

  /// - Throws: ``DataTableError`` for a rule that can't be read.
  public init(table: DataTable) throws(DataTableError) {
    var holidays: [String: [Holiday]] = [:]
    for row in table.rows {
      guard let rule = HolidayRule(row["rule"]) else { throw row.error("rule", "is no rule for a day") }
      guard let move = Move(rawValue: row["moves"]) else { throw row.error("moves", "is neither onward nor nearest") }
      guard row["since"].isEmpty || Int(row["since"]) != nil else { throw row.error("since", "is no year") }
      holidays[row["region"], default: []].append(
        Holiday(name: row["name"], rule: rule, move: move, since: Int(row["since"]) ?? 0))
    }
    self.holidays = holidays
  }

  /// The regions there are, in alphabetical order.
  public var regions: [String] { holidays.keys.sorted() }

  /// The holidays that fall into a year, days in lieu among them, by what they are called; none for an unknown region.
  public func days(in region: String, year: Int) -> [CalendarDate: String] {
    var days: [CalendarDate: String] = [:]
    // A day in lieu may lie in the year before.
    for year in max(1, year - 1)...min(9999, year + 1) {
      days.merge(named(in: region, year: year)) { first, _ in first }
    }
    return days.filter { $0.key.year == year }
  }

  private func named(in region: String, year: Int) -> [CalendarDate: String] {
    let actual = (holidays[region] ?? []).filter { $0.since <= year }.compactMap { holiday in
      holiday.rule.day(in: year).map { (day: $0, holiday: holiday) }
    }.sorted { ($0.day, $0.holiday.name) < ($1.day, $1.holiday.name) }
    var days: [CalendarDate: String] = [:]
    for (day, holiday) in actual where days[day] == nil { days[day] = holiday.name }
    for (day, holiday) in actual where day.weekday >= 6 {
      switch holiday.move {
      case .none: break
      case .nearest: days[day.adding(days: day.weekday == 6 ? -1 : 1)] = holiday.name + " (in lieu)"
      case .onward:
        var other = day
        while other.weekday >= 6 || days[other] != nil { other = other.adding(days: 1) }
        days[other] = holiday.name + " (in lieu)"
      }
    }
    return days
  }
}

/// A rule for one day of each year.
indirect enum HolidayRule: Hashable, Sendable {
  case fixed(month: Int, day: Int)
  /// Days after Easter Sunday.
  case easter(Int)
  /// The first is 1; -1 for the last.
  case weekday(Int, ordinal: Int, month: Int)
  case conditional(HolidayRule, weekday: Int, otherwise: HolidayRule)

  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
  private static let ordinals = ["first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1]

  /// Reads a rule as the table writes it; nil for anything else.
  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    if words.count > 4, words[1] == "if", words[3] == "else", let weekday = Self.weekdays.firstIndex(of: words[2]),
      let first = Self(words[0]), let other = Self(words[4...].joined(separator: " "))
    {
      self = .conditional(first, weekday: weekday + 1, otherwise: other)
    } else if words.count == 4, words[2] == "of", let ordinal = Self.ordinals[words[0]],
      let weekday = Self.weekdays.firstIndex(of: words[1]), let month = Int(words[3]), (1...12).contains(month)
    {
      self = .weekday(weekday + 1, ordinal: ordinal, month: month)
    } else if words.count == 1, text.hasPrefix("easter"), let days = Int(text.dropFirst(6)), abs(days) <= 100 {
      self = .easter(days)
    } else if words.count == 1, let date = CalendarDate(iso: "2000-\(text)") {
      self = .fixed(month: date.month, day: date.day)
    } else {
      return nil
    }
  }

  /// Its day in a year; nil for 29 February in most.
  func day(in year: Int) -> CalendarDate? {
    switch self {
    case .fixed(let month, let day): return CalendarDate(year: year, month: month, day: day)
    case .easter(let days): return CalendarDate.easterSunday(in: year)?.adding(days: days)
    case .weekday(let weekday, let ordinal, let month):
      let length = CalendarDate.daysInMonth(month, year: year)
      guard let edge = CalendarDate(year: year, month: month, day: ordinal > 0 ? 1 : length) else { return nil }
      if ordinal < 0 { return edge.adding(days: -((edge.weekday - weekday + 7) % 7)) }
      return edge.adding(days: (weekday - edge.weekday + 7) % 7 + 7 * (ordinal - 1))
    case .conditional(let rule, let weekday, let other):
      guard let day = rule.day(in: year) else { return nil }
      return day.weekday == weekday ? day : other.day(in: year)
    }
  }
}

extension CalendarDate {
  /// Easter Sunday of the Gregorian calendar.
  ///
  /// - Source: "A New York correspondent", Nature 13 (1876), 487; as in J. Meeus, Astronomical Algorithms, ch. 8.
  static func easterSunday(in year: Int) -> CalendarDate? {
    let (a, b, c) = (year % 19, year / 100, year % 100)
    let (d, e) = (b / 4, b % 4)
    let g = (b - (b + 8) / 25 + 1) / 3
    let h = (19 * a + b - d - g + 15) % 30
    let l = (32 + 2 * e + 2 * (c / 4) - h - c % 4) % 7
    let m = (a + 11 * h + 22 * l) / 451
    let number = h + l - 7 * m + 114
    return CalendarDate(year: year, month: number / 31, day: number % 31 + 1)
  }
}
