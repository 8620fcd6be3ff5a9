extension SparseRows {
  /// The leading singular values and vectors, found by randomised subspace iteration.
  ///
  /// Random signs span a subspace that a few products with the matrix and its transpose turn towards the leading
  /// singular vectors; a small dense decomposition inside that subspace finishes. Exact (to rounding) when `rank +
  /// oversampling` reaches the smaller side of the matrix.
  ///
  /// - Parameters:
  ///   - rank: how many singular values are wanted; fewer come back when the matrix is smaller.
  ///   - oversampling: extra directions that make the wanted ones accurate; 8 to 32 is sensible.
  ///   - iterations: passes over the matrix and its transpose; 2 suffice where the spectrum decays slowly, as text's does.
  ///   - generator: the source of the random signs; an equal state gives an equal decomposition.
  /// - Returns: at most `rank` singular values and their vectors.
  /// - Throws: ``LinearAlgebraError`` from the dense decompositions.
  /// - Complexity: O(entries · width · iterations + (rows + columns) · width²), width = rank + oversampling.
  /// - Source: N. Halko, P. G. Martinsson, J. A. Tropp, "Finding structure with randomness", SIAM Review 53 (2011),
  ///   algorithms 4.4 and 5.1, <https://doi.org/10.1137/090771806>.
  public func truncatedSVD(
    rank: Int, oversampling: Int = 16, iterations: Int = 2, using generator: inout some RandomNumberGenerator
  ) throws(LinearAlgebraError) -> SingularValueDecomposition {
    precondition(rank >= 0 && oversampling >= 0 && iterations >= 0, "rank \(rank), \(oversampling), \(iterations)")
    let width = min(rank + oversampling, rows, columns)
    let transpose = transposed()
    var basis = try multiply(.randomSigns(rows: columns, columns: width, using: &generator)).qr().basis
    for _ in 0..<iterations {
      // Orthonormal again after each product: powers alone would drown the small singular values in rounding.
      let coBasis = try transpose.multiply(basis).qr().basis
      basis = try multiply(coBasis).qr().basis
    }
    // (basisᵀ · A)ᵀ = Q·R, so that only the small R needs a full decomposition.
    let projected = try transpose.multiply(basis).qr()
    let small = try projected.triangle.svd()
    return SingularValueDecomposition(
      left: basis.multiply(small.right), values: small.values,
      right: projected.basis.multiply(small.left)
    ).prefix(min(rank, width))
  }
}

extension Matrix {
  /// A matrix of +1 and -1 with equal chance, 64 of them per draw.
  public static func randomSigns(
    rows: Int, columns: Int, using generator: inout some RandomNumberGenerator
  ) -> Matrix {
    var values: [Float] = []
    values.reserveCapacity(rows * columns)
    var bits: UInt64 = 0
    for index in 0..<(rows * columns) {
      if index % 64 == 0 { bits = generator.next() }
      values.append(bits & 1 == 0 ? 1 : -1)
      bits >>= 1
    }
    return Matrix(rows: rows, columns: columns, values: values)
  }
}
