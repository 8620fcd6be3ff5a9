/// The word of a vocabulary that a mistyped one was probably meant to be.
enum Misspelling {
  /// One slip in words of five letters or more, two in words of nine or more; the first letter is trusted. Nil when nothing
  /// is near, and for words with digits, where one slip is another thing.
  static func nearest(to word: String, in vocabulary: Set<String>) -> String? {
    let bytes = Array(word.utf8)
    // The same word in another form that the stemmer keeps apart: catheter, catheterised.
    if bytes.count >= 6,
      let other = vocabulary.sorted().first(where: { other in
        other.utf8.count >= 6 && (word.hasPrefix(other) || other.hasPrefix(word))
          && abs(other.utf8.count - bytes.count) <= 4
      })
    {
      return other
    }
    guard bytes.count >= 5, !bytes.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    let limit = bytes.count >= 9 ? 2 : 1
    var best: (distance: Int, word: String)?
    for candidate in vocabulary.sorted() {
      let other = Array(candidate.utf8)
      guard other.first == bytes.first, abs(other.count - bytes.count) <= limit else { continue }
      let distance = self.distance(bytes, other, limit: limit)
      if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.word
  }

  /// Optimal string alignment, given up once every way is longer than `limit`.
  private static func distance(_ a: [UInt8], _ b: [UInt8], limit: Int) -> Int {
    var before = [Int](repeating: 0, count: b.count + 1)
    var previous = Array(0...b.count)
    for i in 1...a.count {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1...max(1, b.count) where j <= b.count {
        row[j] = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], before[j - 2] + 1) }
      }
      if row.allSatisfy({ $0 > limit }) { return limit + 1 }
      before = previous
      previous = row
    }
    return previous[b.count]
  }
}
