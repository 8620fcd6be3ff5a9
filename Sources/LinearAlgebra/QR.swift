internal import COpenBLAS

extension Matrix {
  /// An orthonormal basis of the columns and the triangular factor: `self = basis · triangle`.
  public struct QR: Sendable {
    /// As many rows as the matrix, as many columns as the smaller of its sides; columns are orthonormal.
    public let basis: Matrix
    /// Upper triangular.
    public let triangle: Matrix
  }

  /// The thin QR factorisation by Householder reflections (`sgeqrf`, `sorgqr`).
  ///
  /// The basis is orthonormal also where columns depend on each other; then the triangle has zeros on its diagonal.
  ///
  /// - Throws: ``LinearAlgebraError`` when LAPACK refuses; dependent columns are not an error.
  /// - Complexity: O(rows · columns²) for a tall matrix.
  public func qr() throws(LinearAlgebraError) -> QR {
    let rank = min(rows, columns)
    guard rank > 0 else {
      return QR(basis: Matrix(rows: rows, columns: 0), triangle: Matrix(rows: 0, columns: columns))
    }
    // LAPACK reads columns one after the other, which is what a transposed row-major matrix is.
    var factors = transposed().values
    var reflectors = [Float](repeating: 0, count: rank)
    try Self.call("sgeqrf") { library, work, workSize, info in
      var (m, n, lda) = (Int32(rows), Int32(columns), Int32(rows))
      library.sgeqrf(&m, &n, &factors, &lda, &reflectors, work, workSize, info)
    }
    var triangle = Matrix(rows: rank, columns: columns)
    for column in 0..<columns {
      for row in 0...min(column, rank - 1) { triangle[row, column] = factors[column * rows + row] }
    }
    try Self.call("sorgqr") { library, work, workSize, info in
      var (m, n, k, lda) = (Int32(rows), Int32(rank), Int32(rank), Int32(rows))
      library.sorgqr(&m, &n, &k, &factors, &lda, &reflectors, work, workSize, info)
    }
    factors.removeLast(factors.count - rank * rows)
    return QR(basis: Matrix(rows: rank, columns: rows, values: factors).transposed(), triangle: triangle)
  }

  /// Asks a LAPACK routine for its best work space, then runs it.
  static func call(
    _ routine: String,
    _ body: (vetnet_openblas, UnsafeMutablePointer<Float>, UnsafePointer<Int32>, UnsafeMutablePointer<Int32>) -> Void
  ) throws(LinearAlgebraError) {
    guard let library = BLAS.library else {
      throw LinearAlgebraError(code: .libraryMissing, routine: routine, info: 0)
    }
    var best: Float = 0
    var query: Int32 = -1
    var info: Int32 = 0
    body(library, &best, &query, &info)
    try LinearAlgebraError.check(info, routine)
    // The size comes as a float, which may have lost its last digits on the way.
    var size = Int32(min(Double(best.nextUp).rounded(.up), Double(Int32.max)))
    var work = [Float](repeating: 0, count: Int(max(1, size)))
    body(library, &work, &size, &info)
    try LinearAlgebraError.check(info, routine)
  }
}
