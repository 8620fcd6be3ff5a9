import Clinical
import Testing

@testable import Scheduling

struct SideBySideTests {
  private static func elapsed() -> @Sendable () -> Double {
    let clock = ContinuousClock()
    let began = clock.now
    return { (clock.now - began) / .seconds(1) }
  }

  @Test(arguments: [1, 2, 3])
  func `seed, rounds and number of searches decide the plan, not the machine`(searches: Int) throws {
    let instance = try InstanceGenerator(vets: 5, jobs: 30, days: 1).make(seed: 5)
    let solver = Solver(configuration: .init(seed: 3, iterationLimit: 300, bound: .init(iterationLimit: 150)))
    let first = try solver.solve(instance, searches: searches) { 0 }
    let second = try solver.solve(instance, searches: searches, elapsed: Self.elapsed())
    #expect(first.jobs == second.jobs)
    #expect(first.breaks == second.breaks)
    #expect(first.value == second.value)
    #expect(first.upperBound == second.upperBound)
  }

  @Test func `several searches keep every rule`() throws {
    for seed in UInt64(1)...6 {
      let instance = try TinyInstances.make(seed: seed, jobs: 9, pins: false)
      let solver = Solver(configuration: .init(seed: seed, iterationLimit: 200, bound: .init(iterationLimit: 60)))
      let plan = try solver.solve(instance, searches: 3, elapsed: { 0 })
      let report = PlanValidator(instance: instance).report(on: plan)
      #expect(report.violations == [])
      #expect(report.value == plan.value)
      #expect(plan.value <= plan.upperBound)
    }
  }

  @Test func `what can't stand together is said, whoever searches`() throws {
    let jobs = ["a", "b"].map { id in
      Instance.Job(
        id: id, urgency: "red", windows: [0...0], base: 10, p: 0, q: 0, e: 0, l: 0, l2: 0,
        pin: Placement(vet: 0, start: 0), candidates: [.init(vet: 0, match: 1, slots: 2, bonus: 0)])
    }
    let instance = try Instance(
      name: "rivals", dayLength: 4, openSlots: 4, days: 1, balance: .init(c1: 0, c2: 0), pools: [],
      vets: [.init(id: "v", available: [0..<4], t1: 4, t2: 4)], jobs: jobs)
    #expect(throws: SchedulingError.self) {
      try Solver(configuration: .init(iterationLimit: 10)).solve(instance, searches: 2) { 0 }
    }
  }

  @Test func `a plan that reaches the bound ends a search that only time would end`() throws {
    let job = Instance.Job(
      id: "a", urgency: "red", windows: [0...0], base: 10, p: 0, q: 0, e: 0, l: 0, l2: 0,
      candidates: [.init(vet: 0, match: 1, slots: 2, bonus: 0)])
    let instance = try Instance(
      name: "one", dayLength: 4, openSlots: 4, days: 1, balance: .init(c1: 0, c2: 0), pools: [],
      vets: [.init(id: "v", available: [0..<4], t1: 4, t2: 4)], jobs: [job])
    // The clock stands still: only the bound can end this.
    let plan = try Solver(configuration: .init(iterationLimit: nil, timeLimit: 1)).solve(instance, searches: 2) { 0 }
    #expect(plan.value == 10)
  }
}
