import Clinical
import Evaluation
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

struct InboxSuiteTests {
  @Test func `what comes in is proposed its patient no worse than it was, and nothing is filed unasked`() throws {
    let now = try #require(ISODateTime("2026-11-23T09:00Z").map { PracticeTimeZone.utc.timestamp(of: $0) })
    let outcome = try InboxSuite(projectDirectory + "/Evaluations/inbox/dev.jsonl").run(
      models: shippedModels(), now: now, seed: 1)
    let metrics = try #require(outcome.report.systems["default"])
    #expect(try #require(metrics["first"]?.value) >= 0.93)
    #expect(try #require(metrics["within_three"]?.value) >= 0.94)
    #expect(try #require(metrics["none"]?.value) >= 0.9)
    #expect(try #require(metrics["stands_out_wrongly"]?.value) <= 0.03)
    #expect(metrics["filed_wrongly_unasked"]?.value == 0)
    #expect(outcome.predictions.allSatisfy { !$0.filed })
  }
}
