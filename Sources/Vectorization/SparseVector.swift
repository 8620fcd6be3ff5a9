/// A vector over hash buckets of which only the non-zero entries are kept, in ascending order of bucket.
public struct SparseVector: Hashable, Sendable {
  public let buckets: [UInt32]
  public let values: [Float]

  /// The signed counts of terms: each occurrence adds its sign to its bucket.
  ///
  /// A bucket in which occurrences cancel is left out.
  ///
  /// - Complexity: O(n log n) for n terms.
  public init(counting terms: [String], by hasher: FeatureHasher) {
    // Bucket above, sign in the lowest bit: one sort of machine words brings equal buckets together.
    var keys = terms.map { term in
      let feature = hasher.feature(of: term)
      return feature.bucket << 1 | (feature.sign < 0 ? 1 : 0)
    }
    keys.sort()
    var buckets: [UInt32] = []
    var values: [Float] = []
    buckets.reserveCapacity(keys.count)
    values.reserveCapacity(keys.count)
    var start = 0
    while start < keys.count {
      let bucket = keys[start] >> 1
      var count: Float = 0
      while start < keys.count, keys[start] >> 1 == bucket {
        count += keys[start] & 1 == 0 ? 1 : -1
        start += 1
      }
      if count != 0 {
        buckets.append(bucket)
        values.append(count)
      }
    }
    self.buckets = buckets
    self.values = values
  }
}
