/// How many slips of the hand lie between two words: a letter missed, added, changed, or swapped with its neighbour.
///
///     EditDistance.between("metacam", "metcam", limit: 1)  // 1
///     EditDistance.between("metacam", "metronid", limit: 1)  // nil
///
/// - Source: F. J. Damerau, "A technique for computer detection and correction of spelling errors", CACM 7 (1964), in
///   the variant that edits no letter twice.
public enum EditDistance {
  /// Whether a word is long enough to be recognised in a wrong spelling: five letters of the English alphabet and more. A
  /// number with another digit is another number.
  public static func isCorrectable(_ word: String) -> Bool {
    word.utf8.count >= 5 && word.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }

  /// How many slips are forgiven: one, two from nine letters on.
  public static func limit(for word: String) -> Int { word.utf8.count >= 9 ? 2 : 1 }

  /// The number of slips; nil when it is above `limit`.
  ///
  /// - Complexity: O(length · length), and O(1) for words whose lengths differ by more than the limit.
  public static func between(_ first: String, _ second: String, limit: Int) -> Int? {
    between(Array(first.utf8), Array(second.utf8), limit: limit)
  }

  /// The number of slips between two words as bytes; nil when it is above `limit`.
  ///
  /// - Complexity: as ``between(_:_:limit:)-(String,String,_)``.
  public static func between(_ a: [UInt8], _ b: [UInt8], limit: Int) -> Int? {
    guard abs(a.count - b.count) <= limit else { return nil }
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var before = [Int](repeating: 0, count: b.count + 1)
    var previous = Array(0...b.count)
    for i in 1...a.count {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1...b.count {
        row[j] = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], before[j - 2] + 1) }
      }
      if row.allSatisfy({ $0 > limit }) { return nil }
      (before, previous) = (previous, row)
    }
    return previous[b.count] <= limit ? previous[b.count] : nil
  }
}
