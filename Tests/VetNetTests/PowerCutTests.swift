import Clinical
import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// The power goes while a process works, or when it has said that all is done: what was written and not brought to the disk is there by
/// chance, sector by sector. What was acknowledged is there all the same, and the file verifies. `make soak` does more of it.
struct PowerCutTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static var cutsPerWork: Int { (environment["VETNET_SOAK_KILLS"].flatMap { Int($0) } ?? 24) / works.count }

  static let works = SweptWork.all

  @Test func `a disk that only says that it syncs loses what was acknowledged, so that the model takes something away`()
    throws
  {
    let swept = try SweptPractice.shared.get()
    let place = try TemporaryFolder()
    let models = try ModelDirectory(path: swept.models)
    let work = try #require(Self.works.first { $0.name == "note add" })
    let folder = place.file("w")
    let isLost = try (1...8).contains { seed in
      try? FileManager.default.removeItem(atPath: folder)
      try FileManager.default.copyItem(atPath: swept.base, toPath: folder)
      var fault = Fault(.power, at: Fault.atTheEnd)
      fault.seed = UInt64(seed)
      fault.liesAboutSync = true
      let outcome = try fault.installed(
        in: try swept.process(folder), folder: folder, countFile: place.file("count")
      ).start(work.words).wait()
      guard outcome.status == 0 else { return false }
      do {
        return try SweptState.problem(in: folder, after: work, isDone: true, swept: swept, models: models) != nil
      } catch {
        return true
      }
    }
    #expect(isLost)
  }

  @Test(arguments: works)
  func `whatever the disk had of it, what was acknowledged is there, and the file is sound`(work: SweptWork) throws {
    let swept = try SweptPractice.shared.get()
    let place = try TemporaryFolder()
    let models = try ModelDirectory(path: swept.models)
    let folder = place.file("w"), counter = place.file("count")
    func run(_ fault: Fault) throws -> (outcome: VetNetProcess.Outcome, wasCut: Bool) {
      try? FileManager.default.removeItem(atPath: folder)
      try FileManager.default.copyItem(atPath: swept.base, toPath: folder)
      try? FileManager.default.removeItem(atPath: counter)
      let running = try fault.installed(in: try swept.process(folder), folder: folder, countFile: counter)
        .start(work.words.map { $0.replacing("FOLDER", with: folder) })
      let outcome = try running.wait()
      return (outcome, running.process.terminationReason == .uncaughtSignal && outcome.status == SIGKILL)
    }
    let (whole, _) = try run(Fault(.kill, at: 0))
    try #require(whole.status == 0, "\(whole.errors)")
    let steps = Fault.count(in: counter)
    var generator = SplitMix64(seed: work.name.utf8.reduce(13) { $0 &* 31 &+ UInt64($1) })
    var losses: [String] = []
    var cuts = 0
    for turn in 0..<max(2, Self.cutsPerWork) {
      var fault = Fault(.power, at: turn % 2 == 0 ? Fault.atTheEnd : Int.random(in: 1...steps, using: &generator))
      fault.seed = generator.next() >> 1
      let (outcome, wasCut) = try run(fault)
      let isAtTheEnd = fault.step == Fault.atTheEnd
      guard isAtTheEnd ? outcome.status == 0 : wasCut else { continue }
      cuts += 1
      let isDone = isAtTheEnd || !outcome.output.isEmpty
      let what = "\(work.name), \(fault) of \(steps), seed \(fault.seed)"
      do {
        if let problem = try SweptState.problem(in: folder, after: work, isDone: isDone, swept: swept, models: models) {
          losses.append("\(what): \(problem)")
        }
      } catch {
        losses.append("\(what): \(error)")
      }
    }
    #expect(losses == [])
    #expect(cuts > 0)
    print("power cuts in \(work.name): \(cuts), \(losses.count) losses")
    if let path = Self.environment["VETNET_SOAK_REPORT"], let file = fopen(path, "a") {
      fputs(
        #"{"cuts":\#(cuts),"losses":\#(losses.count),"steps":\#(steps),"work":"power cut in \#(work.name)"}"# + "\n",
        file)
      fclose(file)
    }
  }
}
