import Clinical
import Foundation
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// The appointment book out and in as iCalendar.
struct CalendarExchangeTests {
  private static func calendar(_ clinic: SmallClinic) throws -> String {
    try clinic.practice.exchange.calendar(
      from: #require(CalendarDate(iso: "2026-11-20")), days: 400, clinicianID: nil, now: clinic.now)
  }

  private static func value(_ name: String, of id: String, in text: String) -> String? {
    // Lines are unfolded first: a line end and a space are nothing.
    let events = text.replacing("\r\n ", with: "").components(separatedBy: "BEGIN:VEVENT")
    let event = events.first { $0.contains("X-VETNET-ID:\(id)\r\n") }
    return event?.components(separatedBy: "\r\n").first { $0.hasPrefix(name + ":") || $0.hasPrefix(name + ";") }
  }

  private func importing(_ text: String, into clinic: SmallClinic) throws -> ImportSummary {
    let file = try clinic.folder.write(text, to: "again.ics")
    var options = ImportOptions()
    options.indexes = false
    return try clinic.practice.exchange.importFiles(
      [file], options: options, now: clinic.now, progress: { _ in }, message: { Issue.record("\($0)") })
  }

  @Test func `importing the exported book again changes nothing`() throws {
    let clinic = try SmallClinic()
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    try clinic.book("P2", "2027-06-23T10:00", minutes: 25)
    try clinic.ask("A1", "P3", "2026-11-24T10:00", reason: "stiff, \"new\" tablets; wärmer?\nsecond line")
    _ = try clinic.practice.calendar.cancel(appointment: id, now: clinic.now)
    // One that came from elsewhere and was moved here since.
    let source = try clinic.practice.connection.sources.id(named: "import")
    let row = try clinic.practice.connection.appointments.upsert(
      Appointment(
        id: "A2", patientID: "P4", clinicianID: "V2", start: SmallClinic.at("2026-11-25T09:00"), durationMinutes: 20),
      source: source
    ).rowID
    try clinic.practice.connection.appointments.move(row: row, to: SmallClinic.at("2026-11-25T09:30"))
    let before = try clinic.book()
    let revision = try clinic.practice.connection.plan.revision()
    let summary = try importing(Self.calendar(clinic), into: clinic)
    #expect(summary.records["appointments"]?.unchanged == 4)
    #expect(summary.records["appointments"]?.inserted == 0 && summary.records["appointments"]?.updated == 0)
    #expect(try clinic.book() == before)
    #expect(try clinic.practice.connection.plan.revision() == revision)
  }

  @Test func `a UID stays, a SEQUENCE grows with each change, and what is cancelled stays as cancelled`() throws {
    let clinic = try SmallClinic()
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    let first = try Self.calendar(clinic)
    _ = try clinic.practice.calendar.move(
      appointment: id, to: SmallClinic.at("2026-11-23T11:00"), clinicianID: nil, resourceIDs: nil, minutes: nil,
      now: clinic.now)
    let second = try Self.calendar(clinic)
    _ = try clinic.practice.calendar.cancel(appointment: id, now: clinic.now)
    let third = try Self.calendar(clinic)
    let uids = [first, second, third].map { Self.value("UID", of: id, in: $0) }
    #expect(Set(uids).count == 1 && uids[0] != nil)
    let sequences = [first, second, third].compactMap {
      Self.value("SEQUENCE", of: id, in: $0).flatMap { Int($0.dropFirst("SEQUENCE:".count)) }
    }
    #expect(sequences.count == 3 && sequences == sequences.sorted() && Set(sequences).count == 3)
    #expect(Self.value("STATUS", of: id, in: second) == "STATUS:CONFIRMED")
    #expect(Self.value("STATUS", of: id, in: third) == "STATUS:CANCELLED")
    // An older copy that comes back does not bring the old time back.
    let summary = try importing(first, into: clinic)
    #expect(summary.records["appointments"]?.unchanged == 1)
    #expect(try clinic.appointment(id).status == .cancelled)
  }

  @Test func `times are the practice's own on both sides of a change of the clocks`() throws {
    let clinic = try SmallClinic()
    let winter = try clinic.book("P1", "2026-11-23T10:00").id
    let summer = try clinic.book("P2", "2027-06-23T10:00").id
    let text = try Self.calendar(clinic)
    #expect(Self.value("DTSTART", of: winter, in: text) == "DTSTART;TZID=Europe/London:20261123T100000")
    #expect(Self.value("DTSTART", of: summer, in: text) == "DTSTART;TZID=Europe/London:20270623T100000")
    #expect(text.contains("BEGIN:VTIMEZONE\r\nTZID:Europe/London\r\n"))
    // 28 March 2027, 01:00 GMT becomes 02:00; 25 October 2026, 02:00 BST becomes 01:00.
    let daylight = "BEGIN:DAYLIGHT\r\nDTSTART:20270328T010000\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0100\r\nEND:DAYLIGHT"
    let standard = "BEGIN:STANDARD\r\nDTSTART:20261025T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0000\r\nEND:STANDARD"
    #expect(text.contains(daylight))
    #expect(text.contains(standard))
  }

  @Test func `another program's events become appointments, and what is none is rejected with its reason`() throws {
    let clinic = try SmallClinic()
    let event = { (lines: String) in "BEGIN:VEVENT\r\nDTSTAMP:20261101T000000Z\r\n\(lines)\r\nEND:VEVENT\r\n" }
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//other//EN\r\n"
      + event("UID:1@other\r\nDTSTART;TZID=Europe/Paris:20261123T110000\r\nDURATION:PT45M\r\nSUMMARY:Farrier")
      + event("UID:2@other\r\nDTSTART:20261123T120000Z\r\nDTEND:20261123T123000Z\r\nSTATUS:TENTATIVE\r\nSUMMARY:Call")
      + event("UID:3@other\r\nDTSTART:20261124T120000Z\r\nDTEND:20261124T123000Z\r\nRRULE:FREQ=HOURLY\r\nSUMMARY:Tea")
      + event("UID:4@other\r\nDTSTART;VALUE=DATE:20261125\r\nSUMMARY:Open day") + "END:VCALENDAR\r\n"
    let file = try clinic.folder.write(text, to: "other.ics")
    var options = ImportOptions()
    options.indexes = false
    var messages: [String] = []
    func importing() throws -> ImportSummary {
      messages = []
      return try clinic.practice.exchange.importFiles(
        [file], options: options, now: clinic.now, progress: { _ in }, message: { messages.append($0) })
    }
    let summary = try importing()
    #expect(summary.records["appointments"]?.inserted == 2)
    #expect(summary.rejected == 1 && summary.calendar?.leftOut == 1)
    #expect(messages.contains { $0.contains("RRULE") })
    let farrier = try clinic.appointment("1@other")
    #expect(farrier.start == SmallClinic.at("2026-11-23T10:00"))
    #expect(farrier.durationMinutes == 45 && farrier.status == .booked && farrier.reason == "Farrier")
    #expect(try clinic.appointment("2@other").status == .requested)
    #expect(try importing().records["appointments"]?.unchanged == 2)
  }
}
