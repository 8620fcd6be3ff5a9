import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing

@Suite struct WrittenDateTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let writtenOn: String
    let direction: WrittenDate.Direction
    /// First and last day of each reading, the likeliest first.
    let readings: [[String]]
    var testDescription: String { "\(text) on \(writtenOn)" }
  }

  @Test(arguments: [
    Row(text: "12 Oct 2027", writtenOn: "2026-11-09", direction: .onwards, readings: [["2027-10-12"]]),
    Row(text: "21 Nov", writtenOn: "2026-10-14", direction: .onwards, readings: [["2026-11-21"]]),
    Row(text: "21st Nov", writtenOn: "2026-12-01", direction: .onwards, readings: [["2027-11-21"]]),
    Row(text: "30/11/22", writtenOn: "2021-11-30", direction: .onwards, readings: [["2022-11-30"]]),
    Row(text: "10/02/27", writtenOn: "2026-02-10", direction: .onwards, readings: [["2027-02-10"], ["2027-10-02"]]),
    Row(text: "11/22", writtenOn: "2021-11-16", direction: .onwards, readings: [["2022-11-01", "2022-11-30"]]),
    Row(text: "Sept 2025", writtenOn: "2024-09-10", direction: .onwards, readings: [["2025-09-01", "2025-09-30"]]),
    Row(
      text: "Sep 25", writtenOn: "2024-09-10", direction: .onwards,
      readings: [["2025-09-01", "2025-09-30"], ["2024-09-25"]]),
    Row(text: "4/3", writtenOn: "2024-03-11", direction: .backwards, readings: [["2024-03-04"], ["2023-04-03"]]),
    Row(text: "2025-09-08", writtenOn: "2026-01-01", direction: .backwards, readings: [["2025-09-08"]]),
    Row(text: "2019", writtenOn: "2026-01-01", direction: .backwards, readings: [["2019-01-01", "2019-12-31"]]),
    Row(text: "29 Feb", writtenOn: "2026-03-01", direction: .backwards, readings: []),
    Row(text: "31/02/24", writtenOn: "2026-03-01", direction: .backwards, readings: []),
    Row(text: "soon", writtenOn: "2026-03-01", direction: .onwards, readings: []),
    Row(text: "", writtenOn: "2026-03-01", direction: .onwards, readings: []),
  ])
  func `a date as written means these days`(row: Row) {
    let date = WrittenDate(row.text, writtenOn: day(row.writtenOn), row.direction)
    let found = (date?.readings ?? []).map { [$0.lowerBound.description, $0.upperBound.description] }
    #expect(found == row.readings.map { [$0[0], $0.last ?? $0[0]] })
  }

  @Test func `a date that may be March or April is past only when both are`() throws {
    let due = try #require(WrittenDate("03/04/22", writtenOn: day("2021-04-03"), .onwards))
    #expect(!due.isPast(on: day("2022-03-20")))
    #expect(due.isPast(on: day("2022-04-04")))
    #expect(!due.isPast(on: day("2022-04-03")))
  }

  @Test(
    arguments: [
      ("14d", 14), ("7 days", 7), ("2-3 weeks", 21), ("5/7", 5), ("6/52", 42), ("3/12", 93), ("3 wk", 21),
      ("1 month", 31),
      ("x7d", nil), ("two", nil), ("", nil), ("1/2", nil), ("99999999 years", nil),
    ] as [(String, Int?)])
  func `a duration as written is so many days`(text: String, days: Int?) {
    #expect(WrittenDuration.days(text) == days)
  }
}
