/// A partial plan that can be changed in microseconds: who occupies what, and what it is worth.
///
/// Every change goes through ``place(_:candidate:start:)`` and ``remove(_:)``, which are each other's inverse, so a
/// rejected move is undone by replaying it backwards. Breaks take no slots: each keeps the earliest and the latest start
/// the work around it leaves, and a job may not sit where neither would survive.
struct SearchState: ~Copyable {
  let problem: SearchProblem
  /// Per job, the running number of its candidate, or -1.
  let candidate: Table<Int>
  let start: Table<Int>
  private(set) var value = 0

  /// Bits of vets' slots taken by jobs and by breaks that are moved like jobs.
  let busy: Table<UInt64>
  /// Bits of pools' slots without a free unit.
  let full: Table<UInt64>
  let used: Table<Int32>
  /// The job in a vet's slot, or -1.
  let owner: Table<Int32>
  let load: Table<Int>
  let breakMin: Table<Int>
  let breakMax: Table<Int>

  /// Jobs without a place: the first `unplacedCount` entries, in no order that means anything.
  let unplaced: Table<Int>
  private let unplacedPosition: Table<Int>
  private(set) var unplacedCount = 0

  /// A state with nothing placed.
  init(_ problem: SearchProblem) {
    self.problem = problem
    candidate = Table(repeating: -1, count: problem.jobCount)
    start = Table(repeating: 0, count: problem.jobCount)
    busy = Table(repeating: 0, count: problem.vetCount * problem.stride)
    full = Table(repeating: 0, count: problem.poolCount * problem.stride)
    used = Table(repeating: 0, count: problem.poolCount * (problem.horizon + Instance.tail))
    owner = Table(repeating: -1, count: problem.vetCount * problem.horizon)
    load = Table(repeating: 0, count: problem.vetCount)
    breakMin = Table(problem.breakLow.base.values(problem.breakLow.count))
    breakMax = Table(problem.breakHigh.base.values(problem.breakHigh.count))
    unplaced = Table(repeating: 0, count: problem.jobCount)
    unplacedPosition = Table(repeating: -1, count: problem.jobCount)
    for pool in 0..<problem.poolCount where problem.capacity[pool] == 0 {
      SlotBits.fill(full.base + pool * problem.stride, 0, problem.horizon + Instance.tail, with: true)
    }
    for job in 0..<problem.jobCount where !problem.isPinned[job] { noteUnplaced(job) }
  }

  @inline(__always)
  func end(_ job: Int) -> Int { start[job] &+ problem.slots[candidate[job]] }

  @inline(__always)
  func isPlaced(_ job: Int) -> Bool { candidate[job] >= 0 }

  @inline(__always)
  func timeCost(_ job: Int, at start: Int) -> Int { problem.timeCost(job, at: start) }

  /// What `slots` more work costs a vet beyond the thresholds.
  @inline(__always)
  func loadCost(_ vet: Int, adding slots: Int) -> Int {
    let before = load[vet]
    let after = before &+ slots
    return problem.c1 &* (max(0, after &- problem.t1[vet]) &- max(0, before &- problem.t1[vet]))
      &+ problem.c2 &* (max(0, after &- problem.t2[vet]) &- max(0, before &- problem.t2[vet]))
  }

  /// What the job earns where it stands, load left aside.
  @inline(__always)
  func earnings(_ job: Int) -> Int { problem.worth[candidate[job]] &- timeCost(job, at: start[job]) }

  mutating func place(_ job: Int, candidate number: Int, start first: Int) {
    let vet = problem.vet[number]
    let slots = problem.slots[number]
    let end = first &+ slots
    let work = problem.work[number]
    value &-= loadCost(vet, adding: work)
    if !problem.isPinned[job] {
      value &+= problem.worth[number] &- timeCost(job, at: first)
      forgetUnplaced(job)
    }
    load[vet] &+= work
    candidate[job] = number
    start[job] = first
    SlotBits.fill(busy.base + vet &* problem.stride, first, end, with: true)
    (owner.base + (vet &* problem.horizon &+ first)).update(repeating: Int32(truncatingIfNeeded: job), count: slots)
    var entry = problem.poolStart[job]
    while entry < problem.poolStart[job &+ 1] {
      occupy(problem.jobPools[entry], first, end)
      entry &+= 1
    }
    updateBreaks(vet, touching: first, end)
  }

