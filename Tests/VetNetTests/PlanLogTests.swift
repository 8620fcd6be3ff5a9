import Clinical
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// What was done to the plan, and taking it back, on real files.
struct PlanLogTests {
  @Test func `changes are undone and made again, one by one, in other sessions`() throws {
    let clinic = try SmallClinic()
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    _ = try clinic.practice.calendar.move(
      appointment: id, to: SmallClinic.at("2026-11-23T11:00"), clinicianID: "V2", resourceIDs: ["R2"], minutes: nil,
      now: clinic.now)
    _ = try clinic.practice.calendar.cancel(appointment: id, now: clinic.now)
    #expect(try clinic.practice.calendar.planVersion() == 3)

    try clinic.reopen()
    #expect(try clinic.practice.calendar.undo(now: clinic.now).entry.kind == .cancel)
    #expect(try clinic.appointment(id).status == .booked)
    #expect(try clinic.appointment(id).resourceIDs == ["R2"])
    try clinic.reopen()
    #expect(try clinic.practice.calendar.undo(now: clinic.now).entry.kind == .move)
    #expect(try clinic.appointment(id).start == SmallClinic.at("2026-11-23T10:00"))
    #expect(try clinic.appointment(id).clinicianID == "V1")
    try clinic.reopen()
    #expect(try clinic.practice.calendar.redo(now: clinic.now).entry.kind == .move)
    #expect(try clinic.appointment(id).start == SmallClinic.at("2026-11-23T11:00"))
    _ = try clinic.practice.calendar.undo(now: clinic.now)
    _ = try clinic.practice.calendar.undo(now: clinic.now)
    #expect(try clinic.appointment(id).status == .cancelled)
    #expect(throws: PracticeError.self) { try clinic.practice.calendar.undo(now: clinic.now) }
    // The version only grows, whichever way the plan goes.
    #expect(try clinic.practice.calendar.planVersion() == 8)
    #expect(try clinic.isSound())
  }

  @Test func `a new change forgets what could have been made again`() throws {
    let clinic = try SmallClinic()
    try clinic.book("P1", "2026-11-23T10:00")
    _ = try clinic.practice.calendar.undo(now: clinic.now)
    try clinic.book("P2", "2026-11-23T10:00")
    let error = #expect(throws: PracticeError.self) { try clinic.practice.calendar.redo(now: clinic.now) }
    #expect(error?.description.contains("nothing to redo") == true)
  }

  @Test func `undo is refused when the slot was taken since, and says by whom`() throws {
    let clinic = try SmallClinic()
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    _ = try clinic.practice.calendar.move(
      appointment: id, to: SmallClinic.at("2026-11-23T11:00"), clinicianID: nil, resourceIDs: nil, minutes: nil,
      now: clinic.now)
    // Somebody else's program puts one into the file: an import.
    _ = try clinic.practice.connection.appointments.book(
      Appointment(id: "X1", clinicianID: "V1", start: SmallClinic.at("2026-11-23T10:15"), durationMinutes: 15))
    let before = try clinic.book()
    let error = #expect(throws: PracticeError.self) { try clinic.practice.calendar.undo(now: clinic.now) }
    #expect(error?.code == .slotUnavailable)
    #expect(error?.description.contains("X1") == true)
    #expect(try clinic.book() == before)
    #expect(try clinic.practice.calendar.planVersion() == 2)
  }

