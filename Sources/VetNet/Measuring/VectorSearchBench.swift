import Glibc
import LinearAlgebra
import Retrieval

/// Times the exact search over vectors in memory, on files of the ANN benchmarks.
public struct VectorSearchBench {
  /// What it found and how long that took, in the shape of its JSON.
  public struct Report: Codable, Sendable {
    /// Per query the positions of the best vectors, best first.
    public var ids: [[Int]]
    /// Their inner products with the query, as floats.
    public var scores: [[Float]]
    public var secondsPerQuery: Double
    /// Bytes of codes and vectors; codes that serve a whole batch are shared among its queries.
    public var bytesReadPerQuery: Double
    public var threads: Int
    public var batch: Int
    /// What stands in the base file.
    public var vectors: Int
    /// Rounding every vector to its code, before the first query.
    public var secondsToBuild: Double
    /// Vectors that were compared as floats, on average.
    public var comparedPerQuery: Double
    /// The shortest time of a batch, over its queries.
    public var fastestSecondsPerQuery: Double

    private enum CodingKeys: String, CodingKey {
      case ids, scores, threads, batch, vectors
      case secondsPerQuery = "seconds_per_query"
      case bytesReadPerQuery = "bytes_read_per_query"
      case secondsToBuild = "seconds_to_build"
      case comparedPerQuery = "compared_per_query"
      case fastestSecondsPerQuery = "fastest_seconds_per_query"
    }

    /// For a person.
    public var lines: [String] {
      func milliseconds(_ seconds: Double) -> String {
        let hundredths = Int((seconds * 1e5).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) ms"
      }
      return [
        "\(ids.count) queries over \(vectors) vectors, \(threads) threads, batches of \(batch)",
        "\(milliseconds(secondsPerQuery)) a query, \(milliseconds(fastestSecondsPerQuery)) in the fastest batch",
        "\(Int(bytesReadPerQuery)) bytes read a query, \(Int(comparedPerQuery)) vectors compared as floats",
        "\(milliseconds(secondsToBuild)) to build",
      ]
    }
  }

  private let base: VectorFile
  private let queries: VectorFile

  /// - Throws: ``PracticeError`` for a file that can't be read, or isn't one of vectors of 512 numbers.
  public init(base: String, queries: String) throws {
    self.base = try VectorFile(path: base, dimension: 512)
    self.queries = try VectorFile(path: queries, dimension: 512)
  }

  /// Searches for every query, `batch` at a time.
  ///
  /// - Parameters:
  ///   - count: how many vectors are wanted for each query.
  ///   - batch: queries that are answered together, at least 1.
  ///   - threads: at least 1.
  /// - Returns: what was found, and how long it took.
  public func run(count: Int, batch: Int, threads: Int) -> Report {
    BLAS.setThreads(1)
    let began = Self.now()
    let index = CodedIndex(base, threads: threads)
    let built = Self.now() - began
    var report = Report(
      ids: [], scores: [], secondsPerQuery: 0, bytesReadPerQuery: 0, threads: threads, batch: batch,
      vectors: base.count,
      secondsToBuild: built, comparedPerQuery: 0, fastestSecondsPerQuery: .infinity)
    var work = CodedIndex<VectorFile>.Work()
    for start in Swift.stride(from: 0, to: queries.count, by: batch) {
      let portion = (start..<min(start + batch, queries.count)).map(queries.row)
      let started = Self.now()
      let found = index.nearest(to: portion, count: count, threads: threads, work: &work)
      let seconds = Self.now() - started
      report.secondsPerQuery += seconds
      report.fastestSecondsPerQuery = min(report.fastestSecondsPerQuery, seconds / Double(portion.count))
      report.ids += found.map { $0.map(\.position) }
      report.scores += found.map { $0.map(\.score) }
    }
    let total = Double(max(1, queries.count))
    report.secondsPerQuery /= total
    report.bytesReadPerQuery = Double(work.bytes) / total
    report.comparedPerQuery = Double(work.compared) / total
    if queries.count == 0 { report.fastestSecondsPerQuery = 0 }
    return report
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
