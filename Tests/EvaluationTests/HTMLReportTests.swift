import Foundation
import Testing

@testable import Evaluation

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct HTMLReportTests {
  private static let sections: [ReportSection] = [
    ReportSection("Matrix", .confusion(labels: ["a", "b"], counts: [[3, 1], [0, 0]])),
    ReportSection(
      "Curve",
      .curves([.init("p < .5 & more", [.init(0, 0), .init(0.5, 0.4), .init(1, 1)])], x: "x", y: "y", diagonal: true)),
    ReportSection("Bars", .bars([.init("dog (12)", Estimate(value: 0.5, low: 0.4, high: 0.6))], x: "accuracy")),
    ReportSection("Table", .table(head: ["name", "n"], rows: [["<b>", "1"]])),
    ReportSection(
      "Cases",
      .cases([.init(id: "T1", verdict: "labelled red", text: "<script>alert(1)</script>", reasons: ["a \"b\""])])),
  ]

  private static func report(_ suite: String = "triage", accuracy: Double = 0.7) -> SuiteReport {
    let estimate = Estimate(value: accuracy, low: accuracy - 0.01, high: accuracy + 0.01)
    return SuiteReport(
      suite: suite, n: 10, systems: ["default": ["accuracy": estimate]], baselines: [:], comparisons: [],
      versions: ["rules": "\(accuracy)"], seed: 1)
  }

  @Test func `a report is one file that loads nothing and runs nothing`() {
    let html = HTMLReport(Self.report(), metrics: ["accuracy"], sections: Self.sections).html
    for word in ["http", "src=", "<script", "href=", "@import", "url("] { #expect(!html.contains(word), "\(word)") }
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(html.contains("0.700 [0.690, 0.710]"))
  }

  @Test func `every plot is well-formed XML`() throws {
    let html = HTMLReport(Self.report(), metrics: ["accuracy"], sections: Self.sections).html
    let plots = html.components(separatedBy: "<svg").dropFirst().map {
      "<svg" + $0.components(separatedBy: "</svg>")[0] + "</svg>"
    }
    #expect(plots.count == 3)
    for plot in plots {
      let parser = XMLParser(data: Data(plot.utf8))
      #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
    }
  }

  @Test func `a comparison shows what changed and which tables did`() throws {
    let lines = try RunComparison.lines(
      earlier: Self.report(accuracy: 0.6), now: Self.report(accuracy: 0.7), metrics: ["accuracy"], file: "run.json")
    #expect(
      lines.contains { $0.contains("0.600") && $0.contains("0.700") && $0.contains("+0.100") && $0.contains("apart") })
    #expect(lines.last == "rules: 0.6 → 0.7")
  }

  @Test func `runs of two suites can't be compared`() {
    #expect(throws: EvaluationError.self) {
      try RunComparison.lines(
        earlier: Self.report("duration"), now: Self.report(), metrics: ["accuracy"], file: "run.json")
    }
  }
}
