import LinearAlgebra

@testable import Assessment
@testable import Training

/// Ridge regression by solving the equations of some cases anew: what leaving cases out of one inversion must give.
extension KernelRidge {
  /// - Parameters:
  ///   - rows: the cases to fit on, ascending.
  ///   - targets: for each case of the kernel, −1 or 1 for each output.
  /// - Returns: the solution.
  /// - Throws: ``LinearAlgebraError`` when OpenBLAS can't be loaded.
  func fit(_ rows: [Int], targets: [[Float]]) throws(LinearAlgebraError) -> Solution {
    let outputs = targets.first?.count ?? 0
    let means = (0..<outputs).map { output in
      rows.reduce(0.0) { $0 + Double(targets[$1][output]) } / Double(max(1, rows.count))
    }
    var system: [Float] = []
    system.reserveCapacity(rows.count * rows.count)
    for row in rows {
      let line = kernel.row(row)
      let start = line.startIndex
      for other in rows { system.append(line[start + other] + (other == row ? Float(penalty) : 0)) }
    }
    var right: [Float] = []
    for row in rows { for output in 0..<outputs { right.append(targets[row][output] - Float(means[output])) } }
    let weights = try Matrix(rows: rows.count, columns: rows.count, values: system)
      .solvePositiveDefinite(Matrix(rows: rows.count, columns: outputs, values: right))
    return Solution(means: means, weights: weights, rows: rows)
  }

  /// The scores of a case of the kernel.
  func scores(_ row: Int, _ solution: Solution) -> [Double] {
    let line = kernel.row(row)
    var sums = solution.means
    for (place, other) in solution.rows.enumerated() {
      let similarity = Double(line[line.startIndex + other])
      guard similarity != 0 else { continue }
      for output in sums.indices { sums[output] += similarity * Double(solution.weights[place, output]) }
    }
    return sums
  }
}
