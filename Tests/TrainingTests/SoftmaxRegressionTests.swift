import Testing

@testable import Extraction
@testable import Training

struct SoftmaxRegressionTests {
  @Test func `softmax regression learns what separates two labels and nothing from chance`() {
    let cases = (0..<40).map { number in
      SoftmaxRegression.Case(buckets: number % 2 == 0 ? [1, 7] : [2, 7], label: number % 2 == 0 ? 0 : 2)
    }
    let weights = SoftmaxRegression.fit(cases, labels: 3, width: 8)
    func probabilities(_ bucket: Int) -> [Double] {
      ReactionModel.softmax((0..<3).map { weights.biases[$0] + weights.rows[$0][bucket] })
    }
    #expect(probabilities(1)[0] > 0.8 && probabilities(2)[2] > 0.8)
    #expect(abs(probabilities(7)[0] - probabilities(7)[2]) < 0.2)
    #expect(SoftmaxRegression.fit(cases, labels: 3, width: 8).rows == weights.rows)
  }

  @Test(arguments: [0.5, 100])
  func `buckets that no case fills change nothing and stay nought`(penalty: Double) {
    let labels = (0..<30).map { ($0 * 7 + $0 / 4) % 3 }
    func fit(_ place: (Int) -> Int, width: Int) -> SoftmaxRegression.Weights {
      SoftmaxRegression.fit(
        labels.enumerated().map { number, label in
          SoftmaxRegression.Case(buckets: Set([label, number % 5, 7]).sorted().map(place), label: label)
        }, labels: 3, width: width, penalty: penalty)
    }
    let packed = fit({ $0 }, width: 8)
    let spread = fit({ 100 * $0 + 3 }, width: 1000)
    #expect(spread.biases == packed.biases)
    for (wide, row) in zip(spread.rows, packed.rows) {
      for bucket in wide.indices {
        #expect(wide[bucket] == (bucket % 100 == 3 && bucket / 100 < 8 ? row[bucket / 100] : 0))
      }
    }
  }

  @Test func `steps are of one length and keep what they stand for`() {
    let row = [0.5, -1.27, 0, 0.013]
    let (scale, steps) = SoftmaxRegression.quantized(row)
    #expect(steps == [50, -127, 0, 1])
    #expect(zip(row, steps).allSatisfy { abs($0 - scale * Double($1)) <= scale / 2 })
  }
}
