import Clinical
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Who is where: what people say of a visit is kept, measured, and taken back.
struct VisitFlowTests {
  private let clinic: SmallClinic

  init() throws { clinic = try SmallClinic() }

  private func say(_ stage: VisitStage, _ id: String, at time: String, by actor: String = "Ann") throws -> StageChange {
    try clinic.practice.reception.advance(id, to: stage, expecting: nil, actor: actor, now: SmallClinic.at(time))
  }

  private func refusal(_ work: () throws -> some Any) -> PracticeError? {
    do {
      _ = try work()
      return nil
    } catch {
      return error as? PracticeError
    }
  }

  @Test func `a visit goes from the door to the door, and its length is what it took`() throws {
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    #expect(try say(.arrived, id, at: "2026-11-23T09:52").before == .expected)
    #expect(try clinic.appointment(id).status == .arrived)
    _ = try say(.inConsult, id, at: "2026-11-23T10:04")
    #expect(try clinic.appointment(id).status == .inProgress)
    _ = try say(.toPay, id, at: "2026-11-23T10:29")
    let over = try clinic.appointment(id)
    #expect(over.status == .done && over.actualMinutes == 25)
    let gone = try say(.left, id, at: "2026-11-23T10:40")
    #expect(gone.appointment.actualMinutes == 25, "paying is no part of it")
    #expect(gone.course.waitingMinutes(now: SmallClinic.at("2026-11-23T18:00"), in: SmallClinic.zone) == 12)
    #expect(gone.course.steps.map(\.actor) == ["Ann", "Ann", "Ann", "Ann"])
  }

  @Test func `what was said by mistake is taken back with what it measured`() throws {
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    for (stage, time) in [(VisitStage.arrived, "09:50"), (.inConsult, "10:00"), (.toPay, "10:10")] {
      _ = try say(stage, id, at: "2026-11-23T\(time)")
    }
    let back = try say(.inConsult, id, at: "2026-11-23T10:11")
    #expect(back.appointment.status == .inProgress && back.appointment.actualMinutes == nil)
    // The end that came later is the end.
    #expect(try say(.toPay, id, at: "2026-11-23T10:40").appointment.actualMinutes == 40)
    #expect(try clinic.isSound())
  }

  @Test func `what an import measured stays where nobody told the beginning`() throws {
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    let row = try clinic.practice.calendar.storedAppointment(id).rowID
    try clinic.practice.connection.appointments.change(row: row) { $0.actualMinutes = 33 }
    #expect(try say(.left, id, at: "2026-11-23T11:00").appointment.actualMinutes == 33)
  }

  @Test func `saying the same again changes nothing`() throws {
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    let first = try say(.arrived, id, at: "2026-11-23T09:50")
    let again = try say(.arrived, id, at: "2026-11-23T09:55")
    #expect(again.revision == first.revision && again.course.steps == first.course.steps)
  }

  @Test func `nobody comes to a visit that isn't in the book, or is on a day to come`() throws {
    let id = try clinic.book("P1", "2026-11-24T10:00").id
    let early = refusal { try say(.arrived, id, at: "2026-11-23T09:50") }
    #expect(early?.code == .failed && early?.description.contains("still to come") == true)
    _ = try clinic.practice.calendar.cancel(appointment: id, now: clinic.now)
    #expect(refusal { try say(.arrived, id, at: "2026-11-24T09:50") }?.description.contains("cancelled") == true)
    try clinic.ask("W1", "P2", "2026-11-24T10:00")
    #expect(refusal { try say(.arrived, "W1", at: "2026-11-24T09:50") }?.description.contains("requested") == true)
    #expect(try clinic.appointment("W1").status == .requested)
  }

  @Test func `who comes after all is there, and time that somebody else has by now is marked as a conflict`() throws {
    let first = try clinic.book("P1", "2026-11-23T10:00").id
    _ = try say(.noShow, first, at: "2026-11-23T09:55")
    let second = try clinic.book("P2", "2026-11-23T10:00").id
    #expect(try say(.arrived, first, at: "2026-11-23T10:05").appointment.status == .arrived)
    #expect(try clinic.practice.calendar.storedAppointment(first).conflict?.contains(second) == true)
    #expect(try clinic.practice.calendar.storedAppointment(second).conflict == nil)
    // It is over, and takes nobody's time any more.
    _ = try say(.inConsult, first, at: "2026-11-23T10:06")
    _ = try say(.toPay, first, at: "2026-11-23T10:20")
    #expect(try clinic.practice.calendar.storedAppointment(first).conflict == nil)
    #expect(try clinic.appointment(first).actualMinutes == 14)
    #expect(try clinic.isSound())
  }

