import Foundation
import Testing

@testable import Evaluation

struct MeasuredProcessTests {
  @Test func `output, errors, status, time and memory are told`() throws {
    let outcome = try MeasuredProcess("sh", scratch: ScratchFolder()).run(["-c", "echo out; echo err >&2; exit 3"])
    #expect(outcome.status == 3)
    #expect(String(decoding: outcome.output, as: UTF8.self) == "out\n")
    #expect(String(decoding: outcome.errors, as: UTF8.self) == "err\n")
    #expect(outcome.seconds > 0)
    #expect(outcome.peakMemory > 100_000)
  }

  @Test func `a signal is told as shells tell it`() throws {
    #expect(try MeasuredProcess("sh", scratch: ScratchFolder()).run(["-c", "kill -9 $$"]).status == 137)
  }

  @Test func `nothing is left of the run before`() throws {
    let shell = MeasuredProcess("sh", scratch: try ScratchFolder())
    _ = try shell.run(["-c", "echo a long first line"])
    #expect(try shell.run(["-c", ":"]).output.isEmpty)
  }

  @Test func `a program that isn't there is named`() throws {
    let scratch = try ScratchFolder()
    let error = #expect(throws: MeasuredProcess.Failure.self) {
      try MeasuredProcess("no-such-program-anywhere", scratch: scratch).run([])
    }
    #expect(error?.description.contains("no-such-program-anywhere") == true)
  }

  @Test func `a scratch folder goes with its value`() throws {
    var folder: ScratchFolder? = try ScratchFolder()
    let path = try #require(folder?.path)
    try Data().write(to: URL(filePath: path + "/file"))
    folder = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [([], 0), ([3], 3), ([9, 1, 5], 5), ([4, 1, 2, 3], 2.5)] as [([Double], Double)])
  func `the median is the middle one`(values: [Double], median: Double) {
    #expect(PracticeBench.median(values) == median)
  }
}
