import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Assessment

struct DurationLearnerTests {
  private static func learner() throws -> DurationLearner {
    DurationLearner(
      model: try DurationModel(
        priors: modelTable("duration/priors.tsv"), multipliers: modelTable("duration/multipliers.tsv")),
      parameters: try DurationLearner.Parameters(table: modelTable("duration/learning.tsv", uniqueKey: "id")))
  }

  /// Bayesian linear regression solved at once: (XᵀX/σ² + S⁻¹) m = Xᵀy/σ², by elimination.
  private static func ridge(
    _ rows: [(design: [(place: Int, weight: Double)], value: Double)], count: Int, variance: Double, noise: Double
  ) -> [Double] {
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: count + 1), count: count)
    for index in 0..<count { matrix[index][index] = 1 / variance }
    for row in rows {
      for (place, weight) in row.design {
        for (other, otherWeight) in row.design { matrix[place][other] += weight * otherWeight / noise }
        matrix[place][count] += weight * row.value / noise
      }
    }
    for pivot in 0..<count {
      for row in 0..<count where row != pivot {
        let factor = matrix[row][pivot] / matrix[pivot][pivot]
        for column in pivot...count { matrix[row][column] -= factor * matrix[pivot][column] }
      }
    }
    return (0..<count).map { matrix[$0][count] / matrix[$0][$0] }
  }

  @Test func `learning one by one gives what solving at once gives`() {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<20 {
      let count = Int.random(in: 2...6, using: &generator)
      var state = KalmanState()
      for _ in 0..<count { state.append(variance: 0.5, drift: 0) }
      var rows: [(design: [(place: Int, weight: Double)], value: Double)] = []
      for _ in 0..<30 {
        let design = (0..<count).filter { _ in Bool.random(using: &generator) }
          .map { (place: $0, weight: Double.random(in: -1...1, using: &generator)) }
        let value = Double.random(in: -2...2, using: &generator)
        state.update(design, residual: value - state.predict(design).mean, noise: 0.3)
        if !design.isEmpty { rows.append((design, value)) }
      }
      let oracle = Self.ridge(rows, count: count, variance: 0.5, noise: 0.3)
      for (learned, solved) in zip(state.mean, oracle) { #expect(abs(learned - solved) < 1e-8) }
    }
  }

  @Test func `a learner read from its snapshot goes on as if nothing had happened`() throws {
    var generator = SplitMix64(seed: 12)
    var learner = try Self.learner()
    func visit() -> (input: DurationInput, minutes: Double) {
      (
        DurationInput(
          visitType: ["vaccination", "recheck", "dental"].randomElement(using: &generator),
          clinicianID: ["a", "b"].randomElement(using: &generator), species: "dog", ageYears: 4,
          text: ["booster", "ears again", "lame left fore"].randomElement(using: &generator) ?? ""),
        Double.random(in: 5...40, using: &generator)
      )
    }
    for _ in 0..<700 {
      let visit = visit()
      learner.learn(visit.input, minutes: visit.minutes)
    }
    let snapshot = learner.snapshot
    let empty = try Self.learner()
    var copy = try #require(DurationLearner(model: empty.model, parameters: empty.parameters, snapshot: snapshot))
    #expect(copy.snapshot == snapshot && copy.visitCount == 700)
    for _ in 0..<50 {
      let visit = visit()
      // Sums are kept, not what was added to them one by one: the last bits may differ.
      #expect(abs(copy.forecast(visit.input).quantile(0.8) - learner.forecast(visit.input).quantile(0.8)) < 1e-9)
      copy.learn(visit.input, minutes: visit.minutes)
      learner.learn(visit.input, minutes: visit.minutes)
    }
    for cut in [0, 10, snapshot.count / 2, snapshot.count - 1] {
      #expect(
        DurationLearner(model: empty.model, parameters: empty.parameters, snapshot: Array(snapshot[..<cut])) == nil)
    }
  }

  @Test func `residual quantiles are those of the latest residuals`() {
    var generator = SplitMix64(seed: 5)
    var residuals = ResidualQuantiles(weight: 0)
    var all: [Double] = []
    for _ in 0..<2600 {
      let value = Double.random(in: -3...3, using: &generator)
      residuals.add(value, visitType: "a \(Int.random(in: 0...50, using: &generator))")
      all.append(value)
    }
    let sorted = all.suffix(2000).sorted()
    for p in [0.1, 0.5, 0.8, 0.9] {
      let position = p * 2001 - 1
      let lower = Int(position)
      let expected = sorted[lower] + (sorted[lower + 1] - sorted[lower]) * (position - Double(lower))
      #expect(abs(residuals.quantile(p, visitType: "never seen") - expected) < 1e-12)
    }
  }

  @Test func `without visits a forecast is what is usual`() throws {
    let forecast = try Self.learner().forecast(DurationInput(visitType: "vaccination"))
    #expect(abs(forecast.quantile(0.5) - 11) < 1e-9)
    #expect(forecast.visitCount == 0)
  }

  @Test func `a practice that takes twice as long is believed after a while, and the more the longer`() throws {
    var learner = try Self.learner()
    var last = 11.0
    for _ in 0..<5 {
      for _ in 0..<8 { learner.learn(DurationInput(visitType: "vaccination"), minutes: 22) }
      let median = learner.forecast(DurationInput(visitType: "vaccination")).quantile(0.5)
      #expect(median >= last)
      last = median
    }
    #expect((19...23).contains(last))
  }

  @Test func `one clinician's slowness is not another's`() throws {
    var learner = try Self.learner()
    for _ in 0..<40 {
      learner.learn(DurationInput(visitType: "recheck", clinicianID: "slow"), minutes: 20)
      learner.learn(DurationInput(visitType: "recheck", clinicianID: "quick"), minutes: 8)
    }
    func median(_ clinician: String) -> Double {
      learner.forecast(DurationInput(visitType: "recheck", clinicianID: clinician)).quantile(0.5)
    }
    #expect(median("slow") > 1.8 * median("quick"))
    #expect(median("quick") < median("new") && median("new") < median("slow"))
  }

  @Test func `quantiles hold what they promise on skewed lengths`() throws {
    var generator = SplitMix64(seed: 11)
    var learner = try Self.learner()
    var (below80, below90, count) = (0, 0, 0)
    for visit in 0..<600 {
      let type = ["recheck", "surgery", "anything else"][visit % 3]
      let input = DurationInput(visitType: type)
      let forecast = learner.forecast(input)
      // An exponential tail on a fixed part: far from log-normal.
      let minutes = 5 + Double(visit % 3) * 20 - 12 * log(Double.random(in: 0.001...1, using: &generator))
      if visit >= 100 {
        count += 1
        below80 += minutes <= forecast.quantile(0.8) ? 1 : 0
        below90 += minutes <= forecast.quantile(0.9) ? 1 : 0
      }
      learner.learn(input, minutes: minutes)
    }
    #expect(abs(Double(below80) / Double(count) - 0.8) < 0.05)
    #expect(abs(Double(below90) / Double(count) - 0.9) < 0.04)
  }

  @Test func `quantiles rise with their share`() throws {
    var learner = try Self.learner()
    for visit in 0..<60 { learner.learn(DurationInput(visitType: "dental"), minutes: Double(30 + visit % 40)) }
    let forecast = learner.forecast(DurationInput(visitType: "dental"))
    let values = stride(from: 0.05, through: 0.95, by: 0.05).map(forecast.quantile)
    #expect(values == values.sorted())
  }

  @Test(arguments: [0, -3, Double.nan, .infinity])
  func `minutes that can't be teach nothing`(minutes: Double) throws {
    var learner = try Self.learner()
    learner.learn(DurationInput(visitType: "recheck"), minutes: minutes)
    #expect(learner.visitCount == 0)
  }

  @Test func `memory stays bounded however many words there are`() throws {
    var learner = try Self.learner()
    for visit in 0..<300 {
      let words = (0..<6).map { "word\((visit / 5) * 6 + $0)" }.joined(separator: " ")
      learner.learn(DurationInput(visitType: "recheck", text: words), minutes: 10)
    }
    #expect(learner.effectCount <= 400)
  }
}
