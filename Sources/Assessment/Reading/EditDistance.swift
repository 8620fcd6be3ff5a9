/// How far apart two spellings are.
enum EditDistance {
  /// Whether `left` becomes `right` by at most `limit` insertions, deletions, replacements and swaps of neighbours.
  ///
  /// - Complexity: O(left × right).
  /// - Source: optimal string alignment; G. Navarro, "A guided tour to approximate string matching", ACM Comput Surv
  ///   2001;33(1):31-88.
  static func isWithin(_ limit: Int, _ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard abs(left.count - right.count) <= limit else { return false }
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for row in 0..<left.count {
      var current = [Int](repeating: 0, count: right.count + 1)
      current[0] = row + 1
      var least = current[0]
      for column in 0..<right.count {
        let isSame = left[row] == right[column]
        var cost = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforePrevious[column - 1] + 1)
        }
        current[column + 1] = cost
        least = min(least, cost)
      }
      if least > limit { return false }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count] <= limit
  }
}
