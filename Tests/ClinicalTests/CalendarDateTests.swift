import Clinical
import Testing

@Suite struct CalendarDateTests {
  /// Counts days one by one, knowing nothing but the lengths of months.
  private struct NaiveCalendar {
    var year = 1900
    var month = 1
    var day = 1
    /// 1900-01-01 was a Monday.
    var weekday = 1
    /// Days from 1900-01-01 to 1970-01-01: 70 years of 365 days and 17 leap days (1904 to 1968).
    var daysSince1970 = -(70 * 365 + 17)

    func length(_ month: Int) -> Int {
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    mutating func advance() {
      daysSince1970 += 1
      weekday = weekday == 7 ? 1 : weekday + 1
      day += 1
      if day > length(month) {
        day = 1
        month += 1
      }
      if month > 12 {
        month = 1
        year += 1
      }
    }
  }

  @Test func `every day from 1900 to 2100 agrees with counting`() throws {
    var naive = NaiveCalendar()
    var mistakes: [String] = []
    while naive.year <= 2100 {
      guard let date = CalendarDate(year: naive.year, month: naive.month, day: naive.day) else {
        mistakes.append("no day \(naive)")
        break
      }
      let text = date.description
      if date.daysSince1970 != naive.daysSince1970 || CalendarDate(daysSince1970: naive.daysSince1970) != date
        || date.weekday != naive.weekday || CalendarDate(iso: text) != date
        || CalendarDate.daysInMonth(naive.month, year: naive.year) != naive.length(naive.month)
      {
        mistakes.append(text)
      }
      naive.advance()
    }
    #expect(mistakes == [])
    #expect(naive.daysSince1970 == 47_847)
  }

  @Test(arguments: [
    (2023, 2, 29), (1900, 2, 29), (2024, 13, 1), (2024, 0, 1), (2024, 4, 31), (2024, 1, 0), (0, 1, 1), (10000, 1, 1),
  ]) func `numbers that name no day`(year: Int, month: Int, day: Int) {
    #expect(CalendarDate(year: year, month: month, day: day) == nil)
  }

  @Test(arguments: [
    "2024-2-29", "24-02-29", "2024-02-30", "2024/02/29", " 2024-02-29", "2024-02-29 ", "2024-02-29T10:00", "",
    "-024-02-29", "+024-02-29", "2024-+2-29", "２０２４-02-29",
  ]) func `texts that are no ISO date`(text: String) {
    #expect(CalendarDate(iso: text) == nil)
  }

  @Test func `completed years turn on the birthday`() throws {
    let born = try #require(CalendarDate(year: 2020, month: 2, day: 29))
    let before = try #require(CalendarDate(year: 2021, month: 2, day: 28))
    #expect(born.years(to: before) == 0)
    #expect(born.years(to: before.adding(days: 1)) == 1)
    #expect(before.years(to: born) == -1)
    #expect(born.years(to: born) == 0)
  }

  @Test func `dates order by the calendar`() throws {
    let first = try #require(CalendarDate(iso: "2024-02-29"))
    #expect(first < first.adding(days: 1))
    #expect(first.adding(days: 366) == CalendarDate(iso: "2025-03-01"))
    #expect(first.adding(days: -29) == CalendarDate(iso: "2024-01-31"))
  }
}
