import Clinical
import Testing

@testable import Scheduling

struct DayBuilderTests {
  private func build(
    _ day: PracticeDay, requests: [VisitRequest] = [], movable: Set<String> = [], now: Timestamp = Clinic.at(8)
  ) throws -> DayBuilder.Result {
    try DayBuilder(rules: Clinic.rules()).build(day, requests: requests, movable: movable, now: now)
  }

  @Test
  func `the plan as booked keeps every rule, and slots lead back to the moments`() throws {
    let day = Clinic.day(appointments: [
      Clinic.appointment("one", "ana", Clinic.at(9, 30), 30, rooms: ["room-1"]),
      Clinic.appointment("two", "ben", Clinic.at(9, 30), 20, rooms: ["room-2"]),
    ])
    let built = try build(day, requests: [Clinic.request("new", .green)])
    #expect(built.conflicts == [])
    #expect(built.sources == [.appointment("one"), .appointment("two"), .request("new")])
    #expect(PlanValidator(instance: built.instance).report(on: built.booked).isFeasible)
    let pin = try #require(built.instance.jobs[0].pin)
    #expect(built.start(of: pin) == Clinic.at(9, 30))
    #expect(built.instance.vets[pin.vet].id == "ana")
  }

  @Test
  func `worth and costs of a case are those of the model`() throws {
    let cases = [Urgency.red, .orange, .yellow, .green, .blue].map { (urgency: Urgency) in
      Clinic.request(urgency.rawValue, urgency, received: Clinic.at(9))
    }
    let jobs = try build(Clinic.day(), requests: cases, now: Clinic.at(9)).instance.jobs
    #expect(jobs.map(\.base) == [75000, 30000, 12000, 6000, 3750])
    #expect(jobs.map(\.l) == [0, 800, 107, 20, 6])
    #expect(jobs.map(\.l2) == [5833, 489, 202, 44, 24])
    #expect(jobs.map { $0.q - $0.p } == [0, 3, 9, 24, 48])
    #expect(jobs.map { $0.windows.map(\.upperBound).max() } == [6, 12, 24, 60, 95])
  }

  @Test(
    arguments: [
      ([Clinic.appointment("a", "ana", Clinic.at(7), 60)], []),
      ([Clinic.appointment("a", "ana", Clinic.at(8, 30), 60)], [ScheduleConflict.Kind.outsideWorkingHours]),
      (
        [Clinic.appointment("a", "ana", Clinic.at(9), 60), Clinic.appointment("b", "ana", Clinic.at(9, 30), 60)],
        [.doubleBooked]
      ),
      (
        [
          Clinic.appointment("a", "ana", Clinic.at(9), 60, rooms: ["room-1"]),
          Clinic.appointment("b", "ben", Clinic.at(9, 30), 60, rooms: ["room-1"]),
        ], [.resourceOverbooked]
      ),
      ([Clinic.appointment("a", "zoe", Clinic.at(9), 60)], [.unknownClinician]),
      ([Clinic.appointment("a", "ana", Clinic.at(9), 60, rooms: ["attic"])], [.unknownResource]),
    ] as [([Appointment], [ScheduleConflict.Kind])])
  func `bookings that can't all be true are reported and never stop the planning`(
    appointments: [Appointment], kinds: [ScheduleConflict.Kind]
  ) throws {
    let built = try build(Clinic.day(appointments: appointments), requests: [Clinic.request("new", .yellow)])
    #expect(built.conflicts.map(\.kind) == kinds)
    let plan = try Solver(configuration: .init(iterationLimit: 50)).solve(built.instance) { 0 }
    #expect(plan.jobs.last != .some(nil))
  }

  @Test
  func `visits off the grid, and visits that overlap, leave their slots to nobody`() throws {
    let booked = [
      Clinic.appointment("a", "ana", Clinic.at(9, 7), 11), Clinic.appointment("b", "ana", Clinic.at(9, 16), 20),
    ]
    let request = Clinic.request("new", .orange, minutes: 10, clinicians: ["ana"], received: Clinic.at(9, 5))
    let built = try build(Clinic.day(appointments: booked), requests: [request], now: Clinic.at(9, 5))
    let plan = try Solver(configuration: .init(iterationLimit: 20)).solve(built.instance) { 0 }
    let placement = try #require(plan.jobs[built.sources.firstIndex(of: .request("new")) ?? 0])
    // 9:36 is the end of the second: the slot that begins at 9:35 is touched.
    #expect(built.start(of: placement) == Clinic.at(9, 40))
  }

  @Test
  func `a break lies in its window and in working hours, and one that can't be had is reported`() throws {
    let lunch = StaffMember.Break(weekday: 2, window: 720..<780, minutes: 30)
    let staff = [
      Clinic.member("ana", breaks: [lunch]), Clinic.member("ben", hours: 750..<1020, breaks: [lunch]),
      Clinic.member("cat", hours: 540..<720, breaks: [lunch]),
    ]
    let built = try build(Clinic.day(staff: staff))
    #expect(built.instance.vets.map { $0.breaks.map(\.start) } == [[36...42], [42...42], []])
    let full = [Clinic.appointment("a", "ana", Clinic.at(12), 60)]
    let blocked = try build(Clinic.day(staff: staff, appointments: full))
    #expect(blocked.conflicts == [ScheduleConflict(kind: .noBreak, appointmentID: nil, subjectID: "ana")])
    #expect(blocked.instance.vets[0].breaks == [])
  }

  @Test
  func `a visit in progress lasts at least until now`() throws {
    let late = Clinic.appointment("late", "ana", Clinic.at(9), 20, status: .inProgress)
    let request = Clinic.request("new", .red, clinicians: ["ana"], received: Clinic.at(10))
    let built = try build(Clinic.day(appointments: [late]), requests: [request], now: Clinic.at(10))
    #expect(built.instance.jobs[0].candidates[0].slots == 12)
  }
}
