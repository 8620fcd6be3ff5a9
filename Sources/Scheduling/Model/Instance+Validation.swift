extension Instance {
  /// Largest count of slots and largest amount of money that sums in the search can hold without overflow.
  private static let greatestSlots = 1 << 20
  private static let greatestAmount = 1 << 30

  func validate() throws(SchedulingError) {
    try require(slotMinutes, in: 1...1440, "slotMinutes")
    try require(dayLength, in: 1...Self.greatestSlots, "dayLen")
    try require(days, in: 1...366, "days")
    try require(slots, in: 1...Self.greatestSlots, "dayLen × days")
    try require(openSlots, in: 0...dayLength, "openSlots")
    guard planQuantile > 0, planQuantile < 1 else {
      throw invalid("planQuantile", planQuantile, "a quantile lies between 0 and 1")
    }
    try require(balance.c1, in: 0...Self.greatestAmount, "balance.c1")
    try require(balance.c2, in: 0...Self.greatestAmount, "balance.c2")
    for (index, pool) in pools.enumerated() {
      try require(pool.capacity, in: 0...1 << 14, "pools[\(index)].cap")
      try require(pool.cleaning, in: 0...Self.tail, "pools[\(index)].clean")
    }
    for (index, vet) in vets.enumerated() { try validate(vet, "vets[\(index)]") }
    var ids: Set<String> = []
    for (index, job) in jobs.enumerated() {
      guard ids.insert(job.id).inserted else { throw invalid("jobs[\(index)].id", job.id, "stands there twice") }
      try validate(job, at: index)
    }
    try validatePrecedence()
  }

  private func validate(_ vet: Vet, _ field: String) throws(SchedulingError) {
    for (index, stretch) in vet.available.enumerated() {
      guard stretch.lowerBound >= 0, stretch.upperBound <= slots, stretch.lowerBound <= stretch.upperBound else {
        throw invalid("\(field).avail[\(index)]", stretch, "does not lie within 0..<\(slots)")
      }
    }
    for (index, pause) in vet.breaks.enumerated() {
      try require(pause.length, in: 1...slots, "\(field).breaks[\(index)].len")
      guard pause.start.lowerBound >= 0, pause.reach.upperBound <= horizon else {
        throw invalid("\(field).breaks[\(index)].start", pause.start, "leaves the days planned")
      }
    }
    try require(vet.t1, in: 0...Self.greatestSlots, "\(field).t1")
    try require(vet.t2, in: 0...Self.greatestSlots, "\(field).t2")
  }

  private func validate(_ job: Job, at position: Int) throws(SchedulingError) {
    let field = "jobs[\(position)]"
    for (index, window) in job.windows.enumerated() {
      guard window.lowerBound >= 0, window.upperBound < horizon else {
        throw invalid("\(field).win[\(index)]", window, "leaves the days planned")
      }
    }
    for (index, pool) in job.pools.enumerated() {
      guard pools.indices.contains(pool) else { throw invalid("\(field).pools[\(index)]", pool, "no such pool") }
      guard !job.pools[..<index].contains(pool) else {
        throw invalid("\(field).pools[\(index)]", pool, "the pool stands there twice")
      }
    }
    let amounts = -Self.greatestAmount...Self.greatestAmount
    try require(job.base, in: amounts, "\(field).base")
    try require(job.p, in: -Self.greatestSlots...Self.greatestSlots, "\(field).p")
    try require(job.q, in: -Self.greatestSlots...Self.greatestSlots, "\(field).q")
    try require(job.e, in: 0...Self.greatestAmount, "\(field).e")
    try require(job.l, in: 0...Self.greatestAmount, "\(field).l")
    try require(job.l2, in: 0...Self.greatestAmount, "\(field).l2")
    for (index, candidate) in job.candidates.enumerated() {
      let field = "\(field).cand[\(index)]"
      guard vets.indices.contains(candidate.vet) else { throw invalid(field, candidate.vet, "no such vet") }
      guard !job.candidates[..<index].contains(where: { $0.vet == candidate.vet }) else {
        throw invalid(field, candidate.vet, "the vet stands there twice")
      }
      try require(candidate.slots, in: 1...slots, "\(field).slots")
      try require(candidate.bonus, in: amounts, "\(field).bonus")
    }
    if let pin = job.pin {
      guard job.candidate(pin.vet) != nil else { throw invalid("\(field).pin", pin.vet, "the vet is no candidate") }
      try require(pin.start, in: 0...(slots - 1), "\(field).pin")
    }
    if let after = job.after {
      guard jobs.indices.contains(after.job), after.job != position else {
        throw invalid("\(field).after", after.job, "no such other job")
      }
      try require(after.lag, in: -Self.greatestSlots...Self.greatestSlots, "\(field).after")
    }
  }

  /// A chain of predecessors that comes back to its start could never be placed.
  private func validatePrecedence() throws(SchedulingError) {
    for start in jobs.indices {
      var current = start
      var steps = 0
      while let next = jobs[current].after?.job {
        steps += 1
        guard steps <= jobs.count else {
          throw invalid("jobs[\(start)].after", jobs[start].after?.job ?? -1, "the jobs wait for one another")
        }
        current = next
      }
    }
  }

  private func require(_ value: Int, in range: ClosedRange<Int>, _ field: String) throws(SchedulingError) {
    guard range.contains(value) else { throw invalid(field, value, "does not lie within \(range)") }
  }

  private func invalid(_ field: String, _ value: some Any, _ problem: String) -> SchedulingError {
    SchedulingError(.invalidValue, field: field, value: "\(value)", problem: problem)
  }
}
