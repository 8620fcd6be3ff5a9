import Clinical
import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Real processes, killed at every step in which they write, and at random times: nothing that was acknowledged is lost, nothing
/// is half there, and the work can go on. `make soak` does ten thousand; `make test` does a few dozen.
struct KillSweepTests {
  private struct Tally: Encodable {
    var work = ""
    /// Steps in which the work writes, when nothing kills it.
    var steps = 0
    var kills = 0
    /// Within a write, half of which was done.
    var torn = 0
    /// At a random time instead of a step.
    var atRandom = 0
    /// Of all: those that left a log to be played back, or a file half made.
    var leftSomething = 0
    var resumed = 0
    /// Processes that came to their end first.
    var missed = 0
    var losses: [String] = []
  }

  private static let environment = ProcessInfo.processInfo.environment
  private static var killsPerWork: Int {
    (environment["VETNET_SOAK_KILLS"].flatMap { Int($0) } ?? 40) / SweptWork.all.count
  }
  private static var isSoak: Bool { environment["VETNET_SOAK_KILLS"] != nil }

  @Test(arguments: SweptWork.all)
  func `killed at any step, nothing acknowledged is lost, nothing is half there, and the work goes on`(work: SweptWork)
    throws
  {
    let swept = try SweptPractice.shared.get()
    let place = try TemporaryFolder()
    let models = try ModelDirectory(path: swept.models)
    let folder = place.file("w"), counter = place.file("count")
    var tally = Tally(work: work.name)
    var generator = SplitMix64(seed: work.name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
    func prepare() throws {
      try? FileManager.default.removeItem(atPath: folder)
      try FileManager.default.copyItem(atPath: swept.base, toPath: folder)
      unlink(counter)
    }
    func words(_ words: [String]) -> [String] { words.map { $0.replacing("FOLDER", with: folder) } }

    // Undisturbed, for the number of steps and the time.
    try prepare()
    let clock = ContinuousClock()
    var outcome: VetNetProcess.Outcome?
    let duration = try clock.measure {
      outcome = try Fault(.kill, at: 0).installed(in: try swept.process(folder), folder: folder, countFile: counter)
        .start(words(work.words)).wait()
    }
    try #require(outcome?.status == 0, "\(outcome?.errors ?? "")")
    tally.steps = Fault.count(in: counter)
    try #require(tally.steps >= 2)
    if let problem = try SweptState.problem(in: folder, after: work, isDone: true, swept: swept, models: models) {
      Issue.record("\(work.name), undisturbed: \(problem)")
    }

    for turn in 0..<Self.killsPerWork {
      try prepare()
      let isRandom = turn % 7 == 6
      // Spread over all steps; with more turns than steps, each has its turn.
      let step =
        Self.killsPerWork >= tally.steps
        ? 1 + turn % tally.steps
        : 1 + (turn * tally.steps + Int(generator.next() % UInt64(tally.steps))) / Self.killsPerWork
      let fault = Fault(turn % 2 == 0 ? .kill : .tear, at: isRandom ? 0 : min(step, tally.steps))
      let running = try fault.installed(in: try swept.process(folder), folder: folder, countFile: counter)
        .start(words(work.words))
      if isRandom {
        let micros = Double(duration.components.attoseconds) / 1e12 + Double(duration.components.seconds) * 1e6
        usleep(UInt32(micros * Double(generator.next() % 1000) / 1000))
        running.kill()
      }
      let end = try running.wait()
      guard running.process.terminationReason == .uncaughtSignal, end.status == SIGKILL else {
        tally.missed += 1
        continue
      }
      tally.kills += 1
      if isRandom { tally.atRandom += 1 } else if fault.mode == .tear { tally.torn += 1 }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      if (FileBytes.count(of: folder + "/p.vetnet-wal") ?? 0) > 0 || names.contains(where: { $0.contains("partial") }) {
        tally.leftSomething += 1
      }
      // What a killed process printed, it had been asked to print after the work was done.
      let isDone = !end.output.isEmpty
      let what = "\(work.name), \(isRandom ? "at a random time" : "\(fault) of \(tally.steps)")"
      do {
        if let problem = try SweptState.problem(in: folder, after: work, isDone: isDone, swept: swept, models: models) {
          tally.losses.append("\(what): \(problem)")
          continue
        }
        guard turn % (Self.isSoak ? 10 : 3) == 0 else { continue }
        let again = try swept.process(folder).start(words(work.again)).wait()
        tally.resumed += 1
        let problem = try SweptState.problem(in: folder, after: work, isDone: true, swept: swept, models: models)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("partial") }
        // It had been done.
        let isDoneTwice =
          work.name == "note amend" && again.errors.contains("is the one on file")
          || work.name == "patient erase" && again.errors.contains("was erased on")
        if (again.status != 0 && !isDoneTwice) || problem != nil
          || (!left.isEmpty && work.name != "import" && work.words[0] == "backup")
        {
          tally.losses.append("\(what), taken up again: \(again.errors) \(problem ?? "") \(left)")
        }
      } catch {
        tally.losses.append("\(what): \(error)")
      }
    }
    try Self.keep(tally)
    #expect(tally.losses == [])
    #expect(tally.kills * 10 >= Self.killsPerWork * 8, "\(tally)")
    #expect(tally.leftSomething > 0, "\(tally)")
  }

  /// One line for each piece of work, where the run is to be kept.
  private static func keep(_ tally: Tally) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = String(decoding: try encoder.encode(tally), as: UTF8.self) + "\n"
    print(line, terminator: "")
    guard let path = environment["VETNET_SOAK_REPORT"], let file = fopen(path, "a") else { return }
    defer { fclose(file) }
    fputs(line, file)
  }
}
