import Clinical

/// The changes of a zone's clocks over some years, as VTIMEZONE tells them.
struct ZoneTransitions {
  struct Change: Equatable {
    /// The first moment of the new offset.
    let at: Timestamp
    /// Seconds east of UTC.
    let before: Int
    let after: Int
  }

  let changes: [Change]
  /// The offset before the first change.
  let first: Int
  /// The lesser of the offsets: what is called standard time.
  let standard: Int

  /// - Complexity: O(days), as clocks change at most once a day.
  init(of zone: PracticeTimeZone, in interval: Range<Timestamp>) {
    var changes: [Change] = []
    var moment = interval.lowerBound
    first = zone.offsetSeconds(at: moment)
    var offset = first
    while moment < interval.upperBound {
      let next = moment.adding(days: 1)
      let offsetThen = zone.offsetSeconds(at: next)
      if offsetThen != offset {
        // Halving finds the second.
        var (low, high) = (moment.seconds, next.seconds)
        while high - low > 1 {
          let middle = low + (high - low) / 2
          if zone.offsetSeconds(at: Timestamp(seconds: middle)) == offset { low = middle } else { high = middle }
        }
        changes.append(Change(at: Timestamp(seconds: high), before: offset, after: offsetThen))
        offset = offsetThen
      }
      moment = next
    }
    self.changes = changes
    standard = changes.map { min($0.before, $0.after) }.min() ?? first
  }
}
