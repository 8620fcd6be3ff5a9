import Clinical

/// When a visit may begin, and what it costs to begin at another time.
extension InstanceGenerator {
  struct Timing {
    var release: Int
    var windows: [ClosedRange<Int>]
    var p: Int
    var q: Int
    var e: Int
    var l: Int
    var l2: Int
  }

  /// From arrival to the latest start; the second part of a visit has its target later by the first part's length.
  func urgent(
    _ urgency: CaseMix.Urgency, after before: Instance.Job?, wait: Int, _ random: inout SplitMix64
  ) -> Timing {
    let day = random.below(days) * Self.dayLength
    let isWaiting = random.nextUnit() < 0.36
    let moment = random.below(110)
    let arrival = before?.release ?? (day + (isWaiting ? 0 : moment))
    let closing = arrival / Self.dayLength * Self.dayLength + Self.lastStart
    return Timing(
      release: arrival, windows: [arrival...min(closing, arrival + urgency.latest + wait)], p: arrival,
      q: arrival + urgency.target + wait, e: 0, l: urgency.l, l2: urgency.l2)
  }

  /// Windows the owner named, and a wished time within one of them.
  func booked(
    _ specialty: CaseMix.Specialty, after before: Instance.Job?, _ random: inout SplitMix64
  ) -> Timing {
    let cost = CaseMix.bookedCost(days: days)
    var windows: [ClosedRange<Int>] = []
    let count = days == 1 ? (random.below(20) == 0 ? 2 : 1) : 1 + random.pick([0.31, 0.31, 0.33, 0.05])
    for _ in 0..<count {
      let day = random.below(days) * Self.dayLength
      let width = specialty.isMorningWork ? 60 : [24, 36, 48, 60, 84][random.below(5)]
      let first = specialty.isMorningWork ? 0 : 5 + random.below(Self.lastStart - 5 - width)
      windows.append((day + first)...(day + first + width))
    }
    if let before {
      windows = before.windows.map {
        $0.lowerBound...min($0.upperBound + 40, $0.lowerBound / Self.dayLength * Self.dayLength + Self.lastStart)
      }
    }
    windows = windows.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, window in
      if let last = merged.last, window.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, window.upperBound)
      } else {
        merged.append(window)
      }
    }
    let chosen = windows[random.below(windows.count)]
    let wished = chosen.lowerBound + random.below(chosen.count)
    return Timing(release: 0, windows: windows, p: wished, q: wished, e: cost, l: cost, l2: 0)
  }
}
