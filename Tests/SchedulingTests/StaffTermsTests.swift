import Clinical
import Testing

@testable import Scheduling

/// What staff may do, and what they would like.
struct StaffTermsTests {
  private static func staff(
    ana: [StaffMember.Credential] = [], ben: [StaffMember.Credential] = [], load: StaffMember.LoadPreference = .init()
  ) -> [StaffMember] {
    var first = Clinic.member("ana", skills: ["general practice": 0.9])
    first.credentials = ana
    first.load = load
    var second = Clinic.member("ben", skills: ["general practice": 0.6])
    second.credentials = ben
    return [first, second]
  }

  private static let surgery = StaffMember.Credential(name: "Surgery")

  private func clinicians(
    _ staff: [StaffMember], _ type: VisitType = .surgery, dates: [CalendarDate] = [Clinic.tuesday],
    named: [String]? = nil
  ) throws -> [(String, CalendarDate)] {
    try SlotProposer(rules: Clinic.rules()).proposals(
      for: Clinic.request(visitType: type, clinicians: named, wished: Clinic.at(9)),
      on: Clinic.day(dates, staff: staff),
      now: Clinic.at(8), count: 200
    ).map { ($0.clinicianID, Clinic.zone.date(of: $0.start)) }
  }

  @Test func `where nobody keeps track of a credential, nobody is asked for it`() throws {
    #expect(try Set(clinicians(Self.staff()).map(\.0)) == ["ana", "ben"])
    // Another one says nothing about surgery.
    #expect(try Set(clinicians(Self.staff(ana: [.init(name: "dentistry")])).map(\.0)) == ["ana", "ben"])
  }

  @Test func `where somebody has or had one, only those who have it now are proposed, planned and booked`() throws {
    #expect(try Set(clinicians(Self.staff(ben: [Self.surgery])).map(\.0)) == ["ben"])
    #expect(try clinicians(Self.staff(ben: [Self.surgery]), named: ["ana"]).isEmpty)
    #expect(try Set(clinicians(Self.staff(ben: [Self.surgery]), .standardConsult).map(\.0)) == ["ana", "ben"])
    let expired = StaffMember.Credential(name: "surgery", expires: Clinic.tuesday.adding(days: -1))
    #expect(try clinicians(Self.staff(ana: [expired], ben: [expired])).isEmpty)
    let rules = try Clinic.rules()
    let plan = try DayOptimizer(rules: rules, configuration: .init(seed: 1, iterationLimit: 100)).optimize(
      Clinic.day(staff: Self.staff(ben: [Self.surgery])),
      requests: (0..<3).map { Clinic.request("q\($0)", visitType: .surgery, wished: Clinic.at(10)) }, now: Clinic.at(8)
    ) { 0 }
    #expect(plan.unplaced.isEmpty && plan.changes.allSatisfy { $0.after.clinicianID == "ben" })
    let emergency = EmergencyPlanner(rules: rules).plan(
      Clinic.request("e", .red, visitType: .surgery, received: Clinic.at(10)),
      on: Clinic.day(staff: Self.staff(ben: [Self.surgery])), now: Clinic.at(10))
    #expect(emergency?.visit.clinicianID == "ben")
  }

  @Test func `one that ends within the week holds until its last day`() throws {
    let until = StaffMember.Credential(name: "surgery", expires: Clinic.tuesday.adding(days: 1))
    let dates = (0..<4).map { Clinic.tuesday.adding(days: $0) }
    let found = try clinicians(Self.staff(ana: [until], ben: [Self.surgery]), dates: dates)
    #expect(Set(found.filter { $0.0 == "ana" }.map(\.1)) == Set(dates.prefix(2)))
    #expect(Set(found.filter { $0.0 == "ben" }.map(\.1)) == Set(dates))
  }