  @Test func `undo is refused when the appointment was changed since, or its time has passed`() throws {
    let clinic = try SmallClinic()
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    _ = try clinic.practice.calendar.move(
      appointment: id, to: SmallClinic.at("2026-11-23T15:00"), clinicianID: nil, resourceIDs: nil, minutes: nil,
      now: clinic.now)
    let passed = #expect(throws: PracticeError.self) {
      try clinic.practice.calendar.undo(now: SmallClinic.at("2026-11-23T12:00"))
    }
    #expect(passed?.description.contains("passed") == true)
    let row = try clinic.practice.calendar.storedAppointment(id).rowID
    try clinic.practice.connection.appointments.change(row: row) { $0.status = .arrived }
    let changed = #expect(throws: PracticeError.self) { try clinic.practice.calendar.undo(now: clinic.now) }
    #expect(changed?.description.contains("changed since") == true)
  }

  @Test func `the difference of two versions says who moved, from when to when, with whom and where`() throws {
    let clinic = try SmallClinic()
    let first = try clinic.book("P1", "2026-11-23T10:00").id
    let second = try clinic.book("P2", "2026-11-23T12:00").id
    _ = try clinic.practice.calendar.move(
      appointment: first, to: SmallClinic.at("2026-11-23T14:00"), clinicianID: "V2", resourceIDs: nil, minutes: nil,
      now: clinic.now)
    _ = try clinic.practice.calendar.cancel(appointment: second, now: clinic.now)
    let difference = try clinic.practice.calendar.planDifference(from: 2, to: nil)
    #expect(difference.rows.map(\.appointmentID) == [second, first])
    #expect(difference.rows.map(\.kind) == ["cancelled", "moved"])
    #expect(difference.rows[1].before?.clinicianID == "V1")
    #expect(difference.rows[1].after.start == SmallClinic.at("2026-11-23T14:00"))
    #expect(try clinic.practice.calendar.planDifference(from: 0, to: 1).rows.map(\.kind) == ["booked"])
    #expect(try clinic.practice.calendar.planDifference(from: 3, to: 3).rows.isEmpty)
    #expect(throws: PracticeError.self) { try clinic.practice.calendar.planDifference(from: 3, to: 9) }
  }

  @Test func `a dry run of any change leaves no trace`() throws {
    let clinic = try SmallClinic()
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    let before = try clinic.book()
    let revision = try clinic.practice.connection.plan.revision()
    _ = try clinic.practice.calendar.move(
      appointment: id, to: SmallClinic.at("2026-11-23T11:00"), clinicianID: nil, resourceIDs: nil, minutes: nil,
      now: clinic.now, isDryRun: true)
    _ = try clinic.practice.calendar.cancel(appointment: id, now: clinic.now, isDryRun: true)
    _ = try clinic.practice.calendar.undo(now: clinic.now, isDryRun: true)
    #expect(try clinic.book() == before)
    #expect(try clinic.practice.calendar.planVersion() == 1)
    #expect(try clinic.practice.connection.plan.revision() == revision)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `whatever was done, undoing all of it gives the first book, and making it again the last`(seed: UInt64) throws {
    let clinic = try SmallClinic()
    try clinic.book("P9", "2026-11-24T09:00")
    let first = try clinic.book()
    let version = try clinic.practice.calendar.planVersion()
    var random = SplitMix64(seed: seed)
    func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    var done = 0
    for _ in 0..<25 {
      let booked = try clinic.book().values.filter { $0.status == .booked && $0.patientID != "P9" }.map(\.id).sorted()
      let time = SmallClinic.at("2026-11-23T09:00").adding(minutes: 5 * pick(90))
      do {
        switch booked.isEmpty ? 0 : pick(3) {
        case 0:
          _ = try clinic.practice.calendar.book(
            Booking(
              patient: "P\(1 + pick(8))", start: time, minutes: 5 * (1 + pick(8)), clinicianID: "V\(1 + pick(2))"),
            now: clinic.now)
        case 1:
          _ = try clinic.practice.calendar.move(
            appointment: booked[pick(booked.count)], to: time, clinicianID: "V\(1 + pick(2))", resourceIDs: nil,
            minutes: nil, now: clinic.now)
        default: _ = try clinic.practice.calendar.cancel(appointment: booked[pick(booked.count)], now: clinic.now)
        }
        done += 1
      } catch let error as PracticeError where error.code == .slotUnavailable {}
      #expect(try clinic.isSound())
    }
    // A move to where it stands already is no change.
    done = Int(try clinic.practice.calendar.planVersion() - version)
    #expect(done > 5)
    let last = try clinic.book()
    for _ in 0..<done { _ = try clinic.practice.calendar.undo(now: clinic.now) }
    let undone = try clinic.book()
    #expect(undone.filter { $0.value.status != .cancelled } == first)
    for _ in 0..<done { _ = try clinic.practice.calendar.redo(now: clinic.now) }
    #expect(try clinic.book() == last)
    #expect(try clinic.isSound())
  }

  @Test func `what has happened meanwhile is not undone, and nothing is changed by trying`() throws {
    let clinic = try SmallClinic()
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    for (time, word) in [("2026-12-10T09:00", "has passed"), ("2026-11-23T10:10", "has begun")] {
      let error = #expect(throws: PracticeError.self) { try clinic.practice.calendar.undo(now: SmallClinic.at(time)) }
      #expect(error?.code == .slotUnavailable)
      #expect(error?.description.contains(word) == true)
      #expect(error?.description.contains(id) == true)
    }
    #expect(try clinic.appointment(id).status == .booked)
    #expect(try clinic.practice.calendar.planVersion() == 1)
    // A visit that has begun may be given its former length again.
    let during = SmallClinic.at("2026-11-23T10:10")
    _ = try clinic.practice.calendar.move(
      appointment: id, to: nil, clinicianID: nil, resourceIDs: nil, minutes: 45, now: during)
    _ = try clinic.practice.calendar.undo(now: during)
    #expect(try clinic.appointment(id).durationMinutes == 30)
  }

  @Test func `undoing an emergency gives the request its wishes and its urgency back`() throws {
    let clinic = try SmallClinic()
    let row = try clinic.ask("W1", "P1", "2026-11-24T10:00", reason: "nails")
    let store = clinic.practice.connection.appointments
    var options = AppointmentOptions()
    options.keepsClinician = true
    try store.setOptions(options, row: row)
    let now = SmallClinic.at("2026-11-23T10:00")
    _ = try clinic.practice.calendar.bookEmergency(.appointment("W1"), urgency: .red, now: now)
    #expect(try store.options(row: row).urgency == .red)
    _ = try clinic.practice.calendar.undo(now: now)
    #expect(try store.options(row: row) == options)
    #expect(try clinic.practice.reception.waitingList(now: now).map(\.urgency) != [.red])
    _ = try clinic.practice.calendar.redo(now: now)
    #expect(try store.options(row: row).urgency == .red)
    #expect(try clinic.isSound())
  }

  @Test func `setting limits is a change like any other`() throws {
    let clinic = try SmallClinic()
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    let row = try clinic.practice.calendar.storedAppointment(id).rowID
    func options() throws -> AppointmentOptions { try clinic.practice.connection.appointments.options(row: row) }
    _ = try clinic.practice.calendar.setOptions(of: id, now: clinic.now, isDryRun: true) { $0.travelBefore = 20 }
    #expect(try options().isEmpty && clinic.practice.calendar.planVersion() == 1)
    let change = try clinic.practice.calendar.setOptions(of: id, now: clinic.now) { $0.travelBefore = 20 }
    #expect(change.version == 2)
    #expect(try clinic.practice.calendar.planLog(limit: 1).map(\.kind) == [.set])
    #expect(try clinic.practice.calendar.planDifference(from: 1, to: 2).rows.map(\.kind) == ["changed"])
    #expect(try clinic.isSound())
    try clinic.reopen()
    _ = try clinic.practice.calendar.undo(now: clinic.now)
    #expect(try options().isEmpty)
    #expect(try clinic.isSound())
    // The road is free again, and taken by the one who comes next: the limits can't be had back.
    try clinic.book("P2", "2026-11-23T09:30")
    #expect(throws: PracticeError.self) { try clinic.practice.calendar.redo(now: clinic.now) }
    _ = try clinic.practice.calendar.undo(now: clinic.now)
    _ = try clinic.practice.calendar.setOptions(of: id, now: clinic.now) { $0.keepsTime = true }
    _ = try clinic.practice.calendar.undo(now: clinic.now)
    _ = try clinic.practice.calendar.redo(now: clinic.now)
    #expect(try options().keepsTime)
    // What changes nothing is no change.
    #expect(try clinic.practice.calendar.setOptions(of: id, now: clinic.now) { $0.keepsTime = true }.version == nil)
  }

  @Test func `a request that was called off is called cancelled in the difference`() throws {
    let clinic = try SmallClinic()
    try clinic.ask("W1", "P1", "2026-11-24T10:00")
    _ = try clinic.practice.calendar.cancel(appointment: "W1", now: clinic.now)
    #expect(try clinic.practice.calendar.planDifference(from: 0, to: 1).rows.map(\.kind) == ["cancelled"])
  }

  @Test func `what can't be done with an appointment as it is fails, and is no misuse`() throws {
    let clinic = try SmallClinic()
    try clinic.ask("W1", "P1", "2026-11-24T10:00")
    let id = try clinic.book("P2", "2026-11-23T10:00").id
    _ = try clinic.practice.calendar.cancel(appointment: id, now: clinic.now)
    let practice = clinic.practice
    let attempts: [(String, () throws -> Void)] = [
      ("redo", { _ = try practice.calendar.redo(now: clinic.now) }),
      ("why", { _ = try practice.calendar.why(appointment: "W1", now: clinic.now) }),
      (
        "move",
        {
          _ = try practice.calendar.move(
            appointment: id, to: SmallClinic.at("2026-11-23T11:00"), clinicianID: nil, resourceIDs: nil, minutes: nil,
            now: clinic.now)
        }
      ),
      ("cancel", { _ = try practice.calendar.cancel(appointment: id, now: clinic.now) }),
      ("set", { _ = try practice.calendar.setOptions(of: id, now: clinic.now) { $0.keepsTime = true } }),
    ]
    for (what, attempt) in attempts {
      let error = #expect(throws: PracticeError.self, "\(what)") { try attempt() }
      #expect(error?.code == .failed, "\(what)")
    }
  }
}