  mutating func remove(_ job: Int) {
    let number = candidate[job]
    let vet = problem.vet[number]
    let slots = problem.slots[number]
    let first = start[job]
    let end = first &+ slots
    let work = problem.work[number]
    load[vet] &-= work
    value &+= loadCost(vet, adding: work)
    value &-= problem.worth[number] &- timeCost(job, at: first)
    noteUnplaced(job)
    candidate[job] = -1
    SlotBits.fill(busy.base + vet &* problem.stride, first, end, with: false)
    (owner.base + (vet &* problem.horizon &+ first)).update(repeating: -1, count: slots)
    var entry = problem.poolStart[job]
    while entry < problem.poolStart[job &+ 1] {
      release(problem.jobPools[entry], first, end)
      entry &+= 1
    }
    updateBreaks(vet, touching: first, end)
  }

  private func occupy(_ pool: Int, _ first: Int, _ end: Int) {
    let capacity = Int32(truncatingIfNeeded: problem.capacity[pool])
    let row = used.base + pool &* (problem.horizon &+ Instance.tail)
    let bits = full.base + pool &* problem.stride
    var slot = first
    let last = end &+ problem.cleaning[pool]
    while slot < last {
      row[slot] &+= 1
      if row[slot] >= capacity { bits[slot >> 6] |= 1 &<< UInt64(truncatingIfNeeded: slot & 63) }
      slot &+= 1
    }
  }

  private func release(_ pool: Int, _ first: Int, _ end: Int) {
    let capacity = Int32(truncatingIfNeeded: problem.capacity[pool])
    let row = used.base + pool &* (problem.horizon &+ Instance.tail)
    let bits = full.base + pool &* problem.stride
    var slot = first
    let last = end &+ problem.cleaning[pool]
    while slot < last {
      row[slot] &-= 1
      if row[slot] < capacity { bits[slot >> 6] &= ~(1 &<< UInt64(truncatingIfNeeded: slot & 63)) }
      slot &+= 1
    }
  }

  /// Finds again, for the vet's breaks that reach into the slots, the first and last start that is still free.
  @inline(__always)
  private func updateBreaks(_ vet: Int, touching first: Int, _ end: Int) {
    var pause = problem.breakStart[vet]
    while pause < problem.breakStart[vet &+ 1] {
      if problem.breakLow[pause] < end && first < problem.breakHigh[pause] &+ problem.breakLength[pause] {
        updateBreak(pause, vet: vet)
      }
      pause &+= 1
    }
  }

  private func updateBreak(_ pause: Int, vet: Int) {
    let low = problem.breakLow[pause]
    let high = problem.breakHigh[pause]
    let row = busy.base + vet &* problem.stride
    var earliest = Int.max
    var latest = Int.min
    var word = low >> 6
    while word &* 64 <= high {
      let free =
        SlotBits.range(low, high &+ 1, word: word)
        & ~SlotBits.blocked(row, word: word, length: problem.breakLength[pause])
      if free != 0 {
        earliest = min(earliest, word &* 64 &+ free.trailingZeroBitCount)
        latest = word &* 64 &+ 63 &- free.leadingZeroBitCount
      }
      word &+= 1
    }
    breakMin[pause] = earliest
    breakMax[pause] = latest
  }

  private mutating func noteUnplaced(_ job: Int) {
    unplaced[unplacedCount] = job
    unplacedPosition[job] = unplacedCount
    unplacedCount &+= 1
  }

  private mutating func forgetUnplaced(_ job: Int) {
    let position = unplacedPosition[job]
    let last = unplaced[unplacedCount &- 1]
    unplaced[position] = last
    unplacedPosition[last] = position
    unplacedPosition[job] = -1
    unplacedCount &-= 1
  }
}

extension UnsafeMutablePointer {
  fileprivate func values(_ count: Int) -> UnsafeMutableBufferPointer<Pointee> { .init(start: self, count: count) }
}
