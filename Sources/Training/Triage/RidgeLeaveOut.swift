import Assessment
import LinearAlgebra

/// Kernel ridge regression with any group of cases left out: what the others say of it, at the price of the group alone.
///
/// With G = (K + λ I)⁻¹ over all cases and α = G t, the others say t_b − (G_bb)⁻¹ α_b of a group b, and their weights are
/// α − G_b (G_bb)⁻¹ α_b. One inversion serves all groups, and the fit to all cases as well. Targets less the others' mean are a sum of
/// targets and a constant, so a further column of ones is carried along.
///
/// - Source: T. Pahikkala, J. Boberg, T. Salakoski, "Fast n-fold cross-validation for regularized least-squares", SCAI 2006.
struct RidgeLeaveOut {
  private let inverse: Matrix
  private let targets: [[Float]]
  /// G t for each output, and G 1 in the last column.
  private let weights: Matrix
  private var outputs: Int { weights.columns - 1 }

  /// - Parameters:
  ///   - ridge: over all cases.
  ///   - targets: for each case of the kernel a number for each output.
  /// - Throws: ``LinearAlgebraError`` when OpenBLAS can't be loaded.
  /// - Complexity: O(cases³).
  init(_ ridge: KernelRidge, targets: [[Float]]) throws(LinearAlgebraError) {
    var system = ridge.kernel
    for row in 0..<system.rows { system[row, row] += Float(ridge.penalty) }
    inverse = try system.invertedPositiveDefinite()
    self.targets = targets
    let right = Matrix(
      rows: targets.count, columns: (targets.first?.count ?? 0) + 1, values: targets.flatMap { $0 + [1] })
    weights = inverse.multiply(right)
  }

  /// The others' scores of a group, case by case, and what the scores are made of.
  struct Held {
    let scores: [[Double]]
    fileprivate let group: [Int]
    fileprivate let means: [Double]
    /// (G_bb)⁻¹ α_b.
    fileprivate let residuals: Matrix
  }

  /// - Parameter group: rows of the kernel, ascending.
  /// - Returns: what the other cases say of these.
  /// - Throws: ``LinearAlgebraError`` when OpenBLAS can't be loaded.
  /// - Complexity: O(cases of the group³ + cases × outputs).
  func holdingOut(_ group: [Int]) throws(LinearAlgebraError) -> Held {
    let isOut = Set(group)
    let rest = max(1, targets.count - group.count)
    var means = [Double](repeating: 0, count: outputs)
    for row in targets.indices where !isOut.contains(row) {
      for output in 0..<outputs { means[output] += Double(targets[row][output]) / Double(rest) }
    }
    let residuals = try part(inverse, rows: group, columns: group)
      .solvePositiveDefinite(part(weights, rows: group, columns: Array(0...outputs)))
    let scores = group.enumerated().map { place, row in
      (0..<outputs).map { output in
        Double(targets[row][output]) - Double(residuals[place, output])
          + means[output] * Double(residuals[place, outputs])
      }
    }
    return Held(scores: scores, group: group, means: means, residuals: residuals)
  }

  /// The solution of the cases outside a group.
  ///
  /// - Complexity: O(cases × cases of the group × outputs).
  func solution(without held: Held) -> KernelRidge.Solution {
    let isOut = Set(held.group)
    let rest = targets.indices.filter { !isOut.contains($0) }
    let taken =
      held.group.isEmpty
      ? Matrix(rows: rest.count, columns: outputs + 1)
      : part(inverse, rows: rest, columns: held.group).multiply(held.residuals)
    return solution(rest, means: held.means) { place, row, column in weights[row, column] - taken[place, column] }
  }

  /// The solution of all cases.
  var solution: KernelRidge.Solution {
    let means = (0..<outputs).map { output in
      targets.reduce(0.0) { $0 + Double($1[output]) } / Double(max(1, targets.count))
    }
    return solution(Array(targets.indices), means: means) { _, row, column in weights[row, column] }
  }

  private func solution(_ rows: [Int], means: [Double], weight: (Int, Int, Int) -> Float) -> KernelRidge.Solution {
    var values: [Float] = []
    values.reserveCapacity(rows.count * outputs)
    for (place, row) in rows.enumerated() {
      let one = weight(place, row, outputs)
      for output in 0..<outputs { values.append(weight(place, row, output) - Float(means[output]) * one) }
    }
    return KernelRidge.Solution(
      means: means, weights: Matrix(rows: rows.count, columns: outputs, values: values), rows: rows)
  }

  private func part(_ matrix: Matrix, rows: [Int], columns: [Int]) -> Matrix {
    var values: [Float] = []
    values.reserveCapacity(rows.count * columns.count)
    for row in rows {
      let line = matrix.row(row)
      for column in columns { values.append(line[line.startIndex + column]) }
    }
    return Matrix(rows: rows.count, columns: columns.count, values: values)
  }
}
