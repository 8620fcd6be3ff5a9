import Clinical
import LinearAlgebra
import Testing

/// The loops over single vectors, against sums in double precision.
@Suite struct VectorLoopTests {
  private func vector(_ count: Int, _ generator: inout SplitMix64) -> [Float] {
    (0..<count).map { _ in Float.random(in: -2...2, using: &generator) }
  }

  @Test(arguments: [0, 1, 3, 15, 16, 17, 63, 64, 65, 127, 128, 200, 511, 512])
  func `sums are those of every entry, whatever the length`(count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    let (left, right) = (vector(count, &generator), vector(count, &generator))
    let dot = zip(left, right).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    #expect(abs(Double(BLAS.dot(left, right)) - dot) < 1e-3)
    let norm = left.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    #expect(abs(Double(BLAS.norm(left)) - norm) < 1e-4)
    var sum = left
    BLAS.add(0.5, times: right, to: &sum)
    #expect(zip(sum, zip(left, right)).allSatisfy { abs($0 - ($1.0 + 0.5 * $1.1)) < 1e-5 })
    BLAS.scale(&sum, by: -3)
    #expect(zip(sum, zip(left, right)).allSatisfy { abs($0 + 3 * ($1.0 + 0.5 * $1.1)) < 1e-4 })
  }

  @Test func `a norm neither overflows nor vanishes in between`() {
    #expect(BLAS.norm([3e30, 4e30]) == 5e30)
    #expect(abs(BLAS.norm([3e-30, 4e-30]) - 5e-30) < 1e-35)
  }

  @Test(arguments: [1, 100, 128, 300, 512])
  func `a sparse row gathers the rows that it names`(width: Int) {
    var generator = SplitMix64(seed: UInt64(width))
    let dense = Matrix(rows: 40, columns: width, values: vector(40 * width, &generator))
    var sparse = SparseRows(columns: 40)
    for length in [0, 1, 2, 17, 60] {
      sparse.append(
        (0..<length).map { _ in
          (column: Int.random(in: 0..<40, using: &generator), value: Float.random(in: -1...1, using: &generator))
        })
    }
    let product = sparse.multiply(dense)
    for row in 0..<sparse.rows {
      for column in 0..<width {
        var sum = 0.0
        for entry in sparse.rowStarts[row]..<sparse.rowStarts[row + 1] {
          sum += Double(sparse.values[entry]) * Double(dense[Int(sparse.columnIndices[entry]), column])
        }
        #expect(abs(Double(product[row, column]) - sum) < 1e-4)
      }
    }
  }
}
