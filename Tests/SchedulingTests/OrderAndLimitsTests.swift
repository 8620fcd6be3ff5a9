import Clinical
import Testing

@testable import Scheduling

/// Wishes and limits of appointments in plans: order, owner's windows, skill, travel, what is kept.
struct OrderAndLimitsTests {
  private func optimize(
    _ day: PracticeDay, _ requests: [VisitRequest], movable: Set<String> = [], now: Timestamp = Clinic.at(8)
  ) throws -> DayProposal {
    try DayOptimizer(rules: Clinic.rules(), configuration: .init(seed: 1, iterationLimit: 400))
      .optimize(day, requests: requests, movable: movable, now: now) { 0 }
  }

  private func place(_ proposal: DayProposal, _ id: String) throws -> PlannedVisit {
    try #require(proposal.changes.first { $0.id == id }).after
  }

  @Test
  func `services of one visit come one after the other, in the order and with the pause asked for`() throws {
    var scan = Clinic.request("scan", minutes: 20, visitType: .imaging, wished: Clinic.at(10))
    (scan.afterID, scan.lagMinutes) = ("consult", 15)
    let consult = Clinic.request("consult", minutes: 25, wished: Clinic.at(10))
    let proposal = try optimize(Clinic.day(), [scan, consult])
    let first = try place(proposal, "consult"), second = try place(proposal, "scan")
    #expect(second.start >= first.start.adding(minutes: first.minutes + 15))
    #expect(second.start <= first.start.adding(minutes: first.minutes + 20))
  }

