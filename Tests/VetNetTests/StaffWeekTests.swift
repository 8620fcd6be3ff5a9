import Clinical
import Testing

@testable import VetNet

/// Hours, breaks and leave as people type them.
struct StaffWeekTests {
  @Test(arguments: [
    ("mon-fri 12:00-14:00 30", "mon-fri 12:00-14:00 30"), ("Mon-Fri 12-14 30min", "mon-fri 12:00-14:00 30"),
    ("mon 12:00-14:00 30 min, tue 12:00-14:00 45", "mon 12:00-14:00 30, tue 12:00-14:00 45"),
    ("mon 12-13 30, mon 16-17 15", "mon 12:00-13:00 30, mon 16:00-17:00 15"), ("none", "none"), (" None ", "none"),
  ])
  func `breaks come back in the words that are read again as the same`(typed: String, shown: String) throws {
    let breaks = try StaffWeek.breaks(typed)
    #expect(StaffWeek.words(breaks) == shown)
    #expect(try StaffWeek.breaks(shown) == breaks)
  }

  @Test(arguments: [
    "", ",", "noon", "mon-fri 12:00-14:00", "mon-fri 12-14 0", "mon-fri 12-14 121", "mon-fri 14-12 30", "30",
  ])
  func `breaks that can't be meant are refused`(typed: String) {
    #expect(throws: PracticeError.self) { try StaffWeek.breaks(typed) }
  }

  @Test(arguments: [
    ("mon-fri 9-17", "mon-fri 09:00-17:00"), ("mon 9-12 14-18, tue 9-12 14-18", "mon-tue 09:00-12:00 14:00-18:00"),
    ("wed 9-17, mon 9-17", "mon 09:00-17:00, wed 09:00-17:00"),
  ])
  func `hours come back in the words that are read again as the same`(typed: String, shown: String) throws {
    let hours = try Practice.Workplace.weekly(typed)
    #expect(StaffWeek.words(hours) == shown)
    #expect(try Practice.Workplace.weekly(shown) == hours)
  }

  @Test func `leave is added, taken back in its middle, and a dry run changes nothing`() throws {
    let clinic = try SmallClinic()
    func change(_ from: String, _ to: String, back: Bool = false, isDryRun: Bool = false) throws -> [String] {
      var edit = StaffEdit()
      edit.leave = [
        .init(
          first: try #require(CalendarDate(iso: from)), last: try #require(CalendarDate(iso: to)), isTakenBack: back)
      ]
      return try clinic.practice.perform(
        ChangeStaff(reference: "V1", edit: edit, isDryRun: isDryRun), by: .local, at: clinic.now
      ).leave.map { "\($0.days.lowerBound)/\($0.days.upperBound)" }
    }
    #expect(try change("2026-12-01", "2026-12-10") == ["2026-12-01/2026-12-10"])
    #expect(try change("2026-12-04", "2026-12-06", back: true, isDryRun: true).count == 2)
    #expect(
      try change("2026-12-04", "2026-12-06", back: true) == ["2026-12-01/2026-12-03", "2026-12-07/2026-12-10"])
    #expect(
      try change("2026-12-03", "2026-12-05") == [
        "2026-12-01/2026-12-02", "2026-12-03/2026-12-05", "2026-12-07/2026-12-10",
      ]
    )
    #expect(throws: PracticeError.self) { try change("2026-12-05", "2026-12-03") }
    #expect(throws: PracticeError.self) { try change("2026-12-05", "2028-12-03") }
    #expect(try clinic.practice.integrity.verify().ok)
  }

  @Test func `leave of years that an import brought is taken back in one`() throws {
    let (first, last) = (try #require(CalendarDate(iso: "2026-12-01")), try #require(CalendarDate(iso: "2028-12-31")))
    let clinic = try SmallClinic(leave: [.init(days: first...last)])
    var edit = StaffEdit()
    edit.leave = [.init(first: first, last: last, isTakenBack: true)]
    let member = try clinic.practice.perform(ChangeStaff(reference: "V2", edit: edit), by: .local, at: clinic.now)
    #expect(member.leave.isEmpty)
  }

  @Test func `a room is added, changed in place, and none has the name of another`() throws {
    let clinic = try SmallClinic()
    let practice = clinic.practice
    let now = clinic.now
    func keep(_ room: KeepRoom) throws -> Resource { try practice.perform(room, by: .local, at: now) }
    let added = try keep(KeepRoom(name: " Laser ", kind: "imaging", capacity: 2))
    #expect(added.name == "Laser" && added.capacity == 2)
    let changed = try keep(KeepRoom(reference: "R1", name: "Room one", kind: "theatre", cleaningMinutes: 15))
    #expect(changed.id == "R1" && changed.name == "Room one" && changed.cleaningMinutes == 15)
    for wrong in [
      KeepRoom(name: "laser", kind: "room"), KeepRoom(name: "", kind: "room"), KeepRoom(name: "X", kind: " "),
      KeepRoom(name: "X", kind: "room", capacity: 0), KeepRoom(name: "X\n", kind: "ro\u{7}om"),
      KeepRoom(reference: "R2", name: "room ONE", kind: "room"),
    ] {
      #expect(throws: PracticeError.self, "\(wrong)") { try keep(wrong) }
    }
    let names = try practice.perform(ListRooms(), by: .local, at: now).map(\.name)
    #expect(names == ["Room one", "Room R2", "Laser"])
    #expect(try practice.integrity.verify().ok)
  }
}
