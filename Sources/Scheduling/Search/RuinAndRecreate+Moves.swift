import Clinical

extension RuinAndRecreate {
  /// Takes out 2 to 10 jobs that stand in one another's way: around a time, on a vet's day, or in a pool.
  mutating func ruin(_ jobs: Table<Int>) {
    let seed = pickSeed(jobs)
    let time =
      state.isPlaced(seed) ? state.start[seed] : max(0, min(state.problem.horizon - 1, state.problem.idealStart[seed]))
    let count = 2 &+ random.below(9)
    if state.isPlaced(seed) { remove(seed) } else { addPending(seed) }
    switch random.below(10) {
    case 0..<5: ruinVets(of: seed, around: time, count: count)
    case 5..<7: ruinTime(time, count: count)
    case 7..<9: ruinPool(of: seed, around: time, count: count)
    default:
      for _ in 0..<count {
        let job = jobs[random.below(jobs.count)]
        if state.isPlaced(job) { remove(job) }
      }
    }
  }

  /// One in three times a job without a place, so that room is made where it is wanted.
  private mutating func pickSeed(_ jobs: Table<Int>) -> Int {
    if state.unplacedCount > 0, random.below(3) == 0 { return state.unplaced[random.below(state.unplacedCount)] }
    return jobs[random.below(jobs.count)]
  }

  /// Strings of neighbouring jobs on some of the vets who could take the seed.
  private mutating func ruinVets(of seed: Int, around time: Int, count: Int) {
    let problem = state.problem
    let first = problem.candidateStart[seed]
    let candidates = problem.candidateStart[seed &+ 1] &- first
    if candidates == 0 { return }
    var left = count
    var tries = 1 &+ random.below(4)
    while left > 0, tries > 0 {
      tries &-= 1
      let vet = problem.vet[first &+ random.below(candidates)]
      let string = min(left, 1 &+ random.below(4))
      left &-= removeString(on: vet, around: time, count: string)
    }
  }

  /// Takes out up to `count` jobs of a vet, those nearest to `time` on either side.
  private mutating func removeString(on vet: Int, around time: Int, count: Int) -> Int {
    let row = state.owner.base + vet &* state.problem.horizon
    let reach = 36
    let lowest = max(0, time &- reach)
    let highest = min(state.problem.horizon &- 1, time &+ reach)
    var removed = 0
    var up = time
    var down = time &- 1
    while removed < count, up <= highest || down >= lowest {
      if up <= highest {
        removed &+= removeOwner(row[up])
        up &+= 1
      }
      if removed < count, down >= lowest {
        removed &+= removeOwner(row[down])
        down &-= 1
      }
    }
    return removed
  }

  private mutating func removeOwner(_ owner: Int32) -> Int {
    if owner < 0 { return 0 }
    let job = Int(owner)
    if state.problem.isPinned[job] { return 0 }
    remove(job)
    return 1
  }

  /// Whatever goes on at one time, whoever does it.
  private mutating func ruinTime(_ time: Int, count: Int) {
    let problem = state.problem
    if problem.vetCount == 0 { return }
    var vet = random.below(problem.vetCount)
    var left = count
    for _ in 0..<problem.vetCount {
      if left == 0 { return }
      let slot = max(0, min(problem.horizon &- 1, time &- 3 &+ random.below(10)))
      left &-= removeOwner(state.owner[vet &* problem.horizon &+ slot])
      vet = vet &+ 1 == problem.vetCount ? 0 : vet &+ 1
    }
  }

