import Clinical

@testable import Scheduling

/// Small random instances with every rule in play, and the search that tries everything.
enum TinyInstances {
  static func make(seed: UInt64, jobs count: Int = 5, pins: Bool = true) throws -> Instance {
    var random = SplitMix64(seed: seed)
    func pick(_ range: ClosedRange<Int>) -> Int { range.lowerBound + random.below(range.count) }
    let slots = 18
    let pools = [
      Instance.Pool(id: "room", capacity: pick(1...2), cleaning: pick(0...2)),
      Instance.Pool(id: "theatre", capacity: 1, cleaning: pick(0...1)),
    ]
    let vets = (0..<2).map { number in
      let middle = pick(6...12)
      let available = random.below(3) == 0 ? [0..<middle, middle..<slots] : [0..<pick(12...slots)]
      var breaks: [Instance.Break] = []
      for _ in 0..<random.below(3) {
        let low = pick(0...8)
        breaks.append(.init(length: pick(1...2), start: low...(low + pick(0...5))))
      }
      return Instance.Vet(
        id: "v\(number)", available: available, breaks: breaks, t1: pick(3...8), t2: pick(8...12))
    }
    var jobs: [Instance.Job] = []
    for number in 0..<count {
      let low = pick(0...12)
      var windows = [low...(low + pick(0...3))]
      if random.below(4) == 0 { windows.append((low + 4)...(low + 5)) }
      let wanted = pick(0...15)
      var candidates = [Instance.Candidate(vet: random.below(2), match: 0.5, slots: pick(1...4), bonus: pick(0...200))]
      if random.below(2) == 0 {
        candidates.append(
          .init(vet: 1 - candidates[0].vet, match: 0.4, slots: pick(1...4), bonus: pick(0...200)))
      }
      let isPinned = pins && random.below(8) == 0
      jobs.append(
        Instance.Job(
          id: "j\(number)", urgency: "green", windows: windows,
          pools: [[], [0], [1], [0, 1]][random.below(4)], base: pick(50...1000), p: wanted, q: wanted + pick(-3...3),
          e: pick(0...40), l: pick(0...40), l2: pick(0...40),
          after: number > 0 && random.below(4) == 0 ? .init(job: random.below(number), lag: pick(0...2)) : nil,
          pin: isPinned ? Placement(vet: candidates[0].vet, start: pick(0...14)) : nil, candidates: candidates))
    }
    return try Instance(
      name: "tiny \(seed)", dayLength: slots, openSlots: slots, days: 1,
      balance: .init(c1: pick(0...20), c2: pick(0...40)),
      pools: pools, vets: vets, jobs: jobs)
  }

  /// The value of the best plan, by trying every choice for every job; nil when no plan keeps the rules.
  static func optimum(of instance: Instance) -> Int? {
    let validator = PlanValidator(instance: instance)
    var best: Int?
    var jobs = [Placement?](repeating: nil, count: instance.jobs.count)
    // What the jobs from each one on could add at most: branches that can't beat the best plan are left out.
    var hope = [0]
    for job in instance.jobs.reversed() {
      let most = job.pin == nil ? max(0, job.base + (job.candidates.map(\.bonus).max() ?? 0)) : 0
      hope.insert(hope[0] + most, at: 0)
    }
    func descend(_ index: Int, earned: Int) {
      if let best, earned + hope[index] <= best { return }
      guard index < instance.jobs.count else {
        guard let breaks = everyBreak(instance, around: jobs) else { return }
        let report = validator.report(
          on: Plan(value: 0, upperBound: 0, jobs: jobs, breaks: breaks, seconds: 0))
        if report.isFeasible, report.value > best ?? .min { best = report.value }
        return
      }
      let job = instance.jobs[index]
      if let pin = job.pin {
        jobs[index] = pin
        return descend(index + 1, earned: earned)
      }
      for candidate in job.candidates {
        for start in Set(job.windows.joined()).sorted() {
          let slots = start..<(start + candidate.slots)
          jobs[index] = nil
          let collides = zip(instance.jobs, jobs).contains { other, placement in
            guard let placement, placement.vet == candidate.vet, let own = other.candidate(placement.vet) else {
              return false
            }
            return slots.overlaps(placement.start..<(placement.start + own.slots))
          }
          if collides { continue }
          jobs[index] = Placement(vet: candidate.vet, start: start)
          descend(index + 1, earned: earned + job.base + candidate.bonus - job.timeCost(at: start))
        }
      }
      jobs[index] = nil
      descend(index + 1, earned: earned)
    }
    descend(0, earned: 0)
    return best
  }

  /// Breaks by trying every combination of starts of each vet.
  static func everyBreak(_ instance: Instance, around jobs: [Placement?]) -> [Placement]? {
    var placed: [Placement] = []
    for (number, vet) in instance.vets.enumerated() {
      var busy = Set<Int>()
      for (job, placement) in zip(instance.jobs, jobs) {
        guard let placement, placement.vet == number, let own = job.candidate(number) else { continue }
        busy.formUnion(placement.start..<(placement.start + own.slots))
      }
      var combinations: [[Range<Int>]] = [[]]
      for pause in vet.breaks {
        combinations = combinations.flatMap { taken in
          pause.start.map { $0..<($0 + pause.length) }
            .filter { slots in busy.isDisjoint(with: slots) && !taken.contains { $0.overlaps(slots) } }
            .map { taken + [$0] }
        }
      }
      guard let first = combinations.first else { return nil }
      placed += first.map { Placement(vet: number, start: $0.lowerBound) }
    }
    return placed
  }
}
