import Assessment
import Clinical
import Scheduling
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Optimising, emergencies and the waiting list on a practice file.
struct PlanningTests {
  private static var limits: SearchLimits {
    var limits = SearchLimits()
    limits.iterations = 300
    return limits
  }

  private static let monday = CalendarDate(iso: "2026-11-23") ?? CalendarDate(daysSince1970: 0)

  @Test func `a plan computed on stale data is thrown away and computed anew`() throws {
    let clinic = try SmallClinic()
    try clinic.ask("A1", "P1", "2026-11-23T10:00")
    var calls = 0
    let plan = try clinic.practice.calendar.optimize(
      [Self.monday], limits: Self.limits, now: clinic.now, isDryRun: false,
      meanwhile: {
        calls += 1
        guard calls == 1 else { return }
        // Another process takes the very slot.
        let other = try Connection.open(clinic.folder.file("p.vetnet"))
        _ = try other.appointments.book(
          Appointment(
            id: "X1", clinicianID: "V1", resourceIDs: ["R1"], start: SmallClinic.at("2026-11-23T10:00"),
            durationMinutes: 30))
      })
    #expect(plan.attempts == 2)
    #expect(plan.isWritten)
    let placed = try clinic.appointment("A1")
    #expect(placed.status == .booked)
    #expect(!(placed.clinicianID == "V1" && placed.start == SmallClinic.at("2026-11-23T10:00")))
    #expect(try clinic.isSound())
    #expect(try clinic.practice.calendar.planVersion() == 1)
  }

