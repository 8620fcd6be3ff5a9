internal import COpenBLAS

/// `matrix ≈ left · diagonal(values) · rightᵀ`, singular values in descending order.
///
/// The signs are fixed: in every right vector the entry of largest magnitude (the first of equals) is positive, so that
/// equal input gives equal vectors however LAPACK turned them.
public struct SingularValueDecomposition: Sendable {
  /// Rows of the matrix × rank; columns are orthonormal.
  public let left: Matrix
  public let values: [Float]
  /// Columns of the matrix × rank; columns are orthonormal.
  public let right: Matrix

  init(left: Matrix, values: [Float], right: Matrix) {
    var signs = [Float](repeating: 1, count: right.columns)
    var largest = [Float](repeating: 0, count: right.columns)
    for row in 0..<right.rows {
      for column in 0..<right.columns {
        let entry = right.values[row * right.columns + column]
        if abs(entry) > largest[column] {
          largest[column] = abs(entry)
          signs[column] = entry < 0 ? -1 : 1
        }
      }
    }
    var (left, right) = (left, right)
    left.scaleColumns(by: signs)
    right.scaleColumns(by: signs)
    self.left = left
    self.values = values
    self.right = right
  }

  /// The leading singular values and their vectors.
  func prefix(_ rank: Int) -> SingularValueDecomposition {
    SingularValueDecomposition(
      left: left.prefix(columns: rank), values: Array(values.prefix(rank)), right: right.prefix(columns: rank))
  }
}

extension Matrix {
  /// The thin singular value decomposition by divide and conquer (`sgesdd`).
  ///
  /// - Throws: ``LinearAlgebraError`` when an entry is not a number or the iteration doesn't converge.
  /// - Complexity: O(rows · columns · min(rows, columns)).
  public func svd() throws(LinearAlgebraError) -> SingularValueDecomposition {
    let rank = min(rows, columns)
    guard rank > 0 else {
      return SingularValueDecomposition(
        left: Matrix(rows: rows, columns: 0), values: [], right: Matrix(rows: columns, columns: 0))
    }
    // Row-major A is column-major Aᵀ = V·S·Uᵀ: LAPACK's left factor, read by rows, is Vᵀ, and its right factor is U.
    var entries = values
    var singularValues = [Float](repeating: 0, count: rank)
    var right = [Float](repeating: 0, count: rank * columns)
    var left = [Float](repeating: 0, count: rows * rank)
    var integers = [Int32](repeating: 0, count: 8 * rank)
    try Self.call("sgesdd") { library, work, workSize, info in
      var job = CChar(UInt8(ascii: "S"))
      var (m, n, k) = (Int32(columns), Int32(rows), Int32(rank))
      var (lda, ldu) = (m, m)
      library.sgesdd(
        &job, &m, &n, &entries, &lda, &singularValues, &right, &ldu, &left, &k, work, workSize, &integers, info)
    }
    return SingularValueDecomposition(
      left: Matrix(rows: rows, columns: rank, values: left), values: singularValues,
      right: Matrix(rows: rank, columns: columns, values: right).transposed())
  }
}