  @Test func `what is missing or over is said`() throws {
    let check = SlotCheck(rules: try Clinic.rules())
    func obstacles(_ staff: [StaffMember]) -> [String] {
      check.verdict(
        on: PlannedVisit(clinicianID: "ana", resourceIDs: [], start: Clinic.at(10), minutes: 30),
        for: Clinic.request(visitType: .surgery), in: Clinic.day(staff: staff), now: Clinic.at(8)
      ).obstacles.map(\.description)
    }
    #expect(obstacles(Self.staff(ben: [Self.surgery])) == ["ana has no credential for surgery"])
    let old = StaffMember.Credential(name: "surgery", expires: Clinic.date(2025, 12, 31))
    #expect(obstacles(Self.staff(ana: [old])) == ["ana's credential for surgery expired on 2025-12-31"])
    #expect(obstacles(Self.staff(ana: [Self.surgery])).isEmpty)
  }

  @Test func `a visit beyond what somebody likes goes to somebody else, or costs what is said`() throws {
    let rules = try Clinic.rules()
    let staff = Self.staff(load: .init(mostPerDay: ["dental": 1]))
    var booked = Clinic.appointment("a", "ana", Clinic.at(9), 30)
    booked.visitType = .dental
    func best(_ appointments: [Appointment], named: [String]? = nil) -> SlotProposal? {
      SlotProposer(rules: rules).proposals(
        for: Clinic.request(visitType: .dental, clinicians: named, wished: Clinic.at(11)),
        on: Clinic.day(staff: staff, appointments: appointments), now: Clinic.at(8)
      ).first
    }
    #expect(best([])?.clinicianID == "ana" && best([booked])?.clinicianID == "ben")
    let dear = try #require(best([booked], named: ["ana"]))
    let why = try #require(
      dear.explanation.details.first { $0.description.contains("at most 1 of dental in a day, and has 1") })
    #expect(why.value == -rules[.loadCost] && abs(dear.score - dear.explanation.value) < 1e-9)
    let analysis = VisitAnalysis(rules: rules).explanation(
      of: PlannedVisit(clinicianID: "ana", resourceIDs: [], start: Clinic.at(11), minutes: 30),
      for: Clinic.request(visitType: .dental), on: Clinic.day(staff: staff, appointments: [booked]), now: Clinic.at(8))
    #expect(
      analysis.details.contains {
        $0.description.hasPrefix("preferences: Dr ana would like") && $0.value == -rules[.loadCost]
      })
  }

  @Test func `a long visit is proposed early to who likes that, and a short one at any time`() throws {
    let staff = [Self.staff(load: .init(latestLongStart: 12 * 60))[0]]
    func start(_ minutes: Double) throws -> Timestamp? {
      try SlotProposer(rules: Clinic.rules()).proposals(
        for: Clinic.request(minutes: minutes, wished: Clinic.at(12, 30)), on: Clinic.day(staff: staff),
        now: Clinic.at(8)
      ).first?.start
    }
    #expect(try start(90) == Clinic.at(12) && start(20) == Clinic.at(12, 30))
  }

  @Test func `a plan weighs preferences that depend on what else is planned`() throws {
    let rules = try Clinic.rules()
    let requests = (0..<4).map { Clinic.request("q\($0)", visitType: .nurseClinic, wished: Clinic.at(10 + $0)) }
    func plan(_ load: StaffMember.LoadPreference) throws -> DayProposal {
      var staff = Self.staff(load: load)
      staff[1].skills = ["general practice": 0.7]
      return try DayOptimizer(rules: rules, configuration: .init(seed: 1, iterationLimit: 300)).optimize(
        Clinic.day(staff: staff), requests: requests, now: Clinic.at(8)
      ) { 0 }
    }
    func counts(_ proposal: DayProposal) -> [String: Int] {
      Dictionary(grouping: proposal.changes, by: \.after.clinicianID).mapValues(\.count)
    }
    #expect(try counts(plan(.init())) == ["ana": 4])
    let gentle = try plan(.init(mostPerDay: ["nurse clinic": 2]))
    #expect(counts(gentle) == ["ana": 2, "ben": 2] && gentle.unplaced.isEmpty)
  }
}
