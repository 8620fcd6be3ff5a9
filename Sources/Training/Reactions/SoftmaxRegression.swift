import Extraction

/// Softmax regression with a quadratic penalty, by accelerated gradient steps from zero: no random numbers, the same cases give
/// the same bytes.
///
/// - Source: Y. Nesterov, "A method of solving a convex programming problem with convergence rate O(1/k²)", Soviet Mathematics
///   Doklady 1983;27:372-376, with a step length of its own for each weight.
enum SoftmaxRegression {
  private static let steps = 200

  /// What is fitted to: the buckets that are filled, and the number of the right label.
  struct Case: Sendable {
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
  ///   - penalty: half of it for each weight's square.
  /// - Returns: what fits the cases best under the penalty.
  /// - Complexity: O(steps × (buckets of all cases + buckets that any case fills) + weights).
  static func fit(_ cases: [Case], labels: Int, width: Int, penalty: Double = 0.5) -> Weights {
    // What no case fills stays nought.
    let filled = Set(cases.flatMap(\.buckets)).sorted()
    var places = [Int](repeating: 0, count: width)
    for (place, bucket) in filled.enumerated() { places[bucket] = place }
    let learned = fit(
      dense: cases.map { Case(buckets: $0.buckets.map { places[$0] }, label: $0.label) }, labels: labels,
      width: filled.count, penalty: penalty)
    return Weights(
      biases: learned.biases,
      rows: learned.rows.map { row in
        var weights = [Double](repeating: 0, count: width)
        for (place, bucket) in filled.enumerated() { weights[bucket] = row[place] }
        return weights
      })
  }

  private static func fit(dense cases: [Case], labels: Int, width: Int, penalty: Double) -> Weights {
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
      addErrors(of: cases, biases: aheadBiases, weights: ahead, width: width, to: &gradient, and: &biasGradient)
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

  /// Adds to the gradient by how much each case's probabilities are off, label by label.
  ///
  /// - Complexity: O(labels × buckets of all cases).
  private static func addErrors(
    of cases: [Case], biases: [Double], weights: [Double], width: Int, to gradient: inout [Double],
    and biasGradient: inout [Double]
  ) {
    weights.withUnsafeBufferPointer { weights in
      gradient.withUnsafeMutableBufferPointer { gradient in
        for item in cases {
          item.buckets.withUnsafeBufferPointer { buckets in
            var scores = biases
            for label in scores.indices {
              for bucket in buckets { scores[label] += weights[label * width + bucket] }
            }
            let probabilities = ReactionModel.softmax(scores)
            for label in scores.indices {
              let error = probabilities[label] - (label == item.label ? 1 : 0)
              biasGradient[label] += error
              for bucket in buckets { gradient[label * width + bucket] += error }
            }
          }
        }
      }
    }
  }

  /// Weights as steps of one length, at most 127 of them.
  static func quantized(_ row: [Double]) -> (scale: Double, steps: [Int8]) {
    let scale = max(row.map(abs).max() ?? 0, 1e-9) / 127
    return (scale, row.map { Int8(($0 / scale).rounded()) })
  }
}
