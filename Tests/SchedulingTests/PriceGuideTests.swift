import Clinical
import Testing

@testable import Scheduling

struct PriceGuideTests {
  /// The place that earns most beyond its share of the price, by trying every start of every candidate.
  private static func slowTwin(
    _ job: Int, _ guide: PriceGuide, share: Int, state: borrowing SearchState
  ) -> Int? {
    let problem = state.problem
    var best: (gain: Int, added: Int)?
    for number in problem.candidateStart[job]..<problem.candidateStart[job + 1] {
      let vet = problem.vet[number]
      for start in 0..<problem.horizon where state.canPlace(job, candidate: number, start: start) {
        let overtime = state.loadCost(vet, adding: problem.work[number])
        let paid = (guide.loadPrice[vet] * problem.work[number] * share) >> 8
        let price = Int(guide.price[problem.mask[number] * 64 + start])
        let earned = problem.worth[number] - problem.timeCost(job, at: start)
        let gain = earned - max(0, overtime - paid) - ((price * share) >> 8)
        if gain > best?.gain ?? .min { best = (gain, earned - overtime) }
      }
    }
    // The best gain alone decides: equal gains may differ in what they add.
    return best.flatMap { $0.added > 0 ? $0.gain : nil }
  }

  @Test(arguments: UInt64(1)...12)
  func `the guided place earns as much beyond its price as any`(seed: UInt64) throws {
    let instance = try InstanceGenerator(vets: 4, jobs: 24, days: 1, load: 0.9).make(seed: seed)
    let problem = SearchProblem(instance)
    var state = SearchState(problem)
    try state.placeFixedParts(of: instance)
    let bound = UpperBound(configuration: .init(iterationLimit: 80)).price(instance, target: 0)
    let guide = PriceGuide(problem, prices: bound.prices)
    var random = SplitMix64(seed: seed)
    for job in 0..<problem.jobCount where !problem.isPinned[job] && !state.isPlaced(job) {
      let share = PriceGuide.shares.lowerBound + random.below(PriceGuide.shares.count)
      let found = state.guidedInsertion(job, guide, share: share, blink: ~0)
      let expected = Self.slowTwin(job, guide, share: share, state: state)
      if found.candidate >= 0 {
        #expect(found.gain == expected)
        let isAllowed = state.canPlace(job, candidate: found.candidate, start: found.start)
        #expect(isAllowed)
        state.place(job, candidate: found.candidate, start: found.start)
      } else {
        #expect(expected == nil)
      }
    }
  }

  @Test(arguments: UInt64(20)..<32)
  func `the running value equals a full recomputation when prices guide`(seed: UInt64) throws {
    let instance = try InstanceGenerator(vets: 4, jobs: 20, days: 1, load: 0.9).make(seed: seed)
    let problem = SearchProblem(instance)
    var state = SearchState(problem)
    try state.placeFixedParts(of: instance)
    state.construct()
    let bound = UpperBound(configuration: .init(iterationLimit: 40)).price(instance, target: state.value)
    var search = RuinAndRecreate(state: state, seed: seed, guide: PriceGuide(problem, prices: bound.prices))
    for _ in 0..<40 {
      search.run(
        .init(iterationLimit: 3, startTemperature: 500, endTemperature: 500), from: 0, optimum: .max,
        isCancelled: { false }, elapsed: { 0 })
      let report = PlanValidator(instance: instance).report(on: search.state.plan(for: instance))
      #expect(report.violations == [])
      #expect(report.value == search.state.value - search.state.mandatoryPart)
    }
  }
}
