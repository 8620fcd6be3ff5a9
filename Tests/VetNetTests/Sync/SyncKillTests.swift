import Clinical
import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Real processes that sync through a folder, killed at steps in which they write, and with a disk that is full from some step on:
/// the next sync makes up for it. `make soak-sync` takes every step; `make test` draws some.
struct SyncKillTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static var turns: Int { environment["VETNET_SYNC_KILLS"].flatMap { Int($0) } ?? 6 }

  /// Which side is ended.
  enum Side: String, CaseIterable, Sendable {
    case device, hub, back
  }

  private struct Ready {
    let place: TemporaryFolder
    let models: ModelDirectory
    let swept: SweptPractice
    let base: String
  }

  /// A hub, a clone and a stick in one folder, with changes on both sides that the other has yet to hear; as they are before `side`.
  private func prepare(_ side: Side) throws -> Ready {
    let swept = try SweptPractice.shared.get()
    let place = try TemporaryFolder()
    let base = place.file("base")
    try FileManager.default.copyItem(atPath: swept.base, toPath: base)
    try FileManager.default.createDirectory(atPath: base + "/stick", withIntermediateDirectories: true)
    let hub = try swept.process(base)
    let device = try self.device(swept, base)
    func must(_ process: VetNetProcess, _ words: [String]) throws {
      let outcome = try process.start(words + ["--now", SweptPractice.now]).wait()
      try #require(outcome.status == 0, "\(words): \(outcome.errors)")
    }
    try must(device, ["clone", base + "/p.vetnet", "--name", "laptop"])
    try must(device, ["note", "add", "P1", "--text", "Written on the laptop."])
    try must(hub, ["note", "add", "P2", "--text", "Written at the hub."])
    try must(
      hub, ["schedule", "book", "--patient", "P1", "--at", "2026-11-24T09:00", "--with", "S1", "--minutes", "20"])
    try must(
      device, ["schedule", "book", "--patient", "P2", "--at", "2026-11-24T09:00", "--with", "S1", "--minutes", "20"])
    if side != .device { try must(device, sync(base)) }
    if side == .back { try must(hub, sync(base)) }
    return Ready(place: place, models: try ModelDirectory(path: swept.models), swept: swept, base: base)
  }

  private func sync(_ folder: String) -> [String] { ["sync", "--with", folder + "/stick"] }

  private func device(_ swept: SweptPractice, _ folder: String) throws -> VetNetProcess {
    var process = try swept.process(folder)
    process.environment["VETNET_PRACTICE"] = folder + "/clone.vetnet"
    return process
  }

  @Test("ended at any step of a sync, the next one makes up for it", arguments: Side.allCases)
  func killedSyncGoesOn(side: Side) throws {
    let ready = try prepare(side)
    let folder = ready.place.file("w"), counter = ready.place.file("count")
    func fresh() throws {
      try? FileManager.default.removeItem(atPath: folder)
      try FileManager.default.copyItem(atPath: ready.base, toPath: folder)
      unlink(counter)
    }
    func process() throws -> VetNetProcess {
      side == .hub ? try ready.swept.process(folder) : try device(ready.swept, folder)
    }
    try fresh()
    let whole = try Fault(.kill, at: 0).installed(in: try process(), folder: folder, countFile: counter)
      .start(sync(folder) + ["--now", SweptPractice.now]).wait()
    try #require(whole.status == 0, "\(whole.errors)")
    let steps = Fault.count(in: counter)
    try #require(steps > 3)
    var ended = 0
    for turn in 0..<min(Self.turns, 2 * steps) {
      try fresh()
      let step = 1 + (turn * 7919) % steps
      let fault = Fault(turn % 3 == 2 ? .enospc : turn % 3 == 1 ? .tear : .kill, at: step, stays: turn % 3 == 2)
      let outcome = try fault.installed(in: try process(), folder: folder, countFile: counter)
        .start(sync(folder) + ["--now", SweptPractice.now]).wait()
      if outcome.status != 0 { ended += 1 }
      try finish(folder, ready, "\(side.rawValue), \(fault) of \(steps): \(outcome.errors.prefix(200))")
    }
    #expect(ended > 0)
  }

  /// Two more rounds without faults, after which both are equal and have everything.
  private func finish(_ folder: String, _ ready: Ready, _ what: String) throws {
    let hub = try ready.swept.process(folder)
    let device = try device(ready.swept, folder)
    for process in [device, hub, device, hub, device] {
      let outcome = try process.start(sync(folder) + ["--now", SweptPractice.now]).wait()
      #expect(outcome.status == 0, "\(what): \(outcome.errors)")
    }
    let truth = try Practice.open(at: folder + "/p.vetnet", models: ready.models, access: .read)
    let clone = try Practice.open(at: folder + "/clone.vetnet", models: ready.models, access: .read)
    let dump = try SyncWorld.dump(truth)
    #expect(try SyncWorld.dump(clone) == dump, "\(what)")
    for text in ["Written on the laptop.", "Written at the hub."] {
      #expect(dump.filter { $0.contains(text) }.count == 1, "\(what): \(text)")
    }
    let held = try truth.connection.appointments.appointments(
      startingIn: Timestamp(seconds: 0)..<Timestamp(seconds: 1 << 40)
    ).filter { $0.value.status == .booked }
    #expect(held.filter { $0.value.patientID == "P1" }.count == 1, "\(what): the hub's booking stands")
    #expect(try truth.integrity.verify().ok && clone.integrity.verify().ok, "\(what)")
  }
}
