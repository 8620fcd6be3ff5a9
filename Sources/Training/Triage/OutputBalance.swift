import Assessment
import Foundation

/// What each of several outcomes is given in advance, so that among the cases it was fitted to each is expected as often as it is true.
///
/// Regression on one outcome at a time keeps close to the means: where words are weak the commonest outcome wins, and rare ones are
/// named too seldom. With P(outcome) ∝ exp(a · (score + start)), the starts are those of greatest likelihood.
///
/// - Source: J. N. Darroch, D. Ratcliff, "Generalized iterative scaling for log-linear models", Ann Math Statist 1972;43(5):1470-1480;
///   the slope a by Newton's method.
struct OutputBalance {
  /// On the scale of the scores, one for each outcome; 0 on average.
  private(set) var starts: [Double]
  /// How sure the scores may be taken to be.
  private(set) var slope = 3.0

  private static let sweeps = 100
  /// Cases as expected that each outcome is given beforehand, so that one that never occurs gets no infinite start.
  private static let prior = 2.0

  /// - Parameters:
  ///   - scores: for each case a score for each outcome.
  ///   - labels: for each case the outcome that is true.
  /// - Precondition: as many labels as scores, each of them an outcome.
  /// - Complexity: O(cases × outcomes).
  init(scores: [[Double]], labels: [Int]) {
    precondition(scores.count == labels.count, "\(scores.count) scores and \(labels.count) labels")
    let count = scores.first?.count ?? 0
    starts = Array(repeating: 0, count: count)
    guard count > 0 else { return }
    var seen = [Double](repeating: 0, count: count)
    for label in labels { seen[label] += 1 }
    for _ in 0..<Self.sweeps {
      var expected = [Double](repeating: 0, count: count)
      var (gradient, curvature) = (0.0, 1e-9)
      for (row, label) in zip(scores, labels) {
        let totals = zip(row, starts).map(+)
        let shares = Self.shares(totals, slope: slope)
        var (mean, square) = (0.0, 0.0)
        for (index, share) in shares.enumerated() {
          expected[index] += share
          mean += share * totals[index]
          square += share * totals[index] * totals[index]
        }
        gradient += totals[label] - mean
        curvature += square - mean * mean
      }
      for index in starts.indices {
        starts[index] += log((seen[index] + Self.prior) / (expected[index] + Self.prior)) / slope
      }
      let middle = starts.reduce(0, +) / Double(count)
      for index in starts.indices { starts[index] -= middle }
      slope = min(20, max(0.5, slope + min(1, max(-1, gradient / curvature))))
    }
  }

  private static func shares(_ totals: [Double], slope: Double) -> [Double] {
    let most = totals.max() ?? 0
    let powers = totals.map { exp(slope * ($0 - most)) }
    let sum = powers.reduce(0, +)
    return powers.map { $0 / sum }
  }
}
