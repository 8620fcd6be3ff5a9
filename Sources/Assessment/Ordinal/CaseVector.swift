import Foundation

/// A case as numbers: for each block the hashed features that are known, weighted by rarity, of length 1 together.
package struct CaseVector: Sendable {
  package struct Entry: Sendable {
    package let bucket: Int32
    package let value: Float
    /// Among ``FeatureBlock/allCases``.
    package let block: Int8
    /// Among the features that the vector was made of; -1 where they were not kept.
    let feature: Int32
  }

  /// Block by block, buckets ascending within each.
  package let entries: [Entry]

  /// The entries with every block's share applied, each bucket once, ascending.
  package func weighted(_ shares: [Float]) -> [(bucket: Int32, value: Float)] {
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
/// A bucket belongs to the feature that most exemplars show of those that fall to it; the others are taken for unknown. Letting
/// them share it, as feature hashing does, was measured to cost much more than it saves: most features are seen once.
package struct CaseVectorizer: Sendable {
  package static let buckets = FeatureBlock.bucketTotal
  /// Features of fewer exemplars can't be told from chance.
  static let leastCases = 2
  private static let precision = 4096.0

  /// ln((n + 1) / exemplars with the bucket's feature), in units of 1/4096; 0 for buckets without one.
  package let rarity: [UInt16]
  /// Of the bucket's feature.
  package let marks: [UInt16]

  init(rarity: [UInt16], marks: [UInt16]) {
    precondition(rarity.count == Self.buckets && marks.count == Self.buckets, "\(rarity.count), \(marks.count) buckets")
    self.rarity = rarity
    self.marks = marks
  }

  /// - Parameter cases: the features of each exemplar, in any order, with repetitions.
  package init(fitting cases: [[FeatureCode]]) {
    var counts: [FeatureCode: Int] = [:]
    for codes in cases { for code in Set(codes) { counts[code, default: 0] += 1 } }
    var best = [(count: Int, mark: UInt16)](repeating: (0, 0), count: Self.buckets)
    for (code, count) in counts where count >= Self.leastCases {
      let holder = best[Int(code.bucket)]
      // Of equals the lower mark, so that the order of a dictionary doesn't matter.
      if count > holder.count || (count == holder.count && code.mark < holder.mark) {
        best[Int(code.bucket)] = (count, code.mark)
      }
    }
    marks = best.map(\.mark)
    rarity = best.map { holder in
      guard holder.count > 0 else { return 0 }
      return UInt16(min(65535, (log(Double(cases.count + 1) / Double(holder.count)) * Self.precision).rounded()))
    }
  }

  /// Whether a feature has a bucket.
  package func knows(_ code: FeatureCode) -> Bool {
    rarity[Int(code.bucket)] > 0 && marks[Int(code.bucket)] == code.mark
  }

  /// - Complexity: O(features · log features).
  func vector(_ features: [CaseFeature]) -> CaseVector {
    var byBlock = [[(code: FeatureCode, feature: Int32)]](repeating: [], count: FeatureBlock.allCases.count)
    for (index, feature) in features.enumerated() { byBlock[feature.block.index].append((feature.code, Int32(index))) }
    return vector(byBlock)
  }

  /// The same of features that were hashed before, by block.
  package func vector(_ byBlock: [[(code: FeatureCode, feature: Int32)]]) -> CaseVector {
    var entries: [CaseVector.Entry] = []
    for (block, found) in byBlock.enumerated() {
      var last: Int32 = -1
      var sum = 0.0
      var own: [(bucket: Int32, feature: Int32, value: Double)] = []
      let known = found.filter { knows($0.code) }
      for (code, feature) in known.sorted(by: { ($0.code.bucket, $0.feature) < ($1.code.bucket, $1.feature) })
      where code.bucket != last {
        last = code.bucket
        let value = Double(rarity[Int(code.bucket)]) / Self.precision
        sum += value * value
        own.append((code.bucket, feature, value))
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
}
