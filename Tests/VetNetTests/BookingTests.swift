import Clinical
import Scheduling
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// What a slot must hold before anybody gets it, and what is said when it doesn't.
struct BookingTests {
  private func refusal(_ work: () throws -> some Any) -> String {
    do {
      _ = try work()
      return "booked"
    } catch let error as PracticeError where error.code == .slotUnavailable {
      return error.description
    } catch {
      return "\(error)"
    }
  }

  @Test func `booking keeps the floating break, and the last place for it is refused`() throws {
    let lunch = (1...7).map { StaffMember.Break(weekday: $0, window: 720..<840, minutes: 60) }
    let clinic = try SmallClinic(breaks: lunch)
    try clinic.book("P1", "2026-11-23T12:00", minutes: 60)
    // 13:00 to 14:00 is all that is left of the window.
    let said = refusal { try clinic.book("P2", "2026-11-23T13:30", minutes: 15) }
    #expect(said.contains("no break"))
    try clinic.book("P2", "2026-11-23T14:00", minutes: 15)
    let moved = refusal {
      try clinic.practice.calendar.move(
        appointment: "appointment-2", to: SmallClinic.at("2026-11-23T13:00"), clinicianID: nil, resourceIDs: nil,
        minutes: nil, now: clinic.now)
    }
    #expect(moved.contains("no break"))
  }

  @Test func `a visit in conflict has its time as soon as the other gives it up`() throws {
    let clinic = try SmallClinic()
    let first = try clinic.book("P1", "2026-11-24T10:00")
    let appointments = clinic.practice.connection.appointments
    let source = try clinic.practice.connection.sources.id(named: "import")
    let visit = Appointment(
      id: "X1", patientID: "P2", clinicianID: "V1", start: SmallClinic.at("2026-11-24T10:00"), durationMinutes: 30)
    let row = try appointments.upsert(visit, source: source).rowID
    #expect(try appointments.appointment(row: row)?.conflict != nil)
    _ = try clinic.practice.calendar.cancel(appointment: first.id, now: clinic.now)
    #expect(try appointments.appointment(row: row)?.conflict == nil)
    #expect(throws: PracticeError.self) { try clinic.book("P3", "2026-11-24T10:15") }
    #expect(try clinic.isSound())
  }

  @Test func `everything in the way is named, and slots that are left`() throws {
    let clinic = try SmallClinic()
    try clinic.book("P1", "2026-11-23T10:00")
    do {
      try clinic.book("P1", "2026-11-23T10:15")
      Issue.record("booked twice")
    } catch let error as PracticeError {
      #expect(error.description.contains("V1 has appointment-1"))
      #expect(error.description.contains("P1 is booked then already"))
      #expect(!error.freeSlots.isEmpty)
      for slot in error.freeSlots.prefix(3) {
        #expect(slot.local.hasPrefix("2026-11-2"))
        _ = try clinic.practice.calendar.book(
          Booking(patient: "P2", start: slot.start, minutes: 30, clinicianID: slot.clinicianID), now: clinic.now,
          isDryRun: true)
      }
    }
  }

