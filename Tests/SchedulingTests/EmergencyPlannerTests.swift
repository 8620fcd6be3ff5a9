import Clinical
import Testing

@testable import Scheduling

struct EmergencyPlannerTests {
  private func plan(
    _ request: VisitRequest, _ day: PracticeDay, now: Timestamp, details: [String: VisitRequest] = [:]
  ) throws -> EmergencyPlan? {
    try EmergencyPlanner(rules: Clinic.rules()).plan(request, on: day, details: details, now: now)
  }

  private func red(_ minutes: Double = 25, at moment: Timestamp) -> VisitRequest {
    Clinic.request("red", .red, minutes: minutes, received: moment)
  }

  @Test
  func `where somebody is free nobody moves`() throws {
    let day = Clinic.day(appointments: [Clinic.appointment("a", "ana", Clinic.at(10), 60, rooms: ["room-1"])])
    let plan = try #require(try plan(red(at: Clinic.at(10, 5)), day, now: Clinic.at(10, 5)))
    #expect(plan.moves.isEmpty && plan.visit.clinicianID == "ben" && plan.visit.start == Clinic.at(10, 5))
    #expect(plan.isInTime && plan.meetsTarget && plan.wait == 0)
  }

  @Test
  func `who has to move goes no farther than needed, and not before the owner can be told`() throws {
    let staff = [Clinic.member("ana")]
    let day = Clinic.day(
      staff: staff, appointments: [Clinic.appointment("a", "ana", Clinic.at(10), 20, rooms: ["room-1"])])
    let plan = try #require(try plan(red(at: Clinic.at(9, 55)), day, now: Clinic.at(9, 55)))
    #expect(plan.visit.start == Clinic.at(9, 55))
    #expect(plan.moves.map(\.id) == ["a"])
    // Earlier would be nearer to nobody: it is five to ten.
    // Ana is no perfect match, so 25 minutes take her 26: six slots.
    #expect(plan.moves.first?.after.start == Clinic.at(10, 25))
    #expect(abs(plan.explanation.value - plan.explanation.details.reduce(0) { $0 + $1.value }) < 1e-9)
  }

  @Test
  func `the search ends by counting places, and what it found till then stands`() throws {
    let staff = [Clinic.member("ana"), Clinic.member("ben")]
    let appointments = (0..<8).flatMap { number in
      ["ana", "ben"].map { vet in
        Clinic.appointment("\(vet)-\(number)", vet, Clinic.at(10, 20 * number), 20, rooms: [])
      }
    }
    let day = Clinic.day(staff: staff, appointments: appointments)
    var planner = EmergencyPlanner(rules: try Clinic.rules())
    let whole = try #require(planner.plan(red(at: Clinic.at(10)), on: day, now: Clinic.at(10)))
    planner.mostSteps = 1
    let cut = try #require(planner.plan(red(at: Clinic.at(10)), on: day, now: Clinic.at(10)))
    #expect(whole.isInTime && whole.explanation.value >= cut.explanation.value)
    #expect(planner.plan(red(at: Clinic.at(10)), on: day, now: Clinic.at(10))?.visit == cut.visit)
  }

  @Test
  func `what has begun, what is kept and what is urgent itself stays`() throws {
    let staff = [Clinic.member("ana")]
    func day(_ status: Appointment.Status, _ edit: (inout AppointmentOptions) -> Void = { _ in }) -> PracticeDay {
      var day = Clinic.day(
        staff: staff,
        appointments: [Clinic.appointment("a", "ana", Clinic.at(10), 20, rooms: ["room-1"], status: status)])
      var options = AppointmentOptions()
      edit(&options)
      day.options["a"] = options
      return day
    }
    let now = Clinic.at(9, 55)
    let days = [
      day(.arrived), day(.booked) { $0.urgency = .orange },
      day(.booked) { options in
        (options.keepsTime, options.keepsClinician, options.keepsRooms) = (true, true, true)
      }, day(.booked) { $0.keepsTime = true },
    ]
    for day in days {
      let plan = try #require(try plan(red(at: now), day, now: now))
      #expect(plan.moves.isEmpty)
      #expect(plan.visit.start == Clinic.at(10, 20))
    }
    #expect(try self.plan(red(at: now), day(.booked), now: now)?.moves.count == 1)
  }

  @Test
  func `one who has no free place may push one more`() throws {
    // Ana's morning is full but for twenty minutes at its end: both move down by twenty.
    let staff = [Clinic.member("ana", hours: 540..<720)]
    let day = Clinic.day(
      staff: staff,
      appointments: [
        Clinic.appointment("first", "ana", Clinic.at(9, 20), 70, rooms: ["room-1"]),
        Clinic.appointment("second", "ana", Clinic.at(10, 30), 70, rooms: ["room-2"]),
      ])
    let plan = try #require(try plan(red(20, at: Clinic.at(9, 15)), day, now: Clinic.at(9, 15)))
    #expect(plan.isInTime)
    #expect(Set(plan.moves.map(\.id)) == ["first", "second"])
  }

  @Test
  func `with no room in time it comes late rather than not at all`() throws {
    let staff = [Clinic.member("ana")]
    let day = Clinic.day(
      staff: staff, appointments: [Clinic.appointment("a", "ana", Clinic.at(10), 120, status: .inProgress)])
    let plan = try #require(try plan(red(at: Clinic.at(10)), day, now: Clinic.at(10)))
    #expect(!plan.isInTime && plan.visit.start == Clinic.at(12))
    let closed = Clinic.day(staff: [Clinic.member("ana", hours: 540..<600)])
    #expect(try self.plan(red(at: Clinic.at(10)), closed, now: Clinic.at(10)) == nil)
  }

  @Test(arguments: UInt64(1)...4)
  func `on busy days most cases are in time, few move, and nobody and no room is booked twice`(seed: UInt64) throws {
    let rules = try Clinic.rules()
    let busy = try BusyDay(vets: 4, load: 0.9, emergenciesPerVet: 1).make(rules: rules, seed: seed)
    var day = busy.day
    let original = Dictionary(uniqueKeysWithValues: day.appointments.map { ($0.id, $0) })
    for emergency in busy.emergencies {
      let now = emergency.receivedAt
      guard let plan = try plan(emergency, day, now: now, details: busy.details) else { continue }
      #expect(plan.moves.count <= 3)
      for move in plan.moves {
        let index = try #require(day.appointments.firstIndex { $0.id == move.id })
        #expect(day.appointments[index].start > now && move.after.start >= now)
        #expect(move.after.minutes == original[move.id]?.durationMinutes)
        day.appointments[index].start = move.after.start
        day.appointments[index].clinicianID = move.after.clinicianID
        day.appointments[index].resourceIDs = move.after.resourceIDs
      }
      day.appointments.append(
        Clinic.appointment(
          emergency.id, plan.visit.clinicianID, plan.visit.start, plan.visit.minutes, rooms: plan.visit.resourceIDs))
      day.options[emergency.id] = AppointmentOptions()
      day.options[emergency.id]?.urgency = emergency.urgency
      let board = DayBoard(day, now: Clinic.at(0, 0), slotMinutes: 5)
      #expect(board.conflicts.isEmpty, "\(board.conflicts)")
    }
    var trial = EmergencyTrial()
    trial.run(busy, rules: rules, clock: { 0 })
    #expect(trial.arrivals == busy.emergencies.count)
    #expect(trial.placed >= trial.placedWithoutMoves)
  }
}
