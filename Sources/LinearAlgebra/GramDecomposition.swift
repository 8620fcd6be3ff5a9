/// The leading singular values and right singular vectors of a matrix A that nobody holds as a whole: from the product AᵀA·Q alone, which
/// adds up over the parts of A's rows.
///
/// With Q an orthonormal basis of the columns of (AᵀA)ⁱ·Ω, the result is in exact arithmetic that of ``SparseRows/truncatedSVD(rank:oversampling:iterations:using:)``
/// with i iterations on the whole matrix and the same signs Ω, for Aᵀ·P·A = Z·(QᵀZ)⁻¹·Zᵀ where Z = AᵀA·Q and P projects onto the columns of A·Q.
///
/// - Source: N. Halko, P. G. Martinsson, J. A. Tropp, "Finding structure with randomness", SIAM Review 53 (2011), section 5.5 (the Nyström
///   method), <https://doi.org/10.1137/090771806>; J. A. Tropp, A. Yurtsever, M. Udell, V. Cevher, "Fixed-rank approximation of a
///   positive-semidefinite matrix from streaming data", NIPS 2017, algorithm 3.
public struct GramDecomposition: Sendable {
  /// Descending.
  public let values: [Float]
  /// Columns of A × values; the entry of largest magnitude of each column is positive.
  public let right: Matrix

  /// Directions whose share of AᵀA is smaller than so much of the largest are rounding errors of single precision.
  private static let smallestShare: Float = 1e-6

  /// - Parameters:
  ///   - product: AᵀA·Q.
  ///   - basis: Q, with orthonormal columns.
  ///   - rank: how many singular values are wanted.
  /// - Throws: ``LinearAlgebraError`` from the dense decompositions.
  /// - Complexity: O(rows · width²).
  public init(product: Matrix, basis: Matrix, rank: Int) throws(LinearAlgebraError) {
    precondition(product.rows == basis.rows && product.columns == basis.columns, "a product with another basis")
    var core = basis.multiply(product, transposingSelf: true)
    for row in 0..<core.rows {
      for column in 0..<row {
        let mean = (core[row, column] + core[column, row]) / 2
        core[row, column] = mean
        core[column, row] = mean
      }
    }
    let eigen = try core.svd()
    let floor = (eigen.values.first ?? 0) * Self.smallestShare
    let kept = eigen.values.prefix { $0 > floor }.count
    var scaled = eigen.right.prefix(columns: kept)
    scaled.scaleColumns(by: eigen.values.prefix(kept).map { 1 / $0.squareRoot() })
    let factor = try product.multiply(scaled).qr()
    let small = try factor.triangle.svd()
    let oriented = SingularValueDecomposition(
      left: Matrix(rows: 0, columns: small.values.count), values: small.values,
      right: factor.basis.multiply(small.left))
    let count = min(rank, small.values.count)
    values = Array(small.values.prefix(count))
    right = oriented.right.prefix(columns: count)
  }
}
