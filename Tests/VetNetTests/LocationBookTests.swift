import Clinical
import Foundation
import Interchange
import Scheduling
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// A practice with several locations, on file.
struct LocationBookTests {
  /// Monday to Saturday the 28th: V1 is at the first location, V2 at Harbour, which has the room R2 and is closed on the 24th.
  private func clinic() throws -> SmallClinic {
    let clinic = try SmallClinic()
    let practice = clinic.practice
    func perform<Wanted: VetNet.Operation>(_ operation: Wanted) throws -> Wanted.Outcome {
      try practice.perform(operation, by: .local, at: clinic.now)
    }
    _ = try perform(AddLocation(name: "High Street", id: "HS", region: "england-and-wales"))
    _ = try perform(AddLocation(name: "Harbour", id: "HB", hours: "mon-sat 10:00-16:00"))
    _ = try perform(PlaceRooms(location: "Harbour", rooms: ["R2"]))
    let day = try #require(CalendarDate(iso: "2026-11-24"))
    _ = try perform(ChangeClosures(location: "HB", first: day, last: day, edit: .close, reason: "stocktaking"))
    try clinic.work("V2", at: "HB")
    return clinic
  }

  private func refusal(_ work: () throws -> Any) -> String {
    do {
      _ = try work()
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `what was there is at the first location, and a visit takes a room where its clinician is`() throws {
    let clinic = try clinic()
    let states = try clinic.practice.perform(ListLocations(), by: .local, at: clinic.now)
    #expect(states.map(\.location.id) == ["HS", "HB"] && states.map(\.isMain) == [true, false])
    #expect(states.map(\.roomIDs) == [["R1"], ["R2"]] && states.map(\.staffIDs) == [["V1", "N1"], ["V2"]])
    #expect(try clinic.book("P1", "2026-11-23T11:00", with: "V1").resourceIDs == ["R1"])
    #expect(try clinic.book("P2", "2026-11-23T11:00", with: "V2").resourceIDs == ["R2"])
    // The one room there is taken, whatever is free elsewhere.
    _ = try clinic.practice.connection.staff.upsert(
      StaffMember(
        id: "V3", name: "Dr V3", role: .veterinarian,
        workingHours: (1...7).map { .init(weekday: $0, minutes: 540..<1020, locationID: "HB") }),
      source: try clinic.practice.connection.sources.id(named: "test"))
    #expect(refusal { try clinic.book("P3", "2026-11-23T11:10", with: "V3") }.contains("no room is free"))
  }

  @Test func `what a location forbids is refused, and said`() throws {
    let clinic = try clinic()
    #expect(
      refusal { try clinic.book("P1", "2026-11-24T11:00", with: "V2") }.contains(
        "HB is closed on 2026-11-24: stocktaking"))
    #expect(refusal { try clinic.book("P1", "2026-11-23T09:00", with: "V2") }.contains("does not work"))
    #expect(
      refusal { try clinic.book("P1", "2026-12-25T11:00", with: "V1") }.contains(
        "HS is closed on 2026-12-25: Christmas Day"))
    #expect(
      refusal { try clinic.book("P1", "2026-11-23T11:00", with: "V1") { $0.locationID = "HB" } }
        .contains("V1 works at HS then, not at HB"))
    try clinic.ask("A1", "P4", "2026-11-24T11:00")
    let found = try clinic.practice.calendar.proposeSlots(
      for: .appointment("A1"), from: SmallClinic.at("2026-11-24T08:00"), now: clinic.now, days: 1, limit: 50,
      locationID: "HB")
    #expect(found.proposals.isEmpty)
    let day = try #require(CalendarDate(iso: "2026-11-24"))
    let free = try clinic.practice.reception.freeTimes(FreeQuery(date: day), now: clinic.now)
    #expect(free.people.first { $0.id == "V2" }?.stretches.isEmpty == true)
    #expect(free.rooms.first { $0.id == "R2" }?.stretches.isEmpty == true)
    #expect(free.rooms.first { $0.id == "R1" }?.stretches.isEmpty == false)
  }

  @Test func `what is booked stays when hours, days off or credentials change, and is named`() throws {
    let clinic = try clinic()
    let practice = clinic.practice
    try clinic.book("P1", "2026-11-23T11:00", with: "V1")
    try clinic.book("P2", "2026-11-25T11:00", with: "V1")
    func shown(_ date: String) throws -> [String?] {
      try practice.reception.schedule(on: try #require(CalendarDate(iso: date)), clinicianID: nil, now: clinic.now)
        .entries
        .map(\.conflict)
    }
    #expect(try shown("2026-11-23") == [nil] && shown("2026-11-25") == [nil])
    let day = try #require(CalendarDate(iso: "2026-11-23"))
    try practice.perform(
      ChangeClosures(location: "HS", first: day, last: day, edit: .close, reason: "power cut"), by: .local,
      at: clinic.now)
    var edit = StaffEdit()
    edit.hours = "mon-sun 14-17"
    edit.location = "HS"
    try practice.perform(ChangeStaff(reference: "V1", edit: edit), by: .local, at: clinic.now)
    #expect(try shown("2026-11-23").first??.contains("HS is closed on 2026-11-23: power cut") == true)
    #expect(try shown("2026-11-25").first??.contains("V1 does not work") == true)
    let found = try practice.integrity.doctor(now: clinic.now, isQuick: true).filter {
      $0.subject.hasPrefix("appointment ")
    }
    #expect(found.count == 2 && found.allSatisfy { $0.severity == .problem }, "\(found)")
  }

  @Test func `a day, its briefs and those who wait are shown by location`() throws {
    let clinic = try clinic()
    try clinic.book("P1", "2026-11-23T11:00", with: "V1")
    try clinic.book("P2", "2026-11-23T11:00", with: "V2")
    try clinic.ask("A8", "P5", "2026-11-23T12:00")
    _ = try clinic.practice.calendar.setOptions(of: "A8", now: clinic.now) { $0.locationID = "HB" }
    try clinic.ask("A9", "P6", "2026-11-23T12:00")
    let day = try #require(CalendarDate(iso: "2026-11-23"))
    func patients(_ location: String?) throws -> [[String]] {
      let practice = clinic.practice
      return [
        try practice.reception.schedule(on: day, clinicianID: nil, locationID: location, now: clinic.now)
          .entries.compactMap(\.patient?.id).sorted(),
        try practice.briefs.briefs(on: day, clinicianID: nil, locationID: location, now: clinic.now).briefs.map(
          \.patient.id),
        try practice.reception.waitingList(now: clinic.now, locationID: location).compactMap(\.patient?.id).sorted(),
      ]
    }
    #expect(try patients(nil) == [["P1", "P2", "P5", "P6"], ["P1", "P2"], ["P5", "P6"]])
    #expect(try patients("HS") == [["P1", "P6"], ["P1"], ["P6"]])
    #expect(try patients("HB") == [["P2", "P5"], ["P2"], ["P5"]])
    let workload = try clinic.practice.reception.schedule(on: day, clinicianID: nil, locationID: "HB", now: clinic.now)
      .workload
    #expect(workload.map(\.clinicianID) == ["V2"] && workload.first?.workingMinutes == 360)
  }

  @Test func `breaks are no work where there are locations either`() throws {
    let clinic = try SmallClinic(breaks: [.init(weekday: 1, window: 720..<840, minutes: 30)])
    try clinic.practice.perform(AddLocation(name: "High Street", id: "HS"), by: .local, at: clinic.now)
    for (date, minutes) in [("2026-11-23", 450), ("2026-11-24", 480)] {
      let day = try #require(CalendarDate(iso: date))
      let found = try clinic.practice.reception.schedule(on: day, clinicianID: "V1", now: clinic.now).workload
      #expect(found.map(\.workingMinutes) == [minutes], "\(date)")
    }
  }

  // The clocks went back on 25 October 2026 in London, and go forward on 28 March 2027.
  @Test(arguments: ["2026-10-25", "2027-03-28", "2026-11-23"], [540..<1020, 0..<1440])
  func `hours are those of the clock, on days on which it changes too`(date: String, hours: Range<Int>) throws {
    let clinic = try SmallClinic(hours: hours)
    try clinic.practice.perform(AddLocation(name: "High Street", id: "HS"), by: .local, at: clinic.now)
    let day = try #require(CalendarDate(iso: date))
    let found = try clinic.practice.reception.schedule(on: day, clinicianID: "V1", now: clinic.now).workload.first
    #expect(found?.hours == [hours] && found?.workingMinutes == hours.count, "\(found as Any)")
  }

  @Test func `a plan keeps each visit at its location, and undo gives a stated one back`() throws {
    let clinic = try clinic()
    try clinic.ask("A1", "P1", "2026-11-23T11:00")
    try clinic.ask("A2", "P2", "2026-11-23T11:00")
    _ = try clinic.practice.calendar.setOptions(of: "A2", now: clinic.now) { $0.locationID = "HB" }
    let day = try #require(CalendarDate(iso: "2026-11-23"))
    var limits = SearchLimits()
    limits.iterations = 200
    _ = try clinic.practice.calendar.optimize([day], limits: limits, now: clinic.now, isDryRun: false)
    #expect(try clinic.appointment("A1").clinicianID == "V1" && clinic.appointment("A1").resourceIDs == ["R1"])
    #expect(try clinic.appointment("A2").clinicianID == "V2" && clinic.appointment("A2").resourceIDs == ["R2"])
    #expect(try clinic.isSound())
    _ = try clinic.practice.calendar.setOptions(of: "A2", now: clinic.now) { $0.locationID = nil }
    _ = try clinic.practice.calendar.undo(now: clinic.now)
    let row = try clinic.practice.calendar.storedAppointment("A2").rowID
    #expect(try clinic.practice.connection.appointments.options(row: row).locationID == "HB")
  }

  @Test func `days that are said again replace what was said of them, and of no others`() throws {
    let clinic = try clinic()
    func days(_ text: String) throws -> CalendarDate { try #require(CalendarDate(iso: text)) }
    func change(_ first: String, _ last: String, _ edit: ChangeClosures.Edit) throws -> [String] {
      try clinic.practice.perform(
        ChangeClosures(location: "HB", first: days(first), last: days(last), edit: edit), by: .local, at: clinic.now
      ).closures.map { "\($0.days.lowerBound.day)-\($0.days.upperBound.day)\($0.isOpen ? " open" : "")" }
    }
    #expect(try change("2026-11-20", "2026-11-28", .close) == ["20-28"])
    #expect(try change("2026-11-23", "2026-11-24", .open) == ["20-22", "23-24 open", "25-28"])
    #expect(try change("2026-11-22", "2026-11-26", .clear) == ["20-21", "27-28"])
    let entries = try clinic.practice.connection.audit.entries().compactMap(\.entry)
    #expect(entries.last?.operation == "location.closures.set" && entries.last?.subjects.first?.id == "HB")
  }

  private static let files: [(name: String, text: String)] = [
    (
      "locations.csv",
      "id,name,address,region,opening_hours,closures\n"
        + #"HS,High Street,1 High Street,scotland,"[{""weekday"":1,""start"":""09:00"",""end"":""17:00""}]","[{""from"":""2026-12-28"",""to"":""2026-12-29"",""reason"":""winter break""},{""from"":""2026-11-30"",""to"":""2026-11-30"",""open"":true}]""#
        + "\nHB,Harbour,,,,\n"
    ),
    (
      "staff.jsonl",
      #"{"id":"V1","name":"Dr Ash","role":"veterinarian","working_hours":[{"weekday":1,"start":"09:00","end":"12:00","location_id":"HS"},{"weekday":1,"start":"13:00","end":"17:00","location_id":"HB"}]}"#
        + "\n"
    ),
    ("resources.csv", "id,name,kind,location_id\nR1,Room 1,room,HS\nHB,Room 2,room,HB\n"),
    ("patients.jsonl", #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n"),
    (
      "appointments.csv",
      "id,patient_id,start,duration_minutes,status,location_id\nA1,P1,2026-12-07T10:00,20,requested,HB\n"
    ),
  ]

  private func dump(_ bench: ImportBench) throws -> String {
    try bench.state() + "\n" + bench.practice.connection.locations.list().map { "\($0.value)" }.joined(separator: "\n")
      + "\n\(bench.practice.connection.appointments.options(row: 1).locationID ?? "-")"
  }

  @Test func `locations arrive with what is there, once, leave in every format, and are taken back`() throws {
    let bench = try ImportBench()
    let empty = try bench.state()
    let summary = try bench.load(Self.files)
    #expect(summary.isComplete && summary.records["locations"] == .init(inserted: 2), "\(bench.messages)")
    let location = try #require(try bench.practice.connection.locations.list().first?.value)
    #expect(
      location.hours.count == 1 && location.closures.map(\.isOpen) == [false, true] && location.region == "scotland")
    #expect(try bench.practice.connection.appointments.options(row: 1).locationID == "HB")
    let full = try dump(bench)
    #expect(try bench.load(Self.files).records["locations"] == .init(unchanged: 2))
    #expect(try dump(bench) == full)
    for (format, path) in [(ExportFormat.folder, "lines"), (.fhir, "bundle.json"), (.csv, "tables/")] {
      let out = bench.folder.file(path)
      _ = try bench.practice.perform(ExportRecords(request: ExportRequest(format, to: out)), by: .local, at: bench.now)
      let other = try ImportBench()
      let read = try other.practice.exchange.importFiles(
        [out], options: ImportOptions(source: "practice", indexes: false), now: bench.now, progress: { _ in },
        message: { _ in })
      #expect(read.isComplete, "\(format)")
      #expect(try dump(other) == full, "\(format)")
    }
    #expect(try bench.practice.exchange.undoImport(1, now: bench.now).kept.isEmpty)
    #expect(try bench.state() == empty && bench.practice.connection.locations.list().isEmpty)
  }

  @Test func `a room or hours at a location that nobody knows are rejected, naming the field`() throws {
    let bench = try ImportBench()
    let summary = try bench.load([("resources.csv", "id,name,kind,location_id\nR1,Room 1,room,HS\n")])
    #expect(!summary.isComplete && bench.messages.joined().contains("location_id"), "\(bench.messages)")
  }

  @Test func `a role at a location counts there and nowhere else, and what it was used for is on record`() throws {
    let clinic = try clinic()
    let practice = clinic.practice
    practice.secrets.passphraseCost = .least
    let verifier = try PassphraseVerifier(of: Passphrase("four words, or five"), cost: .least)
    try practice.perform(AddUser(name: "ann", role: .administrator, verifier: verifier), by: .local, at: clinic.now)
    let ann = Actor(name: "ann", role: .administrator)
    try practice.perform(AddUser(name: "tom", role: .nurse, verifier: verifier), by: ann, at: clinic.now)
    try practice.perform(
      SetLocationRole(name: "tom", location: "Harbour", role: .administrator), by: ann, at: clinic.now)
    let tom = Actor(name: "tom", role: .nurse)
    func sets(_ location: String) -> Bool {
      (try? practice.perform(SetLocationHours(location: location, hours: "mon 9-12"), by: tom, at: clinic.now)) != nil
    }
    #expect(sets("HB") && sets("Harbour") && !sets("HS"))
    let last = try practice.connection.audit.entries().compactMap(\.entry).filter { $0.actor == "tom" }
    #expect(last.map(\.role) == ["administrator", "administrator", "nurse"] && last.last?.kind == .refusal)
    // What he may do elsewhere he may not do there: an administrator doesn't book.
    let booking = Booking(patient: "P1", start: SmallClinic.at("2026-11-23T11:00"), minutes: 20, clinicianID: "V1")
    #expect((try? practice.perform(BookAppointment(booking: booking), by: tom, at: clinic.now)) != nil)
    var there = booking
    var limits = LimitsEdit()
    limits.locationID = .set("HB")
    there.limits = limits
    there.clinicianID = "V2"
    #expect((try? practice.perform(BookAppointment(booking: there), by: tom, at: clinic.now)) == nil)
    // Nor does he get there by naming no location, or by moving what stands elsewhere.
    var unnamed = there
    unnamed.limits = nil
    unnamed.start = SmallClinic.at("2026-11-23T10:30")
    let refused = #expect(throws: PracticeError.self) {
      try practice.perform(BookAppointment(booking: unnamed), by: tom, at: clinic.now)
    }
    #expect(refused?.code == .notPermitted, "\(refused as Any)")
    let own = try #require(try clinic.book().values.first { $0.start == booking.start })
    let moved = #expect(throws: PracticeError.self) {
      try practice.perform(
        MoveAppointment(id: own.id, start: unnamed.start, clinicianID: "V2", resourceIDs: []), by: tom, at: clinic.now)
    }
    #expect(moved?.code == .notPermitted, "\(moved as Any)")
    #expect(try clinic.appointment(own.id) == own)
    // Each refusal is on record, as that at the door is.
    let refusals = try practice.connection.audit.entries().compactMap(\.entry).filter { $0.kind == .refusal }
    #expect(refusals.filter { $0.operation.hasPrefix("schedule.") }.count == 3)
    try practice.perform(SetLocationRole(name: "tom", location: "HB", role: nil), by: ann, at: clinic.now)
    #expect(!sets("HB"))
    #expect(try practice.people.users().first { $0.name == "tom" }?.locationRoles == nil)
  }
}

extension SmallClinic {
  /// Somebody's hours, all at one location.
  fileprivate func work(_ id: String, at location: String) throws {
    let connection = practice.connection
    guard var member = try connection.staff.members(id: id).first?.value else { return }
    for index in member.workingHours.indices { member.workingHours[index].locationID = location }
    _ = try connection.staff.upsert(member, source: try connection.sources.id(named: "test"))
  }
}
