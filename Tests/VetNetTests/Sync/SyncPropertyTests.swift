import Clinical
import Foundation
import Store
import Sync
import Testing
import VetNetTestSupport

@testable import VetNet

/// A hub and three devices with wrong clocks do whatever people do, and sync in any order by a network that loses, doubles and delays:
/// when all have heard of everything all are equal, nothing that somebody did is lost, and nobody was booked twice at any moment.
struct SyncPropertyTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// A world goes through so many schedules: each is some work, some syncs that break off, and then one by all.
  private static let schedulesPerWorld = 12
  private static var schedules: Int { environment["VETNET_SYNC_SCHEDULES"].flatMap { Int($0) } ?? 72 }
  private static var seed: UInt64 { environment["VETNET_SYNC_SEED"].flatMap { UInt64($0) } ?? 1 }

  /// - Returns: what was not as it has to be; stops at the first.
  private func problems(
    seed: UInt64, models: ModelDirectory, rules: MergeRules = .standard, schedules: Int, lies: Bool = false
  ) throws
    -> [String]
  {
    let world = try SyncWorld(devices: 3, seed: seed, models: models, rules: rules)
    world.liesOnce = lies
    for schedule in 0..<schedules {
      if world.chance(70) { try world.clash() }
      for _ in 0..<(4 + Int(world.random.next() % 14)) {
        if world.chance(35) {
          try world.sync(Int(world.random.next() % 3))
        } else {
          try world.act(world.chance(25) ? nil : Int(world.random.next() % 3))
        }
      }
      try world.settle()
      try world.check("seed \(seed), schedule \(schedule)")
      guard world.problems.isEmpty else { return world.problems }
    }
    try world.checkNewcomer("seed \(seed)")
    return world.problems
  }

  @Test func `whatever is done where, and however syncs break off, all end equal and nothing is lost`() throws {
    let worlds = (Self.schedules + Self.schedulesPerWorld - 1) / Self.schedulesPerWorld
    let models = try ModelDirectory(path: modelsDirectory)
    var failed: [String] = []
    for world in 0..<UInt64(worlds) where failed.count < 3 {
      failed += try problems(seed: Self.seed * 1_000_000 + world, models: models, schedules: Self.schedulesPerWorld)
        .prefix(2)
    }
    #expect(failed == [])
    if let path = Self.environment["VETNET_SYNC_REPORT"] {
      let line =
        #"{"test":"schedules","seed":\#(Self.seed),"schedules":\#(worlds * Self.schedulesPerWorld),"devices":3,"failed":\#(failed.count)}"#
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
    let models = try ModelDirectory(path: modelsDirectory)
    var isFound = false
    for seed in 0..<UInt64(12) where !isFound {
      isFound = try !problems(seed: 7_000 + seed, models: models, rules: rules, schedules: 6, lies: planted.lies)
        .isEmpty
    }
    #expect(isFound, "\(planted.name)")
  }
}
