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
  /// The inverse of a symmetric positive definite matrix (`spotrf`, `spotri`).
  ///
  /// Only one triangle is read: the numbers on and right of the diagonal. Equations of many parts of a matrix want it, such as
  /// those of ``solvePositiveDefinite(_:)`` with some rows left out.
  ///
  /// - Returns: a symmetric matrix.
  /// - Precondition: the matrix is square.
  /// - Throws: ``LinearAlgebraError`` with `noConvergence` when the matrix is not positive definite.
  /// - Complexity: O(rows³).
  public consuming func invertedPositiveDefinite() throws(LinearAlgebraError) -> Matrix {
    precondition(rows == columns, "a matrix of \(rows) × \(columns) is not square")
    guard rows > 0 else { return self }
    guard let library = BLAS.library else {
      throw LinearAlgebraError(code: .libraryMissing, routine: "spotrf", info: 0)
    }
    let count = rows
    var inverse = values
    var triangle = CChar(UInt8(ascii: "L"))
    var size = Int32(count)
    var info: Int32 = 0
    library.spotrf(&triangle, &size, &inverse, &size, &info)
    try LinearAlgebraError.check(info, "spotrf")
    library.spotri(&triangle, &size, &inverse, &size, &info)
    try LinearAlgebraError.check(info, "spotri")
    // LAPACK's lower triangle is the upper one here; the other still holds what was there before.
    inverse.withUnsafeMutableBufferPointer { inverse in
      for row in 1..<max(1, count) {
        for column in 0..<row { inverse[row * count + column] = inverse[column * count + row] }
      }
    }
    return Matrix(rows: count, columns: count, values: inverse)
  }
}