  /// Users of one of the seed's pools whose time is near.
  private mutating func ruinPool(of seed: Int, around time: Int, count: Int) {
    let problem = state.problem
    let pools = problem.poolStart[seed &+ 1] &- problem.poolStart[seed]
    if pools == 0 { return ruinTime(time, count: count) }
    let pool = problem.jobPools[problem.poolStart[seed] &+ random.below(pools)]
    let first = problem.poolJobStart[pool]
    let users = problem.poolJobStart[pool &+ 1] &- first
    if users == 0 { return }
    var position = random.below(users)
    let reach = 6 &+ random.below(24)
    var left = count
    for _ in 0..<users {
      if left == 0 { return }
      let job = problem.poolJobs[first &+ position]
      if state.isPlaced(job), state.start[job] < time &+ reach, state.end(job) > time &- reach {
        remove(job)
        left &-= 1
      }
      position = position &+ 1 == users ? 0 : position &+ 1
    }
  }

  /// Puts a job that has no place, or a poor one, where it wants to be, and throws out whoever is there.
  mutating func forceIn(_ jobs: Table<Int>) {
    let problem = state.problem
    let job = pickPoor(jobs)
    let first = problem.candidateStart[job]
    let candidates = problem.candidateStart[job &+ 1] &- first
    if candidates == 0 { return addPending(job) }
    if state.isPlaced(job) { remove(job) } else { addPending(job) }
    let number = first &+ min(random.below(candidates), random.below(candidates))
    guard let start = wishedStart(job, number) else { return }
    eject(job, number, start)
    if state.canPlace(job, candidate: number, start: start) { place(job, candidate: number, start: start) }
  }

  /// A job without a place two times out of three, else the one of three that falls shortest of its best.
  private mutating func pickPoor(_ jobs: Table<Int>) -> Int {
    if state.unplacedCount > 0, random.below(3) != 0 { return state.unplaced[random.below(state.unplacedCount)] }
    var poorest = jobs[random.below(jobs.count)]
    var greatest = -1
    for _ in 0..<3 {
      let job = jobs[random.below(jobs.count)]
      if !state.isPlaced(job) { continue }
      let loss = state.problem.worth[state.problem.candidateStart[job]] &- state.earnings(job)
      if loss > greatest {
        greatest = loss
        poorest = job
      }
    }
    return poorest
  }

  /// An allowed start at or near the ideal one, whatever is there now.
  private mutating func wishedStart(_ job: Int, _ number: Int) -> Int? {
    let problem = state.problem
    let firstWord = problem.firstWord[number]
    let lastWord = problem.lastWord[number]
    if firstWord > lastWord { return nil }
    var wished = problem.idealStart[job] &+ (random.below(2) == 0 ? 0 : random.below(25) &- 8)
    if random.below(8) == 0 { wished = firstWord &* 64 &+ random.below((lastWord &- firstWord &+ 1) &* 64) }
    let (lower, upper) = state.bounds(job, slots: problem.slots[number], state.precedenceBounds(job))
    wished = max(lower, min(wished, upper &- 1))
    var word = max(firstWord, min(lastWord, wished >> 6))
    var starts = problem.masks[problem.mask[number] &+ word] & SlotBits.range(wished, .max >> 1, word: word)
    while starts == 0, word < lastWord {
      word &+= 1
      starts = problem.masks[problem.mask[number] &+ word]
    }
    if starts != 0 { return word &* 64 &+ starts.trailingZeroBitCount }
    word = max(firstWord, min(lastWord, wished >> 6))
    starts = problem.masks[problem.mask[number] &+ word] & SlotBits.range(0, wished, word: word)
    while starts == 0, word > firstWord {
      word &-= 1
      starts = problem.masks[problem.mask[number] &+ word]
    }
    return starts != 0 ? word &* 64 &+ 63 &- starts.leadingZeroBitCount : nil
  }

  /// Clears the vet's slots, a unit of each pool, and the way of the vet's breaks.
  private mutating func eject(_ job: Int, _ number: Int, _ start: Int) {
    let problem = state.problem
    let vet = problem.vet[number]
    let end = start &+ problem.slots[number]
    clear(vet, start, end)
    var pause = problem.breakStart[vet]
    while pause < problem.breakStart[vet &+ 1] {
      let length = problem.breakLength[pause]
      if start < state.breakMin[pause] &+ length, end > state.breakMax[pause] {
        clear(vet, problem.breakLow[pause], problem.breakHigh[pause] &+ length)
      }
      pause &+= 1
    }
    var entry = problem.poolStart[job]
    while entry < problem.poolStart[job &+ 1] {
      let pool = problem.jobPools[entry]
      makeRoom(in: pool, start, end &+ problem.cleaning[pool])
      entry &+= 1
    }
  }