  @Test func `a change that is based on an earlier revision is refused`() throws {
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    let seen = try clinic.practice.calendar.storedAppointment(id).version
    _ = try say(.arrived, id, at: "2026-11-23T09:50")
    let stale = refusal {
      try clinic.practice.reception.advance(
        id, to: .noShow, expecting: seen, actor: "Ben", now: SmallClinic.at("2026-11-23T10:10"))
    }
    #expect(stale?.code == .changedMeanwhile)
  }

  @Test func `red and orange come first, then whoever came first, then whoever is due first`() throws {
    let day = "2026-11-23T"
    let ids = try [("P1", "10:00"), ("P2", "10:30"), ("P3", "11:00"), ("P4", "11:30"), ("P5", "12:00")].map {
      try clinic.book($0.0, day + $0.1, minutes: 20) { _ in }.id
    }
    let orange = try clinic.book("P6", day + "14:00", minutes: 20) { $0.urgency = .orange }.id
    _ = try say(.arrived, ids[2], at: day + "09:40")
    _ = try say(.arrived, ids[0], at: day + "09:45")
    _ = try say(.arrived, orange, at: day + "09:50")
    let date = try #require(CalendarDate(year: 2026, month: 11, day: 23))
    let flow = try clinic.practice.reception.flow(on: date, locationID: nil, now: SmallClinic.at(day + "10:10"))
    #expect(flow.entries(at: .arrived).map(\.visit.appointment.id) == [orange, ids[2], ids[0]])
    #expect(flow.entries(at: .expected).map(\.visit.appointment.id) == [ids[1], ids[3], ids[4]])
    let first = try #require(flow.entries(at: .arrived).first)
    #expect(first.waitedMinutes == 20 && first.targetMinutes == 15 && first.isOverdue)
    // Without a level there is no time that is too long.
    #expect(flow.entries(at: .arrived).dropFirst().allSatisfy { $0.targetMinutes == nil && !$0.isOverdue })
  }

  @Test(arguments: ["move", "book"])
  func `who came on another day is expected again, and waits from when they come`(_ way: String) throws {
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    _ = try say(.arrived, id, at: "2026-11-23T09:50")
    let (now, later) = (SmallClinic.at("2026-11-23T10:10"), SmallClinic.at("2026-11-25T10:00"))
    if way == "move" {
      _ = try clinic.practice.calendar.move(
        appointment: id, to: later, clinicianID: nil, resourceIDs: nil, minutes: nil, now: now)
    } else {
      var booking = Booking(patient: nil, start: later, minutes: 30, clinicianID: "V1")
      booking.appointmentID = id
      _ = try clinic.practice.calendar.book(booking, now: now)
    }
    #expect(try clinic.appointment(id).status == .booked)
    let came = try say(.arrived, id, at: "2026-11-25T09:55")
    #expect(came.before == .expected && came.course.steps.map(\.stage) == [.arrived, .expected, .arrived])
    #expect(came.course.waitingMinutes(now: SmallClinic.at("2026-11-25T10:05"), in: SmallClinic.zone) == 10)
    #expect(try clinic.isSound())
  }

  @Test func `who waits goes on waiting for a later time of the same day`() throws {
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    _ = try say(.arrived, id, at: "2026-11-23T09:50")
    _ = try clinic.practice.calendar.move(
      appointment: id, to: SmallClinic.at("2026-11-23T11:00"), clinicianID: nil, resourceIDs: nil, minutes: nil,
      now: SmallClinic.at("2026-11-23T10:10"))
    let row = try clinic.practice.calendar.storedAppointment(id)
    #expect(row.value.status == .arrived && clinicSteps(row.rowID) == [.arrived])
  }

  private func clinicSteps(_ row: Int64) -> [VisitStage] {
    (try? clinic.practice.connection.visitSteps.steps(of: row).map(\.stage)) ?? []
  }

  @Test func `whoever stands as waiting on a day to come can be expected there, and nothing else`() throws {
    let id = try clinic.book("P1", "2026-11-25T10:00").id
    let row = try clinic.practice.calendar.storedAppointment(id).rowID
    // As files have it from before.
    try clinic.practice.connection.appointments.change(row: row) { $0.status = .arrived }
    #expect(refusal { try say(.inConsult, id, at: "2026-11-23T09:50") }?.description.contains("still to come") == true)
    #expect(try say(.expected, id, at: "2026-11-23T09:50").appointment.status == .booked)
  }
}
