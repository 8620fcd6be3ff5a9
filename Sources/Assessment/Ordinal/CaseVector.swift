import Foundation

/// A case as numbers: for each block the hashed features that are known, weighted by rarity, of length 1 together.
struct CaseVector: Sendable {
  struct Entry: Sendable {
    let bucket: Int32
    let value: Float
    /// Among ``FeatureBlock/allCases``.
    let block: Int8
    /// Among the features that the vector was made of; -1 where they were not kept.
    let feature: Int32
  }

  /// Block by block, buckets ascending within each.
  let entries: [Entry]

  /// The entries with every block's share applied, each bucket once, ascending.
  func weighted(_ shares: [Float]) -> [(bucket: Int32, value: Float)] {
    var all = entries.map { (bucket: $0.bucket, value: $0.value * shares[Int($0.block)]) }
    all.sort { $0.bucket < $1.bucket }
    var merged: [(bucket: Int32, value: Float)] = []
    merged.reserveCapacity(all.count)
    for entry in all where entry.value != 0 {
      if let last = merged.last, last.bucket == entry.bucket {
        merged[merged.count - 1].value += entry.value
      } else {
        merged.append(entry)
      }
    }
    return merged
  }
}

/// Hashes features into buckets and weighs them by how rare they are among the exemplars.
///
/// - Source: feature hashing: K. Weinberger et al., "Feature hashing for large scale multitask learning", ICML 2009.
struct CaseVectorizer: Sendable {
  static let buckets = 1 << 16
  /// Features of fewer exemplars can't be told from chance.
  static let leastCases = 2
  private static let precision = 4096.0

  /// ln((n + 1) / exemplars with the bucket), in units of 1/4096; 0 for buckets of too few.
  let rarity: [UInt16]

  init(rarity: [UInt16]) {
    precondition(rarity.count == Self.buckets, "\(rarity.count) buckets")
    self.rarity = rarity
  }

  /// - Parameter cases: the buckets of each exemplar, in any order, with repetitions.
  init(fitting cases: [[Int32]]) {
    var counts = [Int](repeating: 0, count: Self.buckets)
    for buckets in cases { for bucket in Set(buckets) { counts[Int(bucket)] += 1 } }
    rarity = counts.map { count in
      guard count >= Self.leastCases else { return 0 }
      return UInt16(min(65535, (log(Double(cases.count + 1) / Double(count)) * Self.precision).rounded()))
    }
  }

  /// - Complexity: O(features · log features).
  func vector(_ features: [CaseFeature]) -> CaseVector {
    var byBlock = [[(bucket: Int32, feature: Int32)]](repeating: [], count: FeatureBlock.allCases.count)
    for (index, feature) in features.enumerated() {
      byBlock[Self.place(feature.block)].append((Int32(feature.bucket), Int32(index)))
    }
    return vector(byBlock)
  }

  /// The same of buckets that were made before, by block.
  func vector(_ byBlock: [[(bucket: Int32, feature: Int32)]]) -> CaseVector {
    var entries: [CaseVector.Entry] = []
    for (block, found) in byBlock.enumerated() {
      var last: Int32 = -1
      var sum = 0.0
      var own: [(bucket: Int32, feature: Int32, value: Double)] = []
      for (bucket, feature) in found.sorted(by: { ($0.bucket, $0.feature) < ($1.bucket, $1.feature) })
      where bucket != last {
        last = bucket
        let value = Double(rarity[Int(bucket)]) / Self.precision
        guard value > 0 else { continue }
        sum += value * value
        own.append((bucket, feature, value))
      }
      guard sum > 0 else { continue }
      let norm = sum.squareRoot()
      for item in own {
        entries.append(
          CaseVector.Entry(
            bucket: item.bucket, value: Float(item.value / norm), block: Int8(block), feature: item.feature))
      }
    }
    return CaseVector(entries: entries)
  }

  static func place(_ block: FeatureBlock) -> Int { FeatureBlock.allCases.firstIndex(of: block) ?? 0 }
}
