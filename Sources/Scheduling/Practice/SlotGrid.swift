public import Clinical

/// The slots of a practice's opening hours, and the moments they stand for.
///
/// Opening hours are local, slots are elapsed time: each stretch in which anybody works is a run of slots of real
/// minutes, so a day on which the clocks change simply has fewer or more of them. Closed hours have no slots, apart from
/// a tail after each stretch for cleaning: to wait from closing time to opening time counts as waiting the tail.
public struct SlotGrid: Hashable, Sendable {
  public struct Stretch: Hashable, Sendable {
    public let firstSlot: Int
    public let start: Timestamp
    /// Open slots, the tail not included.
    public let slots: Int
  }

  public let slotMinutes: Int
  /// Slots after each stretch that hold nothing but cleaning.
  public let tail: Int
  public let stretches: [Stretch]

  /// All slots, tails included.
  public let count: Int

  /// Lays slots over stretches of time given in any order; those that touch, or that a tail would join, become one.
  init(open: [Range<Timestamp>], slotMinutes: Int, tail: Int) {
    self.slotMinutes = slotMinutes
    self.tail = tail
    let seconds = Int64(slotMinutes) * 60
    let rounded = open.filter { !$0.isEmpty }.map { range in
      let lower = range.lowerBound.seconds.roundedDown(to: seconds)
      return lower..<(-(-range.upperBound.seconds).roundedDown(to: seconds))
    }.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var merged: [Range<Int64>] = []
    for range in rounded {
      if let last = merged.last,
        range.lowerBound < last.upperBound + Int64(tail) * seconds || range.lowerBound == last.upperBound
      {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    var stretches: [Stretch] = []
    var next = 0
    for range in merged {
      let slots = Int((range.upperBound - range.lowerBound) / seconds)
      stretches.append(Stretch(firstSlot: next, start: Timestamp(seconds: range.lowerBound), slots: slots))
      next += slots + tail
    }
    self.stretches = stretches
    count = next
  }

  /// The moment a slot begins.
  ///
  /// - Precondition: the grid has the slot.
  public func start(of slot: Int) -> Timestamp {
    guard let stretch = stretches.last(where: { $0.firstSlot <= slot }), slot >= 0, slot <= count else {
      preconditionFailure("slot \(slot) is outside 0..<\(count)")
    }
    return stretch.start.adding(minutes: (slot - stretch.firstSlot) * slotMinutes)
  }

  /// The first slot that begins at or after the moment; ``count`` when there is none.
  public func firstSlot(from moment: Timestamp) -> Int {
    for stretch in stretches {
      let passed = moment.seconds - stretch.start.seconds
      if passed <= 0 { return stretch.firstSlot }
      let slot = Int((passed + Int64(slotMinutes) * 60 - 1) / (Int64(slotMinutes) * 60))
      if slot < stretch.slots { return stretch.firstSlot + slot }
    }
    return count
  }

  /// The slots that a stretch of time touches, however little, in runs; closed hours are left out.
  public func touched(by time: Range<Timestamp>) -> [Range<Int>] {
    let seconds = Int64(slotMinutes) * 60
    return stretches.compactMap { stretch in
      let lower = max(0, (time.lowerBound.seconds - stretch.start.seconds).roundedDown(to: seconds) / seconds)
      let upper = min(
        Int64(stretch.slots + tail),
        -(-(time.upperBound.seconds - stretch.start.seconds)).roundedDown(to: seconds) / seconds)
      return lower < upper ? (stretch.firstSlot + Int(lower))..<(stretch.firstSlot + Int(upper)) : nil
    }
  }

  /// The slots that lie wholly within a stretch of time, in runs; closed hours and tails are left out.
  public func within(_ time: Range<Timestamp>) -> [Range<Int>] {
    let seconds = Int64(slotMinutes) * 60
    return stretches.compactMap { stretch in
      let lower = max(0, -(-(time.lowerBound.seconds - stretch.start.seconds)).roundedDown(to: seconds) / seconds)
      let upper = min(
        Int64(stretch.slots), (time.upperBound.seconds - stretch.start.seconds).roundedDown(to: seconds) / seconds)
      return lower < upper ? (stretch.firstSlot + Int(lower))..<(stretch.firstSlot + Int(upper)) : nil
    }
  }
}

extension Int64 {
  /// The greatest multiple of `unit` that is not greater.
  fileprivate func roundedDown(to unit: Int64) -> Int64 {
    let remainder = self % unit
    return self - (remainder < 0 ? remainder + unit : remainder)
  }
}