  private mutating func clear(_ vet: Int, _ start: Int, _ end: Int) {
    let row = state.owner.base + vet &* state.problem.horizon
    var slot = start
    while slot < end {
      _ = removeOwner(row[slot])
      slot &+= 1
    }
  }

  /// Removes users of the pool, from a random one on, that stand on a slot without a free unit.
  private mutating func makeRoom(in pool: Int, _ start: Int, _ end: Int) {
    let problem = state.problem
    let row = state.full.base + pool &* problem.stride
    let first = problem.poolJobStart[pool]
    let users = problem.poolJobStart[pool &+ 1] &- first
    if users == 0 { return }
    var position = random.below(users)
    for _ in 0..<users {
      let user = problem.poolJobs[first &+ position]
      position = position &+ 1 == users ? 0 : position &+ 1
      if !state.isPlaced(user) { continue }
      let from = max(start, state.start[user])
      let to = min(end, state.end(user) &+ problem.cleaning[pool])
      var slot = from
      while slot < to {
        if row[slot >> 6] & (1 &<< UInt64(slot & 63)) != 0 {
          remove(user)
          break
        }
        slot &+= 1
      }
    }
  }

  /// Puts the pending jobs, and a few that had no place before, where each adds most.
  mutating func recreate() {
    var extra = min(state.unplacedCount &- pendingCount, 6)
    while extra > 0 {
      extra &-= 1
      addPending(state.unplaced[random.below(state.unplacedCount)])
    }
    sortPending()
    let share = PriceGuide.shares.lowerBound &+ random.below(PriceGuide.shares.count)
    // A second turn for those whose predecessor came after them in the order.
    var turn = 0
    while turn < 2 {
      var waiting = false
      var position = 0
      while position < pendingCount {
        let job = pending[position]
        position &+= 1
        if state.isPlaced(job) { continue }
        let before = state.problem.predecessor[job]
        if before >= 0, !state.isPlaced(before) {
          waiting = true
          continue
        }
        if turn == 1, before < 0 { continue }
        let insertion =
          guide.map { state.guidedInsertion(job, $0, share: share, blink: random.next()) }
          ?? state.bestInsertion(job, blink: random.next())
        if insertion.candidate >= 0 { place(job, candidate: insertion.candidate, start: insertion.start) }
      }
      if !waiting { break }
      turn &+= 1
    }
    var position = 0
    while position < pendingCount {
      isPending[pending[position]] = false
      position &+= 1
    }
  }

  /// Brings the pending jobs into one of four orders: by chance, worth, length, or time.
  private mutating func sortPending() {
    let problem = state.problem
    let order = random.below(10)
    var position = 0
    while position < pendingCount {
      let job = pending[position]
      let first = problem.candidateStart[job]
      let hasCandidate = first < problem.candidateStart[job &+ 1]
      pendingKey[position] =
        switch order {
        case 0..<4: Int(truncatingIfNeeded: random.next() &>> 1)
        case 4..<7: 0 &- problem.base[job]
        case 7..<9: hasCandidate ? 0 &- problem.slots[first] : 0
        default: problem.idealStart[job]
        }
      position &+= 1
    }
    // Insertion sort: a dozen entries, no memory.
    var next = 1
    while next < pendingCount {
      let job = pending[next]
      let key = pendingKey[next]
      var hole = next
      while hole > 0, pendingKey[hole &- 1] > key {
        pending[hole] = pending[hole &- 1]
        pendingKey[hole] = pendingKey[hole &- 1]
        hole &-= 1
      }
      pending[hole] = job
      pendingKey[hole] = key
      next &+= 1
    }
  }
}
