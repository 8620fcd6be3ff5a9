internal import COpenBLAS

extension Matrix {
  /// The solution X of `self · X = right` for a symmetric positive definite matrix (`spotrf`, `spotrs`).
  ///
  /// Only one triangle is read: the numbers on and right of the diagonal.
  ///
  /// - Parameter right: as many rows as this matrix.
  /// - Returns: a matrix of the shape of `right`.
  /// - Precondition: the matrix is square, and `right` has as many rows.
  /// - Throws: ``LinearAlgebraError`` with `noConvergence` when the matrix is not positive definite.
  /// - Complexity: O(rows³ / 3 + rows² · columns of `right`).
  public consuming func solvePositiveDefinite(_ right: Matrix) throws(LinearAlgebraError) -> Matrix {
    precondition(rows == columns, "a matrix of \(rows) × \(columns) is not square")
    precondition(right.rows == rows, "\(right.rows) rows for \(rows) equations")
    guard rows > 0, right.columns > 0 else { return right }
    guard let library = BLAS.library else {
      throw LinearAlgebraError(code: .libraryMissing, routine: "spotrf", info: 0)
    }
    var factor = values
    // LAPACK reads columns one after the other: what is right of the diagonal here is below it there.
    var solution = right.transposed().values
    var triangle = CChar(UInt8(ascii: "L"))
    var (size, sides) = (Int32(rows), Int32(right.columns))
    var info: Int32 = 0
    library.spotrf(&triangle, &size, &factor, &size, &info)
    try LinearAlgebraError.check(info, "spotrf")
    library.spotrs(&triangle, &size, &sides, &factor, &size, &solution, &size, &info)
    try LinearAlgebraError.check(info, "spotrs")
    return Matrix(rows: right.columns, columns: rows, values: solution).transposed()
  }
}
