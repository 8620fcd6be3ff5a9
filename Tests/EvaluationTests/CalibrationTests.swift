import Clinical
import Testing

@testable import Evaluation

struct CalibrationTests {
  @Test func `probabilities that are right lie on the diagonal`() {
    var generator = SplitMix64(seed: 2)
    let cases = (0..<20_000).map { _ in
      let probability = Double.random(in: 0...1, using: &generator)
      return (probability, Double.random(in: 0..<1, using: &generator) < probability)
    }
    let bins = Calibration.bins(cases, count: 5)
    #expect(bins.count == 5)
    for (index, bin) in bins.enumerated() {
      #expect(abs(bin.x - (0.1 + 0.2 * Double(index))) < 0.02)
      #expect(abs(bin.x - bin.y) < 0.03)
    }
  }

  @Test func `the risk of all cases is the share of errors, and certain cases come first`() {
    let cases = (1...10).map { (confidence: Double($0) / 10, isRight: $0 > 4) }
    let risks = Calibration.risks(cases)
    let shares = (1...10).map { Double($0) / 10 }
    #expect(risks.map(\.x) == shares)
    #expect(risks.prefix(6).allSatisfy { $0.y == 0 })
    #expect(risks.last?.y == 0.4)
  }

  @Test func `few cases and none give no points that aren't there`() {
    #expect(Calibration.bins([], count: 5).isEmpty)
    #expect(Calibration.risks([]).isEmpty)
    #expect(Calibration.bins([(0.4, true)], count: 5) == [ReportSection.Point(0.4, 1)])
  }
}
