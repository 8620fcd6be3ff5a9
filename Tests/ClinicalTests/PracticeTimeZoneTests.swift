import Clinical
import Testing

@Suite struct PracticeTimeZoneTests {
  private let london: PracticeTimeZone
  private let auckland: PracticeTimeZone

  init() throws {
    london = try #require(PracticeTimeZone(identifier: "Europe/London"))
    auckland = try #require(PracticeTimeZone(identifier: "Pacific/Auckland"))
  }

  private func utc(_ text: String) throws -> Timestamp {
    PracticeTimeZone.utc.timestamp(of: try #require(ISODateTime(text)))
  }

  /// British clocks went forward on 2026-03-29 at 01:00 UTC and back on 2026-10-25 at 01:00 UTC; New Zealand's went back
  /// on 2026-04-05 at 03:00 NZDT (2026-04-04 14:00 UTC) and forward on 2026-09-27 at 02:00 NZST (2026-09-26 14:00 UTC).
  @Test(arguments: [
    ("2026-01-15T09:00", "2026-01-15T09:00Z"), ("2026-07-15T09:00", "2026-07-15T08:00Z"),
    ("2026-03-29T00:59", "2026-03-29T00:59Z"), ("2026-03-29T02:00", "2026-03-29T01:00Z"),
    ("2026-03-29T01:30", "2026-03-29T01:30Z"), ("2026-10-25T00:59", "2026-10-24T23:59Z"),
    ("2026-10-25T01:30", "2026-10-25T00:30Z"), ("2026-10-25T02:00", "2026-10-25T02:00Z"),
  ]) func `London's clock on both changes`(local: String, expected: String) throws {
    #expect(london.timestamp(of: try #require(ISODateTime(local))) == (try utc(expected)))
  }

  @Test(arguments: [
    ("2026-01-15T09:00", "2026-01-14T20:00Z"), ("2026-07-15T09:00", "2026-07-14T21:00Z"),
    ("2026-04-05T02:30", "2026-04-04T13:30Z"), ("2026-04-05T03:00", "2026-04-04T15:00Z"),
    ("2026-09-27T01:59", "2026-09-26T13:59Z"), ("2026-09-27T02:30", "2026-09-26T14:30Z"),
    ("2026-09-27T03:00", "2026-09-26T14:00Z"),
  ]) func `Auckland's clock on both changes`(local: String, expected: String) throws {
    #expect(auckland.timestamp(of: try #require(ISODateTime(local))) == (try utc(expected)))
  }

  @Test(arguments: [
    ("2026-03-28", "2026-03-29T00:00Z"), ("2026-03-29", "2026-03-29T23:00Z"), ("2026-10-25", "2026-10-26T00:00Z"),
  ]) func `24:00 is the next day's midnight`(day: String, expected: String) throws {
    let date = try #require(CalendarDate(iso: day))
    #expect(london.timestamp(of: date, minuteOfDay: 1440) == (try utc(expected)))
  }

  @Test func `the days of a change have 23 and 25 hours`() throws {
    func hours(_ zone: PracticeTimeZone, _ day: String) throws -> Int {
      let interval = zone.interval(of: try #require(CalendarDate(iso: day)))
      return interval.upperBound.minutes(since: interval.lowerBound) / 60
    }
    #expect(try hours(london, "2026-03-29") == 23)
    #expect(try hours(london, "2026-10-25") == 25)
    #expect(try hours(london, "2026-07-01") == 24)
    #expect(try hours(auckland, "2026-04-05") == 25)
    #expect(try hours(auckland, "2026-09-27") == 23)
  }

  @Test(arguments: 0..<20) func `every moment reads back as itself, but in a repeated hour`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    for zone in [london, auckland, .utc] {
      let moment = Timestamp(seconds: Int64.random(in: -1_000_000_000...4_000_000_000, using: &generator))
      let reading = zone.local(moment)
      let back = zone.timestamp(of: reading)
      #expect(zone.local(back) == reading)
      #expect(back <= moment && moment.seconds - back.seconds <= 7_200)
      #expect(zone.timestamp(of: try #require(ISODateTime(zone.iso8601(moment)))) == moment)
    }
  }

  @Test func `an offset in the text outweighs the zone`() throws {
    let text = try #require(ISODateTime("2026-07-15T09:00+02:00"))
    #expect(london.timestamp(of: text) == (try utc("2026-07-15T07:00Z")))
    #expect(london.iso8601(try utc("2026-07-15T07:00Z")) == "2026-07-15T08:00:00+01:00")
    #expect(london.clock(try utc("2026-07-15T07:05Z")) == "08:05")
  }

  @Test func `a name no zone has is refused`() {
    #expect(PracticeTimeZone(identifier: "Europe/Fernleigh") == nil)
  }

  @Test func `minutes between moments round down before 1970 too`() {
    let origin = Timestamp(seconds: 0)
    #expect(Timestamp(seconds: 59).minutes(since: origin) == 0)
    #expect(Timestamp(seconds: -1).minutes(since: origin) == -1)
    #expect(Timestamp(seconds: -60).minutes(since: origin) == -1)
    #expect(PracticeTimeZone.utc.date(of: Timestamp(seconds: -1)) == CalendarDate(iso: "1969-12-31"))
  }
}
