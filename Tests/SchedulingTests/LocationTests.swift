import Clinical
import Testing

@testable import Scheduling

/// Planning for a practice with several locations.
struct LocationTests {
  private static let wednesday = Clinic.date(2026, 1, 14)

  private static func site(
    _ id: String, hours: Range<Int>? = 540..<1020, closed: CalendarDate? = nil, region: String? = nil
  ) throws -> PracticeSite {
    let location = Location(
      id: id, name: id, region: region,
      hours: hours.map { hours in (1...7).map { .init(weekday: $0, minutes: hours) } } ?? [],
      closures: closed.map { [.init(days: $0...$0, reason: "stocktaking")] } ?? [])
    let dates = (-1...3).map { Clinic.tuesday.adding(days: $0) }
    return try PracticeSite(location, on: dates, holidays: PublicHolidayTests.holidays())
  }

  private static func member(_ id: String, _ hours: [(weekday: Int, minutes: Range<Int>, site: String?)]) -> StaffMember
  {
    var member = Clinic.member(id)
    member.workingHours = hours.map { .init(weekday: $0.weekday, minutes: $0.minutes, locationID: $0.site) }
    return member
  }

  private static func room(_ id: String, _ site: String?) -> Resource {
    Resource(id: id, name: id, kind: "room", cleaningMinutes: 5, locationID: site)
  }

  private static func day(
    _ staff: [StaffMember], _ rooms: [Resource], _ sites: [PracticeSite], _ appointments: [Appointment] = [],
    options: [String: AppointmentOptions] = [:], dates: [CalendarDate] = [Clinic.tuesday]
  ) -> PracticeDay {
    PracticeDay(
      dates: dates, timeZone: Clinic.zone, staff: staff, resources: rooms, appointments: appointments,
      options: options, sites: sites, travelMinutes: 30)
  }

  /// Ana is at A in the morning and at B in the afternoon; Ben is at B all day.
  private static func clinic(_ appointments: [Appointment] = [], closed: CalendarDate? = nil) throws -> PracticeDay {
    day(
      [
        member("ana", [(2, 540..<720, "A"), (2, 720..<1020, "B")]), member("ben", [(2, 540..<1020, "B")]),
      ], [room("a1", nil), room("b1", "B")], [try site("A"), try site("B", hours: 600..<960, closed: closed)],
      appointments)
  }

  @Test func `somebody is proposed where they work, in a room of that place, with time for the way`() throws {
    let found = try SlotProposer(rules: Clinic.rules()).proposals(
      for: Clinic.request(clinicians: ["ana"], wished: Clinic.at(11)), on: Self.clinic(), now: Clinic.at(8), count: 50)
    #expect(!found.isEmpty)
    for proposal in found {
      let isMorning = proposal.start < Clinic.at(12)
      #expect(proposal.locationID == (isMorning ? "A" : "B"))
      #expect(proposal.resourceIDs == [isMorning ? "a1" : "b1"])
      let end = proposal.start.adding(minutes: proposal.minutes)
      #expect(isMorning ? end <= Clinic.at(12) : proposal.start >= Clinic.at(12, 30) && end <= Clinic.at(16))
    }
    #expect(Set(found.map(\.locationID)) == ["A", "B"])
  }

  @Test func `a request that names a place gets one there, or none`() throws {
    var request = Clinic.request()
    request.locationID = "A"
    let rules = try Clinic.rules()
    let there = try SlotProposer(rules: rules).proposals(for: request, on: Self.clinic(), now: Clinic.at(8))
    #expect(!there.isEmpty && there.allSatisfy { $0.locationID == "A" && $0.clinicianID == "ana" })
    request.locationID = "B"
    let closed = try Self.clinic(closed: Clinic.tuesday)
    #expect(SlotProposer(rules: rules).proposals(for: request, on: closed, now: Clinic.at(8)).isEmpty)
  }

