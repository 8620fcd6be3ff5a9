import Clinical
import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// The n-th write, sync, truncation, name, opening, reading or lock fails, once or from then on, also while a log that a killed
/// process left is played back. What the program says is true, and the file is sound. `make soak` goes on with n until
/// nothing fails any more; `make test` draws some.
struct FaultLoopTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isSoak = environment["VETNET_SOAK_KILLS"] != nil

  private struct Kind: Sendable {
    let mode: Fault.Mode
    let kinds: String
  }

  private static let faults = [
    Kind(mode: .eio, kinds: "w"), Kind(mode: .enospc, kinds: "w"), Kind(mode: .short, kinds: "w"),
    Kind(mode: .eio, kinds: "s"), Kind(mode: .eio, kinds: "t"), Kind(mode: .eio, kinds: "n"),
    Kind(mode: .eio, kinds: "o"), Kind(mode: .enospc, kinds: "o"), Kind(mode: .eio, kinds: "r"),
    Kind(mode: .busy, kinds: "l"),
  ]

  private struct Tally: Encodable {
    var work = ""
    var faults = 0
    var said: [String: Int] = [:]
    var losses: [String] = []
  }

  /// A folder as a process leaves it that is killed with changes in the log only.
  private func killed(_ swept: SweptPractice, _ place: TemporaryFolder) throws -> String {
    let folder = place.file("hot")
    for step in stride(from: 55, through: 5, by: -5) {
      try? FileManager.default.removeItem(atPath: folder)
      try FileManager.default.copyItem(atPath: swept.base, toPath: folder)
      _ = try Fault(.kill, at: step).installed(
        in: try swept.process(folder), folder: folder, countFile: place.file("count")
      ).start(["note", "add", "P3", "--text", "Broken off.", "--now", SweptPractice.now]).wait()
      if (FileBytes.count(of: folder + "/p.vetnet-wal") ?? 0) > 20_000 { return folder }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  @Test(arguments: SweptWork.all.filter { !["optimize", "reindex --train", "backup, again"].contains($0.name) })
  func `whatever fails, what is said is true and the file is sound`(work: SweptWork) throws {
    let swept = try SweptPractice.shared.get()
    let place = try TemporaryFolder()
    let models = try ModelDirectory(path: swept.models)
    let folder = place.file("w"), counter = place.file("count")
    let bases = [swept.base, try killed(swept, place)]
    var tally = Tally(work: work.name)
    let seed = SweptWork.all.firstIndex { $0.name == work.name } ?? 0
    // Ten a piece of work, and each fault with each.
    for (number, kind) in Self.faults.enumerated() {
      for stays in Self.isSoak ? [false, true] : [(number + seed) % 2 == 0]
      where kind.mode != .busy || !stays || Self.isSoak {
        for (place, base) in bases.enumerated() where Self.isSoak || place == (number + seed) / 2 % 2 {
          var step = 1
          while true {
            try? FileManager.default.removeItem(atPath: folder)
            try FileManager.default.copyItem(atPath: base, toPath: folder)
            unlink(counter)
            let fault = Fault(
              kind.mode, at: Self.isSoak ? step : 1 + (number * 5 + seed * 3) % 14, stays: stays, kinds: kind.kinds)
            let running = try fault.installed(in: try swept.process(folder), folder: folder, countFile: counter)
              .start(work.words.map { $0.replacing("FOLDER", with: folder) })
            let outcome = try running.wait()
            guard Fault.count(in: counter) >= fault.step else { break }
            tally.faults += 1
            let what = "\(work.name)\(place == 1 ? " after a kill" : ""), \(fault)"
            tally.said["\(outcome.status): \(outcome.errors.prefix(70))".replacing(folder, with: "…"), default: 0] += 1
            do {
              if let problem = try Self.problem(running, outcome, fault)
                ?? SweptState.problem(
                  in: folder, after: work, isDone: outcome.status == 0, swept: swept, models: models)
              {
                tally.losses.append("\(what): \(problem)")
              }
              if outcome.errors.contains("is not kept"), ["note add", "note amend", "book"].contains(work.name),
                try SweptState.problem(in: folder, after: work, isDone: true, swept: swept, models: models) == nil
              {
                tally.losses.append("\(what): what is said not to be kept is there")
              }
            } catch {
              tally.losses.append("\(what): \(error)")
            }
            guard Self.isSoak, step < 400 else { break }
            step += stays && kind.mode == .busy ? 7 : 1
          }
        }
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(tally), as: UTF8.self))
    if let path = Self.environment["VETNET_SOAK_REPORT"], let file = fopen(path, "a") {
      fputs(#"{"faults":\#(tally.faults),"losses":\#(tally.losses.count),"work":"fault: \#(work.name)"}"# + "\n", file)
      fclose(file)
    }
    #expect(tally.faults > 3)
    #expect(tally.losses == [], "\(tally.losses.joined(separator: "\n"))")
  }

  /// What is wrong with how a process ended; nil when nothing is.
  private static func problem(
    _ running: VetNetProcess.Running, _ outcome: VetNetProcess.Outcome, _ fault: Fault
  ) throws -> String? {
    guard running.process.terminationReason == .exit else { return "it crashed with signal \(outcome.status)" }
    guard outcome.status != 0 else { return nil }
    // One file of an import that can't be opened is named, and the others stand.
    let isNamed = outcome.status == 3 && outcome.errors.contains("the file can't be opened")
    guard outcome.errors.contains("vetnet:") || isNamed else { return "it says nothing: \(outcome)" }
    guard !outcome.errors.contains("SQLite result"), !outcome.errors.contains("errno") else {
      return "it speaks in numbers: \(outcome.errors)"
    }
    // Damage that isn't there would send somebody to a backup. SQLite says of a sector that can't be read that the file is damaged.
    if fault.kinds == "r", outcome.errors.contains("or its disk fails") { return nil }
    guard outcome.status != 13, !outcome.errors.contains("damaged") else { return "it says damage: \(outcome.errors)" }
    if fault.mode == .busy, outcome.status != 11 { return "it doesn't say held: \(outcome.status) \(outcome.errors)" }
    return nil
  }
}
