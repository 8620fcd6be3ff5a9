import Clinical
import Testing

@testable import Evaluation

struct MetricValuesTests {
  /// Two raters, five levels: agreement worked out by hand from the definition.
  @Test func `quadratic kappa follows its definition`() throws {
    // Squared distances: 0, 1, 0, 4 → 5 observed. Expected: rows {0:1, 1:1, 2:2}, columns {0:2, 2:2} of 4 cases:
    // 0·2·0 + 1·2·4/4 (row 0, column 2) + 1·2·1/4 + 1·2·1/4 (row 1) + 2·2·4/4 + 0 = 2 + .5 + .5 + 4 = 7.
    let values = MetricValues.quadraticKappa(truth: [0, 1, 2, 2], rated: [0, 2, 2, 0], categories: 3)
    let (value, wanted) = (try #require(values.value), 1 - 5.0 / 7)
    #expect(abs(value - wanted) < 1e-12)
  }

  @Test func `a rater who never varies agrees no better than chance`() {
    #expect(MetricValues.quadraticKappa(truth: [0, 1, 2, 3], rated: [2, 2, 2, 2], categories: 5).value == 0)
  }

  @Test func `F1 is the harmonic mean of precision and recall`() throws {
    let truth = [true, true, true, false, false, false]
    let found = [true, true, false, true, false, false]
    let (precision, recall) = (2.0 / 3, 2.0 / 3)
    let f1 = try #require(MetricValues.f1(truth: truth, found: found).value)
    #expect(abs(f1 - 2 * precision * recall / (precision + recall)) < 1e-12)
  }

  @Test func `a share of nothing has no value`() {
    #expect(MetricValues.share([true, false], where: [false, false]).value == nil)
  }

  @Test func `weighing a case twice is having it twice`() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<50 {
      let count = Int.random(in: 2...12, using: &generator)
      let weights = (0..<count).map { _ in Double(Int.random(in: 0...3, using: &generator)) }
      let truth = (0..<count).map { _ in Int.random(in: 0..<4, using: &generator) }
      let rated = (0..<count).map { _ in Int.random(in: 0..<4, using: &generator) }
      func repeated<Value>(_ values: [Value]) -> [Value] {
        zip(values, weights).flatMap { [Value](repeating: $0, count: Int($1)) }
      }
      let pairs: [(MetricValues, MetricValues)] = [
        (
          .quadraticKappa(truth: truth, rated: rated, categories: 4),
          .quadraticKappa(truth: repeated(truth), rated: repeated(rated), categories: 4)
        ),
        (
          .f1(truth: truth.map { $0 > 1 }, found: rated.map { $0 > 1 }),
          .f1(truth: repeated(truth.map { $0 > 1 }), found: repeated(rated.map { $0 > 1 }))
        ),
        (.total(truth.map(Double.init)), .total(repeated(truth.map(Double.init)))),
      ]
      for (weighted, plain) in pairs {
        let (left, right) = (weighted.value(weights: weights), plain.value)
        #expect((left == nil) == (right == nil))
        #expect(abs((left ?? 0) - (right ?? 0)) < 1e-9)
      }
    }
  }

  @Test func `exchanging cases is measuring the two mixed systems`() {
    var generator = SplitMix64(seed: 11)
    for count in 1...20 {
      func numbers(_ most: Int) -> [Int] { (0..<count).map { _ in generator.index(below: most) } }
      let (truth, one, other) = (numbers(4), numbers(4), numbers(4))
      let places = numbers(2).map { $0 == 1 }
      let left = places.indices.map { places[$0] ? other[$0] : one[$0] }
      let right = places.indices.map { places[$0] ? one[$0] : other[$0] }
      let kinds: [([Int]) -> MetricValues] = [
        { .quadraticKappa(truth: truth, rated: $0, categories: 4) },
        { .f1(truth: truth.map { $0 > 1 }, found: $0.map { $0 > 1 }) },
        { .total($0.map(Double.init)) },
      ]
      for kind in kinds {
        let (own, others) = kind(one).values(exchanging: places, with: kind(other))
        #expect(own == kind(left).value && others == kind(right).value)
      }
    }
  }

  @Test func `the interval of a share holds the share`() throws {
    var generator = SplitMix64(seed: 1)
    let values = MetricValues.share((0..<200).map { $0 % 4 != 0 })
    let estimate = try #require(Estimate(values, using: &generator))
    #expect(estimate.value == 0.75)
    #expect(estimate.low < 0.75 && estimate.low > 0.65)
    #expect(estimate.high > 0.75 && estimate.high < 0.85)
  }

  @Test func `a system beside itself differs by nothing`() {
    var generator = SplitMix64(seed: 1)
    let values = MetricValues.quadraticKappa(truth: [0, 1, 2, 3, 1], rated: [0, 1, 3, 3, 0], categories: 4)
    #expect(PairedRandomisation.pValue(values, values, using: &generator) == 1)
  }

  @Test func `always right against always wrong is no chance`() throws {
    var generator = SplitMix64(seed: 1)
    let (right, wrong) = (
      MetricValues.share([Bool](repeating: true, count: 20)), MetricValues.share([Bool](repeating: false, count: 20))
    )
    #expect(try #require(PairedRandomisation.pValue(right, wrong, using: &generator)) < 0.01)
  }
}
