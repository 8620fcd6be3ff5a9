import Testing

@testable import Extraction
@testable import Training

struct SoftmaxRegressionTests {
  @Test func `softmax regression learns what separates two labels and nothing from chance`() {
    let cases = (0..<40).map { number in
      ReactionFitter.Case(buckets: number % 2 == 0 ? [1, 7] : [2, 7], label: number % 2 == 0 ? .reaction : .none)
    }
    let model = SoftmaxRegression.fit(cases)
    #expect(model.probabilities([1])[0] > 0.8 && model.probabilities([2])[3] > 0.8)
    #expect(abs(model.probabilities([7])[0] - model.probabilities([7])[3]) < 0.2)
    #expect(SoftmaxRegression.fit(cases).steps == model.steps)
  }
}