  @Test func `what a place forbids is said, and not that somebody isn't at work`() throws {
    let check = SlotCheck(rules: try Clinic.rules())
    func kinds(_ clinician: String, _ rooms: [String], _ start: Timestamp, closed: CalendarDate? = nil) throws
      -> [String]
    {
      let visit = PlannedVisit(clinicianID: clinician, resourceIDs: rooms, start: start, minutes: 20)
      return try check.verdict(on: visit, for: Clinic.request(), in: Self.clinic(closed: closed), now: Clinic.at(8))
        .obstacles.map(\.kind.rawValue)
    }
    #expect(try kinds("ana", ["a1"], Clinic.at(9, 30)) == [])
    #expect(try kinds("ana", [], Clinic.at(13)) == [])
    #expect(try kinds("ana", [], Clinic.at(12, 10)) == ["not at work"])
    #expect(try kinds("ben", ["b1"], Clinic.at(9, 30)) == ["not at work"])
    #expect(try kinds("ana", ["b1"], Clinic.at(9, 30)) == ["at another location"])
    #expect(try kinds("ben", [], Clinic.at(11), closed: Clinic.tuesday) == ["closed"])
  }

  @Test func `the day before a public holiday is one, and the holiday isn't, unless it is said to be open`() throws {
    let dates = (0...2).map { Clinic.date(2026, 12, 24 + $0) }
    func open(_ closures: [Location.Closure]) throws -> [Bool] {
      let location = Location(id: "A", name: "A", region: "england-and-wales", closures: closures)
      let site = try PracticeSite(location, on: dates, holidays: PublicHolidayTests.holidays())
      return dates.map { site.open[$0] != nil }
    }
    #expect(try open([]) == [true, false, false])
    #expect(try open([.init(days: dates[1]...dates[1], isOpen: true)]) == [true, true, false])
    #expect(try open([.init(days: dates[0]...dates[0])]) == [false, false, false])
  }

