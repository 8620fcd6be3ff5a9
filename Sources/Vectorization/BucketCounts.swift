/// In how many documents each hash bucket stands: what terms are weighed by. It adds up over collections, so that several of them
/// weigh as one without their documents coming together.
public struct BucketCounts: Hashable, Sendable {
  public private(set) var documentCount: Int
  /// Terms of all documents, repetitions included.
  public private(set) var totalLength: Int
  /// Documents by bucket.
  private var frequencies: [Int32]

  /// - Parameter bits: log2 of the number of buckets.
  public init(bits: Int) {
    documentCount = 0
    totalLength = 0
    frequencies = [Int32](repeating: 0, count: FeatureHasher(bits: bits).bucketCount)
  }

  /// Counts that were kept; nil where a bucket or a count can't be.
  ///
  /// - Parameters:
  ///   - bits: log2 of the number of buckets.
  ///   - documentCount: how many documents were counted.
  ///   - totalLength: their terms.
  ///   - entries: buckets with their documents; those that are left out stand in none.
  public init?(
    bits: Int, documentCount: Int, totalLength: Int, entries: some Sequence<(bucket: UInt32, documents: Int)>
  ) {
    self.init(bits: bits)
    guard documentCount >= 0, totalLength >= 0 else { return nil }
    self.documentCount = documentCount
    self.totalLength = totalLength
    for (bucket, documents) in entries {
      guard Int(bucket) < frequencies.count, (1...max(1, documentCount)).contains(documents), documents <= Int32.max
      else { return nil }
      frequencies[Int(bucket)] = Int32(documents)
    }
  }

  /// Mean number of terms of a document; at least 1.
  public var averageLength: Double {
    documentCount == 0 ? 1 : max(1, Double(totalLength) / Double(documentCount))
  }

  /// Buckets that stand in some document, ascending.
  public var entries: [(bucket: UInt32, documents: Int)] {
    frequencies.enumerated().compactMap { $1 > 0 ? (UInt32($0), Int($1)) : nil }
  }

  /// Counts a document.
  public mutating func add(_ features: SparseVector, length: Int) {
    for bucket in features.buckets { frequencies[Int(bucket)] += 1 }
    totalLength += length
    documentCount += 1
  }

  /// Counts another collection's documents too.
  ///
  /// - Precondition: both have the same number of buckets.
  public mutating func add(_ other: BucketCounts) {
    precondition(frequencies.count == other.frequencies.count, "counts over other buckets")
    for (bucket, count) in other.frequencies.enumerated() where count > 0 { frequencies[bucket] += count }
    documentCount += other.documentCount
    totalLength += other.totalLength
  }

  /// The same counts of those buckets alone that are let through; documents and their lengths stay.
  public func keeping(_ isKept: (UInt32) -> Bool) -> BucketCounts {
    var result = self
    for bucket in frequencies.indices where frequencies[bucket] > 0 && !isKept(UInt32(bucket)) {
      result.frequencies[bucket] = 0
    }
    return result
  }
}
