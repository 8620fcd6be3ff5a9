import Clinical
import Foundation
import Testing

@testable import Assessment
@testable import Training

struct LogisticFitterTests {
  private static let rows = 60
  private static let columns = 8

  private struct Problem {
    var design = LogisticFitter.Columns(count: LogisticFitterTests.columns)
    var labels: [Bool] = []
    var rowWeights: [Double] = []
  }

  private func problem(seed: UInt64) -> Problem {
    var generator = SplitMix64(seed: seed)
    var problem = Problem()
    for row in 0..<Self.rows {
      var signal = 0.0
      for column in 0..<Self.columns where generator.nextUnit() < 0.4 {
        let value = generator.nextUnit() + 0.2
        problem.design.rows[column].append(Int32(row))
        problem.design.values[column].append(value)
        signal += value * (column.isMultiple(of: 2) ? 1 : -1)
      }
      problem.labels.append(signal + generator.nextUnit() - 0.5 > 0)
      problem.rowWeights.append(row.isMultiple(of: 7) ? 0 : 1)
    }
    return problem
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `at the end nothing pulls at a free weight, and a bounded one is nought or free`(seed: UInt64) {
    let problem = problem(seed: seed)
    let fitter = LogisticFitter(penalty: 0.5, sweeps: 400, tolerance: 1e-9)
    let isBounded = (0..<Self.columns).map { $0 < 4 }
    let fit = fitter.fit(
      problem.design, labels: problem.labels, rowWeights: problem.rowWeights, isBounded: isBounded)
    var predictor = [Double](repeating: fit.intercept, count: Self.rows)
    for column in 0..<Self.columns {
      for (row, value) in zip(problem.design.rows[column], problem.design.values[column]) {
        predictor[Int(row)] += fit.weights[column] * value
      }
    }
    for column in 0..<Self.columns {
      var gradient = 0.5 * fit.weights[column]
      for (row, value) in zip(problem.design.rows[column], problem.design.values[column]) {
        let row = Int(row)
        let probability = 1 / (1 + exp(-predictor[row]))
        gradient += problem.rowWeights[row] * value * (probability - (problem.labels[row] ? 1 : 0))
      }
      if isBounded[column], fit.weights[column] == 0 {
        #expect(gradient >= -1e-4)
      } else {
        #expect(abs(gradient) < 1e-4)
        #expect(!isBounded[column] || fit.weights[column] > 0)
      }
    }
  }
}
