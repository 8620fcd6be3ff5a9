/// An ``Instance`` laid out for the search: flat tables, jobs and candidates as running numbers, start masks as bits.
///
/// A class because it owns memory that every move reads; nothing in it changes after `init`. It stays inside the
/// function that made it, so it need not be `Sendable`.
final class SearchProblem {
  /// The instance's jobs, then one for each break that shares its reach with another: those are moved like jobs.
  let jobCount: Int
  let breakJobs: [BreakJob]
  let vetCount: Int
  let poolCount: Int
  /// Slots in a row of `owner` or `used`.
  let horizon: Int
  /// 64-bit words in a row of starts.
  let words: Int
  /// Words in a row of occupied slots: two more, because a job that begins in the last word reaches beyond it.
  let stride: Int
  let c1: Int
  let c2: Int
  /// Added to the worth of breaks and of jobs that a pinned one waits for, so that no other gain outweighs them.
  let mandatoryWorth: Int

  // Per job; lists run from `xStart[job]` to `xStart[job + 1]`.
  let isPinned: Table<Bool>
  let isMandatory: Table<Bool>
  let base: Table<Int>
  let p: Table<Int>
  let q: Table<Int>
  let e: Table<Int>
  let l: Table<Int>
  let l2: Table<Int>
  let idealStart: Table<Int>
  let predecessor: Table<Int>
  let lag: Table<Int>
  let candidateStart: Table<Int>
  let poolStart: Table<Int>
  let jobPools: Table<Int>
  let followerStart: Table<Int>
  let followers: Table<Int>

  // Per candidate, the worthiest of a job first.
  let vet: Table<Int>
  let slots: Table<Int>
  /// Slots that count as the vet's work: none for a break.
  let work: Table<Int>
  let worth: Table<Int>
  /// `masks[mask[candidate] + word]` holds allowed starts for words in `firstWord...lastWord`.
  let mask: Table<Int>
  let firstWord: Table<Int>
  let lastWord: Table<Int>
  let masks: Table<UInt64>

  // Per pool and vet.
  let capacity: Table<Int>
  let cleaning: Table<Int>
  let t1: Table<Int>
  let t2: Table<Int>
  let poolJobStart: Table<Int>
  let poolJobs: Table<Int>

  // Breaks that have their reach to themselves; they float until the plan is written.
  let breakStart: Table<Int>
  let breakLow: Table<Int>
  let breakHigh: Table<Int>
  let breakLength: Table<Int>

  init(_ instance: Instance) {
    breakJobs = BreakJob.all(of: instance)
    let jobs = instance.jobs + breakJobs.map(\.job)
    jobCount = jobs.count
    vetCount = instance.vets.count
    poolCount = instance.pools.count
    let longest = jobs.flatMap(\.candidates).map(\.slots).max() ?? 0
    horizon = instance.horizon + longest
    words = (instance.horizon + 63) / 64
    stride = (horizon + Instance.tail + 63) / 64 + 2
    c1 = instance.balance.c1
    c2 = instance.balance.c2

    let mandatory = Self.mandatoryJobs(instance.jobs) + breakJobs.map { _ in true }
    let greatest = jobs.map { job in abs(job.base) + (job.candidates.map { abs($0.bonus) }.max() ?? 0) }.reduce(0, +)
    mandatoryWorth = mandatory.contains(true) ? greatest + 1 : 0
    isPinned = Table(jobs.map { $0.pin != nil })
    isMandatory = Table(mandatory)
    base = Table(jobs.map(\.base))
    p = Table(jobs.map(\.p))
    q = Table(jobs.map(\.q))
    e = Table(jobs.map(\.e))
    l = Table(jobs.map(\.l))
    l2 = Table(jobs.map(\.l2))
    idealStart = Table(jobs.map(\.idealStart))
    predecessor = Table(jobs.map { $0.after?.job ?? -1 })
    lag = Table(jobs.map { $0.after?.lag ?? 0 })
    (poolStart, jobPools) = Table.lists(jobs.map(\.pools))
    var waiting = [[Int]](repeating: [], count: jobs.count)
    for (index, job) in jobs.enumerated() { if let after = job.after { waiting[after.job].append(index) } }
    (followerStart, followers) = Table.lists(waiting)

    var candidates = CandidateColumns()
    for (index, job) in jobs.enumerated() {
      let extra = mandatory[index] ? mandatoryWorth : 0
      let ranked = job.candidates.enumerated().sorted { ($1.element.bonus, $0.offset) < ($0.element.bonus, $1.offset) }
      candidates.starts.append(candidates.vet.count)
      for (_, candidate) in ranked {
        let isBreak = index >= instance.jobs.count
        candidates.append(
          candidate, work: isBreak ? 0 : candidate.slots, worth: job.base + candidate.bonus + extra,
          starts: isBreak ? job.windows : job.starts(for: candidate, in: instance))
      }
    }
    candidates.starts.append(candidates.vet.count)
    candidateStart = Table(candidates.starts)
    vet = Table(candidates.vet)
    slots = Table(candidates.slots)
    work = Table(candidates.work)
    worth = Table(candidates.worth)
    mask = Table(candidates.mask)
    firstWord = Table(candidates.firstWord)
    lastWord = Table(candidates.lastWord)
    masks = Table(candidates.masks)

    capacity = Table(instance.pools.map(\.capacity))
    cleaning = Table(instance.pools.map(\.cleaning))
    t1 = Table(instance.vets.map(\.t1))
    t2 = Table(instance.vets.map(\.t2))
    var users = [[Int]](repeating: [], count: instance.pools.count)
    for (index, job) in jobs.enumerated() where job.pin == nil { for pool in job.pools { users[pool].append(index) } }
    (poolJobStart, poolJobs) = Table.lists(users)

    let floating = instance.vets.map(\.floatingBreaks)
    breakStart = Table.lists(floating).starts
    breakLow = Table(floating.joined().map(\.start.lowerBound))
    breakHigh = Table(floating.joined().map(\.start.upperBound))
    breakLength = Table(floating.joined().map(\.length))
  }

