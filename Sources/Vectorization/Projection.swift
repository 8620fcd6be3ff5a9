public import LinearAlgebra

/// What the projection knows about one hash bucket.
public struct ProjectionRow: Hashable, Sendable {
  /// The inverse document frequency in the training collection.
  public var weight: Float
  /// The bucket's direction; as long as the model's rank.
  public var vector: [Float]

  public init(weight: Float, vector: [Float]) {
    self.weight = weight
    self.vector = vector
  }
}

/// Where projection rows are kept: in memory, in a model file, in a practice file.
///
/// A question needs a handful of rows out of tens of thousands, so a source reads only what it is asked for.
public protocol ProjectionSource {
  /// The rows of those `buckets` that have one; a bucket without a row is left out.
  func rows(for buckets: [UInt32]) throws -> [UInt32: ProjectionRow]
}

/// A projection held as one matrix: what training gives, and what batches are embedded with.
public struct InMemoryProjection: ProjectionSource, Sendable {
  /// Ascending.
  public let buckets: [UInt32]
  /// Inverse document frequency per bucket.
  public let weights: [Float]
  /// One row per bucket, one column per dimension in use.
  public let vectors: Matrix
  /// From a bucket to its row plus one; 0 means none.
  private let rowNumbers: [Int32]

  /// - Precondition: buckets are ascending, and there are as many weights and vectors as buckets.
  public init(buckets: [UInt32], weights: [Float], vectors: Matrix) {
    precondition(buckets.count == weights.count && buckets.count == vectors.rows, "\(buckets.count) buckets")
    self.buckets = buckets
    self.weights = weights
    self.vectors = vectors
    var rowNumbers = [Int32](repeating: 0, count: (buckets.last.map { Int($0) } ?? -1) + 1)
    var previous = -1
    for (row, bucket) in buckets.enumerated() {
      precondition(Int(bucket) > previous, "bucket \(bucket) after \(previous)")
      previous = Int(bucket)
      rowNumbers[Int(bucket)] = Int32(row + 1)
    }
    self.rowNumbers = rowNumbers
  }

  /// Gathers the rows that a batch of documents needs into one matrix.
  public init(rows: [UInt32: ProjectionRow], rank: Int) {
    let buckets = rows.keys.sorted()
    var weights: [Float] = []
    var values: [Float] = []
    values.reserveCapacity(buckets.count * rank)
    for bucket in buckets {
      guard let row = rows[bucket] else { continue }
      weights.append(row.weight)
      values.append(contentsOf: row.vector)
    }
    self.init(
      buckets: buckets, weights: weights, vectors: Matrix(rows: buckets.count, columns: rank, values: values))
  }

  /// The row of a bucket, if it has one.
  ///
  /// - Complexity: O(1).
  public func row(of bucket: UInt32) -> Int? {
    guard Int(bucket) < rowNumbers.count else { return nil }
    let number = rowNumbers[Int(bucket)]
    return number == 0 ? nil : Int(number - 1)
  }

  public func rows(for buckets: [UInt32]) -> [UInt32: ProjectionRow] {
    var result: [UInt32: ProjectionRow] = [:]
    for bucket in buckets {
      guard let row = row(of: bucket) else { continue }
      result[bucket] = ProjectionRow(weight: weights[row], vector: Array(vectors.row(row)))
    }
    return result
  }
}
