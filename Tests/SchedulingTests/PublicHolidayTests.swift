import Clinical
import Testing
import VetNetTestSupport

@testable import Scheduling

struct PublicHolidayTests {
  static func holidays() throws -> PublicHolidays {
    try PublicHolidays(table: modelTable("scheduling/public-holidays.tsv", uniqueKey: "id"))
  }

  /// As the governments published them.
  @Test(arguments: [
    (
      "england-and-wales", 2021,
      "01-01 04-02 04-05 05-03 05-31 08-30 12-25 12-26 12-27 12-28"
    ),
    ("england-and-wales", 2026, "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-26 12-28"),
    ("england-and-wales", 2027, "01-01 03-26 03-29 05-03 05-31 08-30 12-25 12-26 12-27 12-28"),
    ("scotland", 2017, "01-01 01-02 01-03 04-14 05-01 05-29 08-07 11-30 12-25 12-26"),
    ("scotland", 2026, "01-01 01-02 04-03 05-04 05-25 08-03 11-30 12-25 12-26 12-28"),
    ("northern-ireland", 2026, "01-01 03-17 04-03 04-06 05-04 05-25 07-12 07-13 08-31 12-25 12-26 12-28"),
    ("ireland", 2024, "01-01 02-05 03-17 04-01 05-06 06-03 08-05 10-28 12-25 12-26"),
    ("ireland", 2030, "01-01 02-01 03-17 04-22 05-06 06-03 08-05 10-28 12-25 12-26"),
    ("ireland", 2022, "01-01 03-17 04-18 05-02 06-06 08-01 10-31 12-25 12-26"),
    ("germany", 2026, "01-01 04-03 04-06 05-01 05-14 05-25 10-03 12-25 12-26"),
    ("france", 2024, "01-01 04-01 05-01 05-08 05-09 05-20 07-14 08-15 11-01 11-11 12-25"),
    ("austria", 2024, "01-01 01-06 04-01 05-01 05-09 05-20 05-30 08-15 10-26 11-01 12-08 12-25 12-26"),
    (
      "united-states", 2027, "01-01 01-18 02-15 05-31 06-18 06-19 07-04 07-05 09-06 10-11 11-11 11-25 12-24 12-25 12-31"
    ),
  ])
  func `a region's days of a year are these, in lieu where they fall on a weekend`(
    region: String, year: Int, days: String
  ) throws {
    let found = try Self.holidays().days(in: region, year: year).keys.sorted().map {
      String($0.description.dropFirst(5))
    }
    #expect(found.joined(separator: " ") == days)
  }

  @Test func `Easter falls where tables have it`() {
    for (year, day) in [
      (1818, "03-22"), (1943, "04-25"), (2000, "04-23"), (2019, "04-21"), (2026, "04-05"), (2038, "04-25"),
    ] {
      #expect(CalendarDate.easterSunday(in: year)?.description == "\(year)-\(day)")
    }
  }

  @Test(arguments: [
    "", "13-01", "easter", "easter+", "second of 05", "sixth monday of 05", "last monday of 13", "02-01 if friday",
  ])
  func `what is no rule is refused`(text: String) { #expect(HolidayRule(text) == nil) }

  @Test func `an unknown region has none`() throws {
    #expect(try Self.holidays().days(in: "atlantis", year: 2026).isEmpty)
  }
}
