import Clinical
import Evaluation
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

struct LetterSuiteTests {
  @Test func `letters are proposed their patients no worse than they were, and none wrongly as a default`() throws {
    let now = try #require(ISODateTime("2026-11-23T09:00Z").map { PracticeTimeZone.utc.timestamp(of: $0) })
    let outcome = try LetterSuite(projectDirectory + "/Evaluations/letters/dev.jsonl").run(
      models: shippedModels(), now: now, seed: 1)
    let metrics = try #require(outcome.report.systems["default"])
    #expect(try #require(metrics["patient"]?.value) >= 0.9)
    #expect(try #require(metrics["offered_wrongly"]?.value) <= 0.05)
    #expect(try #require(metrics["date"]?.value) >= 0.9)
    #expect(try #require(metrics["author"]?.value) >= 0.85)
  }
}
