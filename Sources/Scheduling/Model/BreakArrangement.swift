/// Places the breaks of one vet around what is already there.
enum BreakArrangement {
  /// The positions of breaks that can get in one another's way, group by group; each group can be placed by itself.
  static func groups(_ breaks: [Instance.Break]) -> [[Int]] {
    let order = breaks.indices.sorted {
      (breaks[$0].reach.lowerBound, $0) < (breaks[$1].reach.lowerBound, $1)
    }
    var groups: [[Int]] = []
    var end = Int.min
    for position in order {
      if breaks[position].reach.lowerBound < end {
        groups[groups.count - 1].append(position)
      } else {
        groups.append([position])
      }
      end = max(end, breaks[position].reach.upperBound)
    }
    return groups
  }

  /// A start for each break, or nil when they don't all fit.
  ///
  /// Within a group every combination is tried in turn, the break that must begin soonest first; groups are small.
  static func arrange(_ breaks: [Instance.Break], isFree: (Range<Int>) -> Bool) -> [Int]? {
    var starts = [Int](repeating: 0, count: breaks.count)
    for group in groups(breaks) where !arrange(group[...], breaks, taken: [], isFree: isFree, into: &starts) {
      return nil
    }
    return starts
  }

  private static func arrange(
    _ positions: ArraySlice<Int>, _ breaks: [Instance.Break], taken: [Range<Int>], isFree: (Range<Int>) -> Bool,
    into starts: inout [Int]
  ) -> Bool {
    guard let position = positions.min(by: { breaks[$0].start.upperBound < breaks[$1].start.upperBound }) else {
      return true
    }
    let rest = positions.filter { $0 != position }[...]
    for start in breaks[position].start {
      let slots = start..<(start + breaks[position].length)
      if taken.contains(where: { $0.overlaps(slots) }) || !isFree(slots) { continue }
      starts[position] = start
      if arrange(rest, breaks, taken: taken + [slots], isFree: isFree, into: &starts) { return true }
    }
    return false
  }
}
