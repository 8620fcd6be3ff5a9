import Clinical
import Glibc

/// The search itself: takes a few jobs out, puts them back otherwise, keeps or undoes the change.
///
/// Nothing is allocated from one round to the next.
struct RuinAndRecreate: ~Copyable {
  var state: SearchState
  var random: SplitMix64
  private let bestCandidate: Table<Int>
  private let bestStart: Table<Int>
  private(set) var bestValue: Int

  /// The jobs to put back in this round.
  let pending: Table<Int>
  let pendingKey: Table<Int>
  let isPending: Table<Bool>
  var pendingCount = 0
  /// Tells where a job is least in the way of others; nil to put each where it earns most.
  let guide: PriceGuide?

  /// What this round did, as (job, candidate, start); candidate -1 - c stands for a removal from candidate c.
  private let journal: Table<Int>
  private var journalLength = 0

  init(state: consuming SearchState, seed: UInt64, guide: PriceGuide? = nil) {
    self.guide = guide
    let jobs = state.problem.jobCount
    random = SplitMix64(seed: seed)
    bestCandidate = Table(repeating: -1, count: jobs)
    bestStart = Table(repeating: 0, count: jobs)
    bestCandidate.assign(from: state.candidate)
    bestStart.assign(from: state.start)
    bestValue = state.value
    pending = Table(repeating: 0, count: jobs)
    pendingKey = Table(repeating: 0, count: jobs)
    isPending = Table(repeating: false, count: jobs)
    // A job is removed at most twice and placed at most twice in a round.
    journal = Table(repeating: 0, count: jobs * 12 + 12)
    self.state = state
  }

  /// Rounds until a limit, a cancellation, or a plan worth `optimum`.
  mutating func run(
    _ configuration: Solver.Configuration, from began: Double, optimum: Int, isCancelled: () -> Bool,
    elapsed: () -> Double
  ) {
    let movable = (0..<state.problem.jobCount).filter { !state.problem.isPinned[$0] }
    guard !movable.isEmpty else { return }
    let jobs = Table(movable)
    let cooling = log2(max(1e-9, configuration.endTemperature) / max(1e-9, configuration.startTemperature))
    let searchBegan = elapsed()
    var temperature = configuration.startTemperature
    var iteration = 0
    while bestValue < optimum {
      if let limit = configuration.iterationLimit, iteration >= limit { break }
      if iteration & 31 == 0 {
        if isCancelled() { break }
        var progress = configuration.iterationLimit.map { Double(iteration) / Double($0) } ?? 0
        if let limit = configuration.timeLimit {
          let now = elapsed()
          if now - began >= limit { break }
          // Where rounds are counted, chance and time have no say in the plan.
          if configuration.iterationLimit == nil {
            progress = (now - searchBegan) / max(1e-9, began + limit - searchBegan)
          }
        }
        temperature = configuration.startTemperature * exp2(cooling * progress)
      }
      iteration += 1
      round(jobs: jobs, temperature: temperature)
    }
  }

  private mutating func round(jobs: Table<Int>, temperature: Double) {
    let before = state.value
    journalLength = 0
    pendingCount = 0
    if random.below(5) == 0 {
      forceIn(jobs)
    } else {
      ruin(jobs)
    }
    recreate()
    let gain = state.value - before
    if gain < 0, Double(gain) < temperature * log(1 - random.nextUnit()) {
      undo()
    } else if state.value > bestValue {
      bestValue = state.value
      bestCandidate.assign(from: state.candidate)
      bestStart.assign(from: state.start)
    }
  }

  mutating func place(_ job: Int, candidate: Int, start: Int) {
    record(job, candidate, start)
    state.place(job, candidate: candidate, start: start)
  }

  /// Takes a job out, and whatever waits for it, and notes them all as to be put back. Pinned jobs stay.
  mutating func remove(_ job: Int) {
    let problem = state.problem
    var entry = problem.followerStart[job]
    while entry < problem.followerStart[job &+ 1] {
      let follower = problem.followers[entry]
      if state.isPlaced(follower), !problem.isPinned[follower] { remove(follower) }
      entry &+= 1
    }
    record(job, -1 &- state.candidate[job], state.start[job])
    state.remove(job)
    addPending(job)
  }

  mutating func addPending(_ job: Int) {
    if isPending[job] { return }
    isPending[job] = true
    pending[pendingCount] = job
    pendingCount &+= 1
  }

  private mutating func record(_ job: Int, _ candidate: Int, _ start: Int) {
    journal[journalLength] = job
    journal[journalLength &+ 1] = candidate
    journal[journalLength &+ 2] = start
    journalLength &+= 3
  }

  private mutating func undo() {
    while journalLength > 0 {
      journalLength &-= 3
      let job = journal[journalLength]
      let candidate = journal[journalLength &+ 1]
      if candidate >= 0 {
        state.remove(job)
      } else {
        state.place(job, candidate: -1 &- candidate, start: journal[journalLength &+ 2])
      }
    }
  }

  /// Brings the state back to the best plan seen.
  mutating func restoreBest() {
    let problem = state.problem
    for job in 0..<problem.jobCount where !problem.isPinned[job] && state.isPlaced(job) { state.remove(job) }
    for job in 0..<problem.jobCount where !problem.isPinned[job] && bestCandidate[job] >= 0 {
      state.place(job, candidate: bestCandidate[job], start: bestStart[job])
    }
  }
}

extension SplitMix64 {
  /// A number in `0..<count`; the bias is below 2^-40 for the counts used here.
  @inline(__always)
  mutating func below(_ count: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(truncatingIfNeeded: count)).high)
  }
}
