import Clinical
import Foundation
@testable import Store
import PracticeTestSupport
import Sync
import Testing
import VetNetTestSupport

@testable import VetNet

/// Twenty devices for a day on the sample practice, each offline for three tenths of the time; and a day's changes on a large file. For
/// `make bench-sync`; nothing in `make test`.
struct SyncBenchTests {
  private static let report = ProcessInfo.processInfo.environment["VETNET_SYNC_BENCH"]

  private struct Day: Encodable {
    var devices = 20
    var operations = 0
    var conflicts = 0
    var conflictsPerThousand = 0.0
    /// Of the messages that carried operations, and of the operations in them as JSON.
    var messageBytes = 0
    var operationBytes = 0
    var bytesPerOperation = 0.0
    var ratio = 0.0
    /// Of the hub's file, with its indexes.
    var logBytesPerOperation = 0.0
    /// Until all were equal, after the day.
    var convergeSeconds = 0.0
    var convergeRounds = 0
    var problems: [String] = []
  }

  private struct Large: Encodable {
    var notes = 0
    var operations = 0
    var seconds = 0.0
    var messageBytes = 0
    var operationBytes = 0
    var ratio = 0.0
  }

  /// The hub, with what passes counted.
  private final class Counted: SyncHub {
    let hub: Practice
    let now: Timestamp
    var messageBytes = 0
    var operationBytes = 0
    var operations = 0

    init(_ hub: Practice, at now: Timestamp) {
      self.hub = hub
      self.now = now
    }

    private func count(_ message: some Encodable, _ carried: [RecordOperation]) throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      guard !carried.isEmpty else { return }
      messageBytes += try encoder.encode(message).count
      operationBytes += try carried.reduce(0) { try $0 + encoder.encode($1).count }
      operations += carried.count
    }

    func hello(_ hello: ReplicaHello) throws -> HubHello { try hub.sync.hello(hello) }
    func push(_ request: PushRequest) throws -> PushReply {
      try count(request, request.operations)
      return try hub.sync.take(request, now: now)
    }
    func pull(_ request: PullRequest) throws -> PullReply {
      let reply = try hub.sync.tell(request, now: now)
      try count(reply, reply.operations)
      return reply
    }
  }

  @Test(.enabled(if: report != nil)) func `a day of twenty devices, and a day's changes on a large file`() throws {
    let large = try large()
    print("large: \(large)")
    let day = try day()
    struct Report: Encodable {
      let day: Day
      let large: Large
      let build = "debug, without the index"
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let data = try encoder.encode(Report(day: day, large: large))
    print(String(decoding: data, as: UTF8.self))
    try (data + Data("\n".utf8)).write(to: URL(filePath: try #require(Self.report)))
    #expect(day.problems == [])
    #expect(day.ratio <= 1.5 && large.ratio <= 1.5)
  }

  private func day() throws -> Day {
    var result = Day()
    let place = try TemporaryFolder()
    let models = try shippedModels()
    let path = place.file("hub.vetnet")
    try Practice.create(at: path, name: "Sample", timeZone: .utc, now: Timestamp(seconds: 1_795_000_000))
    let hub = try Practice.open(at: path, models: models, access: .write)
    var options = ImportOptions(indexes: false)
    options.rejectsPath = place.file("rejects.jsonl")
    try hub.perform(
      ImportRecords(paths: [projectDirectory + "/Corpus"], options: options), by: .local,
      at: Timestamp(seconds: 1_795_000_000))
    let devices = try (1...result.devices).map { number -> Practice in
      let clone = place.file("d\(number).vetnet")
      try hub.perform(CloneHub(path: clone, device: "d\(number)"), by: .local, at: Timestamp(seconds: 1_795_000_000))
      return try Practice.open(at: clone, models: models, access: .write)
    }
    let world = SyncWorld(hub: hub, devices: devices, seed: 26, models: models)
    world.faults = 0
    let before = try hub.connection.operationLog.count()
    var online = [Bool](repeating: true, count: devices.count)
    let counted = Counted(hub, at: world.now)
    // Ten hours in steps of five minutes.
    for tick in 0..<120 {
      for index in devices.indices {
        if tick % 3 == 0 { online[index] = !world.chance(30) }
        if world.chance(35) { try world.act(index) }
        if online[index] { try world.sync(index, through: counted) }
      }
      if world.chance(60) { try world.act(nil) }
    }
    let clock = ContinuousClock()
    let duration = try clock.measure {
      repeat {
        result.convergeRounds += 1
        for index in devices.indices { try world.sync(index, through: counted) }
      } while try result.convergeRounds < 5
        && !devices.allSatisfy {
          try $0.sync.ownReplica().hubSequence == hub.connection.operationLog.own()?.hubSequence
        }
    }
    result.convergeSeconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    try world.check("the day", folds: false)
    result.problems = world.problems
    let all = try hub.connection.operationLog.operations(afterHub: 0, limit: .max)
    result.operations = all.count - before
    result.conflicts = all.count { $0.kind == MergeRules.conflictKind && $0.turn == .made }
    result.conflictsPerThousand = 1000 * Double(result.conflicts) / Double(max(1, result.operations))
    result.messageBytes = counted.messageBytes
    result.operationBytes = counted.operationBytes
    result.bytesPerOperation = Double(counted.messageBytes) / Double(max(1, counted.operations))
    result.ratio = Double(counted.messageBytes) / Double(max(1, counted.operationBytes))
    let logBytes = try hub.connection.number(
      "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name LIKE 'sync_operation%' OR name LIKE '%autoindex_sync_operation%'"
    )
    result.logBytesPerOperation = Double(logBytes) / Double(max(1, all.count))
    return result
  }

  private func large() throws -> Large {
    var result = Large(notes: 100_000)
    let models = try shippedModels()
    let world = try SyncWorld(devices: 1, seed: 27, models: models)
    world.faults = 0
    // As if they had been there before there was a log.
    let log = world.hub.connection.logChanges
    let deviceLog = world.devices[0].practice.connection.logChanges
    for practice in [world.hub, world.devices[0].practice] {
      practice.connection.logChanges = nil
      try practice.writing {
        let source = try practice.connection.sources.id(named: "desk")
        // Patients of their own, with twenty notes each: what is done to one of the world's moves no more notes than in a practice.
        for number in 1...(result.notes / 20) {
          _ = try practice.connection.patients.upsert(
            Patient(id: "OLD\(number)", name: "Old \(number)", species: .dog), source: source)
        }
        for number in 1...result.notes {
          _ = try practice.connection.notes.upsert(
            ClinicalNote(
              id: "old-\(number)", patientID: "OLD\(1 + number % (result.notes / 20))",
              recordedAt: Timestamp(seconds: 1_700_000_000),
              text: "Seen for the \(number)th time, ate well, no cough, weight as before, given meloxicam with food."),
            source: source)
        }
      }
    }
    world.hub.connection.logChanges = log
    world.devices[0].practice.connection.logChanges = deviceLog
    for turn in 0..<600 { try world.act(turn % 3 == 0 ? nil : 0) }
    let counted = Counted(world.hub, at: world.now)
    let clock = ContinuousClock()
    let duration = try clock.measure { for _ in 0..<2 { try world.sync(0, through: counted) } }
    result.seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    result.operations = counted.operations
    result.messageBytes = counted.messageBytes
    result.operationBytes = counted.operationBytes
    result.ratio = Double(counted.messageBytes) / Double(max(1, counted.operationBytes))
    return result
  }
}
