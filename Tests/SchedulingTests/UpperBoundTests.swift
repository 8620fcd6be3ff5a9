import Clinical
import Testing

@testable import Scheduling

struct UpperBoundTests {
  @Test(arguments: UInt64(400)..<430)
  func `whatever the prices, the bound is no less than the best plan`(seed: UInt64) throws {
    let instance = try TinyInstances.make(seed: seed)
    guard let optimum = TinyInstances.optimum(of: instance) else { return }
    #expect(PricedRelaxation<Int32>.fits(instance))
    var narrow = PricedRelaxation<Int32>(instance)
    var wide = PricedRelaxation<Int>(instance)
    var random = SplitMix64(seed: seed)
    for scale in [0.0, 1, 20, 400] {
      let prices = Table((0..<wide.size).map { min(wide.ceiling(of: $0), random.nextUnit() * scale) })
      let bound = wide.solve(prices: prices).bound
      #expect(bound >= optimum)
      #expect(narrow.solve(prices: prices).bound == bound)
    }
  }

  @Test(arguments: UInt64(430)..<450)
  func `more rounds never loosen the bound, and it stays above the best plan`(seed: UInt64) throws {
    let instance = try TinyInstances.make(seed: seed, pins: false)
    guard let optimum = TinyInstances.optimum(of: instance) else { return }
    let bounds = [0, 10, 60, 200].map {
      UpperBound(configuration: .init(iterationLimit: $0)).compute(instance, target: optimum)
    }
    #expect(bounds == bounds.sorted(by: >))
    #expect(bounds.allSatisfy { $0 >= optimum })
  }

  @Test
  func `two jobs that want one place are worth one of them`() throws {
    let jobs = ["a", "b"].map { id in
      Instance.Job(
        id: id, urgency: "red", windows: [0...0], base: 1000, p: 0, q: 0, e: 0, l: 0, l2: 0,
        candidates: [.init(vet: 0, match: 1, slots: 2, bonus: 0)])
    }
    let instance = try Instance(
      name: "rivals", dayLength: 4, openSlots: 4, days: 1, balance: .init(c1: 0, c2: 0), pools: [],
      vets: [.init(id: "v", available: [0..<4], t1: 4, t2: 4)], jobs: jobs)
    #expect(UpperBound(configuration: .init(iterationLimit: 0)).compute(instance, target: 1000) == 2000)
    #expect((1000...1010).contains(UpperBound().compute(instance, target: 1000)))
  }
}
