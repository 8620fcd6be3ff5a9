import Foundation
import Testing
import VetNetTestSupport

@testable import Scheduling

/// The instances in `Evaluations/schedule`, whose best plans are known.
struct KnownOptimaTests {
  struct Known: Decodable {
    let file: String
    let optimum: Int
    let vets: Int
    let jobs: Int
    let days: Int
    let load: Double
    let seed: UInt64
  }

  private struct Sidecar: Decodable {
    let instances: [Known]
  }

  private static let folder = URL(filePath: projectDirectory).appending(path: "Evaluations/schedule")

  static func known() throws -> [Known] {
    try JSONDecoder().decode(Sidecar.self, from: Data(contentsOf: folder.appending(path: "optima.json"))).instances
  }

  private static func instance(_ known: Known) throws -> Instance {
    try Instance(json: Data(contentsOf: folder.appending(path: known.file)))
  }

  @Test func `the folder holds the ten instances, each as the generator makes it`() throws {
    let known = try Self.known()
    #expect(known.count == 10)
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
      $0.hasPrefix("practice-")
    }
    #expect(Set(names) == Set(known.map(\.file)))
    for entry in known {
      let generator = InstanceGenerator(vets: entry.vets, jobs: entry.jobs, days: entry.days, load: entry.load)
      #expect(try generator.make(seed: entry.seed) == Self.instance(entry))
    }
  }

  @Test func `the search comes within 0 point 2 percent of each optimum, and no bound lies below it`() throws {
    for entry in try Self.known() {
      let instance = try Self.instance(entry)
      let plan = try Solver(configuration: .init(seed: 2, iterationLimit: 4000)).solve(instance) { 0 }
      #expect(PlanValidator(instance: instance).report(on: plan).isFeasible)
      #expect(plan.value <= entry.optimum, "\(entry.file)")
      #expect(Double(plan.value) >= 0.998 * Double(entry.optimum), "\(entry.file)")
      #expect(plan.upperBound >= entry.optimum, "\(entry.file)")
    }
  }

  @Test(arguments: [
    "practice-2x8x1-2.json", "practice-2x8x1-4.json", "practice-2x9x1-4.json", "practice-3x12x1-5.json",
  ])
  func `branch and bound comes to the optimum on file`(file: String) throws {
    let entry = try #require(Self.known().first { $0.file == file })
    let instance = try Self.instance(entry)
    let start = try Solver(configuration: .init(seed: 1, iterationLimit: 500)).solve(instance) { 0 }
    var search = ExactSearch(instance, known: start, rounds: 400)
    let best = search.run()
    #expect(best.value == entry.optimum)
    #expect(PlanValidator(instance: instance).report(on: best).isFeasible)
  }

  @Test(arguments: UInt64(700)..<712)
  func `branch and bound finds what trying everything finds`(seed: UInt64) throws {
    let instance = try TinyInstances.make(seed: seed, jobs: 4, pins: false)
    guard let optimum = TinyInstances.optimum(of: instance), let start = try? Solver.greedy(instance) else { return }
    var search = ExactSearch(instance, known: start, rounds: 60)
    #expect(search.run().value == optimum)
  }
}