  @Test func `a book that never stands still is given up with a word`() throws {
    let clinic = try SmallClinic()
    try clinic.ask("A1", "P1", "2026-11-23T10:00")
    var number = 0
    let error = #expect(throws: PracticeError.self) {
      try clinic.practice.calendar.optimize(
        [Self.monday], limits: Self.limits, now: clinic.now, isDryRun: false,
        meanwhile: {
          number += 1
          let other = try Connection.open(clinic.folder.file("p.vetnet"))
          _ = try other.appointments.book(
            Appointment(
              id: "X\(number)", clinicianID: "V1",
              start: SmallClinic.at("2026-11-23T09:00").adding(minutes: number * 30),
              durationMinutes: 5))
        })
    }
    #expect(error?.code == .locked)
    #expect(try clinic.appointment("A1").status == .requested)
  }

  @Test func `minutes that were asked for are what is reserved`() throws {
    let clinic = try SmallClinic()
    try clinic.ask("A1", "P1", "2026-11-23T10:00", minutes: 55, reason: "annual booster, bright and well")
    let plan = try clinic.practice.calendar.optimize(
      [Self.monday], limits: Self.limits, now: clinic.now, isDryRun: false)
    #expect(plan.proposal.changes.map(\.after.minutes) == [55])
    #expect(try clinic.appointment("A1").durationMinutes == 55)
  }

  @Test func `a visit's length is predicted for what it was booked as, whatever its reason sounds like`() throws {
    let clinic = try SmallClinic()
    func minutes(_ type: VisitType) throws -> Double {
      let appointment = Appointment(
        id: "A1", patientID: "P1", clinicianID: "V1", start: SmallClinic.at("2026-11-23T10:00"), durationMinutes: 15,
        visitType: type, reason: "collapsed on Friday, kidneys and potassium again", status: .booked)
      return try #require(try clinic.practice.assessment.assessment(of: appointment, now: clinic.now)).duration.p50
    }
    let recheck = try minutes(.recheck)
    #expect(try recheck < minutes(.imaging))
    #expect(try minutes(.imaging) < minutes(.behaviour))
  }

  @Test func `a whole week is planned together, written as one change, and undone as one`() throws {
    let clinic = try SmallClinic()
    for (number, day) in [23, 24, 25, 26, 27].enumerated() {
      try clinic.ask("A\(number)", "P\(number + 1)", "2026-11-\(day)T10:00")
    }
    let week = (0..<7).map { Self.monday.adding(days: $0) }
    let plan = try clinic.practice.calendar.optimize(week, limits: Self.limits, now: clinic.now, isDryRun: false)
    #expect(plan.proposal.unplaced.isEmpty)
    #expect(try clinic.practice.calendar.planVersion() == 1)
    for (number, day) in [23, 24, 25, 26, 27].enumerated() {
      let placed = try clinic.appointment("A\(number)")
      #expect(placed.status == .booked && placed.start == SmallClinic.at("2026-11-\(day)T10:00"))
    }
    _ = try clinic.practice.calendar.undo(now: clinic.now)
    #expect(try clinic.book().values.allSatisfy { $0.status == .requested })
  }

  @Test func `time, vet and room are kept each by itself`() throws {
    for what in 0..<3 {
      let clinic = try SmallClinic()
      let kept = try clinic.book("P1", "2026-11-23T10:00", minutes: 60)
      _ = try clinic.practice.calendar.setOptions(of: kept.id, now: clinic.now) { options in
        options.keepsTime = what == 0
        options.keepsClinician = what == 1
        options.keepsRooms = what == 2
      }
      // An emergency at ten wants what the booking has; V2 is busy all morning.
      try clinic.book("P2", "2026-11-23T09:00", with: "V2", minutes: 240)
      let booking = try clinic.practice.calendar.bookEmergency(
        .intake(Intake(id: "", text: "collapsed, gums white"), patient: "P3"), urgency: .red, minutes: 30,
        now: SmallClinic.at("2026-11-23T09:55"))
      let after = try clinic.appointment(kept.id)
      switch what {
      case 0: #expect(after.start == kept.start)
      case 1: #expect(after.clinicianID == "V1" && after.start != kept.start)
      default: #expect(after.resourceIDs == kept.resourceIDs && after.start != kept.start)
      }
      #expect(booking.appointment.status == .booked)
      #expect(try clinic.isSound())
    }
  }

  @Test func `an emergency gets its place, those who move are told, and one undo puts all back`() throws {
    let clinic = try SmallClinic()
    for (number, time) in ["09:00", "10:00", "11:00"].enumerated() {
      try clinic.book("P\(number + 1)", "2026-11-23T\(time)", with: "V1", minutes: 50)
      try clinic.book("P\(number + 4)", "2026-11-23T\(time)", with: "V2", minutes: 50)
    }
    let before = try clinic.book()
    let now = SmallClinic.at("2026-11-23T09:55")
    let booking = try clinic.practice.calendar.bookEmergency(
      .intake(Intake(id: "", text: "hit by a car, gums white"), patient: "P9"), urgency: .red, minutes: 30, now: now)
    #expect(booking.appointment.start.minutes(since: now) <= 30)
    #expect(booking.plan.isInTime)
    #expect(booking.notices.count == booking.plan.moves.count && booking.notices.count <= 2)
    for notice in booking.notices {
      #expect(notice.phone == "01234 567")
      #expect(notice.text.contains("instead of"))
      #expect(try clinic.appointment(notice.appointmentID).start == notice.after.start)
    }
    #expect(try clinic.isSound())
    #expect(try clinic.practice.calendar.planVersion() == 7)
    _ = try clinic.practice.calendar.undo(now: now)
    #expect(try clinic.book().filter { $0.value.status == .booked } == before)
  }

  @Test func `a dry run of an emergency writes nothing, and what is no emergency is refused`() throws {
    let clinic = try SmallClinic()
    let now = SmallClinic.at("2026-11-23T09:55")
    let request = ProposalRequest.intake(Intake(id: "", text: "collapsed"), patient: "P9")
    let booking = try clinic.practice.calendar.bookEmergency(
      request, urgency: .orange, minutes: 20, now: now, isDryRun: true)
    #expect(booking.version == nil)
    #expect(try clinic.book().isEmpty)
    let error = #expect(throws: PracticeError.self) {
      try clinic.practice.calendar.bookEmergency(request, urgency: .green, now: now)
    }
    #expect(error?.code == .failed)
  }

  @Test func `a freed slot is offered to those it fits, the most urgent and best first`() throws {
    let clinic = try SmallClinic()
    let slot = try clinic.book("P1", "2026-11-23T10:00", minutes: 30)
    try clinic.ask("W1", "P2", "2026-11-23T11:00", minutes: 30)
    try clinic.ask("W2", "P3", "2026-11-23T10:00", minutes: 20)
    // Too long for the slot, and an owner who can't come.
    try clinic.ask("W3", "P4", "2026-11-23T10:00", minutes: 45)
    let away = try clinic.ask("W4", "P5", "2026-11-23T10:00", minutes: 15)
    var options = AppointmentOptions()
    options.window = SmallClinic.at("2026-11-23T13:00")..<SmallClinic.at("2026-11-23T17:00")
    try clinic.practice.connection.appointments.setOptions(options, row: away)
    let urgent = try clinic.ask("W5", "P6", "2026-11-23T15:00", minutes: 15)
    var triaged = AppointmentOptions()
    triaged.urgency = .orange
    triaged.receivedAt = clinic.now
    try clinic.practice.connection.appointments.setOptions(triaged, row: urgent)
    #expect(
      try clinic.practice.reception.waitingList(now: clinic.now).map(\.appointment.id) == [
        "W5", "W2", "W3", "W4", "W1",
      ])
    let change = try clinic.practice.calendar.cancel(appointment: slot.id, now: clinic.now)
    #expect(change.offers.map(\.appointment.id) == ["W5", "W2", "W1"])
    for offer in change.offers {
      #expect(offer.proposal.clinicianID == "V1")
      #expect(
        offer.proposal.start >= slot.start && offer.proposal.start.adding(minutes: offer.proposal.minutes) <= slot.end)
      #expect(abs(offer.proposal.explanation.value - offer.proposal.score) < 1e-9)
    }
    // And it can be booked as it is offered.
    let best = try #require(change.offers.first)
    _ = try clinic.practice.calendar.book(
      Booking(
        patient: nil, appointmentID: "W5", start: best.proposal.start, minutes: best.proposal.minutes,
        clinicianID: best.proposal.clinicianID), now: clinic.now)
  }

  @Test func `why gives the parts of the score, and why-not every reason and the cheapest way round`() throws {
    let clinic = try SmallClinic()
    let standing = try clinic.book("P1", "2026-11-23T10:00", minutes: 30)
    let blocking = try clinic.book("P2", "2026-11-23T11:00", minutes: 30)
    let reasons = try clinic.practice.calendar.why(appointment: standing.id, now: clinic.now)
    let parts = reasons.explanation.details.map(\.description)
    for fact in ["skill", "continuity", "waiting", "owner's window", "workload", "idle gaps", "overrun risk"] {
      #expect(parts.contains { $0.hasPrefix(fact) }, "\(fact)")
    }
    #expect(abs(reasons.explanation.value - reasons.explanation.details.reduce(0) { $0 + $1.value }) < 1e-9)
    #expect(reasons.history.map(\.version) == [1])

    let refusal = try clinic.practice.calendar.whyNot(
      appointment: standing.id, at: SmallClinic.at("2026-11-23T10:45"), with: "V1", now: clinic.now)
    #expect(refusal.verdict.conflicts == [blocking.id])
    #expect(refusal.alternatives.map(\.kind).contains(.otherClinician))
    let best = try #require(refusal.alternatives.first)
    #expect(refusal.alternatives.allSatisfy { $0.cost >= best.cost })
    // The cheapest way is one that can be gone.
    if best.moves.isEmpty {
      _ = try clinic.practice.calendar.move(
        appointment: standing.id, to: best.visit.start, clinicianID: best.visit.clinicianID, resourceIDs: nil,
        minutes: nil, now: clinic.now)
    }
    let free = try clinic.practice.calendar.whyNot(
      appointment: standing.id, at: SmallClinic.at("2026-11-23T14:00"), with: "V1", now: clinic.now)
    #expect(free.verdict.isFree && free.alternatives.isEmpty)
    let closed = try clinic.practice.calendar.whyNot(
      appointment: standing.id, at: SmallClinic.at("2026-11-23T20:00"), with: "N1", now: clinic.now)
    #expect(closed.verdict.obstacles.map(\.kind) == [.wrongRole, .notWorking])
    #expect(closed.verdict.conflicts.isEmpty)
  }

  @Test func `the quantile that is reserved is the practice's own setting`() throws {
    let clinic = try SmallClinic()
    func minutes() throws -> Int {
      try clinic.practice.calendar.book(
        Booking(patient: "P1", start: SmallClinic.at("2026-11-23T10:00"), minutes: nil, clinicianID: "V1"),
        now: clinic.now, isDryRun: true
      ).appointment.durationMinutes
    }
    let usual = try minutes()
    try clinic.practice.calendar.setPlanQuantile(0.95)
    #expect(try minutes() > usual)
    #expect(throws: PracticeError.self) { try clinic.practice.calendar.setPlanQuantile(1.2) }
    try clinic.book("P1", "2026-11-23T10:00")
    let (current, table) = try clinic.practice.calendar.reserveTradeOff(
      on: Self.monday, now: clinic.now, quantiles: [0.5, 0.9])
    #expect(current == 0.95)
    #expect(table.rows.map(\.placed) == [1, 1])
    #expect(table.rows[0].reserved < table.rows[1].reserved)
  }

  @Test func `ways round what is forbidden are never forbidden themselves`() throws {
    let clinic = try SmallClinic()
    let id = try clinic.book("P1", "2026-11-23T10:00").id
    func whyNot(_ time: String, _ clinician: String, _ rooms: [String] = []) throws -> SlotRefusal {
      try clinic.practice.calendar.whyNot(
        appointment: id, at: SmallClinic.at(time), with: clinician, resourceIDs: rooms, now: clinic.now)
    }
    let nurse = try whyNot("2026-11-23T10:00", "N1")
    #expect(!nurse.alternatives.isEmpty)
    #expect(nurse.alternatives.allSatisfy { $0.visit.clinicianID != "N1" })
    // Long after closing, and in the past: the nearest that can be had.
    for time in ["2026-11-23T22:00", "2026-11-19T10:00"] {
      let ways = try whyNot(time, "V1").alternatives
      #expect(!ways.isEmpty, "\(time)")
      for way in ways {
        #expect(way.visit.start >= clinic.now)
        _ = try clinic.practice.calendar.move(
          appointment: id, to: way.visit.start, clinicianID: way.visit.clinicianID, resourceIDs: nil, minutes: nil,
          now: clinic.now, isDryRun: true)
      }
    }
    for (clinician, room) in [("V1", "R99"), ("V99", "R1")] {
      let error = #expect(throws: PracticeError.self) { try whyNot("2026-11-23T12:00", clinician, [room]) }
      #expect(error?.code == .notFound)
    }
  }

  @Test func `proposals are the best first, for the living, and nobody is late before they may come`() throws {
    let clinic = try SmallClinic()
    let connection = clinic.practice.connection
    _ = try connection.patients.upsert(
      Patient(id: "P9", name: "Old Tom", species: .cat, deceasedAt: CalendarDate(iso: "2026-10-01")),
      source: connection.sources.id(named: "test"))
    func propose(_ patient: String, from: String) throws -> [SlotProposal] {
      try clinic.practice.calendar.proposeSlots(
        for: .intake(Intake(id: "", receivedAt: clinic.now, text: "sore eye, half shut"), patient: patient),
        from: SmallClinic.at(from), now: clinic.now, days: 7, limit: 8
      ).proposals
    }
    #expect(throws: PracticeError.self) { try propose("P9", from: "2026-11-23T09:00") }
    let slots = try propose("P1", from: "2027-02-01T09:00")
    #expect(slots.first?.meetsTarget == true)
    for isInTime in [true, false] {
      let scores = slots.filter { $0.meetsTarget == isInTime }.map(\.score)
      #expect(scores == scores.sorted(by: >))
    }
    #expect(slots.map { $0.meetsTarget == true ? 0 : 1 } == slots.map { $0.meetsTarget == true ? 0 : 1 }.sorted())
  }

  @Test func `waiting looks through the last of the days, and a freed slot is for the few it fits`() throws {
    let clinic = try SmallClinic()
    try clinic.ask("W1", "P1", "2026-11-27T10:00")
    let best = try clinic.practice.reception.waitingList(now: clinic.now, days: 7).first?.best
    #expect(best?.start == SmallClinic.at("2026-11-27T10:00"))
    let slot = try clinic.book("P2", "2026-11-23T10:00")
    for number in 3...8 { try clinic.ask("W\(number)", "P\(number)", "2026-11-24T1\(number):00", minutes: 15) }
    try clinic.ask("FAR", "P9", "2027-01-20T10:00", minutes: 15)
    let offers = try clinic.practice.calendar.cancel(appointment: slot.id, now: clinic.now).offers
    #expect(offers.count == 3)
    #expect(!offers.contains { $0.appointment.id == "FAR" })
  }
}
