import Assessment
import Foundation

/// Fits logistic regressions with a Gaussian prior by cyclic coordinate descent.
///
/// Minimises Σ wᵢ log(1 + exp(−yᵢ(b + xᵢ·θ))) + ½ λ ‖θ‖² over θ and b, where some θ may not be negative. Each coordinate
/// takes a Newton step of the quadratic bound of its own loss, so the objective falls with every sweep and the same rows in
/// the same order give the same weights.
///
/// - Source: A. Genkin, D. D. Lewis, D. Madigan, "Large-scale Bayesian logistic regression for text categorization",
///   Technometrics 2007;49(3):291-304, with the bound σ′ ≤ ¼ made tighter by a trust region.
struct LogisticFitter: Sendable {
  /// Columns: for each feature the rows in which it stands, and how much of it.
  struct Columns: Sendable {
    var rows: [[Int32]]
    var values: [[Double]]

    init(count: Int) {
      rows = Array(repeating: [], count: count)
      values = Array(repeating: [], count: count)
    }
  }

  struct Fit: Sendable {
    var intercept: Double
    var weights: [Double]
  }

  /// λ, the strength of the prior.
  var penalty: Double
  var sweeps = 100
  /// Ends when no linear predictor moved more than this in a sweep.
  var tolerance = 1e-3

  /// - Parameters:
  ///   - columns: the features.
  ///   - labels: for each row whether it is a positive case.
  ///   - rowWeights: how much each row counts; 0 leaves it out.
  ///   - isBounded: for each feature whether its weight may not be negative.
  /// - Returns: the weights.
  /// - Complexity: O(sweeps × values).
  func fit(
    _ columns: Columns, labels: [Bool], rowWeights: [Double], isBounded: [Bool]
  ) -> Fit {
    let rows = labels.count
    var predictor = [Double](repeating: 0, count: rows)
    var fit = Fit(intercept: 0, weights: Array(repeating: 0, count: columns.rows.count))
    var trust = [Double](repeating: 1, count: columns.rows.count)
    var trustOfIntercept = 1.0
    let allRows = (0..<rows).map(Int32.init)
    let ones = [Double](repeating: 1, count: rows)
    for _ in 0..<sweeps {
      var largest = 0.0
      let step = newtonStep(
        allRows, ones, labels, rowWeights, predictor, trust: trustOfIntercept, current: 0, penalty: 0)
      fit.intercept += step
      for row in 0..<rows { predictor[row] += step }
      trustOfIntercept = max(2 * abs(step), trustOfIntercept / 2)
      largest = abs(step)
      for column in columns.rows.indices {
        let current = fit.weights[column]
        var step = newtonStep(
          columns.rows[column], columns.values[column], labels, rowWeights, predictor, trust: trust[column],
          current: current, penalty: penalty)
        if isBounded[column], current + step < 0 { step = -current }
        trust[column] = max(2 * abs(step), trust[column] / 2)
        guard step != 0 else { continue }
        fit.weights[column] += step
        for (row, value) in zip(columns.rows[column], columns.values[column]) {
          predictor[Int(row)] += step * value
          largest = max(largest, abs(step * value))
        }
      }
      if largest < tolerance { break }
    }
    return fit
  }

  private func newtonStep(
    _ rows: [Int32], _ values: [Double], _ labels: [Bool], _ rowWeights: [Double], _ predictor: [Double],
    trust: Double, current: Double, penalty: Double
  ) -> Double {
    var gradient = penalty * current
    var curvature = penalty + 1e-9
    for (row, value) in zip(rows, values) {
      let weight = rowWeights[Int(row)]
      guard weight > 0 else { continue }
      let z = predictor[Int(row)]
      let probability = 1 / (1 + exp(-z))
      gradient += weight * value * (probability - (labels[Int(row)] ? 1 : 0))
      // The greatest curvature that the loss has within the trust region around z.
      let reach = trust * abs(value)
      let bound = abs(z) <= reach ? 0.25 : 1 / (2 + exp(abs(z) - reach) + exp(reach - abs(z)))
      curvature += weight * value * value * bound
    }
    return min(trust, max(-trust, -gradient / curvature))
  }
}
