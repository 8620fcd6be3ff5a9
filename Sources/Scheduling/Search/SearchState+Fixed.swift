extension SearchState {
  /// Puts what can't move in its place: pinned jobs, and breaks whose reach another break shares.
  ///
  /// Returns: the starts of those breaks by vet and position in the vet's list; floating ones are absent.
  ///
  /// - Throws: ``SchedulingError`` with `.infeasible`, naming the pin or break.
  mutating func placeFixedParts(of instance: Instance) throws(SchedulingError) -> [[Int: Int]] {
    for (index, job) in instance.jobs.enumerated() {
      guard let pin = job.pin else { continue }
      let numbers = problem.candidateStart[index]..<problem.candidateStart[index + 1]
      guard let number = numbers.first(where: { problem.vet[$0] == pin.vet }) else { continue }
      let slots = pin.start..<(pin.start + problem.slots[number])
      let field = "jobs[\(index)].pin"
      guard instance.vets[pin.vet].available.contains(where: { $0.contains(slots) }) else {
        throw Self.infeasible(field, pin.start, "outside the vet's working hours")
      }
      guard !isBusy(pin.vet, slots) else { throw Self.infeasible(field, pin.start, "the vet is taken by another pin") }
      place(index, candidate: number, start: pin.start)
      for pool in job.pools where isOverfull(pool, slots.lowerBound..<(slots.upperBound + problem.cleaning[pool])) {
        throw Self.infeasible(field, pin.start, "pool \(instance.pools[pool].id) is full")
      }
    }
    try checkPinnedPrecedence(instance)
    var starts: [[Int: Int]] = []
    for (vet, details) in instance.vets.enumerated() {
      let fixed = zip(details.breaks.indices, details.breakFloats).filter { !$0.1 }.map(\.0)
      guard let found = arrange(fixed[...], of: details, vet: vet) else {
        throw Self.infeasible("vets[\(vet)].breaks", fixed.count, "no room for all of them")
      }
      for (position, start) in found { block(vet: vet, start..<(start + details.breaks[position].length)) }
      starts.append(found)
      for pause in problem.breakStart[vet]..<problem.breakStart[vet + 1] where breakMin[pause] > breakMax[pause] {
        throw Self.infeasible("vets[\(vet)].breaks", problem.breakLow[pause], "no room for a break")
      }
    }
    return starts
  }

  private func checkPinnedPrecedence(_ instance: Instance) throws(SchedulingError) {
    for (index, job) in instance.jobs.enumerated() where job.pin != nil {
      guard let after = job.after, isPlaced(after.job) else { continue }
      guard end(after.job) + after.lag <= start[index] else {
        throw Self.infeasible("jobs[\(index)].pin", start[index], "starts before its predecessor's end and lag")
      }
    }
  }

  private static func infeasible(_ field: String, _ value: Int, _ problem: String) -> SchedulingError {
    SchedulingError(.infeasible, field: field, value: "\(value)", problem: problem)
  }

  private func isBusy(_ vet: Int, _ slots: Range<Int>) -> Bool {
    slots.contains { busy[vet * problem.stride + $0 / 64] & (1 << UInt64($0 % 64)) != 0 }
  }

  private func isOverfull(_ pool: Int, _ slots: Range<Int>) -> Bool {
    slots.contains { Int(used[pool * (problem.horizon + Instance.tail) + $0]) > problem.capacity[pool] }
  }

  /// Starts for breaks that get in one another's way, by trying the one that must begin soonest first.
  private func arrange(
    _ positions: ArraySlice<Int>, of vet: Instance.Vet, vet number: Int, taken: [Range<Int>] = []
  ) -> [Int: Int]? {
    guard let position = positions.min(by: { vet.breaks[$0].start.upperBound < vet.breaks[$1].start.upperBound })
    else { return [:] }
    let pause = vet.breaks[position]
    let rest = positions.filter { $0 != position }[...]
    for start in pause.start {
      let slots = start..<(start + pause.length)
      if isBusy(number, slots) || taken.contains(where: { $0.overlaps(slots) }) { continue }
      if var found = arrange(rest, of: vet, vet: number, taken: taken + [slots]) {
        found[position] = start
        return found
      }
    }
    return nil
  }

  var mandatoryCount: Int { (0..<problem.jobCount).count { problem.isMandatory[$0] } }

  /// How much of the value stands for jobs that have to be placed and isn't the plan's.
  var mandatoryPart: Int {
    (0..<problem.jobCount).count { problem.isMandatory[$0] && isPlaced($0) } * problem.mandatoryWorth
  }

  /// Takes over what of a plan can stand, predecessors before followers.
  mutating func adopt(_ plan: Plan) {
    guard plan.jobs.count == problem.jobCount else { return }
    for job in constructionOrder() {
      guard let placement = plan.jobs[job], placement.start >= 0 else { continue }
      let numbers = problem.candidateStart[job]..<problem.candidateStart[job + 1]
      if let number = numbers.first(where: { problem.vet[$0] == placement.vet }),
        canPlace(job, candidate: number, start: placement.start)
      {
        place(job, candidate: number, start: placement.start)
      }
    }
  }

  /// The greedy plan: what is worth most first, then what comes first.
  mutating func construct() {
    for job in constructionOrder() where !isPlaced(job) {
      let insertion = bestInsertion(job)
      if insertion.candidate >= 0 { place(job, candidate: insertion.candidate, start: insertion.start) }
    }
  }

  /// Jobs that can move, in order of urgency, none before its predecessor.
  private func constructionOrder() -> [Int] {
    let worth = (0..<problem.jobCount).map { job in
      (problem.isMandatory[job] ? problem.mandatoryWorth : 0) + problem.base[job]
    }
    let ranked = (0..<problem.jobCount).filter { !problem.isPinned[$0] }.sorted {
      (worth[$1], problem.p[$0], $0) < (worth[$0], problem.p[$1], $1)
    }
    var taken = [Bool](repeating: false, count: problem.jobCount)
    var order: [Int] = []
    for job in ranked {
      var chain: [Int] = []
      var current = job
      while current >= 0, !taken[current], !problem.isPinned[current] {
        taken[current] = true
        chain.append(current)
        current = problem.predecessor[current]
      }
      order += chain.reversed()
    }
    return order
  }

  /// The state as a plan, every break at its earliest start.
  func plan(for instance: Instance, fixedBreaks: [[Int: Int]]) -> Plan {
    let jobs = (0..<problem.jobCount).map { job in
      isPlaced(job) ? Placement(vet: problem.vet[candidate[job]], start: start[job]) : nil
    }
    var breaks: [Placement] = []
    for (vet, details) in instance.vets.enumerated() {
      var floating = problem.breakStart[vet]
      for position in details.breaks.indices {
        if let start = fixedBreaks[vet][position] {
          breaks.append(Placement(vet: vet, start: start))
        } else {
          breaks.append(Placement(vet: vet, start: breakMin[floating]))
          floating += 1
        }
      }
    }
    return Plan(value: value, upperBound: 0, jobs: jobs, breaks: breaks, seconds: 0)
  }
}

extension Range<Int> {
  fileprivate func contains(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
