import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Assessment

struct DurationModelTests {
  private func model() throws -> DurationModel {
    try DurationModel(
      priors: modelTable("duration/priors.tsv", uniqueKey: "visit_type"),
      multipliers: modelTable("duration/multipliers.tsv", uniqueKey: "id"))
  }

  /// Table values of the standard normal distribution.
  @Test(arguments: [
    (0.5, 0.0), (0.8, 0.8416212), (0.9, 1.2815516), (0.975, 1.9599640), (0.001, -3.0902323), (1e-12, -7.0344838),
  ])
  func `the normal quantile matches its tables`(p: Double, expected: Double) {
    #expect(abs(NormalDistribution.quantile(p) - expected) < 2e-6)
  }

  @Test func `the quantile inverts the distribution function`() {
    for step in 1..<200 {
      let p = Double(step) / 200
      let cumulative = 0.5 * erfc(-NormalDistribution.quantile(p) / 2.0.squareRoot())
      #expect(abs(cumulative - p) < 1e-6)
    }
  }

  @Test func `without history the prior speaks, for every kind of visit`() throws {
    let model = try model()
    for row in try modelTable("duration/priors.tsv").rows {
      let estimate = model.estimate(visitType: VisitType(rawValue: row["visit_type"]))
      #expect(abs(estimate.p50 - (try row.number("p50_minutes"))) < 1e-6)
      #expect(estimate.p50 < estimate.p80 && estimate.p80 < estimate.p90)
    }
    #expect(
      VisitType.builtIn.allSatisfy { type in
        (try? modelTable("duration/priors.tsv").rows.contains { $0["visit_type"] == type.rawValue }) == true
      })
  }

  @Test func `much history overrules the prior, a little moves it`() throws {
    let model = try model()
    func samples(_ count: Int) -> [DurationSample] {
      var generator = SplitMix64(seed: 3)
      return (0..<count).map { _ in
        let z = NormalDistribution.quantile(min(0.999, max(0.001, generator.nextUnit())))
        return DurationSample(minutes: exp(log(30) + 0.2 * z), similarity: 0.8, visitType: .standardConsult)
      }
    }
    let prior = model.estimate(visitType: .standardConsult)
    let some = model.estimate(visitType: .standardConsult, samples: samples(4))
    let many = model.estimate(visitType: .standardConsult, samples: samples(5000))
    #expect(prior.p50 < some.p50 && some.p50 < many.p50)
    #expect(abs(many.p50 - 30) < 0.6)
    #expect(abs(many.sigma - 0.2) < 0.02)
  }

  @Test func `quantiles stay in order and finite whatever the history`() throws {
    let model = try model()
    var generator = SplitMix64(seed: 9)
    for _ in 0..<200 {
      let samples = (0..<Int(generator.next() % 12)).map { _ in
        DurationSample(
          minutes: generator.nextUnit() * 300 - 5, similarity: generator.nextUnit(),
          visitType: VisitType.builtIn[Int(generator.next() % UInt64(VisitType.builtIn.count))],
          clinicianID: "v\(generator.next() % 3)")
      }
      let estimate = model.estimate(
        visitType: .recheck, species: .rabbit, complexityLevel: 3, animals: 2, clinicianID: "v1", samples: samples)
      #expect(estimate.p50.isFinite && estimate.p50 > 0)
      #expect(estimate.p50 < estimate.p80 && estimate.p80 < estimate.p90)
      #expect(abs(estimate.explanation.value - estimate.mu) < 1e-12)
    }
  }

  @Test func `complexity, species and further animals lengthen a visit`() throws {
    let model = try model()
    let plain = model.estimate(visitType: .standardConsult)
    #expect(model.estimate(visitType: .standardConsult, complexityLevel: 4).p50 > plain.p50)
    #expect(model.estimate(visitType: .standardConsult, species: .bird).p50 > plain.p50)
    #expect(model.estimate(visitType: .standardConsult, animals: 2).p50 > plain.p50)
  }
}
