import Clinical
import LinearAlgebra
import Retrieval
import Testing

/// Codes may only rule out: every search must give what comparing all vectors gives.
struct CodedIndexTests {
  /// Kinds of vectors, some of them made to be hard to tell apart, hard to round, or near the ends of floats.
  enum Family: CaseIterable {
    case gaussian, clustered, copies, zeros, oneHot, mixedLengths, huge, tiny, subnormal, wholeNumbers, damped

    func vectors(_ count: Int, _ dimension: Int, seed: UInt64) -> [Float] {
      var generator = SplitMix64(seed: seed)
      func gaussian() -> Float {
        var sum: Float = -3
        for _ in 0..<6 { sum += Float(generator.nextUnit()) }
        return sum
      }
      let centres = (0..<5).map { _ in (0..<dimension).map { _ in gaussian() } }
      return (0..<count).flatMap { row -> [Float] in
        let length = Float(2 << Int(generator.next() % 20)) / 1024
        return (0..<dimension).map { column in
          switch self {
          case .gaussian: gaussian()
          case .clustered: centres[row % 5][column] + gaussian() / 100
          case .copies: centres[row % 3][column]
          case .zeros: row % 4 == 0 ? gaussian() : 0
          case .oneHot: column == row % dimension ? 1 : 0
          case .mixedLengths: gaussian() * length
          case .huge: gaussian() * 1e17
          case .tiny: gaussian() * 1e-17
          case .subnormal: Float(Double(gaussian()) * 1e-39)
          case .wholeNumbers: Float(generator.next() % 3) - 1
          case .damped: gaussian() / Float(column + 1)
          }
        }
      }
    }
  }

  /// Compares every vector.
  private func scan(_ matrix: Matrix, _ query: [Float], count: Int) -> [CodedIndex<Matrix>.Match] {
    let scores = (0..<matrix.rows).map { BLAS.dot(Array(matrix.row($0)), query) }
    let order = scores.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }.prefix(count)
    return order.map { CodedIndex.Match(position: $0, score: scores[$0]) }
  }

  @Test(arguments: Family.allCases, [1, 7, 64, 65, 512])
  func `the result is that of comparing every vector`(family: Family, dimension: Int) {
    let matrix = Matrix(rows: 300, columns: dimension, values: family.vectors(300, dimension, seed: 3))
    let index = CodedIndex(matrix)
    var queries = family.vectors(3, dimension, seed: 4)
    queries += Family.gaussian.vectors(1, dimension, seed: 5)
    queries += [Float](repeating: 0, count: dimension)
    queries += Array(matrix.row(299))
    let split = stride(from: 0, to: queries.count, by: dimension).map { Array(queries[$0..<($0 + dimension)]) }
    for kernel in CodeKernel.allCases where kernel.isAvailable {
      for count in [1, 10, 305] {
        var work = CodedIndex<Matrix>.Work()
        let found = index.nearest(to: split, count: count, kernel: kernel, work: &work)
        for (query, matches) in zip(split, found) {
          #expect(matches == scan(matrix, query, count: count), "\(kernel), the best \(count)")
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3], [1, 3, 65])
  func `neither threads nor batches change the result`(threads: Int, batch: Int) {
    let matrix = Matrix(rows: 600, columns: 64, values: Family.mixedLengths.vectors(600, 64, seed: 8))
    let queries = (0..<batch).map { Family.gaussian.vectors(1, 64, seed: UInt64(100 + $0)) }
    let index = CodedIndex(matrix, threads: threads)
    var work = CodedIndex<Matrix>.Work()
    let found = index.nearest(to: queries, count: 10, threads: threads, work: &work)
    for (query, matches) in zip(queries, found) { #expect(matches == scan(matrix, query, count: 10)) }
    #expect(work.bytes > matrix.rows * 64)
  }

  @Test func `few vectors, none, and none wanted are no special cases`() {
    let query: [Float] = [1, 2, 3]
    #expect(CodedIndex(Matrix(rows: 0, columns: 3)).nearest(to: query, count: 5, threads: 2).isEmpty)
    let one = CodedIndex(Matrix(rows: 1, columns: 3, repeating: 1), threads: 2)
    #expect(one.nearest(to: query, count: 5, threads: 2).map(\.position) == [0])
    #expect(one.nearest(to: query, count: 0).isEmpty)
  }

  @Test func `many copies of one vector come in the order in which they stand`() {
    let vector = Family.gaussian.vectors(1, 64, seed: 1)
    let matrix = Matrix(rows: 9000, columns: 64, values: Array(repeatElement(vector, count: 9000).joined()))
    for threads in [1, 2, 4] {
      #expect(CodedIndex(matrix).nearest(to: vector, count: 20, threads: threads).map(\.position) == Array(0..<20))
    }
  }

  @Test func `few vectors are compared where codes can tell them apart`() {
    let matrix = Matrix(rows: 2000, columns: 512, values: Family.gaussian.vectors(2000, 512, seed: 2))
    var work = CodedIndex<Matrix>.Work()
    _ = CodedIndex(matrix).nearest(
      to: [Family.gaussian.vectors(1, 512, seed: 6)], count: 10, work: &work)
    #expect(work.compared < 200)
    #expect(work.bytes == 2000 * 524 + work.compared * 2048)
  }
}
