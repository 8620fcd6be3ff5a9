/// Says whether a plan keeps every hard rule, and what it is worth, computed afresh slot by slot.
///
/// Slow and plain on purpose, and sharing nothing with the search: it is the oracle the search is tested against, and
/// the last look before anything is booked.
public struct PlanValidator: Sendable {
  /// A hard rule that a plan breaks.
  public enum Violation: Hashable, Sendable {
    /// The plan has another number of jobs or breaks than the instance.
    case wrongLength(expected: Int, found: Int)
    case notACandidate(job: Int, vet: Int)
    /// The plan places a pinned job elsewhere.
    case pinMoved(job: Int)
    case outsideWorkingHours(job: Int)
    case doubleBooked(vet: Int, slot: Int)
    case overCapacity(pool: Int, slot: Int)
    case outsideWindow(job: Int)
    /// The predecessor is missing, or ends too late.
    case precedence(job: Int)
    /// The break lies outside its window, on another vet, or over work.
    case breakBroken(vet: Int, break: Int)
  }

  public struct Report: Equatable, Sendable {
    public let violations: [Violation]
    /// The value in 1/100 point; meaningful only without violations.
    public let value: Int

    public var isFeasible: Bool { violations.isEmpty }
  }

  private let instance: Instance

  public init(instance: Instance) {
    self.instance = instance
  }

  /// - Formula: `Z = Σ placed unpinned jobs [base + bonus − e·(p − s)⁺ − l·(s − p)⁺ − l2·(s − q)⁺]
  ///   − Σ vets [c1·(load − t1)⁺ + c2·(load − t2)⁺]`; pinned jobs earn nothing and count as load.
  /// - Complexity: O(slots occupied).
  public func report(on plan: Plan) -> Report {
    guard plan.jobs.count == instance.jobs.count else {
      return Report(violations: [.wrongLength(expected: instance.jobs.count, found: plan.jobs.count)], value: 0)
    }
    var violations: [Violation] = []
    var busy = instance.vets.map { _ in Set<Int>() }
    var used = instance.pools.map { _ in [Int: Int]() }
    var loads = instance.vets.map { _ in 0 }
    var starts: [Int: Int] = [:]
    var ends: [Int: Int] = [:]
    var value = 0

    for (index, job) in instance.jobs.enumerated() {
      if let pin = job.pin, let placed = plan.jobs[index], placed != pin { violations.append(.pinMoved(job: index)) }
      guard let placement = job.pin ?? plan.jobs[index] else { continue }
      guard let candidate = job.candidate(placement.vet) else {
        violations.append(.notACandidate(job: index, vet: placement.vet))
        continue
      }
      let start = placement.start
      let end = start + candidate.slots
      (starts[index], ends[index]) = (start, end)
      loads[placement.vet] += candidate.slots
      if !instance.vets[placement.vet].available.contains(where: { $0.lowerBound <= start && end <= $0.upperBound }) {
        violations.append(.outsideWorkingHours(job: index))
      }
      for slot in start..<end where !busy[placement.vet].insert(slot).inserted {
        violations.append(.doubleBooked(vet: placement.vet, slot: slot))
      }
      for pool in job.pools {
        for slot in start..<(end + instance.pools[pool].cleaning) {
          used[pool][slot, default: 0] += 1
          if used[pool][slot, default: 0] > instance.pools[pool].capacity {
            violations.append(.overCapacity(pool: pool, slot: slot))
          }
        }
      }
      if job.pin == nil {
        if !job.windows.contains(where: { $0.contains(start) }) { violations.append(.outsideWindow(job: index)) }
        value += job.base + candidate.bonus
        value -= job.e * max(0, job.p - start) + job.l * max(0, start - job.p) + job.l2 * max(0, start - job.q)
      }
    }
    for (index, job) in instance.jobs.enumerated() {
      guard let after = job.after, let start = starts[index] else { continue }
      guard let end = ends[after.job], end + after.lag <= start else {
        violations.append(.precedence(job: index))
        continue
      }
    }
    violations += breakViolations(plan.breaks, busy: busy)
    for (vet, load) in zip(instance.vets, loads) {
      value -= instance.balance.c1 * max(0, load - vet.t1) + instance.balance.c2 * max(0, load - vet.t2)
    }
    return Report(violations: violations, value: value)
  }

  private func breakViolations(_ placed: [Placement], busy: [Set<Int>]) -> [Violation] {
    let expected = instance.vets.reduce(0) { $0 + $1.breaks.count }
    guard placed.count == expected else { return [.wrongLength(expected: expected, found: placed.count)] }
    var violations: [Violation] = []
    var busy = busy
    var position = 0
    for (number, vet) in instance.vets.enumerated() {
      for (index, pause) in vet.breaks.enumerated() {
        let placement = placed[position]
        position += 1
        let slots = placement.start..<(placement.start + pause.length)
        if placement.vet != number || !pause.start.contains(placement.start)
          || slots.contains(where: { busy[number].contains($0) })
        {
          violations.append(.breakBroken(vet: number, break: index))
        }
        busy[number].formUnion(slots)
      }
    }
    return violations
  }
}