  @inline(__always)
  func timeCost(_ job: Int, at start: Int) -> Int {
    e[job] &* max(0, p[job] &- start) &+ l[job] &* max(0, start &- p[job]) &+ l2[job] &* max(0, start &- q[job])
  }

  /// Jobs without which a pinned job would break its precedence.
  private static func mandatoryJobs(_ jobs: [Instance.Job]) -> [Bool] {
    var mandatory = [Bool](repeating: false, count: jobs.count)
    for job in jobs where job.pin != nil {
      var before = job.after?.job
      while let index = before, jobs[index].pin == nil, !mandatory[index] {
        mandatory[index] = true
        before = jobs[index].after?.job
      }
    }
    return mandatory
  }
}

/// The candidates' tables while they grow.
private struct CandidateColumns {
  var starts: [Int] = []
  var vet: [Int] = []
  var slots: [Int] = []
  var work: [Int] = []
  var worth: [Int] = []
  var mask: [Int] = []
  var firstWord: [Int] = []
  var lastWord: [Int] = []
  var masks: [UInt64] = []

  mutating func append(_ candidate: Instance.Candidate, work: Int, worth value: Int, starts: [ClosedRange<Int>]) {
    vet.append(candidate.vet)
    slots.append(candidate.slots)
    worth.append(value)
    self.work.append(work)
    let first = (starts.first?.lowerBound ?? 0) / 64
    let last = (starts.last?.upperBound ?? -64) / 64
    firstWord.append(first)
    lastWord.append(last)
    mask.append(masks.count - first)
    masks.append(contentsOf: repeatElement(0, count: max(0, last - first + 1)))
    for range in starts {
      for start in range { masks[masks.count - 1 - last + start / 64] |= 1 << UInt64(start % 64) }
    }
  }
}

/// A break that can get in another one's way, as a job that has to be placed and earns nothing.
struct BreakJob {
  let vet: Int
  /// The break's place in the vet's list.
  let position: Int
  let job: Instance.Job

  static func all(of instance: Instance) -> [BreakJob] {
    var all: [BreakJob] = []
    for (number, vet) in instance.vets.enumerated() {
      for (position, floats) in vet.breakFloats.enumerated() where !floats {
        let pause = vet.breaks[position]
        all.append(
          BreakJob(
            vet: number, position: position,
            job: Instance.Job(
              id: "break \(position) of \(vet.id)", urgency: "", windows: [pause.start], base: 0,
              p: pause.start.lowerBound, q: pause.start.lowerBound, e: 0, l: 0, l2: 0,
              candidates: [.init(vet: number, match: 1, slots: pause.length, bonus: 0)])))
      }
    }
    return all
  }
}

extension Instance.Job {
  /// The starts that window and working hours allow, in order, without overlap.
  func starts(for candidate: Instance.Candidate, in instance: Instance) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    for stretch in instance.vets[candidate.vet].available where stretch.count >= candidate.slots {
      let fitting = stretch.lowerBound...(stretch.upperBound - candidate.slots)
      for window in windows where window.overlaps(fitting) { ranges.append(window.clamped(to: fitting)) }
    }
    ranges.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var merged: [ClosedRange<Int>] = []
    for range in ranges {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}

extension Instance.Vet {
  /// Whether each break can reach no slot that another one can: only then do they float independently.
  var breakFloats: [Bool] {
    breaks.indices.map { index in
      !breaks.indices.contains { $0 != index && breaks[$0].reach.overlaps(breaks[index].reach) }
    }
  }

  var floatingBreaks: [Instance.Break] { zip(breaks, breakFloats).filter(\.1).map(\.0) }
}
