import Clinical
import Testing

@testable import Scheduling

struct ScoreAnalysisTests {
  private func pair(_ seed: UInt64) throws -> (Instance, Plan, Plan)? {
    let instance = try TinyInstances.make(seed: seed, jobs: 7)
    guard let greedy = try? Solver.greedy(instance),
      let better = try? Solver(configuration: .init(seed: seed, iterationLimit: 200)).solve(instance, elapsed: { 0 })
    else { return nil }
    return (instance, greedy, better)
  }

  @Test(arguments: UInt64(600)..<640)
  func `the parts sum to the value, and the differences to the difference`(seed: UInt64) throws {
    guard let (instance, greedy, better) = try pair(seed) else { return }
    let first = ScoreAnalysis(greedy, of: instance)
    let second = ScoreAnalysis(better, of: instance)
    #expect(first.value == greedy.value)
    #expect(second.value == better.value)
    #expect(ScoreAnalysis.Constraint.allCases.reduce(0) { $0 + second.total($1) } == better.value)
    let differences = first.diff(second)
    #expect(differences.reduce(0) { $0 + $1.change } == better.value - greedy.value)
    #expect(differences == first.diff(second))
    #expect(second.diff(second) == [])
    #expect(abs(second.explanation().value - Double(better.value) / 100) < 1e-6)
  }

  @Test
  func `jobs come before vets, each in order, and costs are negative`() throws {
    guard let (instance, _, plan) = try pair(603) else { return }
    let parts = ScoreAnalysis(plan, of: instance).parts
    let order = parts.map { part in
      switch part.subject {
      case .job(let index): index
      case .vet(let index): 1000 + index
      }
    }
    #expect(order == order.sorted())
    for part in parts {
      switch part.constraint {
      case .placed, .fit: #expect(part.value > 0)
      case .early, .late, .pastTarget, .overtime: #expect(part.value < 0)
      }
    }
  }
}
