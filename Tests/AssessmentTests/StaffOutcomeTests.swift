import Clinical
import Testing
import VetNetTestSupport

@testable import Assessment

/// What became of somebody's visits, as far as it counts when a case is given to somebody.
struct StaffOutcomeTests {
  private static let strength = 60.0...400.0

  private func ranking(_ counts: [String: OutcomeCounts]) throws -> [StaffMatch] {
    let rules = try StaffRanking(table: modelTable("specialties/people.tsv"))
    let outcomes = StaffOutcome.all(counts, kind: "standard consult", strength: rules.outcomeStrength)
    let people = ["a", "b", "c"].map { id in
      StaffSituation(
        member: StaffMember(id: id, name: id, role: .veterinarian), workingMinutes: 480, bookedMinutes: 100,
        outcome: outcomes[id])
    }
    return rules.ranking(
      [SpecialtyScore(specialty: .generalPractice, score: 1, explanation: Explanation("general practice", value: 1))],
      people: people, minutes: 20)
  }

  @Test func `few visits change next to nothing, whatever came of them`() throws {
    let plain = try ranking([:])
    let few = try ranking([
      "a": OutcomeCounts(visits: 3, rechecked: 3, timed: 3, overran: 3), "b": OutcomeCounts(visits: 4),
    ])
    for match in few {
      let before = try #require(plain.first { $0.staffID == match.staffID })
      #expect(abs(match.score - before.score) < 0.015, "\(match.explanation)")
    }
    #expect(plain.allSatisfy { $0.outcome == nil } && few.last?.staffID == "a")
  }

  @Test func `enough visits find who is better, within a limit, and say why`() throws {
    let found = try ranking([
      "a": OutcomeCounts(visits: 400, rechecked: 120, timed: 400, overran: 200),
      "b": OutcomeCounts(visits: 400, rechecked: 20, timed: 400, overran: 40),
      "c": OutcomeCounts(visits: 400, rechecked: 70, timed: 400, overran: 120),
    ])
    #expect(found.map(\.staffID) == ["b", "c", "a"])
    let plain = try #require(try ranking([:]).first)
    for match in found {
      #expect(abs(match.score - plain.score) <= 0.1 + 1e-9)
      #expect(match.score == match.explanation.value && (0...1).contains(match.score))
    }
    let words = found[0].explanation.details.map(\.description)
    #expect(
      words.contains { $0.hasPrefix("standard consult: 20 of 400 rechecked; practice 18 %, counted as ") }, "\(words)")
  }

  @Test func `a share lies between one's own and the practice's, the nearer to the latter the fewer the visits`() throws
  {
    let small = try #require(
      ShrunkRate.all(["a": (3, 20), "b": (110, 980)], strength: Self.strength)["a"])
    #expect(small.practice < small.rate && small.rate < 0.15)
    let large = try #require(
      ShrunkRate.all(["a": (150, 1000), "b": (90, 1000)], strength: Self.strength)["a"])
    #expect(abs(large.rate - 0.15) < abs(small.rate - 0.15))
    #expect(ShrunkRate.all([:], strength: Self.strength).isEmpty)
    #expect(ShrunkRate.all(["a": (0, 0)], strength: Self.strength).isEmpty)
    // Nobody differs where all or none came again.
    #expect(ShrunkRate.all(["a": (5, 5), "b": (7, 7)], strength: Self.strength)["a"]?.rate == 1)
  }

  /// Vets of whom one is better; visits drawn at random.
  @Test func `a better vet is found among simulated visits, and chance alone finds nobody`() throws {
    var generator = SplitMix64(seed: 11)
    func simulate(_ visits: Int, better: Double) -> [String: OutcomeCounts] {
      Dictionary(
        uniqueKeysWithValues: ["a", "b", "c"].map { id in
          let share = id == "b" ? better : 0.2
          let rechecked = (0..<visits).count { _ in Double.random(in: 0..<1, using: &generator) < share }
          return (id, OutcomeCounts(visits: visits, rechecked: rechecked))
        })
    }
    var found = 0
    var widest = 0.0
    for _ in 0..<50 {
      if try ranking(simulate(300, better: 0.08)).first?.staffID == "b" { found += 1 }
      let scores = try ranking(simulate(15, better: 0.2)).map(\.score)
      widest = max(widest, (scores.max() ?? 0) - (scores.min() ?? 0))
    }
    #expect(found >= 49)
    #expect(widest < 0.05)
  }
}
