import Clinical
import Foundation
import PracticeTestSupport
import Store
import Sync
import Testing
import VetNetTestSupport

@testable import VetNet

/// A hub and three devices with wrong clocks do whatever people do, and sync in any order by a network that loses, doubles and delays:
/// when all have heard of everything all are equal, nothing that somebody did is lost, and nobody was booked twice at any moment.
struct SyncPropertyTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static func number(_ name: String) -> UInt64? { environment[name].flatMap { UInt64($0) } }
  /// A world goes through so many schedules: each is some work, some syncs that break off, and then one by all.
  private static let schedulesPerWorld = 12
  private static var schedules: Int { number("VETNET_SYNC_SCHEDULES").map { Int($0) } ?? 120 }
  private static var seed: UInt64 { number("VETNET_SYNC_SEED") ?? 1 }
  /// The first world, where several processes share the schedules of a seed.
  private static var first: UInt64 { number("VETNET_SYNC_FIRST") ?? 0 }
  /// Worlds that are gone through at a time.
  private static var lanes: UInt64 {
    number("VETNET_SYNC_LANES") ?? UInt64(ProcessInfo.processInfo.activeProcessorCount)
  }

  /// What became of a world.
  private struct Run: Sendable {
    var schedules = 0
    var operations = 0
    var conflicts = 0
    /// What was not as it has to be; it stops at the first.
    var problems: [String] = []

    mutating func add(_ other: Self) {
      schedules += other.schedules
      operations += other.operations
      conflicts += other.conflicts
      problems += other.problems.prefix(2)
    }
  }

  private static func run(
    seed: UInt64, models: ModelDirectory, rules: MergeRules = .standard, schedules: Int, lies: Bool = false
  ) throws -> Run {
    var run = Run()
    let world = try SyncWorld(devices: 3, seed: seed, models: models, rules: rules)
    world.liesOnce = lies
    while run.schedules < schedules, world.problems.isEmpty {
      if world.chance(70) { try world.clash() }
      for _ in 0..<(4 + Int(world.random.next() % 14)) {
        if world.chance(35) {
          try world.sync(Int(world.random.next() % 3))
        } else {
          try world.act(world.chance(25) ? nil : Int(world.random.next() % 3))
        }
      }
      try world.settle()
      try world.check("seed \(seed), schedule \(run.schedules)")
      run.schedules += 1
    }
    if world.problems.isEmpty { try world.checkNewcomer("seed \(seed)") }
    run.operations = try world.hub.connection.operationLog.count()
    run.conflicts = try world.hub.sync.syncConflicts(settledToo: true).count
    run.problems = world.problems
    return run
  }

  @Test func `whatever is done where, and however syncs break off, all end equal and nothing is lost`() async throws {
    let worlds = UInt64((Self.schedules + Self.schedulesPerWorld - 1) / Self.schedulesPerWorld)
    let all = try await withThrowingTaskGroup(of: Run.self) { group in
      let lanes = max(1, Self.lanes)
      for lane in 0..<lanes {
        group.addTask {
          let models = try shippedModels()
          var sum = Run()
          for world in stride(from: Self.first + lane, to: Self.first + worlds, by: Int(lanes))
          where sum.problems.count < 3 {
            sum.add(
              try Self.run(seed: Self.seed * 1_000_000 + world, models: models, schedules: Self.schedulesPerWorld))
          }
          return sum
        }
      }
      return try await group.reduce(into: Run()) { $0.add($1) }
    }
    #expect(all.problems.prefix(6) == [])
    #expect(all.schedules == Int(worlds) * Self.schedulesPerWorld)
    if let path = Self.environment["VETNET_SYNC_REPORT"] {
      let line =
        #"{"test":"schedules","seed":\#(Self.seed),"first_world":\#(Self.first),"worlds":\#(worlds),"schedules":\#(all.schedules),"devices":3,"operations":\#(all.operations),"conflicts":\#(all.conflicts),"failed":\#(all.problems.count)}"#
      try Data((line + "\n").utf8).write(to: URL(filePath: path))
    }
  }

  /// An error that is planted, and has to be found.
  struct Planted: Sendable, CustomTestStringConvertible {
    let name: String
    var lies = false
    var change: @Sendable (inout MergeRules) -> Void = { _ in }

    var testDescription: String { name }
  }

  static let planted: [Planted] = [
    Planted(name: "two amendments of a note leave one") { $0.kinds["note"]?.fields["text"] = .latest },
    Planted(name: "whoever comes last undoes a retraction") { $0.kinds["note"]?.fields["retraction"] = .latest },
    Planted(name: "a status goes back") { $0.kinds["appointment"]?.fields["status"] = .hubDecides },
    Planted(name: "nobody is told of two values") { $0.kinds["client"]?.others = .latestQuietly },
    Planted(name: "who comes last to the hub wins, untold") { $0.kinds["client"]?.others = .hubDecides },
    Planted(name: "the book is merged like a list") { $0.kinds["appointment"]?.place = .anywhere },
    Planted(name: "the hub says that it took what it didn't", lies: true),
  ]

  @Test("each error that is planted is found", arguments: planted)
  func plantedErrorIsFound(planted: Planted) throws {
    var rules = MergeRules.standard
    planted.change(&rules)
    let models = try shippedModels()
    var isFound = false
    for seed in 0..<UInt64(12) where !isFound {
      isFound = try !Self.run(seed: 7_000 + seed, models: models, rules: rules, schedules: 6, lies: planted.lies)
        .problems.isEmpty
    }
    #expect(isFound, "\(planted.name)")
  }
}
