import Foundation

/// Texts as vectors over groups of three to five letters, hashed into buckets and weighted by TF-IDF, with the dot products of
/// a new text to all of them. Misspelt and unknown words still share most of their letters with known ones.
struct LetterIndex: Sendable {
  private static let buckets = 1 << 18
  private static let lengths = 3...5

  /// ln((n + 1) / texts with the bucket), 0 for buckets of fewer than two texts.
  private var inverse: [Float]
  private var starts: [Int32]
  private var texts: [Int32]
  private var weights: [Float]
  let count: Int

  /// - Complexity: O(letters).
  init(_ contents: [String]) {
    count = contents.count
    let counted = contents.map(Self.buckets)
    var frequency = [Int32](repeating: 0, count: Self.buckets)
    for text in counted { for bucket in text { frequency[bucket] += 1 } }
    inverse = frequency.map { $0 < 2 ? 0 : Float(log(Double(contents.count + 1) / Double($0))) }
    starts = [Int32](repeating: 0, count: Self.buckets + 1)
    for bucket in 0..<Self.buckets {
      starts[bucket + 1] = starts[bucket] + (frequency[bucket] < 2 ? 0 : frequency[bucket])
    }
    texts = [Int32](repeating: 0, count: Int(starts[Self.buckets]))
    weights = [Float](repeating: 0, count: Int(starts[Self.buckets]))
    var next = starts
    for (index, text) in counted.enumerated() {
      for (bucket, weight) in unit(text) {
        let place = Int(next[bucket])
        texts[place] = Int32(index)
        weights[place] = weight
        next[bucket] += 1
      }
    }
  }

  /// The cosine of `text` with every text of the index, in its order.
  ///
  /// - Complexity: O(postings of the text's buckets).
  func similarities(_ text: String) -> [Double] {
    var sums = [Float](repeating: 0, count: count)
    for (bucket, weight) in unit(Self.buckets(text)) {
      for place in Int(starts[bucket])..<Int(starts[bucket + 1]) { sums[Int(texts[place])] += weight * weights[place] }
    }
    return sums.map(Double.init)
  }

  private func unit(_ buckets: [Int]) -> [(Int, Float)] {
    let weighted = buckets.filter { inverse[$0] > 0 }.map { ($0, inverse[$0]) }
    let norm = weighted.reduce(Float(0)) { $0 + $1.1 * $1.1 }.squareRoot()
    return norm > 0 ? weighted.map { ($0.0, $0.1 / norm) } : []
  }

  /// The buckets of a text, each once, ascending. Everything but letters and figures is one space.
  private static func buckets(_ text: String) -> [Int] {
    var letters: [UInt8] = [0x20]
    for word in IntakeScanner.words(in: text) {
      letters += word.text.utf8.filter { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) }
      if letters.last != 0x20 { letters.append(0x20) }
    }
    var found: [Int] = []
    for length in lengths where letters.count >= length {
      for start in 0...(letters.count - length) {
        // FNV-1a; the length is part of what is hashed.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(length)
        for letter in letters[start..<(start + length)] { hash = (hash ^ UInt64(letter)) &* 0x100_0000_01b3 }
        found.append(Int((hash ^ (hash >> 29)) & UInt64(Self.buckets - 1)))
      }
    }
    found.sort()
    var last = -1
    return found.filter { bucket in
      defer { last = bucket }
      return bucket != last
    }
  }
}
