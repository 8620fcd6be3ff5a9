import Clinical
import Foundation
import Testing

@testable import Scheduling

struct InstanceGeneratorTests {
  struct Shape: CustomTestStringConvertible {
    let vets: Int
    let jobs: Int
    let days: Int

    var testDescription: String { "\(vets) vets, \(jobs) jobs, \(days) days" }
  }

  @Test(arguments: [
    Shape(vets: 1, jobs: 1, days: 1), Shape(vets: 2, jobs: 8, days: 1), Shape(vets: 4, jobs: 40, days: 1),
    Shape(vets: 20, jobs: 100, days: 1), Shape(vets: 6, jobs: 120, days: 6), Shape(vets: 3, jobs: 0, days: 2),
  ])
  func `an instance is of the size asked for, and its pins can stand together`(shape: Shape) throws {
    for seed in UInt64(1)...5 {
      let instance = try InstanceGenerator(vets: shape.vets, jobs: shape.jobs, days: shape.days).make(seed: seed)
      #expect(instance.vets.count == shape.vets)
      #expect(instance.jobs.count == shape.jobs)
      #expect(instance.days == shape.days)
      #expect(try PlanValidator(instance: instance).report(on: Solver.greedy(instance)).isFeasible)
    }
  }

  @Test func `the same seed makes the same instance, another seed another`() throws {
    let generator = InstanceGenerator(vets: 5, jobs: 30, days: 1)
    #expect(try generator.make(seed: 3) == generator.make(seed: 3))
    #expect(try generator.make(seed: 3) != generator.make(seed: 4))
  }

  @Test func `an instance survives its file`() throws {
    let instance = try InstanceGenerator(vets: 5, jobs: 30, days: 6).make(seed: 9)
    #expect(try Instance(json: JSONEncoder().encode(instance)) == instance)
  }

  @Test(arguments: [0.5, 0.7, 0.9])
  func `the visits fill the share of the hours asked for`(load: Double) throws {
    let instance = try InstanceGenerator(vets: 20, jobs: 200, days: 2, load: load).make(seed: 1)
    let hours = instance.vets.reduce(0) { sum, vet in
      sum + vet.available.reduce(0) { $0 + $1.count } - vet.breaks.reduce(0) { $0 + $1.length }
    }
    let demand = instance.jobs.reduce(0.0) { sum, job in
      sum + Double(job.candidates.reduce(0) { $0 + $1.slots }) / Double(job.candidates.count)
    }
    // Whole slots make every visit half a slot longer on average.
    #expect(abs((demand - 0.5 * Double(instance.jobs.count)) / Double(hours) - load) < 0.02)
  }

  @Test func `a week has every kind of visit and rule`() throws {
    let instance = try InstanceGenerator(vets: 12, jobs: 400, days: 6).make(seed: 2)
    #expect(Set(instance.jobs.map(\.urgency)) == ["red", "orange", "yellow", "green", "blue", "book"])
    #expect(instance.jobs.contains { $0.after != nil })
    #expect(instance.jobs.contains { $0.windows.count > 1 })
    #expect(instance.jobs.count { $0.pin != nil } > 20)
    #expect(Set(instance.jobs.flatMap(\.pools)) == Set(instance.pools.indices))
  }
}
