import Clinical
import Testing

@testable import Scheduling

/// One vet rule broken at a time, on a day that is right but for it.
struct PlanValidatorTests {
  private static func job(
    _ id: String, vet: Int, slots: Int, pools: [Int] = [], after: Instance.Predecessor? = nil, pin: Placement? = nil
  ) -> Instance.Job {
    Instance.Job(
      id: id, urgency: "green", windows: [0...20], pools: pools, base: 100, p: 2, q: 4, e: 1, l: 2, l2: 3, after: after,
      pin: pin, candidates: [.init(vet: vet, match: 1, slots: slots, bonus: 10)])
  }

  private func instance() throws -> Instance {
    try Instance(
      name: "day", dayLength: 30, openSlots: 30, days: 1, balance: .init(c1: 5, c2: 7),
      pools: [.init(id: "room", capacity: 1, cleaning: 2)],
      vets: [
        .init(id: "a", available: [0..<12, 12..<24], breaks: [.init(length: 2, start: 8...10)], t1: 4, t2: 6),
        .init(id: "b", available: [0..<24], t1: 9, t2: 9),
      ],
      jobs: [
        Self.job("0", vet: 0, slots: 3, pools: [0]), Self.job("1", vet: 1, slots: 3, pools: [0]),
        Self.job("2", vet: 0, slots: 4, after: .init(job: 0, lag: 1)),
        Self.job("3", vet: 1, slots: 2, pin: Placement(vet: 1, start: 20)),
      ])
  }

  private func plan(_ starts: [Int?], breakAt: Int = 8, breakVet: Int = 0) -> Plan {
    let vets = [0, 1, 0, 1]
    return Plan(
      value: 0, upperBound: 0,
      jobs: zip(vets, starts).map { vet, start in start.map { Placement(vet: vet, start: $0) } },
      breaks: [Placement(vet: breakVet, start: breakAt)], seconds: 0)
  }

  @Test
  func `a plan that keeps every rule has the value of the formula`() throws {
    let report = try PlanValidator(instance: instance()).report(on: plan([0, 5, 4, nil]))
    #expect(report.violations == [])
    // Starts 0, 5 and 4 with p 2 and q 4: 2 early; 3 late and 1 past q; 2 late. Vet a works 7 slots: 3 beyond t1, 1
    // beyond t2. The pinned job earns nothing.
    #expect(report.value == (110 - 2) + (110 - 3 * 2 - 1 * 3) + (110 - 2 * 2) - (3 * 5 + 1 * 7))
  }

  @Test(
    arguments: [
      ([10, nil, nil, nil], 8, 0, PlanValidator.Violation.outsideWorkingHours(job: 0)),
      ([23, nil, nil, nil], 8, 0, .outsideWorkingHours(job: 0)),
      ([0, nil, 2, nil], 8, 0, .doubleBooked(vet: 0, slot: 2)),
      ([nil, 19, nil, nil], 8, 0, .doubleBooked(vet: 1, slot: 20)),
      ([0, 4, nil, nil], 8, 0, .overCapacity(pool: 0, slot: 4)),
      ([21, nil, nil, nil], 8, 0, .outsideWindow(job: 0)),
      ([0, nil, 3, nil], 8, 0, .precedence(job: 2)),
      ([nil, nil, 3, nil], 8, 0, .precedence(job: 2)),
      ([nil, nil, nil, 19], 8, 0, .pinMoved(job: 3)),
      ([nil, nil, nil, nil], 7, 0, .breakBroken(vet: 0, break: 0)),
      ([nil, nil, nil, nil], 11, 0, .breakBroken(vet: 0, break: 0)),
      ([nil, nil, nil, nil], 8, 1, .breakBroken(vet: 0, break: 0)),
      ([6, nil, nil, nil], 8, 0, .breakBroken(vet: 0, break: 0)),
    ] as [([Int?], Int, Int, PlanValidator.Violation)])
  func `each broken rule is reported`(
    starts: [Int?], breakAt: Int, breakVet: Int, violation: PlanValidator.Violation
  ) throws {
    let report = try PlanValidator(instance: instance())
      .report(on: plan(starts, breakAt: breakAt, breakVet: breakVet))
    #expect(report.violations.contains(violation))
  }

  @Test
  func `a plan of another length, or with a stranger, is refused`() throws {
    let validator = try PlanValidator(instance: instance())
    #expect(!validator.report(on: plan([0, nil, nil])).isFeasible)
    var missing = plan([0, nil, nil, nil])
    missing.breaks = []
    #expect(validator.report(on: missing).violations == [.wrongLength(expected: 1, found: 0)])
    var stranger = plan([nil, nil, nil, nil])
    stranger.jobs[0] = Placement(vet: 1, start: 0)
    #expect(validator.report(on: stranger).violations == [.notACandidate(job: 0, vet: 1)])
  }

  @Test(arguments: UInt64(500)..<530)
  func `a second visit put over a first one is always noticed`(seed: UInt64) throws {
    let instance = try TinyInstances.make(seed: seed, jobs: 6, pins: false)
    guard let plan = try? Solver(configuration: .init(iterationLimit: 100)).solve(instance, elapsed: { 0 }) else {
      return
    }
    for (first, placement) in plan.jobs.enumerated() {
      guard let placement else { continue }
      for (second, job) in instance.jobs.enumerated() where second != first && job.candidate(placement.vet) != nil {
        var broken = plan
        broken.jobs[second] = placement
        #expect(!PlanValidator(instance: instance).report(on: broken).isFeasible)
      }
    }
  }
}
