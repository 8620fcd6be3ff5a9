import Clinical
import Testing

@Suite struct ISODateTimeTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let text: String
    let minuteOfDay: Int
    let second: Int
    let offset: Int?
    let hasTime: Bool
    var testDescription: String { text }

    init(_ text: String, _ minuteOfDay: Int, second: Int = 0, offset: Int? = nil, hasTime: Bool = true) {
      self.text = text
      self.minuteOfDay = minuteOfDay
      self.second = second
      self.offset = offset
      self.hasTime = hasTime
    }
  }

  @Test(arguments: [
    Row("2026-11-23", 0, hasTime: false), Row("2026-11-23T09:05", 545), Row("2026-11-23 09:05", 545),
    Row("2026-11-23T09:05:30", 545, second: 30), Row("2026-11-23T09:05:30.123456", 545, second: 30),
    Row("2026-11-23T09:05Z", 545, offset: 0), Row("2026-11-23T09:05+01:00", 545, offset: 60),
    Row("2026-11-23T09:05+0100", 545, offset: 60), Row("2026-11-23T09:05:30-03:30", 545, second: 30, offset: -210),
    Row("2026-11-23T23:59:59.9Z", 1439, second: 59, offset: 0), Row("2026-11-23T00:00+14:00", 0, offset: 840),
  ]) func `what ISO 8601 writes is read`(row: Row) throws {
    let value = try #require(ISODateTime(row.text))
    #expect(value.local.date == CalendarDate(iso: "2026-11-23"))
    #expect(value.local.minuteOfDay == row.minuteOfDay)
    #expect(value.local.second == row.second)
    #expect(value.offsetMinutes == row.offset)
    #expect(value.hasTime == row.hasTime)
  }

  @Test(arguments: [
    "", "23/11/2026", "11-23-2026", "2026-11-23T", "2026-11-23T9:05", "2026-11-23T24:00", "2026-11-23T09:60",
    "2026-11-23T09:05:60", "2026-11-23T09", "2026-11-23T0905", "2026-11-23T09:05:30.", "2026-11-23T09:05+1",
    "2026-11-23T09:05+15:00", "2026-11-23T09:05+01:60", "2026-11-23T09:05+01:00x", "2026-11-23T09:05 pm",
    "2026-11-23t09:05", "2026-11-31T09:05", "2026-11-23T09:05z", "2026-11-23  09:05", "２026-11-23T09:05", "2026-11-23Z",
  ]) func `what can be read in two ways, or not at all, is refused`(text: String) {
    #expect(ISODateTime(text) == nil)
  }
}
