import LinearAlgebra

/// Vectors one after the other, searched by comparing each of them: exact, and fast enough for a practice.
public struct FlatIndex: Sendable {
  public let dimension: Int
  public let chunkIDs: [Int64]
  /// `dimension` numbers per chunk, in the order of ``chunkIDs``.
  public let values: [Float]

  /// - Precondition: there are `dimension` numbers per chunk.
  public init(chunkIDs: [Int64], values: [Float], dimension: Int) {
    precondition(
      values.count == chunkIDs.count * dimension, "\(values.count) numbers for \(chunkIDs.count) × \(dimension)")
    self.chunkIDs = chunkIDs
    self.values = values
    self.dimension = dimension
  }

  /// The inner products of all vectors with `query`, in the order of ``chunkIDs``.
  ///
  /// - Precondition: `query` has `dimension` numbers.
  /// - Complexity: O(chunks · dimension), one `sgemv`.
  public func scores(for query: [Float]) -> [Float] {
    Matrix.rowProducts(rows: chunkIDs.count, columns: dimension, values: values, vector: query)
  }

  /// The best matches, best first; of equal scores the one that stands first in the index.
  public func nearest(to query: [Float], count: Int) -> [ScoredChunk] {
    var best = TopChunks(limit: count)
    offer(to: &best, for: query)
    return best.sorted
  }

  /// Lets this block compete with others for a place among the best.
  public func offer(to best: inout TopChunks, for query: [Float]) {
    for (chunkID, score) in zip(chunkIDs, scores(for: query)) { best.offer(chunkID, score: Double(score)) }
  }
}
