import Clinical
import Testing

@testable import Scheduling

/// Breaking a rule never pays: a plan with a violation more is refused, and tightening a rule never raises the optimum.
struct ConstraintTests {
  /// A change that leaves less freedom, rule by rule.
  enum Tightening: String, CaseIterable, CustomTestStringConvertible {
    case workingHours = "shorter hours"
    case window = "a shorter window"
    case capacity = "a room less"
    case cleaning = "longer cleaning"
    case breaks = "a break more"
    case predecessor = "a visit waits for another"
    case pin = "a visit is pinned where it earns nothing"
    case candidate = "a clinician less"
    case length = "a longer visit"
    case thresholds = "overtime begins sooner"

    var testDescription: String { rawValue }

    func apply(to instance: Instance, _ random: inout SplitMix64) throws -> Instance {
      var vets = instance.vets
      var pools = instance.pools
      var jobs = instance.jobs
      let vet = random.below(vets.count)
      let job = random.below(jobs.count)
      switch self {
      case .workingHours:
        vets[vet] = vets[vet].with(available: vets[vet].available.map { $0.dropLast(2).isEmpty ? $0 : $0.dropLast(2) })
      case .window:
        jobs[job] = jobs[job].with(
          windows: jobs[job].windows.map { $0.lowerBound...max($0.lowerBound, $0.upperBound - 2) })
      case .capacity:
        pools[0] = .init(id: pools[0].id, capacity: pools[0].capacity - 1, cleaning: pools[0].cleaning)
      case .cleaning:
        pools[0] = .init(id: pools[0].id, capacity: pools[0].capacity, cleaning: pools[0].cleaning + 2)
      case .breaks:
        vets[vet] = vets[vet].with(breaks: vets[vet].breaks + [.init(length: 2, start: 2...8)])
      case .predecessor:
        if job > 0, jobs[job].after == nil { jobs[job] = jobs[job].with(after: .init(job: job - 1, lag: 1)) }
      case .pin:
        // Pinned outside its window a visit could let another one in that waits for it.
        let isFree = jobs[job].after == nil && !jobs.contains { $0.after?.job == job }
        if isFree { jobs[job] = jobs[job].pinned(at: .init(vet: jobs[job].candidates[0].vet, start: 1)) }
      case .candidate:
        jobs[job] = jobs[job].with(candidates: Array(jobs[job].candidates.dropLast()))
      case .length:
        jobs[job] = jobs[job].with(
          candidates: jobs[job].candidates.map {
            .init(vet: $0.vet, match: $0.match, slots: $0.slots + 1, bonus: $0.bonus)
          })
      case .thresholds:
        vets[vet] = vets[vet].with(thresholds: (max(0, vets[vet].t1 - 2), max(0, vets[vet].t2 - 2)))
      }
      return try Instance(
        name: instance.name, dayLength: instance.dayLength, openSlots: instance.openSlots, days: instance.days,
        balance: instance.balance, pools: pools, vets: vets, jobs: jobs)
    }
  }

  @Test(arguments: Tightening.allCases)
  func `less freedom is never worth more`(rule: Tightening) throws {
    var random = SplitMix64(seed: 77)
    var compared = 0
    for seed in UInt64(500)..<508 {
      let instance = try TinyInstances.make(seed: seed, jobs: 4, pins: false)
      guard let before = TinyInstances.optimum(of: instance) else { continue }
      let tighter = try rule.apply(to: instance, &random)
      guard let after = TinyInstances.optimum(of: tighter) else { continue }
      #expect(after <= before)
      compared += 1
    }
    #expect(compared >= 3)
  }

  @Test(arguments: UInt64(600)..<620)
  func `no single change improves a proven optimum without breaking a rule`(seed: UInt64) throws {
    let instance = try TinyInstances.make(seed: seed, jobs: 4, pins: false)
    guard let optimum = TinyInstances.optimum(of: instance),
      let plan = try? Solver(configuration: .init(seed: 1, iterationLimit: 300)).solve(instance, elapsed: { 0 })
    else { return }
    let validator = PlanValidator(instance: instance)
    for (index, job) in instance.jobs.enumerated() {
      for candidate in job.candidates {
        for start in 0..<instance.slots {
          var changed = plan
          changed.jobs[index] = Placement(vet: candidate.vet, start: start)
          let report = validator.report(on: changed)
          // Whatever is worth more than the best plan breaks a rule, and the report says so.
          #expect(!report.isFeasible || report.value <= optimum)
        }
      }
    }
  }
}

extension Instance.Vet {
  fileprivate func with(
    available: [Range<Int>]? = nil, breaks: [Instance.Break]? = nil, thresholds: (Int, Int)? = nil
  ) -> Self {
    Self(
      id: id, speed: speed, skills: skills, available: available ?? self.available, breaks: breaks ?? self.breaks,
      t1: thresholds?.0 ?? t1, t2: thresholds?.1 ?? t2)
  }
}

extension Instance.Job {
  fileprivate func with(
    windows: [ClosedRange<Int>]? = nil, after: Instance.Predecessor? = nil, candidates: [Instance.Candidate]? = nil
  ) -> Self {
    Self(
      id: id, urgency: urgency, windows: windows ?? self.windows, pools: pools, base: base, p: p, q: q, e: e, l: l,
      l2: l2, after: after ?? self.after, pin: pin, candidates: candidates ?? self.candidates)
  }
}
