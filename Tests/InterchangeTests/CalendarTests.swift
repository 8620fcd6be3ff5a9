import Clinical
import Testing
import VetNetTestSupport

@testable import Interchange

/// iCalendar out and in.
struct CalendarTests {
  private static let zone = PracticeTimeZone(identifier: "Europe/London") ?? .utc

  private func read(_ text: String, zone: PracticeTimeZone = zone) throws -> [ImportEvent] {
    let folder = try TemporaryFolder()
    let file = try folder.write("book.ics", text)
    let reader = try ImportReader([file], options: importOptions(zone: zone.identifier))
    var events: [ImportEvent] = []
    while let event = try reader.next() { events.append(event) }
    return events
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5])
  func `whatever is written is read back, in any zone, with any words`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let zones = ["Europe/London", "UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]
    let zone = try #require(PracticeTimeZone(identifier: zones[Int(seed) % zones.count]))
    let long = "ünï \u{1F415} " + String(repeating: "long ", count: 40) + "end"
    let words = ["plain", "a, b; c: d", "back\\slash \\n", "two\nlines", long]
    func pick<T>(_ values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }
    let entries = (0..<40).map { number in
      CalendarEntry(
        uid: "appointment-\(number)@test", sequence: number,
        appointment: Appointment(
          id: "A,\(number);x", patientID: pick([nil, "P\(number)"]), clinicianID: pick([nil, "S 1"]),
          resourceIDs: pick([[], ["R1"], ["R1", "R2"]]),
          start: Timestamp(seconds: 1_790_000_000 + Int64(random.next() % 40_000_000) / 60 * 60),
          durationMinutes: 1 + Int(random.next() % 300), actualMinutes: pick([nil, 12.5]),
          visitType: pick([nil, .recheck]), reason: pick([nil] + words.map { $0 }),
          status: pick(Appointment.Status.allCases)), summary: pick(words),
        location: pick([nil, "Room 1, first floor"]))
    }
    let text = try CalendarWriter(zone: zone, name: "Practice").text(entries, now: Timestamp(seconds: 1_795_000_000))
    #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
    let found = try read(text, zone: zone).map { event -> CalendarEntry? in
      guard case .record(.calendarEntry(let entry), _, _, _) = event else { return nil }
      return entry
    }
    #expect(found.count == entries.count)
    for (entry, found) in zip(entries, found) { #expect(found == entry) }
  }

  @Test
  func `the clocks' changes are told to the second, and a zone without any has one line`() throws {
    let year = Timestamp(seconds: 1_767_225_600)..<Timestamp(seconds: 1_798_761_600)
    let london = ZoneTransitions(of: Self.zone, in: year)
    #expect(london.changes.map(\.at.seconds) == [1_774_746_000, 1_792_890_000])
    #expect(london.changes.map(\.after) == [3600, 0])
    let kolkata = try #require(PracticeTimeZone(identifier: "Asia/Kolkata"))
    #expect(ZoneTransitions(of: kolkata, in: year).changes.isEmpty)
    let text = try CalendarWriter(zone: kolkata, name: nil).text([], now: year.lowerBound)
    #expect(text.contains("TZOFFSETTO:+0530"))
  }

  @Test(arguments: [
    ("", "empty"), ("no calendar at all", "calendar"), ("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "no events"),
  ])
  func `a file without events says so`(text: String, reason: String) throws {
    let events = try read(text)
    #expect(events.count == 1)
    guard case .problem(let problem) = try #require(events.first) else {
      Issue.record("\(events)")
      return
    }
    #expect(problem.message.contains(reason))
  }
}
