import Clinical
import LinearAlgebra
import Testing

struct DecompositionTests {
  @Test(arguments: [(20, 6), (6, 6), (5, 9), (1, 1)])
  func `QR gives an orthonormal basis and an upper triangle whose product is the matrix`(rows: Int, columns: Int) throws
  {
    let a = Matrix.random(rows: rows, columns: columns, seed: 1)
    let qr = try a.qr()
    #expect(qr.basis.multiply(qr.basis, transposingSelf: true).distance(to: .identity(min(rows, columns))) < 1e-5)
    #expect(qr.basis.multiply(qr.triangle).distance(to: a) < 1e-5)
    for row in 0..<qr.triangle.rows {
      for column in 0..<min(row, qr.triangle.columns) { #expect(qr.triangle[row, column] == 0) }
    }
  }

  @Test func `a basis stays orthonormal where columns depend on each other`() throws {
    var a = Matrix.random(rows: 12, columns: 4, seed: 2)
    for row in 0..<12 { a[row, 3] = a[row, 0] + a[row, 1] }
    let basis = try a.qr().basis
    #expect(basis.multiply(basis, transposingSelf: true).distance(to: .identity(4)) < 1e-5)
  }

  @Test(arguments: [(1, 1), (7, 3), (30, 12)])
  func `the solution of positive definite equations, multiplied out, is the right side`(rows: Int, columns: Int) throws
  {
    let a = Matrix.random(rows: rows, columns: rows + 2, seed: 5)
    var positive = a.multiply(a, transposingOther: true)
    for row in 0..<rows { positive[row, row] += 0.5 }
    let right = Matrix.random(rows: rows, columns: columns, seed: 6)
    let solution = try positive.solvePositiveDefinite(right)
    #expect(positive.multiply(solution).distance(to: right) < 1e-3)
  }

  @Test(arguments: [1, 2, 7, 40])
  func `a positive definite matrix times its inverse is the identity`(rows: Int) throws {
    let a = Matrix.random(rows: rows, columns: rows + 2, seed: 7)
    var positive = a.multiply(a, transposingOther: true)
    for row in 0..<rows { positive[row, row] += 0.5 }
    let inverse = try positive.invertedPositiveDefinite()
    #expect(positive.multiply(inverse).distance(to: .identity(rows)) < 1e-3)
    #expect(inverse.transposed() == inverse)
  }

  @Test func `a matrix that is not positive definite is refused`() {
    let a = Matrix(rows: 2, columns: 2, values: [1, 2, 2, 1])
    #expect(throws: LinearAlgebraError.self) { try a.solvePositiveDefinite(Matrix(rows: 2, columns: 1)) }
    #expect(throws: LinearAlgebraError.self) { try a.invertedPositiveDefinite() }
  }

  @Test(arguments: [(15, 6), (6, 15), (7, 7), (1, 4)])
  func `the SVD's factors are orthonormal, its values descend, and their product is the matrix`(
    rows: Int, columns: Int
  ) throws {
    let a = Matrix.random(rows: rows, columns: columns, seed: 3)
    let svd = try a.svd()
    let rank = min(rows, columns)
    #expect(svd.left.multiply(svd.left, transposingSelf: true).distance(to: .identity(rank)) < 1e-5)
    #expect(svd.right.multiply(svd.right, transposingSelf: true).distance(to: .identity(rank)) < 1e-5)
    #expect(zip(svd.values, svd.values.dropFirst()).allSatisfy { $0 >= $1 })
    var scaled = svd.left
    scaled.scaleColumns(by: svd.values)
    #expect(scaled.multiply(svd.right, transposingOther: true).distance(to: a) < 1e-5)
  }

  @Test func `singular values of a diagonal matrix are its entries' magnitudes`() throws {
    let svd = try Matrix(rows: 3, columns: 3, values: [2, 0, 0, 0, -5, 0, 0, 0, 1]).svd()
    #expect(zip(svd.values, [5, 2, 1]).allSatisfy { abs($0 - $1) < 1e-6 })
    // The sign convention: the largest entry of each right vector is positive, so the minus goes to the left.
    #expect(abs(svd.right[1, 0] - 1) < 1e-6)
    #expect(abs(svd.left[1, 0] + 1) < 1e-6)
  }

  @Test func `the truncated SVD finds the leading values and vectors of the full one`() throws {
    let sparse = SparseRows.random(rows: 120, columns: 80, one: 6, seed: 4)
    let full = try Naive.dense(sparse).svd()
    var generator = SplitMix64(seed: 5)
    let truncated = try sparse.truncatedSVD(rank: 8, oversampling: 24, iterations: 6, using: &generator)
    #expect(truncated.values.count == 8)
    for index in 0..<8 {
      #expect(abs(truncated.values[index] - full.values[index]) < 1e-3 * full.values[0])
    }
    // The first stands clear of the rest, so its vectors are determined too.
    #expect(truncated.right.prefix(columns: 1).distance(to: full.right.prefix(columns: 1)) < 1e-2)
    #expect(truncated.left.prefix(columns: 1).distance(to: full.left.prefix(columns: 1)) < 1e-2)
  }

  @Test func `the truncated SVD is exact when the rank reaches the smaller side`() throws {
    let sparse = SparseRows.random(rows: 10, columns: 40, one: 3, seed: 6)
    var generator = SplitMix64(seed: 7)
    let svd = try sparse.truncatedSVD(rank: 512, using: &generator)
    #expect(svd.values.count == 10)
    var scaled = svd.left
    scaled.scaleColumns(by: svd.values)
    #expect(scaled.multiply(svd.right, transposingOther: true).distance(to: Naive.dense(sparse)) < 1e-4)
  }

  @Test func `equal seeds give equal decompositions, different ones nearly equal values`() throws {
    let sparse = SparseRows.random(rows: 90, columns: 60, one: 5, seed: 8)
    func decompose(_ seed: UInt64) throws -> SingularValueDecomposition {
      var generator = SplitMix64(seed: seed)
      return try sparse.truncatedSVD(rank: 5, iterations: 6, using: &generator)
    }
    let (first, again, other) = (try decompose(1), try decompose(1), try decompose(2))
    #expect(first.right == again.right && first.left == again.left && first.values == again.values)
    for (left, right) in zip(first.values, other.values) { #expect(abs(left - right) < 0.02 * first.values[0]) }
  }

  @Test func `a matrix without rows or entries has an empty or a zero decomposition`() throws {
    var generator = SplitMix64(seed: 9)
    #expect(try SparseRows(columns: 5).truncatedSVD(rank: 3, using: &generator).values.isEmpty)
    var blank = SparseRows(columns: 4)
    blank.append([])
    blank.append([])
    #expect(try blank.truncatedSVD(rank: 2, using: &generator).values == [0, 0])
  }

  @Test func `entries that are not numbers are an error, not a crash or a result`() {
    #expect(throws: LinearAlgebraError.self) {
      try Matrix(rows: 2, columns: 2, values: [1, .nan, 0, 1]).svd()
    }
  }
}
