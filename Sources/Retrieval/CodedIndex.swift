public import LinearAlgebra

/// Vectors in memory, searched exactly while reading a quarter of their bytes: a pass over one-byte codes rules out what can't
/// be among the best, and the rest is compared as floats.
///
/// The result is that of comparing every vector: scores are inner products of floats, the best first, of equal scores the one
/// that stands first. How much is ruled out depends on the vectors, the result doesn't. Where codes can't tell the vectors apart
/// (many copies of one vector) the pass is given up early, and all are compared.
public struct CodedIndex<Rows: VectorRows>: Sendable {
  /// What a search read.
  public struct Work: Hashable, Sendable {
    /// Vectors that were compared as floats, over all queries.
    public var compared = 0
    /// Bytes of codes and vectors.
    public var bytes = 0

    public init() {}
  }

  /// A vector and its score.
  public struct Match: Hashable, Sendable {
    public let position: Int
    public let score: Float

    public init(position: Int, score: Float) {
      self.position = position
      self.score = score
    }
  }

  public let rows: Rows
  private let codes: CodeTable

  /// - Complexity: reads every vector once.
  public init(_ rows: Rows, threads: Int = 1) {
    self.rows = rows
    codes = CodeTable(rows, threads: threads)
  }

  /// The best matches of several queries, each best first.
  ///
  /// - Parameters:
  ///   - queries: of as many numbers as the vectors, none of them NaN.
  ///   - count: how many for each; fewer where there are fewer vectors.
  ///   - threads: at most so many work at it.
  ///   - kernel: which loop multiplies codes.
  ///   - work: added to.
  /// - Returns: the matches, in the order of the queries.
  /// - Complexity: one run over the codes for all queries together, then O(compared · dimension).
  public func nearest(
    to queries: [[Float]], count: Int, threads: Int = 1, kernel: CodeKernel = .best, work: inout Work
  ) -> [[Match]] {
    guard count > 0, rows.count > 0, !queries.isEmpty else { return queries.map { _ in [] } }
    let scan = codes.scan(queries, best: count, threads: threads, kernel: kernel)
    work.bytes += scan.scannedCount * codes.bytesPerVector
    return queries.indices.map { index in
      let candidates = scan.candidates(query: index)
      let compared = candidates?.count ?? rows.count
      let matches = matches(candidates, for: queries[index], count: count, threads: threads)
      work.compared += compared
      work.bytes += compared * rows.dimension * 4
      return matches
    }
  }

  /// The best matches of one query.
  public func nearest(to query: [Float], count: Int, threads: Int = 1) -> [Match] {
    var work = Work()
    return nearest(to: [query], count: count, threads: threads, work: &work)[0]
  }

  /// Compares the candidates as floats; without any, every vector.
  private func matches(
    _ candidates: [CodeCandidate]?, for query: [Float], count: Int, threads: Int
  ) -> [Match] {
    let total = candidates?.count ?? rows.count
    let parts = total < 4096 ? 1 : threads
    var best = [TopChunks](repeating: TopChunks(limit: count), count: parts)
    best.withUnsafeMutableBufferPointer { best in
      // Safe to share: each part has a heap of its own.
      nonisolated(unsafe) let best = best
      Parallel.forEachSlice(of: total, threads: parts) { part, slice in
        query.withUnsafeBufferPointer { query in
          var floor = -Double.infinity
          for index in slice {
            let position = candidates?[index].position ?? index
            let score = Double(rows.withRow(position) { BLAS.dot($0, query) })
            // What only equals the worst of the best stands behind it.
            if score <= floor { continue }
            best[part].offer(Int64(position), score: score)
            floor = best[part].floor ?? floor
          }
        }
      }
    }
    // Parts follow each other in position, so that what is offered first stands first.
    var whole = best[0]
    for part in best.dropFirst() {
      for chunk in part.sorted { whole.offer(chunk.chunkID, score: chunk.score) }
    }
    return whole.sorted.map { Match(position: Int($0.chunkID), score: Float($0.score)) }
  }
}
