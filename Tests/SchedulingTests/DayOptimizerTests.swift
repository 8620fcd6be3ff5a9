import Clinical
import Testing

@testable import Scheduling

struct DayOptimizerTests {
  private func optimize(
    _ day: PracticeDay, _ requests: [VisitRequest], movable: Set<String> = [], now: Timestamp = Clinic.at(8)
  ) throws -> DayProposal {
    try DayOptimizer(rules: Clinic.rules(), configuration: .init(seed: 1, iterationLimit: 300))
      .optimize(day, requests: requests, movable: movable, now: now) { 0 }
  }

  /// The day after the changes, as visits.
  private func applied(
    _ proposal: DayProposal, to day: PracticeDay
  ) -> [(clinician: String, rooms: [String], start: Timestamp, minutes: Int)] {
    let changes = Dictionary(proposal.changes.map { ($0.id, $0.after) }, uniquingKeysWith: { first, _ in first })
    var visits = day.appointments.map { appointment in
      changes[appointment.id].map { ($0.clinicianID, $0.resourceIDs, $0.start, $0.minutes) }
        ?? (appointment.clinicianID ?? "", appointment.resourceIDs, appointment.start, appointment.durationMinutes)
    }
    visits += proposal.changes.filter { $0.kind == .place }.map {
      ($0.after.clinicianID, $0.after.resourceIDs, $0.after.start, $0.after.minutes)
    }
    return visits.map { (clinician: $0.0, rooms: $0.1, start: $0.2, minutes: $0.3) }
  }

  @Test
  func `requests get places, each explained, and the day is worth more`() throws {
    let requests = [
      Clinic.request("red", .red, received: Clinic.at(9)), Clinic.request("wish", wished: Clinic.at(11)),
      Clinic.request("green", .green, received: Clinic.at(9)),
    ]
    let proposal = try optimize(Clinic.day(), requests, now: Clinic.at(9))
    #expect(Set(proposal.changes.map(\.id)) == ["red", "wish", "green"])
    #expect(proposal.unplaced == [])
    #expect(proposal.before == 0)
    #expect(proposal.after > 0)
    #expect(proposal.after <= proposal.upperBound)
    #expect(abs(proposal.after - proposal.explanation.value) < 1e-6)
    for change in proposal.changes {
      #expect(change.gain == change.explanation.value)
      #expect(change.kind == .place && change.before == nil)
    }
    #expect(proposal.changes.first { $0.id == "red" }?.after.start == Clinic.at(9))
    #expect(proposal.changes.first { $0.id == "wish" }?.after.start == Clinic.at(11))
  }

  @Test
  func `an emergency moves a booking that may move, and only as far as needed`() throws {
    let staff = [Clinic.member("ana")]
    let booked = [Clinic.appointment("a", "ana", Clinic.at(10), 20, rooms: ["room-1"])]
    let day = Clinic.day(staff: staff, appointments: booked)
    let red = Clinic.request("red", .red, minutes: 25, received: Clinic.at(9, 55))
    let proposal = try optimize(day, [red], movable: ["a"], now: Clinic.at(9, 55))
    let move = try #require(proposal.changes.first { $0.kind == .move })
    #expect(move.id == "a")
    #expect(move.before?.start == Clinic.at(10))
    #expect(move.after.start == Clinic.at(10, 25))
    #expect(move.after.minutes == 20)
    #expect(move.gain < 0)
    #expect(proposal.changes.first { $0.id == "red" }?.after.start == Clinic.at(9, 55))
    // Pinned, it stays, and the emergency waits.
    let fixed = try optimize(day, [red], now: Clinic.at(9, 55))
    #expect(fixed.changes.map(\.id) == ["red"])
    #expect(fixed.changes.first?.after.start == Clinic.at(10, 20))
  }

  @Test
  func `nobody is moved for less than a move costs`() throws {
    // The wish could be met to the minute by moving the booking five minutes; that isn't worth it.
    let staff = [Clinic.member("ana")]
    let booked = [Clinic.appointment("a", "ana", Clinic.at(10), 20, rooms: ["room-1"])]
    let proposal = try optimize(
      Clinic.day(staff: staff, appointments: booked), [Clinic.request("wish", minutes: 15, wished: Clinic.at(9, 50))],
      movable: ["a"])
    #expect(proposal.changes.map(\.kind) == [.place])
  }

  @Test(arguments: UInt64(1)...6)
  func `whatever the day, the proposal books nobody and no room twice and drops nobody`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let lunch = StaffMember.Break(weekday: 2, window: 720..<840, minutes: 30)
    let staff = ["ana", "ben"].map { Clinic.member($0, breaks: [lunch]) }
    var booked: [Appointment] = []
    for (member, room) in [("ana", "room-1"), ("ben", "room-2")] {
      var minute = random.below(30)
      while minute < 420 {
        let length = 10 + random.below(35)
        booked.append(
          Clinic.appointment(
            "\(member)\(booked.count)", member, Clinic.at(9).adding(minutes: minute), length, rooms: [room]))
        minute += length + 15 + random.below(50)
      }
    }
    let day = Clinic.day(staff: staff, appointments: booked)
    let movable = Set(booked.map(\.id).filter { _ in random.below(2) == 0 })
    let urgencies: [Urgency?] = [.red, .orange, .yellow, .green, .blue, nil]
    var requests = (0..<8).map { number in
      Clinic.request(
        "r\(number)", urgencies[random.below(6)], minutes: Double(10 + random.below(40)), sigma: 0.3,
        visitType: random.below(4) == 0 ? .surgery : .standardConsult,
        received: Clinic.at(9).adding(minutes: random.below(300)))
    }
    // Movable bookings that others could take.
    requests += booked.filter { movable.contains($0.id) }.map { Clinic.request($0.id) }
    let now = Clinic.at(9, 30)
    let proposal = try optimize(day, requests, movable: movable, now: now)
    #expect(!Clinic.collides(applied(proposal, to: day)))
    #expect(proposal.after >= proposal.before)
    for change in proposal.changes {
      #expect(change.after.start >= now)
      if change.kind == .move { #expect(movable.contains(change.id)) }
    }
    let placed = proposal.changes.filter { $0.kind == .place }.map(\.id)
    #expect(Set(placed).union(proposal.unplaced) == Set((0..<8).map { "r\($0)" }))
    #expect(try optimize(day, requests, movable: movable, now: now) == proposal)
  }
}
