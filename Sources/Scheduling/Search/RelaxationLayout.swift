/// What a priced relaxation needs to know of an instance before it can choose its numbers.
struct RelaxationLayout {
  /// Slots that anything can touch.
  let width: Int
  /// The most that any job can earn.
  let greatestWorth: Int
  /// Slot prices that one job can meet, with one for time.
  let mostRows: Int
  /// Per job and candidate, the starts that window, working hours, pins and predecessors allow.
  let starts: [[[ClosedRange<Int>]]]

  init(_ instance: Instance) {
    let blocked = Self.pinnedSlots(instance)
    var starts: [[[ClosedRange<Int>]]] = []
    for job in instance.jobs {
      starts.append(
        job.candidates.map { candidate in
          Self.without(blocked[candidate.vet], job.starts(for: candidate, in: instance), slots: candidate.slots)
        })
    }
    Self.tighten(&starts, instance)
    self.starts = starts
    greatestWorth = instance.jobs.map { job in job.candidates.map { abs(job.base + $0.bonus) }.max() ?? 0 }.max() ?? 0
    let cleaning = instance.pools.map(\.cleaning).max() ?? 0
    let longest = instance.jobs.flatMap(\.candidates).map(\.slots).max() ?? 0
    let mostPools = instance.jobs.map(\.pools.count).max() ?? 0
    mostRows = (longest + cleaning) * (mostPools + 1) + 3
    var end = 1
    for (job, own) in zip(instance.jobs, starts) {
      for (candidate, ranges) in zip(job.candidates, own) {
        if let last = ranges.last { end = max(end, last.upperBound + candidate.slots) }
        if let pin = job.pin, pin.vet == candidate.vet { end = max(end, pin.start + candidate.slots) }
      }
    }
    for pause in instance.vets.flatMap(\.breaks) { end = max(end, pause.reach.upperBound) }
    width = end + cleaning + 1
  }

  /// Where each vet stands pinned.
  private static func pinnedSlots(_ instance: Instance) -> [[Range<Int>]] {
    var blocked = [[Range<Int>]](repeating: [], count: instance.vets.count)
    for job in instance.jobs {
      guard let pin = job.pin, let candidate = job.candidate(pin.vet) else { continue }
      blocked[pin.vet].append(pin.start..<(pin.start + candidate.slots))
    }
    return blocked
  }

  /// The ranges without starts whose slots meet a blocked one.
  private static func without(
    _ blocked: [Range<Int>], _ ranges: [ClosedRange<Int>], slots: Int
  ) -> [ClosedRange<Int>] {
    var left = ranges
    for block in blocked {
      let lower = block.lowerBound - slots + 1
      let upper = block.upperBound - 1
      left = left.flatMap { range -> [ClosedRange<Int>] in
        guard range.overlaps(lower...upper) else { return [range] }
        var parts: [ClosedRange<Int>] = []
        if range.lowerBound < lower { parts.append(range.lowerBound...(lower - 1)) }
        if range.upperBound > upper { parts.append((upper + 1)...range.upperBound) }
        return parts
      }
    }
    return left
  }

  /// No follower before the earliest end of its predecessor.
  private static func tighten(_ starts: inout [[[ClosedRange<Int>]]], _ instance: Instance) {
    for (index, job) in instance.jobs.enumerated() {
      guard let after = job.after, job.pin == nil else { continue }
      let before = instance.jobs[after.job]
      var earliest = Int.max
      if let pin = before.pin {
        earliest = pin.start + (before.candidate(pin.vet)?.slots ?? 0)
      } else {
        for (candidate, ranges) in zip(before.candidates, starts[after.job]) {
          if let first = ranges.first { earliest = min(earliest, first.lowerBound + candidate.slots) }
        }
      }
      starts[index] = starts[index].map { ranges in
        guard earliest < .max else { return [] }
        return ranges.compactMap { range in
          let lower = max(range.lowerBound, earliest + after.lag)
          return lower <= range.upperBound ? lower...range.upperBound : nil
        }
      }
    }
  }
}
