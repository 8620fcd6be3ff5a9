import Clinical
import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Calendars of other programs: the book goes along with them, and loses nothing that people here wrote.
struct CalendarSyncTests {
  let clinic: SmallClinic
  let path: String
  var practice: Practice { clinic.practice }
  var book: AppointmentStore { clinic.practice.connection.appointments }

  init() throws {
    clinic = try SmallClinic()
    path = clinic.folder.file("ann.ics")
    let connection = clinic.practice.connection
    let source = try connection.sources.id(named: "test")
    for (id, name) in [("C2", "Mr Oak"), ("C3", "Ms Elm")] {
      _ = try connection.clients.upsert(Client(id: id, name: name), source: source)
    }
    for (id, name, species, owner, chip) in [
      ("B1", "Bella", Species.dog, "C2", "985112345678900"), ("B2", "Bella", .dog, "C3", nil),
      ("X1", "Rex", .dog, "C2", nil), ("T1", "Tiggy", .cat, "C3", nil),
    ] {
      _ = try connection.patients.upsert(
        Patient(id: id, name: name, species: species, ownerID: owner, microchip: chip), source: source)
    }
    try write()
    try clinic.practice.perform(
      KeepCalendar(calendar: "ann", path: path, clinician: "V1"), by: .local, at: clinic.now)
  }

  private struct Event {
    var uid: String
    var summary: String
    /// In local time, of 2026.
    var start = "1123T100000"
    var minutes = 30
    var lines: [String] = []
  }

  private func write(_ events: Event...) throws { try write(events) }

  private func write(_ events: [Event]) throws {
    let text = events.map { event in
      """
      BEGIN:VEVENT\r
      UID:\(event.uid)\r
      DTSTAMP:20261101T000000Z\r
      DTSTART;TZID=Europe/London:2026\(event.start)\r
      DURATION:PT\(event.minutes)M\r
      SUMMARY:\(event.summary)\r
      \((event.lines + ["END:VEVENT"]).joined(separator: "\r\n"))\r\n
      """
    }.joined()
    try Data("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//other//EN\r\n\(text)END:VCALENDAR\r\n".utf8)
      .write(to: URL(filePath: path))
  }

  @discardableResult
  private func sync(at now: Timestamp? = nil) throws -> CalendarSyncReport {
    let reports = try practice.perform(SyncCalendars(), by: Actor(name: "kim", role: .reception), at: now ?? clinic.now)
    return try #require(reports.first)
  }

  private func inbox() throws -> [InboxItem] { try practice.perform(ListInbox(), by: .local, at: clinic.now) }

  /// All that the practice says and did but the record of it.
  private func content() throws -> [String: ContentSummary.Table] {
    try practice.connection.contentSummary().tables.filter { !$0.key.hasPrefix("audit_") && $0.key != "change_count" }
  }

  private static let start = SmallClinic.at("2026-11-23T10:00")

  @Test(
    arguments: [
      // Certain: the animal, or nothing that asks.
      ("Bella Oak", "B1", 0), ("985 112 345 678 900 follow up", "B1", 0), ("T1 blood test", "T1", 0), ("Rex", "X1", 0),
      ("Rex vaccination", "X1", 0), ("tiggy (cat)", "T1", 0), ("Mr Oak: Rex limping", "X1", 0),
      // Somebody has to say.
      ("Bella vaccination", nil, 1), ("Lunch with Rex", nil, 1), ("Rex and Tiggy", nil, 1), ("Rex (cat)", nil, 1),
      ("New puppy, vomiting", nil, 1),
      // No animal.
      ("Lunch", nil, 0), ("Team meeting", nil, 0), ("", nil, 0),
    ] as [(String, String?, Int)])
  func `a title gives its patient only where that is certain`(title: String, patient: String?, waiting: Int) throws {
    try write(Event(uid: "u1", summary: title))
    let report = try sync()
    #expect(report.ok && report.inserted == 1 && report.totals.inbox == waiting)
    let appointment = try clinic.appointment("u1")
    #expect(appointment.patientID == patient && appointment.clinicianID == "V1" && appointment.start == Self.start)
    #expect(try inbox().count == waiting)
    // Whatever it is, the vet isn't free.
    #expect(try book.taken(clinician: 1, at: Self.start, minutes: 30) != nil)
  }

