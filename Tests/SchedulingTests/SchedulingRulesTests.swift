import Clinical
import Testing
import VetNetTestSupport

@testable import Scheduling

struct SchedulingRulesTests {
  @Test
  func `the shipped tables are complete, sourced, and know every built-in visit type`() throws {
    let rules = try Clinic.rules()
    for name in ["weights", "parameters", "visit-resources"] {
      let table = try modelTable("scheduling/\(name).tsv", uniqueKey: "id")
      #expect(table.metadata["licence"]?.isEmpty == false)
      for row in table.rows { #expect(!row["source"].isEmpty) }
    }
    let table = try modelTable("scheduling/visit-resources.tsv", uniqueKey: "id")
    let known = Set(table.rows.map { $0["visit_type"] })
    for type in VisitType.builtIn { #expect(known.contains(type.rawValue)) }
    #expect(rules.visits.need(VisitType(rawValue: "acupuncture")) == rules.visits.need(nil))
    #expect(rules.visits.need(.surgery).resources == [["theatre"]])
    #expect(rules.visits.need(.repeatPrescription).resources == [])
  }

  @Test
  func `what is more urgent is worth more and may wait less`() throws {
    let rules = try Clinic.rules()
    let weights = Urgency.allCases.sorted(by: >).map { rules.weight($0) }
    #expect(weights.map(\.points) == weights.map(\.points).sorted(by: >))
    #expect(weights.map(\.targetMinutes) == Urgency.allCases.sorted(by: >).map(\.targetMinutes))
    #expect(weights.map(\.latestMinutes) == weights.map(\.latestMinutes).sorted())
  }

  @Test(arguments: [
    (Species.horse, 0.9, 0.0, 0.0), (.horse, 0.9, 0.95, 0.9), (.dog, 0.9, 0.0, 0.9), (.cattle, 0.9, 0.0, 0.18),
  ])
  func `nobody fits an animal's emergency better than its kind allows`(
    species: Species, emergency: Double, equine: Double, expected: Double
  ) throws {
    let rules = try Clinic.rules()
    let member = StaffMember(
      id: "x", name: "X", role: .veterinarian, skills: ["emergency": emergency, "equine": equine])
    var request = VisitRequest(
      id: "r", specialty: .emergency, duration: PredictedDuration(p50: 20, sigma: 0.4), receivedAt: Clinic.at(9))
    request.species = species
    #expect(abs(rules.match(member, request) - expected) < 1e-9)
  }

  @Test
  func `a wrong table is refused with file, column and value`() throws {
    let good = try modelTable("scheduling/weights.tsv")
    let parameters = try modelTable("scheduling/parameters.tsv")
    let visits = try modelTable("scheduling/visit-resources.tsv")
    let species = try modelTable("scheduling/species-skills.tsv")
    let broken = try DataTable(name: "visits", text: "id\tvisit_type\tresources\troles\na\t*\troom\tastronaut\n")
    #expect(throws: DataTableError.self) {
      try SchedulingRules(weights: good, parameters: parameters, visitResources: broken, speciesSkills: species)
    }
    let short = try DataTable(name: "parameters", text: "id\tvalue\nbase_share\t0.75\n")
    let error = #expect(throws: DataTableError.self) {
      try SchedulingRules(weights: good, parameters: short, visitResources: visits, speciesSkills: species)
    }
    #expect(error?.table == "parameters")
    let unicorn = try DataTable(name: "species", text: "id\tspecies\tskill\tshare\na\tunicorn\tequine\t1\n")
    let unknown = #expect(throws: DataTableError.self) {
      try SchedulingRules(weights: good, parameters: parameters, visitResources: visits, speciesSkills: unicorn)
    }
    #expect(unknown?.column == "species")
  }

  @Test(arguments: [(0.5, 0.0), (0.7, 0.5244005), (0.8, 0.8416212), (0.975, 1.9599640), (0.1, -1.2815516)])
  func `normal quantiles are those of the tables`(p: Double, z: Double) {
    #expect(abs(PredictedDuration.normalQuantile(p) - z) < 1e-6)
  }

  @Test
  func `a duration given by quantiles has them back`() throws {
    let exact = PredictedDuration(p50: 20, sigma: 0.4)
    let again = try #require(
      PredictedDuration(p50: 20, p80: exact.minutes(at: 0.8), p90: exact.minutes(at: 0.9)))
    #expect(abs(again.sigma - 0.4) < 1e-9)
    #expect(PredictedDuration(p50: 20, p80: 10, p90: 30) == nil)
    #expect(PredictedDuration(p50: 0, p80: 0, p90: 0) == nil)
  }
}
