import Clinical
import Evaluation
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

struct LayoutSuiteTests {
  private let folder = projectDirectory + "/Evaluations/layouts"

  @Test func `proposed mappings read the labelled layouts no worse than they did`() throws {
    let reader = try LayoutReader(models: shippedModels())
    let today = try #require(CalendarDate(year: 2026, month: 11, day: 23))
    let outcome = try LayoutSuite([folder]).run(reader, today: today, seed: 1)
    let metrics = try #require(outcome.report.systems["default"])
    #expect(outcome.report.n == 255)
    #expect(try #require(metrics["columns"]?.value) >= 0.98)
    #expect(try #require(metrics["left_unread"]?.value) >= 0.95)
    #expect(metrics["tables"]?.value == 1)
    let baseline = outcome.report.baselines["known headings, kinds given"]?["columns"]?.value
    #expect(try #require(baseline) < 0.5)
  }

  @Test func `labels without their folder are refused by name`() {
    let error = #expect(throws: EvaluationError.self) { try LayoutSuite([folder + "/README.md"]) }
    #expect(error?.description.contains("README.md") == true)
  }
}
