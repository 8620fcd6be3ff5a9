/// The candidate that is at most `limit` typing slips away from `word`, the nearest first, ties in given order.
///
/// - Complexity: O(candidates × length²).
func nearest(to word: String, among candidates: [String], limit: Int = 2) -> String? {
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let distance = typingDistance(Array(word.utf8), Array(candidate.utf8))
    // Half of a short word may not be wrong, or every two-letter key would suggest another.
    guard distance <= limit, distance * 2 < candidate.utf8.count else { continue }
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.candidate
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
///
/// - Source: optimal string alignment, the restricted form of F. Damerau, Comm. ACM 1964;7(3):171–176.
private func typingDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...second.count)
  for row in first.indices {
    var current = [row + 1]
    for column in second.indices {
      let replaced = last[column] + (first[row] == second[column] ? 0 : 1)
      var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
        cost = min(cost, beforeLast[column - 1] + 1)
      }
      current.append(cost)
    }
    beforeLast = last
    last = current
  }
  return last[second.count]
}
