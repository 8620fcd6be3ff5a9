import Clinical
@testable import LinearAlgebra
import Testing

struct VectorCodeTests {
  struct Example: CustomTestStringConvertible {
    let name: String
    let vector: [Float]
    var testDescription: String { name }
  }

  static let examples: [Example] = {
    var generator = SplitMix64(seed: 21)
    let plain = (0..<70).map { _ in Float(generator.nextUnit() * 2 - 1) }
    return [
      Example(name: "plain", vector: plain),
      Example(name: "zero", vector: [Float](repeating: 0, count: 70)),
      Example(name: "negative zero", vector: [Float](repeating: -0.0, count: 70)),
      Example(name: "one number", vector: [-3]),
      Example(name: "a spike", vector: [1e6] + plain),
      Example(name: "huge", vector: plain.map { $0 * 3e38 }),
      Example(name: "tiny", vector: plain.map { $0 * 1e-36 }),
      Example(name: "subnormal", vector: plain.map { Float(Double($0) * 1e-40) }),
      Example(name: "empty", vector: []),
    ]
  }()

  private func code(_ vector: [Float]) -> (VectorCode, [Int8]) {
    var codes = [Int8](repeating: 0, count: vector.count)
    let code = vector.withUnsafeBufferPointer { vector in
      codes.withUnsafeMutableBufferPointer { VectorCode(vector, into: $0) }
    }
    return (code, codes)
  }

  @Test(arguments: examples)
  func `the bounds hold, and are no wider than rounding needs`(example: Example) {
    let (code, codes) = code(example.vector)
    func length(_ numbers: [Double]) -> Double { numbers.reduce(0) { $0 + $1 * $1 }.squareRoot() }
    let norm = length(example.vector.map(Double.init))
    let rest = length(zip(example.vector, codes).map { Double($0) - Double(code.scale) * Double($1) })
    #expect(Double(code.norm) >= norm && Double(code.error) >= rest)
    if code.norm.isFinite { #expect(Double(code.norm) <= norm * (1 + 1e-6) + 1e-44) }
    #expect(Double(code.error) <= rest * (1 + 1e-6) + 1e-44)
    #expect(codes.allSatisfy { $0 >= -127 })
  }

  @Test func `half a step is the most that rounding loses of a number`() {
    let vector = Self.examples[0].vector
    let (code, codes) = code(vector)
    for (number, code8) in zip(vector, codes) {
      #expect(abs(number - code.scale * Float(code8)) <= code.scale * 0.5001)
    }
  }

  @Test(arguments: [64, 512, 4096, 65536])
  func `no sum of products leaves 32 bits`(dimension: Int) {
    let query = CodedQuery([Float](repeating: -1, count: dimension), paddedDimension: dimension)
    #expect(query.entries.reduce(0) { $0 + abs(Int($1)) * 127 } <= Int(Int32.max))
    #expect(query.entries.allSatisfy { $0 != 0 })
  }

  @Test(arguments: CodeKernel.allCases.filter(\.isAvailable), [1, 2, 3, 4, 5, 64])
  func `no candidate scores above its bound, by any loop`(kernel: CodeKernel, queryCount: Int) throws {
    let matrix = Matrix.random(rows: 203, columns: 96, seed: 9)
    let queries = (0..<queryCount).map { Array(Matrix.random(rows: 1, columns: 96, seed: UInt64(50 + $0)).values) }
    // As many as there are: nothing may be left out.
    let scan = CodeTable(matrix).scan(queries, best: 203, kernel: kernel)
    for (index, query) in queries.enumerated() {
      let candidates = try #require(scan.candidates(query: index))
      #expect(candidates.map(\.position) == Array(0..<203))
      for candidate in candidates {
        let score = BLAS.dot(Array(matrix.row(candidate.position)), query)
        #expect(candidate.upperBound >= score && candidate.upperBound - score < 0.2)
      }
    }
  }

  @Test func `a pass that rules nothing out is given up, for the query that it is of no use to`() throws {
    let matrix = Matrix.random(rows: 9000, columns: 8, seed: 3)
    let queries: [[Float]] = [[Float](repeating: 0, count: 8), [1, 2, 3, 4, 5, 6, 7, 8]]
    let scan = CodeTable(matrix).scan(queries, best: 3)
    #expect(scan.candidates(query: 0) == nil)
    #expect(try #require(scan.candidates(query: 1)).count < 1000)
  }

  @Test func `a pass whose best come last is not given up for what it kept before them`() throws {
    let columns = 8
    var matrix = Matrix.random(rows: 20_000, columns: columns, seed: 4)
    // Each scores above all before it, so that each is kept when it is seen.
    for row in 0..<20_000 { matrix.values[row * columns] = Float(row) / 100 }
    let query: [Float] = [1, 0, 0, 0, 0, 0, 0, 0]
    let candidates = try #require(CodeTable(matrix).scan([query], best: 5).candidates(query: 0))
    #expect(Set(candidates.map(\.position)).isSuperset(of: 19_995..<20_000))
    #expect(candidates.count < 2000)
  }

  @Test func `the greatest numbers of a stream are kept`() {
    var generator = SplitMix64(seed: 5)
    let numbers = (0..<500).map { _ in Float(generator.next() % 100) }
    for limit in [1, 2, 7, 500, 501] {
      var greatest = GreatestNumbers(limit: limit)
      for number in numbers { greatest.offer(number) }
      #expect(greatest.values.sorted() == numbers.sorted().suffix(limit))
      #expect(greatest.threshold == (limit > 500 ? -.infinity : numbers.sorted().suffix(limit).first))
    }
  }
}
