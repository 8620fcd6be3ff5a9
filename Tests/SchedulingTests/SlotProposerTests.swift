import Clinical
import Testing

@testable import Scheduling

struct SlotProposerTests {
  private func propose(
    _ request: VisitRequest, on day: PracticeDay = Clinic.day(), now: Timestamp = Clinic.at(8), count: Int = 5
  ) throws -> [SlotProposal] {
    try SlotProposer(rules: Clinic.rules()).proposals(for: request, on: day, now: now, count: count)
  }

  @Test(arguments: [Urgency.red, .orange, .yellow, .green, .blue])
  func `an urgent case comes first thing when everybody is free`(urgency: Urgency) throws {
    let proposals = try propose(Clinic.request("x", urgency, received: Clinic.at(10)), now: Clinic.at(10, 2))
    let first = try #require(proposals.first)
    #expect(first.start == Clinic.at(10, 5))
    // Red has no wait to spare: three minutes are three minutes late.
    #expect(first.meetsTarget == (urgency != .red))
  }

  @Test
  func `a target that can't be met is said so`() throws {
    let busy = ["ana", "ben"].map { Clinic.appointment($0, $0, Clinic.at(9), 60) }
    let proposals = try propose(
      Clinic.request("x", .orange, received: Clinic.at(9)), on: Clinic.day(appointments: busy), now: Clinic.at(9))
    let first = try #require(proposals.first)
    #expect(first.start == Clinic.at(10))
    #expect(first.meetsTarget == false)
    #expect(
      first.explanation.details.contains { $0.description.contains("can't be met") && $0.description.contains("45") })
  }

  @Test
  func `the first proposal of a green case is within its target where one exists, however poor the match`() throws {
    // Ana, who fits far better, is taken until long after the target.
    let busy = [Clinic.appointment("a", "ana", Clinic.at(9), 180)]
    let proposals = try propose(
      Clinic.request("x", .green, specialty: .dermatology, clinicians: ["ana", "ben"], received: Clinic.at(9)),
      on: Clinic.day(appointments: busy), now: Clinic.at(9))
    #expect(proposals.first?.clinicianID == "ben")
    #expect(proposals.first?.meetsTarget == true)
  }

  @Test
  func `a planned visit is proposed around the time wished for, by who fits`() throws {
    let proposals = try propose(Clinic.request(specialty: .dermatology, wished: Clinic.at(14)))
    let first = try #require(proposals.first)
    #expect(first.start == Clinic.at(14))
    #expect(first.clinicianID == "ana")
    #expect(first.meetsTarget == nil)
    #expect(proposals.map(\.score) == proposals.map(\.score).sorted(by: >))
  }

  @Test
  func `the score is the sum of its explanation, and the same question has the same answer`() throws {
    let request = Clinic.request("x", .yellow, sigma: 0.4, received: Clinic.at(11))
    let proposals = try propose(request, now: Clinic.at(11))
    for proposal in proposals { #expect(abs(proposal.score - proposal.explanation.value) < 1e-9) }
    #expect(try propose(request, now: Clinic.at(11)) == proposals)
  }

  @Test
  func `the 0.7 quantile of the duration is reserved, longer where the match is poorer`() throws {
    let request = Clinic.request(minutes: 20, sigma: 0.3, clinicians: ["ana"])
    // exp(0.3 · 0.5244) · 20 = 23.4 minutes, times 1 + 0.2 · (1 − 0.9).
    #expect(try propose(request).first?.minutes == 25)
    let rules = try Clinic.rules()
    let careful = SlotProposer(rules: rules).proposals(
      for: request, on: Clinic.day(), now: Clinic.at(8), count: 1, quantile: 0.95)
    #expect(careful.first?.minutes == 35)
  }

  @Test(arguments: UInt64(1)...12)
  func `proposals never collide with what is booked, with a break, or with the past`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var booked: [Appointment] = []
    let lunch = StaffMember.Break(weekday: 2, window: 720..<840, minutes: 40)
    let staff = ["ana", "ben", "cat"].map { Clinic.member($0, breaks: [lunch]) }
    for number in 0..<12 {
      // Off the grid as often as not.
      let start = Clinic.at(9).adding(minutes: random.below(420))
      let length = 7 + random.below(40)
      let member = staff[random.below(3)].id
      let room = random.below(2) == 0 ? "room-1" : "room-2"
      booked.append(Clinic.appointment("b\(number)", member, start, length, rooms: [room]))
    }
    let day = Clinic.day(staff: staff, appointments: booked)
    let now = Clinic.at(9, random.below(60))
    let visits = booked.map {
      (clinician: $0.clinicianID ?? "", rooms: $0.resourceIDs, start: $0.start, minutes: $0.durationMinutes)
    }
    for urgency in [Urgency.orange, .green, nil] {
      let proposals = try propose(
        Clinic.request("x", urgency, minutes: 30, wished: urgency == nil ? Clinic.at(12) : nil), on: day, now: now,
        count: 50)
      for proposal in proposals {
        #expect(proposal.start >= now)
        let own = (proposal.clinicianID, proposal.resourceIDs, proposal.start, proposal.minutes)
        for visit in visits { #expect(!Clinic.collides([visit, own])) }
        #expect(proposal.resourceIDs.count == 1)
        // If the clinician's lunch fitted before, it still does.
        let own2 = booked.filter { $0.clinicianID == proposal.clinicianID }.map { ($0.start, $0.durationMinutes) }
        let before = lunchFits(own2)
        let after = lunchFits(own2 + [(proposal.start, proposal.minutes)])
        #expect(!before || after)
      }
    }
  }

  /// Whether 40 minutes on the grid are free between twelve and two.
  private func lunchFits(_ visits: [(start: Timestamp, minutes: Int)]) -> Bool {
    stride(from: 0, through: 80, by: 5).contains { offset in
      let from = Clinic.at(12).adding(minutes: offset)
      return !visits.contains { from < $0.start.adding(minutes: $0.minutes) && $0.start < from.adding(minutes: 40) }
    }
  }

  @Test
  func `nobody on leave is proposed, and nobody when all are away`() throws {
    let away = StaffMember.Leave(days: Clinic.tuesday...Clinic.tuesday)
    let staff = [Clinic.member("ana", leave: [away]), Clinic.member("ben")]
    let proposals = try propose(Clinic.request(), on: Clinic.day(staff: staff), count: 20)
    #expect(!proposals.isEmpty)
    #expect(proposals.allSatisfy { $0.clinicianID == "ben" })
    #expect(try propose(Clinic.request(), on: Clinic.day(staff: [Clinic.member("ana", leave: [away])])).isEmpty)
  }

  @Test
  func `a room is free again only when it is clean`() throws {
    let one = [Resource(id: "theatre", name: "Theatre", kind: "theatre", cleaningMinutes: 15)]
    let booked = [Clinic.appointment("op", "ben", Clinic.at(10), 30, rooms: ["theatre"])]
    let proposals = try propose(
      Clinic.request(minutes: 20, visitType: .surgery, clinicians: ["ana"], window: Clinic.at(9, 40)..<Clinic.at(12)),
      on: Clinic.day(resources: one, appointments: booked), count: 40)
    // Before: 20 minutes and 15 of cleaning don't fit from 9:40 on. After: 10:30 plus cleaning.
    #expect(proposals.map(\.start).min() == Clinic.at(10, 45))
  }

  @Test
  func `a nurse takes a nurse clinic and no surgery`() throws {
    let staff = [Clinic.member("nia", role: .nurse)]
    let day = Clinic.day(staff: staff)
    #expect(try !propose(Clinic.request(visitType: .nurseClinic), on: day).isEmpty)
    #expect(try propose(Clinic.request(visitType: .surgery), on: day).isEmpty)
  }

  @Test
  func `clinicians who don't fit are left out while somebody fits, but not for a red case`() throws {
    let staff = [
      Clinic.member("eva", skills: ["general practice": 0.4, "cardiology": 0.9]),
      Clinic.member("gus", skills: ["general practice": 0.4]),
    ]
    let day = Clinic.day(staff: staff)
    let planned = try propose(Clinic.request(specialty: .cardiology), on: day, count: 20)
    #expect(planned.allSatisfy { $0.clinicianID == "eva" })
    let red = try propose(Clinic.request("x", .red, specialty: .cardiology), on: day, count: 20)
    #expect(Set(red.map(\.clinicianID)) == ["eva", "gus"])
    let alone = try propose(Clinic.request(specialty: .cardiology), on: Clinic.day(staff: [staff[1]]))
    #expect(!alone.isEmpty)
  }

  @Test
  func `proposals keep to local hours on the day the clocks change`() throws {
    let sunday = Clinic.date(2026, 3, 29)
    let request = Clinic.request(received: Clinic.at(0, on: sunday))
    let proposals = try propose(request, on: Clinic.day([sunday]), now: Clinic.at(0, on: sunday))
    let first = try #require(proposals.first)
    #expect(Clinic.zone.clock(first.start) == "09:00")
    // 08:00 UTC: summer time has begun.
    #expect(first.start == Clinic.at(0, on: sunday).adding(minutes: 8 * 60))
  }

  @Test
  func `cancelled visits and visits that are over hold no time`() throws {
    let gone = [Appointment.Status.cancelled, .noShow, .done, .requested].enumerated().map { number, status in
      Clinic.appointment("a\(number)", "ana", Clinic.at(9), 480, rooms: ["room-1", "room-2"], status: status)
    }
    let proposals = try propose(Clinic.request(clinicians: ["ana"]), on: Clinic.day(appointments: gone))
    #expect(proposals.first?.start == Clinic.at(9))
  }
}
