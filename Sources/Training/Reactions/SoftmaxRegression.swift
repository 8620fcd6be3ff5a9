import Extraction

/// Softmax regression with a quadratic penalty, by accelerated gradient steps from zero: no random numbers, the same cases give
/// the same bytes.
///
/// - Source: Y. Nesterov, "A method of solving a convex programming problem with convergence rate O(1/k²)", Soviet Mathematics
///   Doklady 1983;27:372-376, with a step length of its own for each weight.
enum SoftmaxRegression {
  private static let penalty = 0.5
  private static let steps = 200

  /// What is fitted to: the buckets that are filled, and the number of the right label.
  struct Case {
    let buckets: [Int]
    let label: Int
  }

  /// By label its bias and its weights, one a bucket.
  struct Weights {
    let biases: [Double]
    let rows: [[Double]]
  }

  /// - Parameters:
  ///   - cases: in any order.
  ///   - labels: how many there are.
  ///   - width: how many buckets there are.
  /// - Returns: what fits the cases best under the penalty.
  /// - Complexity: O(steps × (buckets of all cases + weights)).
  static func fit(_ cases: [Case], labels: Int, width: Int) -> Weights {
    let targets = cases.map(\.label)
    // Half the features of the cases that show a bucket bound how the loss curves along it (Gershgorin), so that rare words move
    // as fast as common ones.
    var curvature = [Double](repeating: 0, count: width)
    for item in cases { for bucket in item.buckets { curvature[bucket] += 0.5 * Double(item.buckets.count + 1) } }
    let rates = curvature.map { 1 / ($0 + penalty) }
    let biasRate = 1 / (0.5 * Double(cases.reduce(0) { $0 + $1.buckets.count + 1 }) + penalty)
    var biases = [Double](repeating: 0, count: labels)
    var weights = [Double](repeating: 0, count: labels * width)
    var (aheadBiases, ahead) = (biases, weights)
    var momentum = 1.0
    for _ in 0..<steps {
      var gradient = ahead.map { $0 * penalty }
      var biasGradient = [Double](repeating: 0, count: labels)
      for (item, target) in zip(cases, targets) {
        let scores = (0..<labels).map { label in
          item.buckets.reduce(aheadBiases[label]) { $0 + ahead[label * width + $1] }
        }
        let probabilities = ReactionModel.softmax(scores)
        for label in 0..<labels {
          let error = probabilities[label] - (label == target ? 1 : 0)
          biasGradient[label] += error
          for bucket in item.buckets { gradient[label * width + bucket] += error }
        }
      }
      let following = (1 + (1 + 4 * momentum * momentum).squareRoot()) / 2
      let share = (momentum - 1) / following
      momentum = following
      for index in weights.indices {
        let next = ahead[index] - rates[index % width] * gradient[index]
        ahead[index] = next + share * (next - weights[index])
        weights[index] = next
      }
      for label in 0..<labels {
        let next = aheadBiases[label] - biasRate * biasGradient[label]
        aheadBiases[label] = next + share * (next - biases[label])
        biases[label] = next
      }
    }
    return Weights(
      biases: biases, rows: (0..<labels).map { Array(weights[$0 * width..<($0 + 1) * width]) })
  }

  /// Weights as steps of one length, at most 127 of them.
  static func quantized(_ row: [Double]) -> (scale: Double, steps: [Int8]) {
    let scale = max(row.map(abs).max() ?? 0, 1e-9) / 127
    return (scale, row.map { Int8(($0 / scale).rounded()) })
  }
}
