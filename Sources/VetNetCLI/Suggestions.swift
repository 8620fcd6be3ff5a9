/// Finds the word that a mistyped one was probably meant to be.
enum Suggestions {
  /// The nearest candidate within a third of the word's length (at least one edit), the earliest among equals.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let limit = max(1, word.count / 3)
    let ranked = candidates.enumerated().map { (distance: distance(word, $0.element), position: $0.offset) }
    guard let best = ranked.min(by: { ($0.distance, $0.position) < ($1.distance, $1.position) }), best.distance <= limit
    else { return nil }
    return candidates[best.position]
  }

  /// Edits (insert, delete, replace, swap of neighbours) between two words: optimal string alignment.
  ///
  /// - Complexity: O(*mn*).
  static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first), b = Array(second)
    var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { rows[i][0] = i }
    for j in 0...b.count { rows[0][j] = j }
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    for i in 1...a.count {
      for j in 1...b.count {
        var best = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, rows[i - 2][j - 2] + 1) }
        rows[i][j] = best
      }
    }
    return rows[a.count][b.count]
  }
}
