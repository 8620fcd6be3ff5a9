import Assessment
import LinearAlgebra

/// Ridge regression on the similarities of cases: as good as weights for every feature, for as many unknowns as there are cases.
///
/// With K the similarities, α = (K + λ I)⁻¹ (t − t̄); the score of a case is t̄ + Σ αᵢ k(case, i), a weighted sum of features again.
///
/// ``RidgeLeaveOut`` solves the equations.
///
/// - Source: C. Saunders, A. Gammerman, V. Vovk, "Ridge regression learning algorithm in dual variables", ICML 1998.
struct KernelRidge {
  /// Of all cases with each other.
  let kernel: Matrix
  /// λ, the strength of the prior; a case's similarity with itself is 1.
  let penalty: Double

  /// A solution: for each output its mean, and the weight of resembling each case.
  struct Solution {
    var means: [Double]
    /// By case that was fitted on, in the order of `rows`, then output.
    var weights: Matrix
    let rows: [Int]
  }

  /// The inner products of all pairs of cases.
  ///
  /// - Parameters:
  ///   - cases: by bucket.
  ///   - dense: a row of further numbers for each case, whose inner products are added `share` times; nil for none.
  ///   - share: of `dense`.
  /// - Returns: a symmetric matrix.
  /// - Complexity: O(Σ over buckets of the square of the cases that have it + cases² × columns of `dense`).
  static func kernel(
    _ cases: [[(bucket: Int32, value: Float)]], dense: Matrix? = nil, share: Float = 0
  ) -> Matrix {
    let count = cases.count
    var postings = [[(row: Int32, value: Float)]](repeating: [], count: CaseVectorizer.buckets)
    for (row, entries) in cases.enumerated() {
      for entry in entries { postings[Int(entry.bucket)].append((Int32(row), entry.value)) }
    }
    var values =
      dense.map { $0.multiply($0, transposingOther: true).values.map { $0 * share } }
      ?? [Float](repeating: 0, count: count * count)
    values.withUnsafeMutableBufferPointer { values in
      for (row, entries) in cases.enumerated() {
        let line = UnsafeMutableBufferPointer(rebasing: values[(row * count)..<((row + 1) * count)])
        for entry in entries {
          postings[Int(entry.bucket)].withUnsafeBufferPointer { postings in
            for other in postings { line[Int(other.row)] += entry.value * other.value }
          }
        }
      }
    }
    return Matrix(rows: count, columns: count, values: values)
  }

  /// The weights of the buckets that give the same scores: for each output, Σ αᵢ of the cases that have the bucket.
  static func bucketWeights(_ solution: Solution, _ cases: [[(bucket: Int32, value: Float)]]) -> [[Float]] {
    let outputs = solution.means.count
    var weights = [[Float]](repeating: [Float](repeating: 0, count: CaseVectorizer.buckets), count: outputs)
    for output in 0..<outputs {
      for (place, row) in solution.rows.enumerated() {
        let weight = solution.weights[place, output]
        for entry in cases[row] { weights[output][Int(entry.bucket)] += weight * entry.value }
      }
    }
    return weights
  }
}
