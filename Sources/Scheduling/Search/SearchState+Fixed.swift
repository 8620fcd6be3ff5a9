extension SearchState {
  /// Puts pinned jobs in their place, and breaks that share their reach in a first one.
  ///
  /// - Throws: ``SchedulingError`` with `.infeasible`, naming the pin or break.
  mutating func placeFixedParts(of instance: Instance) throws(SchedulingError) {
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
    for (vet, details) in instance.vets.enumerated() {
      let sharing = problem.breakJobs.indices.filter { problem.breakJobs[$0].vet == vet }
      let breaks = sharing.map { details.breaks[problem.breakJobs[$0].position] }
      guard let starts = BreakArrangement.arrange(breaks, isFree: { !isBusy(vet, $0) }) else {
        throw Self.infeasible("vets[\(vet)].breaks", breaks.count, "no room for all of them")
      }
      for (index, start) in zip(sharing, starts) { placeBreak(index, at: start) }
      for pause in problem.breakStart[vet]..<problem.breakStart[vet + 1] where breakMin[pause] > breakMax[pause] {
        throw Self.infeasible("vets[\(vet)].breaks", problem.breakLow[pause], "no room for a break")
      }
    }
  }

  private mutating func placeBreak(_ index: Int, at start: Int) {
    let job = problem.jobCount - problem.breakJobs.count + index
    place(job, candidate: problem.candidateStart[job], start: start)
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

  var mandatoryCount: Int { (0..<problem.jobCount).count { problem.isMandatory[$0] } }

  /// How much of the value stands for jobs that have to be placed and isn't the plan's.
  var mandatoryPart: Int {
    (0..<problem.jobCount).count { problem.isMandatory[$0] && isPlaced($0) } * problem.mandatoryWorth
  }

  /// Takes over what of a plan can stand, predecessors before followers.
  mutating func adopt(_ plan: Plan, of instance: Instance) {
    guard plan.jobs.count == instance.jobs.count else { return }
    adoptBreaks(plan.breaks, of: instance)
    for job in constructionOrder() where job < plan.jobs.count {
      guard let placement = plan.jobs[job], placement.start >= 0 else { continue }
      let numbers = problem.candidateStart[job]..<problem.candidateStart[job + 1]
      if let number = numbers.first(where: { problem.vet[$0] == placement.vet }),
        canPlace(job, candidate: number, start: placement.start)
      {
        place(job, candidate: number, start: placement.start)
      }
    }
  }

  /// Moves the breaks that are jobs to where a plan has them, all or none.
  private mutating func adoptBreaks(_ breaks: [Placement], of instance: Instance) {
    var first = [0]
    for vet in instance.vets { first.append(first[first.count - 1] + vet.breaks.count) }
    guard breaks.count == first[first.count - 1], !problem.breakJobs.isEmpty else { return }
    let jobs = (problem.jobCount - problem.breakJobs.count)..<problem.jobCount
    let old = jobs.map { start[$0] }
    for job in jobs { remove(job) }
    for (job, details) in zip(jobs, problem.breakJobs) {
      let wished = breaks[first[details.vet] + details.position].start
      guard wished >= 0, canPlace(job, candidate: problem.candidateStart[job], start: wished) else {
        for job in jobs where isPlaced(job) { remove(job) }
        for (index, start) in old.enumerated() { placeBreak(index, at: start) }
        return
      }
      place(job, candidate: problem.candidateStart[job], start: wished)
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

  /// The state as a plan, every floating break at its earliest start.
  func plan(for instance: Instance) -> Plan {
    let jobs = instance.jobs.indices.map { job in
      isPlaced(job) ? Placement(vet: problem.vet[candidate[job]], start: start[job]) : nil
    }
    var breaks: [Placement] = []
    var moved = instance.jobs.count
    for (vet, details) in instance.vets.enumerated() {
      var floating = problem.breakStart[vet]
      for floats in details.breakFloats {
        if floats {
          breaks.append(Placement(vet: vet, start: breakMin[floating]))
          floating += 1
        } else {
          breaks.append(Placement(vet: vet, start: start[moved]))
          moved += 1
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
