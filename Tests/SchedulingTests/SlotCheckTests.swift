import Clinical
import Testing

@testable import Scheduling

/// The one rule of what may stand where, against trying every way.
struct SlotCheckTests {
  private func verdict(
    _ visit: PlannedVisit, _ request: VisitRequest, _ day: PracticeDay, now: Timestamp = Clinic.at(8)
  ) throws -> SlotVerdict {
    try SlotCheck(rules: Clinic.rules()).verdict(on: visit, for: request, in: day, now: now)
  }

  private func visit(_ clinician: String, _ hour: Int, _ minute: Int = 0, _ minutes: Int, rooms: [String] = [])
    -> PlannedVisit
  {
    PlannedVisit(clinicianID: clinician, resourceIDs: rooms, start: Clinic.at(hour, minute), minutes: minutes)
  }

  @Test
  func `a free slot has no obstacles, and every proposal is one`() throws {
    let day = Clinic.day(appointments: [Clinic.appointment("a", "ana", Clinic.at(10), 30, rooms: ["room-1"])])
    let request = Clinic.request("case", wished: Clinic.at(10))
    let proposals = try SlotProposer(rules: Clinic.rules()).proposals(
      for: request, on: day, now: Clinic.at(8), count: 20)
    #expect(proposals.count > 5)
    for proposal in proposals {
      let place = PlannedVisit(
        clinicianID: proposal.clinicianID, resourceIDs: proposal.resourceIDs, start: proposal.start,
        minutes: proposal.minutes)
      #expect(try verdict(place, request, day).isFree)
    }
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let place: PlannedVisit
    let kinds: [SlotObstacle.Kind]
    var testDescription: String { kinds.map(\.rawValue).joined(separator: ", ") }
  }

  @Test(arguments: [
    Refusal(
      place: .init(clinicianID: "ana", resourceIDs: [], start: Clinic.at(7), minutes: 20), kinds: [.past, .notWorking]),
    Refusal(place: .init(clinicianID: "nia", resourceIDs: [], start: Clinic.at(9), minutes: 20), kinds: [.wrongRole]),
    Refusal(
      place: .init(clinicianID: "zed", resourceIDs: [], start: Clinic.at(9), minutes: 20), kinds: [.unknownClinician]),
    Refusal(
      place: .init(clinicianID: "ana", resourceIDs: [], start: Clinic.at(16, 50), minutes: 20), kinds: [.notWorking]),
  ])
  func `each rule says its own reason`(refusal: Refusal) throws {
    let verdict = try verdict(refusal.place, Clinic.request(), Clinic.day())
    #expect(verdict.obstacles.map(\.kind) == refusal.kinds)
    #expect(verdict.conflicts.isEmpty)
    #expect(verdict.rules == verdict.obstacles)
  }

  @Test
  func `a room is cleared by moving as few as can be`() throws {
    // Room 1 holds two short visits, room 2 one long one: the one is what has to go.
    let day = Clinic.day(appointments: [
      Clinic.appointment("short-1", "nia", Clinic.at(10), 10, rooms: ["room-1"]),
      Clinic.appointment("short-2", "nia", Clinic.at(10, 20), 10, rooms: ["room-1"]),
      Clinic.appointment("long", "ben", Clinic.at(10), 60, rooms: ["room-2"]),
    ])
    let verdict = try verdict(visit("ana", 10, 0, 40), Clinic.request(), day)
    #expect(verdict.obstacles.map(\.kind) == [.roomTaken])
    #expect(verdict.conflicts == ["long"])
  }

  @Test(arguments: UInt64(1)...6)
  func `the set in the way is the smallest whose leaving makes room`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let lunch = (1...7).map { StaffMember.Break(weekday: $0, window: 600..<690, minutes: 30) }
    let staff = [Clinic.member("ana", breaks: lunch), Clinic.member("ben"), Clinic.member("nia", role: .nurse)]
    var appointments: [Appointment] = []
    for (number, member) in ["ana", "ana", "ben", "ben", "nia"].enumerated() {
      let start = Clinic.at(9, 30).adding(minutes: 5 * random.below(24))
      let candidate = Clinic.appointment(
        "a\(number)", member, start, 10 + 5 * random.below(5), rooms: [["room-1", "room-2"][random.below(2)]])
      // Nobody is booked twice to begin with.
      let place = PlannedVisit(
        clinicianID: member, resourceIDs: candidate.resourceIDs, start: start, minutes: candidate.durationMinutes)
      var own = Clinic.request("a\(number)", visitType: .nurseClinic)
      own.patientID = nil
      if try verdict(place, own, Clinic.day(staff: staff, appointments: appointments)).isFree {
        appointments.append(candidate)
      }
    }
    let day = Clinic.day(staff: staff, appointments: appointments)
    for minute in stride(from: 0, to: 100, by: 20) {
      let place = visit("ana", 9, 30, 25)
      let moved = PlannedVisit(
        clinicianID: place.clinicianID, resourceIDs: [], start: place.start.adding(minutes: minute), minutes: 25)
      let found = try verdict(moved, Clinic.request(), day)
      let free = try subsets(of: appointments.map(\.id)).filter { leaving in
        var rest = day
        rest.appointments.removeAll { leaving.contains($0.id) }
        return try verdict(moved, Clinic.request(), rest).isFree
      }
      let fewest = free.map(\.count).min()
      if found.rules.isEmpty {
        #expect(found.conflicts.count == fewest, "\(minute): \(found)")
        #expect(free.contains { Set($0) == Set(found.conflicts) })
      }
      #expect(found.isFree == (fewest == 0))
    }
  }

  private func subsets(of ids: [String]) -> [[String]] {
    (0..<(1 << ids.count)).map { mask in ids.indices.filter { mask & (1 << $0) != 0 }.map { ids[$0] } }
  }
}