  @Test func `the owner's window, the order of visits and another visit of the patient are kept`() throws {
    let clinic = try SmallClinic()
    let first = try clinic.book("P1", "2026-11-23T10:00").id
    let window = SmallClinic.at("2026-11-23T09:00")..<SmallClinic.at("2026-11-23T11:00")
    #expect(
      refusal { try clinic.book("P2", "2026-11-23T12:00", options: { $0.window = window }) }.contains(
        "owner can come"))
    func after(_ time: String) -> String {
      refusal {
        try clinic.book(
          "P3", time, with: "V2",
          options: { options in
            options.afterID = first
            options.lagMinutes = 10
          })
      }
    }
    #expect(after("2026-11-23T10:35").contains("comes after \(first)"))
    #expect(after("2026-11-23T10:40") == "booked")
    #expect(refusal { try clinic.book("P1", "2026-11-23T10:10", with: "V2") }.contains("booked then already"))
  }

  @Test func `the way to a farm and back is the vet's time, in the schema too`() throws {
    let clinic = try SmallClinic()
    let farm = try clinic.book(
      "P1", "2026-11-23T11:00",
      options: { options in
        options.travelBefore = 25
        options.travelAfter = 35
      })
    #expect(farm.resourceIDs.isEmpty)
    #expect(refusal { try clinic.book("P2", "2026-11-23T10:10") }.contains("V1 has"))
    #expect(refusal { try clinic.book("P2", "2026-11-23T12:00", minutes: 10) }.contains("V1 has"))
    try clinic.book("P2", "2026-11-23T10:05", minutes: 30)
    try clinic.book("P3", "2026-11-23T12:05")
    #expect(throws: SlotTaken.self) {
      try clinic.practice.connection.appointments.book(
        Appointment(id: "X", clinicianID: "V1", start: SmallClinic.at("2026-11-23T12:00"), durationMinutes: 5))
    }
    #expect(try clinic.isSound())
    // And a request with travel is offered only where the road fits in.
    let proposals = try clinic.practice.calendar.proposeSlots(
      for: .appointment(farm.id), from: clinic.now, now: clinic.now, days: 4, limit: 5)
    #expect(proposals.proposals.allSatisfy { $0.resourceIDs.isEmpty && $0.minutes == 30 })
  }

  @Test func `a move keeps its room where that is free, and takes another of the kind where not`() throws {
    let clinic = try SmallClinic()
    let first = try clinic.book("P1", "2026-11-23T10:00")
    #expect(first.resourceIDs == ["R1"])
    try clinic.book("P2", "2026-11-23T11:00", with: "V2")
    let moved = try clinic.practice.calendar.move(
      appointment: first.id, to: SmallClinic.at("2026-11-23T11:00"), clinicianID: nil, resourceIDs: nil, minutes: nil,
      now: clinic.now)
    #expect(moved.appointment.resourceIDs == ["R2"])
    #expect(
      refusal {
        try clinic.practice.calendar.move(
          appointment: first.id, to: nil, clinicianID: nil, resourceIDs: ["R1"], minutes: nil, now: clinic.now)
      }.contains("no R1 is free"))
  }

  @Test func `leave, role and the past are refused`() throws {
    let monday = try #require(CalendarDate(iso: "2026-11-23"))
    let clinic = try SmallClinic(leave: [.init(days: monday...monday)])
    #expect(refusal { try clinic.book("P1", "2026-11-23T10:00", with: "V2") }.contains("on leave"))
    #expect(refusal { try clinic.book("P1", "2026-11-23T10:00", with: "N1") }.contains("veterinarian"))
    #expect(refusal { try clinic.book("P1", "2026-11-20T10:00") }.contains("passed"))
    #expect(refusal { try clinic.book("P1", "2026-11-23T16:45") }.contains("does not work"))
  }

  struct ClockChange: CustomTestStringConvertible, Sendable {
    let date: String
    /// Hours from 00:30 to 09:00 by the clock on the wall, in minutes that pass.
    let minutes: Int
    var testDescription: String { date }
  }

  // Spring skips an hour of the night, autumn repeats one.
  @Test(arguments: [
    ClockChange(date: "2027-03-28", minutes: 450), ClockChange(date: "2027-10-31", minutes: 570),
  ])
  func `a clinic open over a change of the clocks keeps local times`(change: ClockChange) throws {
    let clinic = try SmallClinic(hours: 0..<1440)
    let night = try clinic.book("P1", "\(change.date)T00:30", minutes: 180)
    let morning = try clinic.book("P2", "\(change.date)T09:00")
    #expect(morning.start.minutes(since: night.start) == change.minutes)
    let zone = SmallClinic.zone
    #expect(zone.clock(morning.start) == "09:00")
    // Three hours pass, whatever the clock shows.
    #expect(night.end.minutes(since: night.start) == 180)
    let end = change.minutes < 510 ? "04:30" : "02:30"
    #expect(zone.clock(night.end) == end)
    #expect(
      refusal { try clinic.book("P3", "\(change.date)T\(change.minutes < 510 ? "04:15" : "02:15")") }.contains("V1 has")
    )
    try clinic.book("P3", "\(change.date)T\(end)")
    #expect(try clinic.isSound())
    // A week's plan that holds the change leaves the booked where they are.
    let day = try #require(CalendarDate(iso: change.date))
    var limits = SearchLimits()
    limits.iterations = 200
    let plan = try clinic.practice.calendar.optimize(
      [day.adding(days: -1), day, day.adding(days: 1)], limits: limits, now: clinic.now, isDryRun: false)
    #expect(plan.proposal.changes.isEmpty && plan.proposal.conflicts.isEmpty)
    #expect(
      try clinic.practice.reception.schedule(on: day, clinicianID: nil, now: clinic.now).entries.map {
        zone.clock($0.appointment.start)
      } == ["00:30", end, "09:00"].sorted())
  }

  @Test func `a dental takes the dental table, else the theatre, else a room, and what is missing is said`() throws {
    let clinic = try SmallClinic()
    func dental(_ patient: String, with clinician: String) throws -> BookChange {
      try clinic.practice.calendar.book(
        Booking(
          patient: patient, start: SmallClinic.at("2026-11-23T10:00"), minutes: 30, clinicianID: clinician,
          visitType: .dental), now: clinic.now)
    }
    #expect(try dental("P1", with: "V1").appointment.resourceIDs == ["R1"])
    _ = try clinic.practice.calendar.undo(now: clinic.now)
    let connection = clinic.practice.connection
    _ = try connection.resources.upsert(
      Resource(id: "K1", name: "Dental table", kind: "theatre"), source: connection.sources.id(named: "test"))
    let change = try dental("P1", with: "V1")
    #expect(change.appointment.resourceIDs == ["K1"])
    #expect(change.missingResources.isEmpty)
    // The one table is not booked twice, though rooms are free.
    #expect(refusal { try dental("P2", with: "V2") }.contains("no theatre is free"))
    let scan = try clinic.practice.calendar.book(
      Booking(
        patient: "P2", start: SmallClinic.at("2026-11-23T12:00"), minutes: 30, clinicianID: "V1", visitType: .imaging),
      now: clinic.now)
    #expect(scan.appointment.resourceIDs.isEmpty)
    #expect(scan.missingResources == ["imaging"])
    let why = try clinic.practice.calendar.why(appointment: scan.appointment.id, now: clinic.now)
    #expect(why.explanation.details.contains { $0.description.contains("lists no imaging") })
  }

  @Test func `limits that nothing can keep are refused`() throws {
    let clinic = try SmallClinic()
    let first = try clinic.book("P1", "2026-11-23T10:00").id
    let second = try clinic.book("P1", "2026-11-23T11:00").id
    let third = try clinic.book("P1", "2026-11-24T09:10").id
    func set(_ id: String, _ edit: (inout AppointmentOptions) -> Void) -> String {
      do {
        _ = try clinic.practice.calendar.setOptions(of: id, now: clinic.now, edit)
        return "set"
      } catch {
        return "\(error)"
      }
    }
    #expect(set(second) { $0.afterID = first } == "set")
    #expect(set(third) { $0.afterID = second } == "set")
    #expect(set(first) { $0.afterID = third }.contains("circle"))
    #expect(set(first) { $0.afterID = first }.contains("itself"))
    #expect(set(first) { $0.lagMinutes = 10 }.contains("comes first"))
    let unknown = #expect(throws: PracticeError.self) {
      try clinic.practice.calendar.setOptions(of: first, now: clinic.now) { $0.afterID = "NOPE" }
    }
    #expect(unknown?.code == .notFound)
    #expect(unknown?.hint?.contains(second) == true)
    // Nine is when the vet's day begins.
    #expect(set(third) { $0.travelBefore = 20 }.contains("does not work"))
    #expect(set(third) { $0.travelBefore = 10 } == "set")
    #expect(try clinic.isSound())
  }

  @Test func `a broken order or window is shown where it stands`() throws {
    let clinic = try SmallClinic()
    let first = try clinic.book("P1", "2026-11-24T10:00").id
    let early = try clinic.book("P1", "2026-11-23T10:00").id
    let change = try clinic.practice.calendar.setOptions(of: early, now: clinic.now) { options in
      options.afterID = first
      options.window = SmallClinic.at("2026-11-23T12:00")..<SmallClinic.at("2026-11-23T13:00")
    }
    #expect(change.broken.count == 2)
    let day = try #require(CalendarDate(iso: "2026-11-23"))
    let entry = try #require(
      try clinic.practice.reception.schedule(on: day, clinicianID: nil, now: clinic.now).entries.first)
    #expect(entry.broken == change.broken)
    let parts = try clinic.practice.calendar.why(appointment: early, now: clinic.now).explanation.details.map(
      \.description)
    #expect(parts.contains { $0.hasPrefix("order: broken") })
    #expect(parts.contains { $0.hasPrefix("owner's window: broken") })
  }

  @Test func `who or what there isn't is named as such, and a request is not booked for somebody else's animal`() throws
  {
    let clinic = try SmallClinic()
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    let moved = #expect(throws: PracticeError.self) {
      try clinic.practice.calendar.move(
        appointment: id, to: nil, clinicianID: "S99", resourceIDs: nil, minutes: nil, now: clinic.now)
    }
    #expect(moved?.code == .notFound)
    #expect(moved?.hint?.contains("V1") == true)
    try clinic.ask("W1", "P2", "2026-11-23T12:00")
    let other = #expect(throws: PracticeError.self) {
      try clinic.practice.calendar.book(
        Booking(
          patient: "P3", appointmentID: "W1", start: SmallClinic.at("2026-11-23T12:00"), minutes: nil,
          clinicianID: "V1"), now: clinic.now)
    }
    #expect(other?.code == .invalidArgument)
    #expect(try clinic.appointment("W1").status == .requested)
  }

  @Test func `what is left of an order whose first visit was deleted forbids nothing`() throws {
    let clinic = try SmallClinic()
    let first = try clinic.book("P1", "2026-11-23T10:00").id
    try clinic.ask("W1", "P1", "2026-11-23T12:00")
    _ = try clinic.practice.calendar.setOptions(of: "W1", now: clinic.now) { options in
      options.afterID = first
      options.lagMinutes = 10
    }
    try clinic.practice.connection.appointments.delete(row: clinic.practice.calendar.storedAppointment(first).rowID)
    _ = try clinic.practice.calendar.setOptions(of: "W1", now: clinic.now) { $0.keepsTime = true }
    let booked = try clinic.practice.calendar.book(
      Booking(
        patient: nil, appointmentID: "W1", start: SmallClinic.at("2026-11-23T12:00"), minutes: 20, clinicianID: "V1"),
      now: clinic.now)
    #expect(booked.appointment.status == .booked)
  }

  @Test func `a level that reception gives makes no case less urgent, and a vet's counts as it is`() throws {
    let clinic = try SmallClinic()
    func level(_ role: Role, _ urgency: Urgency, at time: String) throws -> Urgency? {
      let booking = Booking(
        patient: "P1", start: SmallClinic.at("2026-11-23T\(time)"), minutes: 20, clinicianID: "V1",
        reason: "collapsed, gums white", urgency: urgency)
      let booked = try clinic.practice.perform(
        BookAppointment(booking: booking), by: Actor(name: "kim", role: role), at: clinic.now)
      return try clinic.practice.reception.scheduled(booked.appointment.id, now: clinic.now).options.urgency
    }
    // Nothing is pinned: the words count.
    #expect(try level(.reception, .green, at: "10:00") == nil)
    #expect(try level(.veterinarian, .green, at: "11:00") == .green)
    let day = try clinic.practice.reception.schedule(
      on: #require(CalendarDate(iso: "2026-11-23")), clinicianID: nil, now: clinic.now)
    #expect(day.entries.map { $0.urgency.map { $0 >= .orange } } == [true, false])
  }
}