  @Test func `a practice without locations plans as if there were no such thing`() throws {
    // The same with one location that is always open: nothing that is planned differs.
    var generator = SplitMix64(seed: 7)
    let rules = try Clinic.rules()
    for _ in 0..<6 {
      let plain = Self.randomDay(&generator, sites: [])
      var placed = plain
      placed.sites = [try Self.site("A", hours: nil)]
      let requests = (0..<4).map { Clinic.request("q\($0)", wished: Clinic.at(10 + $0)) }
      let optimizer = DayOptimizer(rules: rules, configuration: .init(seed: 3, iterationLimit: 400))
      let movable = Set(plain.appointments.map(\.id))
      let first = try optimizer.optimize(plain, requests: requests, movable: movable, now: Clinic.at(8)) { 0 }
      let second = try optimizer.optimize(placed, requests: requests, movable: movable, now: Clinic.at(8)) { 0 }
      #expect(first.changes == second.changes && first.after == second.after && first.conflicts == second.conflicts)
      let urgent = Clinic.request("e", .red, received: Clinic.at(10))
      let planner = EmergencyPlanner(rules: rules)
      #expect(
        planner.plan(urgent, on: plain, now: Clinic.at(10)) == planner.plan(urgent, on: placed, now: Clinic.at(10)))
    }
  }

  // MARK: - Whatever the practice

  private static func randomDay(_ generator: inout SplitMix64, sites: [PracticeSite]) -> PracticeDay {
    let ids = sites.map(\.id)
    func place() -> String? { ids.isEmpty ? nil : ids[Int.random(in: 0..<ids.count, using: &generator)] }
    let staff = (0..<4).map { number -> StaffMember in
      let split = 660 + 30 * Int.random(in: 0...6, using: &generator)
      return member(
        "v\(number)",
        [2, 3].flatMap { [($0, 480..<split, place()), ($0, split..<1080, place())] })
    }
    let rooms = (0..<4).map { room("r\($0)", ids.isEmpty ? nil : ids[$0 % ids.count]) }
    var day = day(staff, rooms, sites, dates: [Clinic.tuesday, wednesday])
    // Bookings that can stand: each is what the proposer would give.
    if let rules = try? Clinic.rules() {
      for number in 0..<8 {
        let wished = Clinic.at(
          Int.random(in: 8...17, using: &generator), on: number % 2 == 0 ? Clinic.tuesday : wednesday)
        guard
          let slot = SlotProposer(rules: rules).proposals(
            for: Clinic.request("b\(number)", wished: wished, received: Clinic.at(7)), on: day, now: Clinic.at(7),
            count: 1
          ).first
        else { continue }
        day.appointments.append(
          Clinic.appointment("b\(number)", slot.clinicianID, slot.start, slot.minutes, rooms: slot.resourceIDs))
      }
    }
    return day
  }

  /// Whether visits stand where their location is open, their clinician works and their rooms are, minute by minute.
  private static func areInPlace(_ visits: [PlannedVisit], _ day: PracticeDay) -> Bool {
    visits.allSatisfy { visit in
      let date = Clinic.zone.date(of: visit.start)
      let start = visit.start.minutes(since: Clinic.at(0, on: date))
      guard let member = day.staff.first(where: { $0.id == visit.clinicianID }) else { return false }
      return day.sites.contains { site in
        let hours = member.workingHours.filter { $0.weekday == date.weekday && $0.locationID == site.id }.map(\.minutes)
        let isThere = (start..<start + visit.minutes).allSatisfy { minute in
          hours.contains { $0.contains(minute) } && (site.open[date] ?? []).contains { $0.contains(minute) }
        }
        return isThere
          && visit.resourceIDs.allSatisfy { id in day.resources.contains { $0.id == id && $0.locationID == site.id } }
      }
    }
  }

  /// The least minutes between two visits of one person at different locations; nil where there are none.
  private static func leastWay(_ visits: [PlannedVisit], _ day: PracticeDay) -> Int? {
    var least: Int?
    for one in visits {
      for other in visits where other.clinicianID == one.clinicianID && other.start > one.start {
        let (a, b) = (one, other)
        let places = [a, b].map { visit in day.resources.first { visit.resourceIDs.contains($0.id) }?.locationID }
        // A visit without a room may be anywhere.
        guard let from = places[0], let to = places[1], from != to,
          Clinic.zone.date(of: a.start) == Clinic.zone.date(of: b.start)
        else { continue }
        least = min(least ?? .max, b.start.minutes(since: a.start.adding(minutes: a.minutes)))
      }
    }
    return least
  }

  @Test(arguments: 0..<8)
  func `nothing that is planned is in a closure, outside hours, in another place's room, or twice`(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let closed = [nil, Clinic.tuesday, Self.wednesday][seed % 3]
    let sites = [
      try Self.site("A", hours: 540..<1020), try Self.site("B", hours: 510..<990, closed: closed),
      try Self.site("C", hours: nil),
    ]
    let day = Self.randomDay(&generator, sites: sites)
    let rules = try Clinic.rules()
    func visits(_ appointments: [Appointment]) -> [PlannedVisit] {
      appointments.map {
        PlannedVisit(
          clinicianID: $0.clinicianID ?? "", resourceIDs: $0.resourceIDs, start: $0.start, minutes: $0.durationMinutes)
      }
    }
    func check(_ planned: [PlannedVisit], _ what: String) {
      #expect(Self.areInPlace(planned, day), "\(what)")
      #expect(
        !Clinic.collides(
          planned.map { ($0.clinicianID, $0.resourceIDs, $0.start, $0.minutes) }, resources: day.resources),
        "\(what)")
      if let way = Self.leastWay(planned, day) { #expect(way >= day.travelMinutes, "\(what)") }
    }
    check(visits(day.appointments), "proposed")
    // Optimised, with requests for every place and none.
    let requests = (0..<5).map { number -> VisitRequest in
      var request = Clinic.request("q\(number)", wished: Clinic.at(9 + number))
      request.locationID = [nil, "A", "B", "C", nil][number]
      return request
    }
    let plan = try DayOptimizer(rules: rules, configuration: .init(seed: 1, iterationLimit: 300)).optimize(
      day, requests: requests, movable: Set(day.appointments.map(\.id)), now: Clinic.at(8)
    ) { 0 }
    var optimized = visits(day.appointments.filter { booked in !plan.changes.contains { $0.id == booked.id } })
    optimized += plan.changes.map(\.after)
    check(optimized, "optimised")
    // An emergency on top.
    let now = Clinic.at(11)
    let urgent = Clinic.request("e", .orange, received: now)
    if let emergency = EmergencyPlanner(rules: rules).plan(urgent, on: day, now: now) {
      var after = visits(day.appointments.filter { booked in !emergency.moves.contains { $0.id == booked.id } })
      after += emergency.moves.map(\.after) + [emergency.visit]
      check(after, "emergency")
    }
    // Free times hold a visit wherever they say so.
    for site in sites {
      let narrow = day.at(site.id)
      for line in FreeTime(narrow, open: nil, at: nil, minutes: 20, now: Clinic.at(7)).people {
        for stretch in line.stretches {
          let visit = PlannedVisit(clinicianID: line.id, resourceIDs: [], start: stretch.lowerBound, minutes: 20)
          #expect(Self.areInPlace([visit], day))
          #expect(day.siteID(of: line.id, at: stretch.lowerBound) == site.id)
        }
      }
    }
  }
}
