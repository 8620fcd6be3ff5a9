import Clinical
import Foundation
import Glibc
import LinearAlgebra
import Testing
import VetNet
import VetNetTestSupport

struct VectorFileTests {
  @Test func `a file of gigabytes that says another dimension of itself is refused at once`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "base.fvecs")
    // Sparse: it takes no room, and reading it all would take minutes.
    #expect(truncate(path, off_t(2052) * 4_000_000) == 0)
    let took = ContinuousClock().measure {
      #expect(throws: PracticeError.self) { try VectorFile(path: path, dimension: 512) }
    }
    #expect(took < .seconds(2))
  }

  private func write(_ vectors: [[Float]], to path: String) throws {
    var data = Data()
    for vector in vectors {
      withUnsafeBytes(of: Int32(vector.count).littleEndian) { data.append(contentsOf: $0) }
      vector.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    try data.write(to: URL(filePath: path))
  }

  @Test func `vectors are read as they were written`() throws {
    let folder = try TemporaryFolder()
    let vectors: [[Float]] = [[1, 2.5, -3], [0, .leastNonzeroMagnitude, 4]]
    try write(vectors, to: folder.file("a.fvecs"))
    let file = try VectorFile(path: folder.file("a.fvecs"), dimension: 3)
    #expect((0..<file.count).map(file.row) == vectors)
    try write([], to: folder.file("b.fvecs"))
    #expect(try VectorFile(path: folder.file("b.fvecs"), dimension: 3).count == 0)
  }

  @Test func `a file of another shape is refused, and says why`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.fvecs")
    try write([[1, 2, 3]], to: path)
    #expect(throws: PracticeError.self) { try VectorFile(path: path, dimension: 4) }
    try write([[1, 2, 3], [1, 2, 3]], to: path)
    let error = #expect(throws: PracticeError.self) { try VectorFile(path: path, dimension: 7) }
    #expect(error?.description.contains("dimension 3, not 7") == true)
    #expect(throws: PracticeError.self) { try VectorFile(path: folder.file("missing"), dimension: 3) }
  }

  @Test func `the timed search finds what comparing every vector finds, and says what it read`() throws {
    let folder = try TemporaryFolder()
    let vectors = (0..<40).map { Self.vector($0) }
    try write(vectors, to: folder.file("base.fvecs"))
    try write(Array(vectors.prefix(5)), to: folder.file("queries.fvecs"))
    let bench = try VectorSearchBench(base: folder.file("base.fvecs"), queries: folder.file("queries.fvecs"))
    for (batch, threads) in [(1, 1), (2, 2), (64, 1)] {
      let report = bench.run(count: 3, batch: batch, threads: threads)
      for query in 0..<5 {
        let scores = vectors.map { BLAS.dot($0, vectors[query]) }
        let best = scores.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }.prefix(3)
        #expect(report.ids[query] == Array(best))
        #expect(report.scores[query] == best.map { scores[$0] })
      }
      #expect(report.bytesReadPerQuery > 0 && report.batch == batch && report.threads == threads)
    }
  }

  private static func vector(_ row: Int) -> [Float] {
    var generator = SplitMix64(seed: UInt64(row % 30))
    return (0..<512).map { _ in Float(generator.nextUnit()) - 0.5 }
  }
}
