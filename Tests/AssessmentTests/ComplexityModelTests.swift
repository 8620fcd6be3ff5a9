import Clinical
import Testing
import VetNetTestSupport

@testable import Assessment

struct ComplexityModelTests {
  private func model() throws -> ComplexityModel {
    try ComplexityModel(points: modelTable("complexity/points.tsv", uniqueKey: "id"))
  }

  @Test func `a healthy adult dog is simple and without points`() throws {
    let assessment = try model().assess(CaseFacts(problems: ["booster"], species: .dog, age: 1500))
    #expect(assessment.level == 1 && assessment.points == 0)
  }

  /// Six drugs in use, two stopped, five notes, six values: 4.5 + 2.5 + 3.75 + 3.
  private static var longRecord: CaseFacts {
    var facts = CaseFacts()
    facts.load.drugs = ["1", "2", "3", "4", "5", "6"]
    facts.load.counts.endedTreatments = 2
    facts.load.counts.notes = 5
    facts.load.counts.labValues = 6
    return facts
  }

  /// Points by hand from the table.
  @Test(arguments: [
    (CaseFacts(problems: ["a", "b"], bodySystems: ["x", "y"]), 1, 1),
    (CaseFacts(problems: ["a", "b", "c"], bodySystems: ["x", "y", "z"]), 2, 1),
    (
      CaseFacts(
        problems: ["a", "b"], chronicDiagnoses: ["CKD", "OA"], drugs: ["1", "2", "3", "4"], highRiskDrugs: ["1"],
        species: .cat, age: 5500), 4, 2
    ),
    (CaseFacts(species: .bird, behaviour: .needsSedation, asaGrade: 4), 8, 2),
    (
      CaseFacts(
        problems: ["a", "b", "c", "d"], bodySystems: ["x", "y", "z"], chronicDiagnoses: ["CKD", "OA"],
        drugs: ["1", "2", "3", "4", "5", "6"], highRiskDrugs: ["1"], failedTreatments: 2, isReferral: true), 8, 2
    ),
    (CaseFacts(species: .rabbit, age: 5), 4, 1), (Self.longRecord, 14, 4),
  ])
  func `points and level follow the table`(facts: CaseFacts, points: Int, level: Int) throws {
    let assessment = try model().assess(facts)
    #expect(assessment.points == points, "\(assessment.explanation.details.map(\.description))")
    #expect(assessment.level == level)
  }

  @Test func `the points are the sum of their explanation`() throws {
    var generator = SplitMix64(seed: 5)
    func below(_ limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }
    let model = try model()
    for _ in 0..<200 {
      let names = (0..<8).map { "n\($0)" }
      let facts = CaseFacts(
        problems: Array(names.prefix(below(6))), bodySystems: Array(names.prefix(below(5))),
        chronicDiagnoses: Array(names.prefix(below(4))), drugs: Array(names.prefix(below(8))),
        highRiskDrugs: Array(names.prefix(below(2))), visitsForSameProblem: below(5), weeks: Double(below(10)),
        failedTreatments: below(4), hasPendingResults: below(2) == 0, isReferral: below(2) == 0,
        species: Species.allCases[below(Species.allCases.count)], age: Double(below(6000)),
        behaviour: [.easy, .fearful, .needsSedation][below(3)], asaGrade: below(6),
        ownerConstraints: Array(names.prefix(below(4))), hasPoorRecord: below(2) == 0)
      let assessment = model.assess(facts)
      let sum = assessment.explanation.details.reduce(0) { $0 + $1.value }
      #expect(abs(Double(assessment.points) - sum) <= 0.5)
      #expect((1...4).contains(assessment.level))
    }
  }

  @Test func `an intake's own words add to the record's facts`() throws {
    let assessment = try Shipped.assessor().assess(
      Intake(
        "Referral: diabetic cat on insulin, itchy for two months, three courses of antibiotics and no improvement",
        species: .cat, age: "14 years"))
    #expect(assessment.complexity.level >= 2)
    #expect(assessment.complexity.explanation.details.contains { $0.description.contains("diabetes") })
  }
}