  @Test func `lunch is no patient and no case, and stays where it is`() throws {
    try write(
      Event(uid: "u1", summary: "Lunch", start: "1123T120000"), Event(uid: "u2", summary: "Rex vaccination"))
    try sync()
    let day = try practice.reception.schedule(
      on: #require(CalendarDate(iso: "2026-11-23")), clinicianID: nil, now: clinic.now, judges: true)
    let lunch = try #require(day.entries.first { $0.appointment.id == "u1" })
    #expect(lunch.urgency == nil && lunch.patient == nil && lunch.options.keepsTime && lunch.options.keepsClinician)
    #expect(day.entries.first { $0.appointment.id == "u2" }?.urgency != nil)
    #expect(
      try practice.perform(ListCalendars(), by: .local, at: clinic.now).map { [$0.cases, $0.blocks] } == [[1, 1]])
    #expect(throws: PracticeError.self) { try clinic.book("P1", "2026-11-23T12:00") }
  }

  @Test func `a second sync changes nothing`() throws {
    try write(
      Event(uid: "u1", summary: "Rex vaccination"), Event(uid: "u2", summary: "Bella", start: "1124T100000"),
      Event(uid: "u3", summary: "Lunch", start: "1123T120000", lines: ["RRULE:FREQ=WEEKLY;BYDAY=MO,TU"]),
      Event(uid: "u4", summary: "Old", start: "0901T100000"))
    let first = try sync()
    #expect(first.inserted > 100 && first.totals.leftOut == 1 && first.totals.inbox == 1)
    let before = try content()
    let second = try sync()
    #expect(
      second.inserted == 0 && second.updated == 0 && second.unchanged == first.inserted && second.totals.inbox == 0)
    let after = try content()
    #expect(before.keys.filter { before[$0] != after[$0] } == [])
    #expect(try practice.integrity.verify().ok)
  }

  @Test func `an event that changes keeps what people here wrote`() throws {
    try write(Event(uid: "u1", summary: "Rex vaccination"))
    try sync()
    let row = try practice.calendar.storedAppointment("u1").rowID
    try book.change(row: row) {
      $0.visitType = .vaccination
      $0.resourceIDs = ["R1"]
    }
    var limits = AppointmentOptions()
    limits.keepsClinician = true
    try book.setOptions(limits, row: row)
    try write(Event(uid: "u1", summary: "Rex booster", start: "1123T113000", minutes: 20))
    #expect(try sync().updated == 1)
    let changed = try clinic.appointment("u1")
    #expect(changed.start == SmallClinic.at("2026-11-23T11:30") && changed.durationMinutes == 20)
    #expect(changed.reason == "Rex booster" && changed.visitType == .vaccination && changed.resourceIDs == ["R1"])
    #expect(try changed.patientID == "X1" && book.options(row: row).keepsClinician && clinic.isSound())
    // Where another animal's name stands there now, it is nobody's until somebody says whose.
    try write(Event(uid: "u1", summary: "Bella", start: "1123T113000", minutes: 20))
    try sync()
    #expect(try clinic.appointment("u1").patientID == nil)
    let item = try #require(try inbox().first)
    #expect(Set(item.proposals.map(\.patient.id)) == ["B1", "B2"])
    // A patient whom a person gave stays, however often the calendar is read.
    try practice.perform(AssignInboxItem(id: item.id, patient: "B2"), by: .local, at: clinic.now)
    try write(Event(uid: "u1", summary: "New puppy, vomiting", start: "1123T113000", minutes: 20))
    try sync()
    #expect(try clinic.appointment("u1").patientID == "B2")
  }

  private func bury(_ id: String) throws {
    let connection = practice.connection
    var patient = try practice.records.patient(id)
    patient.deceasedAt = CalendarDate(iso: "2026-11-10")
    _ = try connection.patients.upsert(patient, source: connection.sources.id(named: "test"))
  }

  @Test func `the same words say nothing new, whoever died or came to be on file since`() throws {
    try write(Event(uid: "u1", summary: "Bella"), Event(uid: "u2", summary: "Rexy limping", start: "1124T100000"))
    try sync()
    let items = try inbox()
    try practice.perform(
      AssignInboxItem(id: #require(items.first { $0.content.origin.id == "u1" }).id, patient: "B2"), by: .local,
      at: clinic.now)
    try book.setPatient(
      practice.connection.recordIDs.row(.patient, "X1"), row: practice.calendar.storedAppointment("u2").rowID)
    try bury("B2")
    let connection = practice.connection
    _ = try connection.patients.upsert(
      Patient(id: "Y1", name: "Rexy", species: .dog, ownerID: "C3"), source: connection.sources.id(named: "test"))
    try sync()
    #expect(try clinic.appointment("u1").patientID == "B2" && clinic.appointment("u2").patientID == "X1")
  }

  @Test func `a visit that has begun stays that of the animal that came, whatever its event says afterwards`() throws {
    try write(Event(uid: "u1", summary: "Rex vaccination"), Event(uid: "u2", summary: "Tiggy", start: "1124T100000"))
    try sync()
    for id in ["u1", "u2"] {
      try book.change(row: practice.calendar.storedAppointment(id).rowID) {
        $0.status = id == "u1" ? .done : .inProgress
      }
    }
    try write(Event(uid: "u1", summary: "paid"), Event(uid: "u2", summary: "Rex", start: "1124T100000"))
    try sync()
    #expect(try clinic.appointment("u1").patientID == "X1" && clinic.appointment("u2").patientID == "T1")
  }

  @Test func `whom an event withdraws it may say again, and taking the import back brings the patient back`() throws {
    try write(Event(uid: "u1", summary: "Rex vaccination"))
    try sync()
    try write(Event(uid: "u1", summary: "New puppy"))
    try sync()
    #expect(try clinic.appointment("u1").patientID == nil)
    _ = try practice.exchange.undoImport(2, now: clinic.now)
    #expect(try clinic.appointment("u1").patientID == "X1" && clinic.appointment("u1").reason == "Rex vaccination")
    try sync()
    try write(Event(uid: "u1", summary: "Rex vaccination"))
    try sync()
    #expect(try clinic.appointment("u1").patientID == "X1")
  }

  @Test func `a calendar that is kept under another name, or read from another file, goes on where it was`() throws {
    try write(Event(uid: "u1", summary: "Rex vaccination"))
    try sync()
    try practice.perform(RemoveCalendar(calendar: "ann"), by: .local, at: clinic.now)
    try practice.perform(KeepCalendar(calendar: "dr-ann", path: path, clinician: "V1"), by: .local, at: clinic.now)
    try write(Event(uid: "u1", summary: "Rex vaccination", start: "1123T140000"))
    let report = try sync()
    #expect(report.updated == 1 && report.totals.elsewhere == 0)
    #expect(try clinic.appointment("u1").start == SmallClinic.at("2026-11-23T14:00"))
  }

  @Test func `one that disappears keeps its appointment, marked, and comes back`() throws {
    let two = [Event(uid: "u1", summary: "Rex vaccination"), Event(uid: "u2", summary: "Bella", start: "1124T100000")]
    try write(two)
    try sync()
    try write([two[0]])
    #expect(try sync().totals.gone == 1 && inbox().isEmpty)
    #expect(try clinic.appointment("u2").status == .booked)
    #expect(try practice.perform(ListCalendars(), by: .local, at: clinic.now).first?.gone == ["u2"])
    let shown = try practice.reception.scheduled("u2", now: clinic.now)
    #expect(shown.conflict?.contains("calendar") == true)
    #expect(try sync().totals.gone == 0)
    try write(two)
    try sync()
    #expect(try practice.perform(ListCalendars(), by: .local, at: clinic.now).first?.gone == [])
    #expect(try practice.reception.scheduled("u2", now: clinic.now).conflict == nil)
  }

  @Test func `half a file, an empty one and one with an event that can't be read say of nothing that it is gone`()
    throws
  {
    let two = [Event(uid: "u1", summary: "Rex vaccination"), Event(uid: "u2", summary: "Tiggy", start: "1124T100000")]
    try write(two)
    try sync()
    let whole = try Data(contentsOf: URL(filePath: path))
    for text in [
      whole.prefix(whole.count / 2), Data(), Data("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".utf8), Data("<html>".utf8),
    ] {
      try text.write(to: URL(filePath: path))
      #expect(try sync().totals.gone == 0)
    }
    try write(Event(uid: "u1", summary: "Rex", minutes: 0))
    let report = try sync()
    #expect(report.rejected == 1 && report.totals.gone == 0 && !report.ok)
    try FileManager.default.removeItem(atPath: path)
    #expect(try sync().problem != nil)
    #expect(try clinic.book().values.allSatisfy { $0.status == .booked })
  }

  @Test func `an event that leaves the days that are read is no deletion`() throws {
    try write(Event(uid: "u1", summary: "Rex"), Event(uid: "u2", summary: "Tiggy", start: "1228T100000"))
    try sync()
    try write(Event(uid: "u2", summary: "Tiggy", start: "1228T100000"))
    // Forty days later the first is outside, whether its file still has it or not.
    let later = clinic.now.adding(days: 40)
    #expect(try sync(at: later).totals.gone == 0)
    try practice.perform(ChangeSetting(key: "calendar-days-back", value: "60"), by: .local, at: later)
    #expect(try sync(at: later).totals.gone == 1)
  }

  @Test func `a series has its exceptions, at the same hour on both sides of a change of the clocks`() throws {
    let weekly = Event(
      uid: "s", summary: "Rex vaccination", start: "1002T100000",
      lines: [
        "RRULE:FREQ=WEEKLY;COUNT=12", "EXDATE;TZID=Europe/London:20261127T100000",
        "RDATE;TZID=Europe/London:20261202T150000",
      ])
    let moved = Event(
      uid: "s", summary: "Rex vaccination", start: "1205T110000",
      lines: ["RECURRENCE-ID;TZID=Europe/London:20261204T100000"])
    try write(weekly, moved)
    try sync()
    let starts = try clinic.book().values.map(\.start).sorted()
    // From 23 October on, 30 days before 20 November and a little: the first of all is left out.
    let days = ["10-23", "10-30", "11-06", "11-13", "11-20"].map { "2026-\($0)T10:00" }
    let after = ["2026-12-02T15:00", "2026-12-05T11:00", "2026-12-11T10:00", "2026-12-18T10:00"]
    #expect(starts == (days + after).map(SmallClinic.at))
    #expect(try clinic.book().values.allSatisfy { $0.patientID == "X1" && $0.durationMinutes == 30 })
    // One exception more: that one is gone, no other.
    var shorter = weekly
    shorter.lines[1] = "EXDATE;TZID=Europe/London:20261127T100000,20261211T100000"
    try write(shorter, moved)
    #expect(try sync().totals.gone == 1)
    for rule in ["FREQ=SECONDLY", "FREQ=MINUTELY;INTERVAL=7", "FREQ=HOURLY", "FREQ=NEVER"] {
      try write(Event(uid: "h", summary: "Rex", lines: ["RRULE:\(rule)"]), Event(uid: "k", summary: "x"))
      #expect(try sync().inserted <= 2, "\(rule)")
    }
    try write(Event(uid: "d", summary: "Lunch", start: "0101T130000", lines: ["RRULE:FREQ=DAILY"]))
    #expect(try sync().inserted == 30 + 366)
  }

  @Test func `what somebody says of one of a series holds for all, and a rejected one asks no more`() throws {
    try write(
      Event(uid: "s", summary: "Bella", lines: ["RRULE:FREQ=WEEKLY;COUNT=3"]),
      Event(uid: "m", summary: "Rex and Tiggy", start: "1124T090000"))
    #expect(try sync().totals.inbox == 2 && inbox().count == 2)
    let items = try inbox()
    let series = try #require(items.first { $0.content.origin.id == "s" })
    #expect(Set(series.proposals.map(\.patient.id)) == ["B1", "B2"])
    let both = try #require(items.first { $0.content.origin.id == "m" })
    try practice.perform(AssignInboxItem(id: series.id, patient: "B2"), by: .local, at: clinic.now)
    try practice.perform(
      SetInboxItemAside(id: both.id, isRejected: true, reason: "two animals"), by: .local, at: clinic.now)
    #expect(try sync().totals.inbox == 0 && inbox().isEmpty)
    let rows = try clinic.book().values.filter { $0.reason == "Bella" }
    #expect(rows.count == 3 && rows.allSatisfy { $0.patientID == "B2" })
    let before = try content()
    try sync()
    let after = try content()
    #expect(before.keys.filter { before[$0] != after[$0] } == [])
  }

  @Test func `who takes part by address has the visit, in whosever calendar it stands`() throws {
    for (address, staff) in [("V2@Example.org", "V2"), ("nurse@example.org", "N1")] {
      try practice.perform(SetStaffAddress(address: address, staff: staff), by: .local, at: clinic.now)
    }
    func invited(_ names: String...) -> [String] { names.map { "ATTENDEE;CN=x:mailto:\($0)@example.org" } }
    try write(
      Event(uid: "u1", summary: "Rex", lines: invited("nurse", "v2")),
      Event(uid: "u2", summary: "Tiggy", start: "1124T100000", lines: invited("nurse")),
      Event(uid: "u3", summary: "T1", start: "1125T100000", lines: invited("stranger")))
    try sync()
    #expect(try ["u1", "u2", "u3"].map { try clinic.appointment($0).clinicianID } == ["V2", "N1", "V1"])
    // The same event in another's calendar is the same appointment, and neither takes it from the other.
    let other = clinic.folder.file("ben.ics")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    try practice.perform(KeepCalendar(calendar: "ben", path: other, clinician: "V2"), by: .local, at: clinic.now)
    try sync()
    let before = try content()
    try sync()
    let after = try content()
    #expect(before.keys.filter { before[$0] != after[$0] } == [])
    #expect(try clinic.book().count == 3)
    let second = try practice.perform(SyncCalendars(calendars: ["ben"]), by: .local, at: clinic.now)
    #expect(second.map(\.totals.elsewhere) == [3] && second.map(\.totals.leftOut) == [0])
    #expect(try clinic.appointment("u3").clinicianID == "V1")
    for bad in ["ann", "a@b@c", "a b@c", "@", ""] {
      #expect(throws: PracticeError.self) {
        try practice.perform(SetStaffAddress(address: bad, staff: "V1"), by: .local, at: clinic.now)
      }
    }
  }

  @Test func `a calendar may be a folder, a file is imported as one, and an import is taken back whole`() throws {
    let folder = clinic.folder.file("calendars")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try write(Event(uid: "u1", summary: "Rex"))
    try FileManager.default.copyItem(atPath: path, toPath: folder + "/a.ics")
    try Data("id,name,species\nQ1,Eve,cat\n".utf8).write(to: URL(filePath: folder + "/patients.csv"))
    try practice.perform(KeepCalendar(calendar: "ann", path: folder), by: .local, at: clinic.now)
    #expect(try sync().inserted == 1 && practice.records.findPatients("Eve").isEmpty)
    try write(Event(uid: "u1", summary: "Rex"), Event(uid: "u2", summary: "Bella", start: "1124T100000"))
    // As a file of its own it says nothing of what the calendar has.
    let summary = try practice.perform(
      ImportRecords(paths: [path], options: ImportOptions(indexes: false)), by: .local, at: clinic.now)
    #expect(summary.records["appointments"]?.inserted == 1 && summary.calendar?.inbox == 1)
    try practice.perform(UndoImport(), by: .local, at: clinic.now)
    #expect(try inbox().isEmpty && clinic.book().keys.sorted() == ["u1"])
    try practice.perform(RemoveCalendar(calendar: "ann"), by: .local, at: clinic.now)
    #expect(try clinic.book().count == 1)
    #expect(throws: PracticeError.self) {
      try practice.perform(SyncCalendars(calendars: ["ann"]), by: .local, at: clinic.now)
    }
  }

  @Test func `no word of an event stands in an error or on record`() throws {
    let canary = "Zanzibarquartz"
    try write(
      Event(uid: "u1", summary: canary, minutes: 0, lines: ["DESCRIPTION:\(canary)"]),
      Event(uid: "u2", summary: "\(canary) vomiting", lines: ["RRULE:FREQ=HOURLY"]))
    var messages: [String] = []
    let reports = try practice.perform(
      SyncCalendars(), by: .local, at: clinic.now, message: { messages.append($0) })
    #expect(!messages.isEmpty && reports.first?.rejected == 2)
    #expect(!"\(messages) \(reports)".contains(canary))
    for entry in try practice.connection.audit.entries().compactMap(\.entry) { #expect(!"\(entry)".contains(canary)) }
  }
}
