import Clinical
import Evaluation
import Testing

struct StatisticsTests {
  @Test func `the interval holds the mean and narrows with more cases`() {
    func width(_ count: Int) -> Double {
      var generator = SplitMix64(seed: 5)
      let cases = (0..<count).map { _ in generator.nextUnit() }
      let estimate = Estimate(meanOf: cases, using: &generator)
      #expect(estimate.low <= estimate.value && estimate.value <= estimate.high)
      return estimate.high - estimate.low
    }
    // The mean of n uniform numbers has a standard deviation of 0.2887 / √n; the interval is 3.92 of them wide.
    #expect(abs(width(100) - 0.1132) < 0.03)
    #expect(abs(width(2500) - 0.0226) < 0.005)
  }

  @Test func `an interval of equal cases is a point, of no cases zero`() {
    var generator = SplitMix64(seed: 1)
    let same = Estimate(meanOf: [0.25, 0.25, 0.25], using: &generator)
    #expect(same == Estimate(value: 0.25, low: 0.25, high: 0.25))
    #expect(Estimate(meanOf: [], using: &generator) == Estimate(value: 0, low: 0, high: 0))
  }

  @Test func `a paired test of few cases comes near the exact share of sign assignments`() {
    // Differences 1, 1, 1, 1: of 16 assignments two (all alike) reach a sum of 4, so p = 1/8.
    var generator = SplitMix64(seed: 2)
    let p = PairedRandomisation.pValue([1, 1, 1, 1], [0, 0, 0, 0], using: &generator)
    #expect(abs(p - 0.125) < 0.015)
    // Differences 3, -1, 1: the sum is 3; |±3 ±1 ±1| is at least 3 in 6 of 8.
    let mixed = PairedRandomisation.pValue([3, 0, 1], [0, 1, 0], using: &generator)
    #expect(abs(mixed - 0.75) < 0.02)
  }

  @Test func `equal systems don't differ, clearly different ones do`() {
    var generator = SplitMix64(seed: 3)
    #expect(PairedRandomisation.pValue([0.3, 0.5], [0.3, 0.5], using: &generator) == 1)
    #expect(PairedRandomisation.pValue([], [], using: &generator) == 1)
    let better = (0..<200).map { Double($0 % 7) / 10 + 0.1 }
    let worse = (0..<200).map { Double($0 % 7) / 10 }
    #expect(PairedRandomisation.pValue(better, worse, using: &generator) < 0.001)
  }

  @Test func `equal seeds give equal figures`() {
    let cases = (0..<50).map { Double($0 % 9) }
    func figures() -> (Estimate, Double) {
      var generator = SplitMix64(seed: 4)
      return (
        Estimate(meanOf: cases, using: &generator),
        PairedRandomisation.pValue(cases, cases.reversed(), using: &generator)
      )
    }
    #expect(figures() == figures())
  }
}