  @Test
  func `an animal is in one place at a time, whatever is asked for it`() throws {
    var requests = (0..<4).map { Clinic.request("r\($0)", minutes: 20, wished: Clinic.at(10)) }
    for index in requests.indices { requests[index].patientID = "P1" }
    var booked = Clinic.appointment("a", "ana", Clinic.at(10, 10), 30, rooms: ["room-1"])
    booked.patientID = "P1"
    let proposal = try optimize(Clinic.day(appointments: [booked]), requests, movable: ["a"])
    #expect(proposal.unplaced.isEmpty)
    var visits = proposal.changes.map(\.after)
    if !proposal.changes.contains(where: { $0.id == "a" }) {
      visits.append(PlannedVisit(clinicianID: "ana", resourceIDs: [], start: booked.start, minutes: 30))
    }
    for (index, one) in visits.enumerated() {
      for other in visits[(index + 1)...] {
        #expect(
          one.start.adding(minutes: one.minutes) <= other.start
            || other.start.adding(minutes: other.minutes) <= one.start)
      }
    }
    let proposals = try SlotProposer(rules: Clinic.rules()).proposals(
      for: requests[0], on: Clinic.day(appointments: [booked]), now: Clinic.at(8), count: 30)
    #expect(proposals.allSatisfy { $0.start >= booked.end || $0.start.adding(minutes: $0.minutes) <= booked.start })
  }

  @Test
  func `minutes asked for are reserved as they are, whoever does it`() throws {
    var request = Clinic.request("r", minutes: 20, sigma: 0.5, wished: Clinic.at(10))
    request.requestedMinutes = 40
    #expect(try place(optimize(Clinic.day(), [request]), "r").minutes == 40)
    let proposals = try SlotProposer(rules: Clinic.rules()).proposals(for: request, on: Clinic.day(), now: Clinic.at(8))
    #expect(proposals.allSatisfy { $0.minutes == 40 })
  }

  @Test
  func `a booked visit is not given to somebody who fits it worse, however handy`() throws {
    // Ana's skin case would have to give way to the red case; Ben, who is no dermatologist, is free.
    let staff = [
      Clinic.member("ana", skills: ["general practice": 0.9, "dermatology": 0.9, "emergency": 0.9]),
      Clinic.member("ben", skills: ["general practice": 0.7, "dermatology": 0.2, "emergency": 0.1]),
    ]
    let day = Clinic.day(
      staff: staff, appointments: [Clinic.appointment("skin", "ana", Clinic.at(10), 30, rooms: ["room-1"])])
    var red = Clinic.request("red", .red, minutes: 30, clinicians: ["ana"], received: Clinic.at(9, 55))
    red.specialty = .emergency
    let details = Clinic.request("skin", specialty: .dermatology)
    let proposal = try optimize(day, [red, details], movable: ["skin"], now: Clinic.at(9, 55))
    #expect(try place(proposal, "skin").clinicianID == "ana")
    let plan = try EmergencyPlanner(rules: Clinic.rules()).plan(
      red, on: day, details: ["skin": details], now: Clinic.at(9, 55))
    #expect(plan?.moves.map(\.after.clinicianID) == ["ana"])
  }

  @Test
  func `nobody is moved for a better match alone`() throws {
    let staff = [Clinic.member("ana", skills: ["dermatology": 0.2]), Clinic.member("ben", skills: ["dermatology": 1])]
    let day = Clinic.day(
      staff: staff, appointments: [Clinic.appointment("skin", "ana", Clinic.at(10), 30, rooms: ["room-1"])])
    for urgency in [nil, Urgency.yellow, .red] {
      var details = Clinic.request("skin", specialty: .dermatology)
      details.urgency = urgency
      #expect(try optimize(day, [details], movable: ["skin"]).changes.isEmpty)
    }
  }

  @Test
  func `a farm call takes the way there and back, needs no room and is never moved`() throws {
    var call = Clinic.request("farm", minutes: 30, clinicians: ["ana"], wished: Clinic.at(11))
    (call.travelBefore, call.travelAfter) = (25, 35)
    call.requestedMinutes = 30
    let proposal = try optimize(Clinic.day(), [call])
    let visit = try place(proposal, "farm")
    #expect(visit.start == Clinic.at(11) && visit.minutes == 30 && visit.resourceIDs.isEmpty)
    var day = Clinic.day(appointments: [Clinic.appointment("farm", "ana", Clinic.at(11), 30)])
    day.options["farm"] = AppointmentOptions()
    day.options["farm"]?.travelBefore = 25
    day.options["farm"]?.travelAfter = 35
    let wishes = (0..<6).map { Clinic.request("w\($0)", minutes: 20, clinicians: ["ana"], wished: Clinic.at(11)) }
    let around = try optimize(day, wishes, movable: ["farm"])
    #expect(!around.changes.contains { $0.id == "farm" })
    for change in around.changes {
      #expect(change.after.start.adding(minutes: 20) <= Clinic.at(10, 35) || change.after.start >= Clinic.at(12, 5))
    }
  }

  @Test
  func `fasted animals are planned in the morning, and urgent ones whenever`() throws {
    let rules = try Clinic.rules()
    #expect(rules.visits.need(.surgery).startMinutes == 480..<750)
    let planned = Clinic.request("spay", minutes: 60, visitType: .surgery, wished: Clinic.at(15))
    #expect(try place(optimize(Clinic.day(), [planned]), "spay").start < Clinic.at(12, 30))
    let urgent = Clinic.request("pyo", .orange, minutes: 60, visitType: .surgery, received: Clinic.at(15))
    #expect(try place(optimize(Clinic.day(), [urgent], now: Clinic.at(15)), "pyo").start == Clinic.at(15))
  }

  @Test
  func `a yellow case that asks for another day is planned for it, one that asks for later today is not`() throws {
    let monday = Clinic.at(9, on: Clinic.tuesday.adding(days: -1))
    let tomorrow = Clinic.request("y", .yellow, wished: Clinic.at(15), received: monday)
    #expect(try place(optimize(Clinic.day(), [tomorrow]), "y").start == Clinic.at(15))
    let today = Clinic.request("y", .yellow, wished: Clinic.at(15), received: Clinic.at(9))
    #expect(try place(optimize(Clinic.day(), [today], now: Clinic.at(9)), "y").start == Clinic.at(9))
  }

  @Test
  func `a booked visit keeps to the owner's window when it moves, and is not brought forward at once`() throws {
    let staff = [Clinic.member("ana")]
    var day = Clinic.day(
      staff: staff, appointments: [Clinic.appointment("a", "ana", Clinic.at(10), 20, rooms: ["room-1"])])
    day.options["a"] = AppointmentOptions()
    day.options["a"]?.window = Clinic.at(9)..<Clinic.at(10, 5)
    let red = Clinic.request("red", .red, minutes: 25, received: Clinic.at(9, 55))
    // It could only go past the window or into the next minutes: the red case waits.
    let proposal = try optimize(day, [red], movable: ["a"], now: Clinic.at(9, 55))
    #expect(proposal.changes.map(\.id) == ["red"])
    #expect(try place(proposal, "red").start == Clinic.at(10, 20))
  }
}
