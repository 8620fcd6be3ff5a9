/// Where a job would go best, and what that would add to the plan.
struct Insertion {
  var gain: Int
  /// The running number of the candidate, -1 where there is no place.
  var candidate: Int
  var start: Int

  static let none = Insertion(gain: 0, candidate: -1, start: 0)
}

extension SearchState {
  /// The starts of word `word` at which the candidate can take the job as things stand.
  ///
  /// Only starts in `lower..<upper` count: predecessors and followers allow no others.
  @inline(__always)
  func freeStarts(_ job: Int, candidate number: Int, word: Int, lower: Int, upper: Int) -> UInt64 {
    let slots = problem.slots[number]
    let vet = problem.vet[number]
    var starts = problem.masks[problem.mask[number] &+ word]
    starts &= SlotBits.range(lower, upper, word: word)
    if starts == 0 { return 0 }
    starts &= ~SlotBits.blocked(busy.base + vet &* problem.stride, word: word, length: slots)
    if starts == 0 { return 0 }
    var entry = problem.poolStart[job]
    while entry < problem.poolStart[job &+ 1] {
      let pool = problem.jobPools[entry]
      starts &= ~SlotBits.blocked(
        full.base + pool &* problem.stride, word: word, length: slots &+ problem.cleaning[pool])
      if starts == 0 { return 0 }
      entry &+= 1
    }
    var pause = problem.breakStart[vet]
    while pause < problem.breakStart[vet &+ 1] {
      // The break survives before or after the job, unless the job begins in this stretch.
      let first = breakMax[pause] &- slots &+ 1
      let end = breakMin[pause] &+ problem.breakLength[pause]
      if first < end { starts &= ~SlotBits.range(first, end, word: word) }
      pause &+= 1
    }
    return starts
  }

  /// The starts that precedence leaves to a job: none when its predecessor has no place.
  @inline(__always)
  func precedenceBounds(_ job: Int) -> (lower: Int, upper: Int, longestEnd: Int) {
    var lower = 0
    let before = problem.predecessor[job]
    if before >= 0 {
      guard isPlaced(before) else { return (0, 0, 0) }
      lower = end(before) &+ problem.lag[job]
    }
    var longestEnd = Int.max
    var entry = problem.followerStart[job]
    while entry < problem.followerStart[job &+ 1] {
      let follower = problem.followers[entry]
      if isPlaced(follower) { longestEnd = min(longestEnd, start[follower] &- problem.lag[follower]) }
      entry &+= 1
    }
    return (lower, problem.horizon, longestEnd)
  }

  @inline(__always)
  func bounds(_ job: Int, slots: Int, _ precedence: (lower: Int, upper: Int, longestEnd: Int)) -> (Int, Int) {
    let upper =
      precedence.longestEnd == .max
      ? precedence.upper : min(precedence.upper, precedence.longestEnd &- slots &+ 1)
    return (precedence.lower, upper)
  }

  func canPlace(_ job: Int, candidate number: Int, start first: Int) -> Bool {
    let word = first >> 6
    guard word >= problem.firstWord[number], word <= problem.lastWord[number] else { return false }
    let (lower, upper) = bounds(job, slots: problem.slots[number], precedenceBounds(job))
    let starts = freeStarts(job, candidate: number, word: word, lower: lower, upper: upper)
    return starts & (1 &<< UInt64(first & 63)) != 0
  }

  /// The place that adds most to the plan, and only one that adds something.
  ///
  /// The time cost is convex, so of each candidate only the nearest free start on either side of the ideal one matters,
  /// and the walk outwards ends as soon as time costs more than the best place found is better.
  ///
  /// `blink` holds bits of chance: a candidate whose turn's five bits are all zero is overlooked, which keeps the
  /// construction from always falling into the same plan. All ones never blinks.
  func bestInsertion(_ job: Int, blink: UInt64 = ~0) -> Insertion {
    var best = Insertion.none
    let precedence = precedenceBounds(job)
    if precedence.lower >= precedence.upper { return best }
    let ideal = problem.idealStart[job]
    var chance = blink
    var number = problem.candidateStart[job]
    let end = problem.candidateStart[job &+ 1]
    while number < end {
      defer { number &+= 1 }
      if problem.worth[number] <= best.gain { break }
      chance = (chance &>> 5) | (chance &<< 59)
      if chance & 31 == 0 { continue }
      let vet = problem.vet[number]
      let slots = problem.slots[number]
      let worth = problem.worth[number] &- loadCost(vet, adding: problem.work[number])
      if worth <= best.gain || problem.firstWord[number] > problem.lastWord[number] { continue }
      let (lower, upper) = bounds(job, slots: slots, precedence)
      searchOutwards(job, number, ideal: ideal, worth: worth, lower: lower, upper: upper, best: &best)
    }
    return best
  }

  @inline(__always)
  private func searchOutwards(
    _ job: Int, _ number: Int, ideal: Int, worth: Int, lower: Int, upper: Int, best: inout Insertion
  ) {
    let firstWord = problem.firstWord[number]
    let lastWord = problem.lastWord[number]
    let middle = min(lastWord, max(firstWord, ideal >> 6))
    let inMiddle = freeStarts(job, candidate: number, word: middle, lower: lower, upper: upper)

    var word = middle
    var starts = inMiddle & SlotBits.range(ideal, .max >> 1, word: middle)
    while true {
      if starts != 0 {
        let first = word &* 64 &+ starts.trailingZeroBitCount
        let gain = worth &- timeCost(job, at: first)
        if gain > best.gain { best = Insertion(gain: gain, candidate: number, start: first) }
        break
      }
      word &+= 1
      if word > lastWord || worth &- timeCost(job, at: max(ideal, word &* 64)) <= best.gain { break }
      starts = freeStarts(job, candidate: number, word: word, lower: lower, upper: upper)
    }

    word = middle
    starts = inMiddle & SlotBits.range(0, ideal, word: middle)
    while true {
      if starts != 0 {
        let first = word &* 64 &+ 63 &- starts.leadingZeroBitCount
        let gain = worth &- timeCost(job, at: first)
        if gain > best.gain { best = Insertion(gain: gain, candidate: number, start: first) }
        break
      }
      word &-= 1
      if word < firstWord || worth &- timeCost(job, at: min(ideal, word &* 64 &+ 63)) <= best.gain { break }
      starts = freeStarts(job, candidate: number, word: word, lower: lower, upper: upper)
    }
  }
}
