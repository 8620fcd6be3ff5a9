import Clinical
import Interchange
import Testing

@testable import VetNet

/// Times as people write them.
struct MomentReaderTests {
  /// A Friday evening.
  private static let now = SmallClinic.at("2026-11-20T18:00")

  private func reader(
    _ order: DateOrder? = nil, hours: String? = nil, looksBack: Bool = false
  ) -> MomentReader {
    MomentReader(
      zone: SmallClinic.zone, now: Self.now, dateOrder: order, hours: hours.flatMap(OpeningHours.init),
      looksBack: looksBack)
  }

  private func shown(_ moment: WrittenMoment) -> String {
    if let exact = moment.exact { return SmallClinic.zone.describe(exact) }
    let date = moment.date.map { "\($0)" } ?? "–"
    return date + (moment.minuteOfDay.map { " " + OpeningHours.clock($0) } ?? "")
  }

  @Test(arguments: [
    ("15:00", "– 15:00"), ("3pm", "– 15:00"), ("3 pm", "– 15:00"), ("3:30pm", "– 15:30"), ("9.30", "– 09:30"),
    ("1530", "– 15:30"), ("9h30", "– 09:30"), ("noon", "– 12:00"), ("12am", "– 00:00"), ("12pm", "– 12:00"),
    ("at 3", "– 15:00"), ("3 o'clock", "– 15:00"), ("at 9", "– 09:00"), ("3:30", "– 15:30"), ("03:30", "– 03:30"),
    ("half past 3", "– 15:30"), ("half 4", "– 16:30"), ("quarter to 4", "– 15:45"), ("quarter past 11", "– 11:15"),
    ("today", "2026-11-20"), ("tomorrow 9:30", "2026-11-21 09:30"), ("9:30 tomorrow", "2026-11-21 09:30"),
    ("mon 10am", "2026-11-23 10:00"), ("Monday at 2", "2026-11-23 14:00"), ("fri", "2026-11-20"),
    ("next fri", "2026-11-27"), ("next monday", "2026-11-23"), ("weds", "2026-11-25"),
    ("thurs 4pm", "2026-11-26 16:00"),
    ("24 nov", "2026-11-24"), ("nov 24, 9am", "2026-11-24 09:00"), ("24th", "2026-11-24"),
    ("24th of November 2027", "2027-11-24"), ("3 jan", "2027-01-03"), ("24/11", "2026-11-24"), ("24.11.", "2026-11-24"),
    ("24/11/26 8:15", "2026-11-24 08:15"), ("2026-11-23", "2026-11-23"), ("2026-11-23T09:30", "2026-11-23 09:30"),
    ("now", "2026-11-20 18:00"), ("in 20 minutes", "2026-11-20 18:20"), ("in 2 weeks", "2026-12-04"),
    ("in an hour", "2026-11-20 19:00"), ("2026-11-23 at 10", "2026-11-23 10:00"),
  ])
  func `is read as`(text: String, wanted: String) throws {
    #expect(shown(try reader().read(text)) == wanted)
  }

  @Test(arguments: [
    "", "soon", "25:00", "13pm", "9:61", "tomorrow tomorrow", "3pm 4pm", "the cat", "half to 3", "24 nov 3 dec",
    "in 0 days", "next", "2026-13-01", "5 5", String(repeating: "9", count: 4000), "\u{202E}3pm",
  ])
  func `is no time, or not one`(text: String) {
    #expect(throws: MomentError.self) { try reader().read(text) }
  }

  @Test func `a date of two readings is asked back, unless the practice has said which`() throws {
    #expect(throws: MomentError.self) { try reader().read("3/12") }
    #expect(shown(try reader(.dayFirst).read("3/12")) == "2026-12-03")
    #expect(shown(try reader(.monthFirst).read("3/12/2027")) == "2027-03-12")
    #expect(throws: MomentError.self) { try reader(.monthFirst).read("24/11") }
    #expect(shown(try reader().read("12/12")) == "2026-12-12")
  }

  @Test func `an hour without am or pm is the one in which the practice is open`() throws {
    #expect(shown(try reader().read("at 8")) == "– 08:00")
    #expect(shown(try reader(hours: "daily 12:00-22:00").read("at 8")) == "– 20:00")
    #expect(shown(try reader(hours: "mon-fri 06:00-12:00").read("mon at 6")) == "2026-11-23 06:00")
  }

  @Test func `looking back, a day without a year is the last such day`() throws {
    let reader = reader(looksBack: true)
    #expect(shown(try reader.read("mon")) == "2026-11-16")
    #expect(shown(try reader.read("24 nov")) == "2025-11-24")
    #expect(shown(try reader.read("1 nov")) == "2026-11-01")
  }

  @Test(arguments: [
    ("mon-fri 8:30-18:30, sat 9am-12", "mon-fri 08:30-18:30, sat 09:00-12:00"),
    ("wed 9:00-12:30 14:00-18:00", "wed 09:00-12:30 14:00-18:00"), ("daily 00:00-24:00", "mon-sun 00:00-24:00"),
    ("mon 9-17; tue 9-17; thu 9-17", "mon-tue 09:00-17:00, thu 09:00-17:00"),
  ])
  func `opening hours are kept as`(text: String, wanted: String) throws {
    let hours = try #require(OpeningHours(text))
    #expect(hours.description == wanted)
    #expect(OpeningHours(wanted) == hours)
  }

  @Test(arguments: ["", "mon", "mon 9", "mon 17-9", "fri-mon 9-17", "mon 9-12 11-14", "xyz 9-12", "mon 9-25"])
  func `are no opening hours`(text: String) { #expect(OpeningHours(text) == nil) }

  @Test func `weights are read in the practice's units unless they say theirs`() throws {
    #expect(MeasureUnits.metric.kilograms("31.2") == 31.2)
    #expect(MeasureUnits.metric.kilograms("450 g") == 0.45)
    let pounds = try #require(MeasureUnits.imperial.kilograms("68.8"))
    #expect(abs(pounds - 31.207) < 0.001)
    #expect(MeasureUnits.imperial.kilograms("31.2kg") == 31.2)
    for text in ["", "heavy", "12 st", "1.2.3", "-4"] { #expect(MeasureUnits.metric.kilograms(text) == nil) }
  }
}
