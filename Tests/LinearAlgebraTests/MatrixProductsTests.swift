import Clinical
import LinearAlgebra
import Testing

struct MatrixProductsTests {
  struct Shape: CustomTestStringConvertible {
    let rows: Int
    let inner: Int
    let columns: Int

    var testDescription: String { "\(rows) × \(inner) × \(columns)" }
  }

  static let shapes = [
    Shape(rows: 1, inner: 1, columns: 1), Shape(rows: 3, inner: 5, columns: 2), Shape(rows: 17, inner: 4, columns: 33),
    Shape(rows: 40, inner: 64, columns: 7), Shape(rows: 0, inner: 3, columns: 2), Shape(rows: 2, inner: 0, columns: 3),
  ]

  @Test(arguments: shapes)
  func `a product equals the sum over the inner dimension, however its factors are stored`(shape: Shape) {
    let a = Matrix.random(rows: shape.rows, columns: shape.inner, seed: 1)
    let b = Matrix.random(rows: shape.inner, columns: shape.columns, seed: 2)
    let expected = Naive.product(a, b)
    let (aT, bT) = (Naive.transposed(a), Naive.transposed(b))
    #expect(a.multiply(b).distance(to: expected) < 1e-5)
    #expect(aT.multiply(b, transposingSelf: true).distance(to: expected) < 1e-5)
    #expect(a.multiply(bT, transposingOther: true).distance(to: expected) < 1e-5)
    #expect(aT.multiply(bT, transposingSelf: true, transposingOther: true).distance(to: expected) < 1e-5)
  }

  @Test(arguments: shapes)
  func `transposing moves every entry to its mirror place`(shape: Shape) {
    let a = Matrix.random(rows: shape.rows, columns: shape.columns, seed: 3)
    #expect(a.transposed() == Naive.transposed(a))
  }

  @Test func `a matrix times a vector is one inner product per row`() {
    let a = Matrix.random(rows: 37, columns: 12, seed: 4)
    let v = Matrix.random(rows: 12, columns: 1, seed: 5)
    let expected = Naive.product(a, v)
    #expect(Matrix(rows: 37, columns: 1, values: a.multiply(v.values)).distance(to: expected) < 1e-5)
  }

  @Test func `vector operations do what their names say`() {
    #expect(BLAS.dot([1, 2, 3], [4, 5, 6]) == 32)
    #expect(BLAS.norm([3, 4]) == 5)
    var target: [Float] = [1, 1]
    BLAS.add(2, times: [3, -1], to: &target)
    #expect(target == [7, -1])
    BLAS.scale(&target, by: 0.5)
    #expect(target == [3.5, -0.5])
  }

  @Test func `columns can be kept and scaled`() {
    var m = Matrix(rows: 2, columns: 3, values: [1, 2, 3, 4, 5, 6])
    #expect(m.prefix(columns: 2) == Matrix(rows: 2, columns: 2, values: [1, 2, 4, 5]))
    m.scaleColumns(by: [1, 0, -2])
    #expect(m.values == [1, 0, -6, 4, 0, -12])
  }

  @Test func `a sparse product equals the dense one, transposed or not`() {
    let sparse = SparseRows.random(rows: 300, columns: 70, one: 9, seed: 6)
    let dense = Naive.dense(sparse)
    let right = Matrix.random(rows: 70, columns: 13, seed: 7)
    let left = Matrix.random(rows: 300, columns: 13, seed: 8)
    #expect(sparse.multiply(right).distance(to: Naive.product(dense, right)) < 1e-4)
    let expected = Naive.product(Naive.transposed(dense), left)
    #expect(sparse.multiplyTransposed(left).distance(to: expected) < 1e-4)
    #expect(Naive.dense(sparse.transposed()) == Naive.transposed(dense))
  }

  @Test func `a sparse product doesn't depend on the number of threads`() {
    let sparse = SparseRows.random(rows: 2000, columns: 50, one: 5, seed: 9)
    let right = Matrix.random(rows: 50, columns: 20, seed: 10)
    let threads = BLAS.threads
    defer { BLAS.setThreads(threads) }
    BLAS.setThreads(1)
    let alone = sparse.multiply(right)
    BLAS.setThreads(2)
    #expect(sparse.multiply(right) == alone)
  }

  @Test func `empty rows and columns that stand twice are allowed`() {
    var sparse = SparseRows(columns: 3)
    sparse.append([])
    sparse.append([(column: 1, value: 2), (column: 1, value: 3)])
    #expect(sparse.multiply(.identity(3)).values == [0, 0, 0, 0, 5, 0])
  }
}
