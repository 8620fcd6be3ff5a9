import Clinical
import Testing

@testable import Scheduling

struct SolverTests {
  @Test(arguments: UInt64(1)...40)
  func `a plan keeps every rule and lies between nothing and the bound, with the best plan above it`(seed: UInt64)
    throws
  {
    let instance = try TinyInstances.make(seed: seed)
    let optimum = TinyInstances.optimum(of: instance)
    let plan: Plan
    do {
      plan = try Solver(configuration: .init(seed: seed, iterationLimit: 400)).solve(instance) { 0 }
    } catch {
      #expect(error.code == .infeasible)
      // Only a pin that waits for a job that can move leaves the search a choice it could get wrong.
      let waits = instance.jobs.contains { $0.pin != nil && $0.after.map { instance.jobs[$0.job].pin == nil } ?? false }
      #expect(optimum == nil || waits)
      return
    }
    let best = try #require(optimum)
    let report = PlanValidator(instance: instance).report(on: plan)
    #expect(report.violations == [])
    #expect(report.value == plan.value)
    #expect(plan.value <= best)
    #expect(best <= plan.upperBound)
  }

  @Test
  func `on tiny instances the search finds the best plan nearly always`() throws {
    var solved = 0
    var best = 0
    for seed in UInt64(100)..<132 {
      let instance = try TinyInstances.make(seed: seed, pins: false)
      guard let optimum = TinyInstances.optimum(of: instance) else { continue }
      solved += 1
      let plan = try Solver(configuration: .init(seed: 1, iterationLimit: 600)).solve(instance) { 0 }
      if plan.value == optimum { best += 1 }
    }
    #expect(solved >= 20)
    #expect(best * 10 >= solved * 9, "\(best) of \(solved)")
  }

  @Test(arguments: UInt64(200)..<220)
  func `the running value equals a full recomputation after every round`(seed: UInt64) throws {
    let instance = try TinyInstances.make(seed: seed, jobs: 8, pins: false)
    let problem = SearchProblem(instance)
    var state = SearchState(problem)
    guard (try? state.placeFixedParts(of: instance)) != nil else { return }
    state.construct()
    var search = RuinAndRecreate(state: state, seed: seed)
    for _ in 0..<60 {
      search.run(
        .init(iterationLimit: 1, startTemperature: 500, endTemperature: 500), from: 0, optimum: .max,
        isCancelled: { false }, elapsed: { 0 })
      let report = PlanValidator(instance: instance).report(on: search.state.plan(for: instance))
      #expect(report.violations == [])
      #expect(report.value == search.state.value - search.state.mandatoryPart)
    }
  }

  @Test
  func `the same seed and rounds give the same plan, and time plays no part`() throws {
    let instance = try TinyInstances.make(seed: 7, jobs: 12, pins: false)
    let solver = Solver(configuration: .init(seed: 3, iterationLimit: 300))
    var clock = 0.0
    let first = try solver.solve(instance) { 0 }
    let second = try solver.solve(instance) {
      clock += 0.5
      return clock
    }
    #expect(first.jobs == second.jobs)
    #expect(first.value == second.value)
    #expect(first.upperBound == second.upperBound)
    #expect(second.seconds > 0)
  }

  @Test
  func `a time limit ends the search by the caller's clock`() throws {
    let instance = try TinyInstances.make(seed: 11, jobs: 10, pins: false)
    var clock = 0.0
    let plan = try Solver(configuration: .init(iterationLimit: nil, timeLimit: 1)).solve(instance) {
      clock += 0.01
      return clock
    }
    #expect(PlanValidator(instance: instance).report(on: plan).isFeasible)
    #expect(clock < 2)
  }

  @Test
  func `a cancelled search returns what it has`() throws {
    let instance = try TinyInstances.make(seed: 11, jobs: 10, pins: false)
    let plan = try Solver(configuration: .init(iterationLimit: nil, timeLimit: 1)).solve(
      instance, isCancelled: { true }, elapsed: { 0 })
    #expect(PlanValidator(instance: instance).report(on: plan).isFeasible)
  }

  @Test(arguments: UInt64(300)..<310)
  func `starting from a plan never ends below it`(seed: UInt64) throws {
    let instance = try TinyInstances.make(seed: seed, jobs: 9, pins: false)
    guard let good = try? Solver(configuration: .init(seed: 1, iterationLimit: 800)).solve(instance, elapsed: { 0 })
    else {
      return
    }
    let again = try Solver(configuration: .init(seed: 2, iterationLimit: 1))
      .solve(instance, startingFrom: good) { 0 }
    #expect(again.value >= good.value)
  }

  @Test
  func `no jobs, no vets and no candidates are no reason to fail`() throws {
    let empty = try Instance(
      name: "empty", dayLength: 10, openSlots: 10, days: 1, balance: .init(c1: 0, c2: 0), pools: [], vets: [], jobs: [])
    #expect(try Solver.greedy(empty).jobs == [])
    let job = Instance.Job(
      id: "a", urgency: "red", windows: [0...5], base: 10, p: 0, q: 0, e: 0, l: 0, l2: 0, candidates: [])
    let alone = try Instance(
      name: "alone", dayLength: 10, openSlots: 10, days: 1, balance: .init(c1: 0, c2: 0), pools: [], vets: [],
      jobs: [job])
    let plan = try Solver(configuration: .init(iterationLimit: 50)).solve(alone) { 0 }
    #expect(plan.jobs == [nil])
    #expect(plan.value == 0)
  }

  @Test
  func `a pinned job's predecessor is placed before anything worth more`() throws {
    let rival = Instance.Job(
      id: "rival", urgency: "red", windows: [0...0], base: 9000, p: 0, q: 0, e: 0, l: 0, l2: 0,
      candidates: [.init(vet: 0, match: 1, slots: 4, bonus: 0)])
    let before = Instance.Job(
      id: "before", urgency: "blue", windows: [0...1], base: 10, p: 0, q: 0, e: 0, l: 0, l2: 0,
      candidates: [.init(vet: 0, match: 1, slots: 3, bonus: 0)])
    let pinned = Instance.Job(
      id: "pinned", urgency: "blue", windows: [4...4], base: 10, p: 4, q: 4, e: 0, l: 0, l2: 0,
      after: .init(job: 1, lag: 0), pin: Placement(vet: 0, start: 4),
      candidates: [.init(vet: 0, match: 1, slots: 2, bonus: 0)])
    let instance = try Instance(
      name: "chain", dayLength: 12, openSlots: 12, days: 1, balance: .init(c1: 0, c2: 0), pools: [],
      vets: [.init(id: "v", available: [0..<12], t1: 12, t2: 12)], jobs: [rival, before, pinned])
    let plan = try Solver(configuration: .init(iterationLimit: 100)).solve(instance) { 0 }
    #expect(plan.jobs[1] != nil)
    #expect(plan.jobs[0] == nil)
    #expect(plan.value == 10)
  }
}
