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
    #expect(html.contains("0.700 <small>[0.690, 0.710]</small>"))
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

  @Test func `fourteen metrics go down the page, one a row, and every cell names its column`() throws {
    let metrics = (1...14).map { "metric_\($0)_of_many" }
    let estimates = Dictionary(
      uniqueKeysWithValues: metrics.map { ($0, Estimate(value: 0.5, low: 0.4, high: 0.6)) })
    let report = SuiteReport(
      suite: "triage", n: 10, systems: ["default": estimates], baselines: ["always orange": estimates],
      comparisons: metrics.map {
        .init(system: "default", against: "always orange", metric: $0, difference: 0.1, pValue: 0.03)
      }, versions: [:], seed: 1)
    let html = HTMLReport(report, metrics: metrics, sections: []).html
    let tables = html.components(separatedBy: "<table>").dropFirst().map { $0.components(separatedBy: "</table>")[0] }
    #expect(tables.count == 2)
    for table in tables {
      let rows = table.components(separatedBy: "<tr>").dropFirst()
      #expect(rows.count == 15)
      for row in rows.dropFirst() {
        #expect(row.hasPrefix("<th scope=\"row\">metric_<wbr>"), "\(row)")
        let cells = row.components(separatedBy: "<td").count - 1
        #expect(cells == row.components(separatedBy: "data-of=").count - 1 && cells <= 2)
      }
    }
    // Terminal and Markdown read the same table.
    #expect(report.lines(metrics: metrics).allSatisfy { $0.count < 120 })
    #expect(report.markdown(metrics: metrics).contains { $0.hasPrefix("| metric_14_of_many | 0.500 [0.400, 0.600] |") })
  }

  @Test func `many systems with few metrics are the rows themselves`() {
    let estimate = ["map": Estimate(value: 0.5, low: 0.4, high: 0.6)]
    let systems = Dictionary(uniqueKeysWithValues: (1...9).map { ("system \($0)", estimate) })
    let report = SuiteReport(
      suite: "retrieval", n: 10, systems: systems, baselines: [:], comparisons: [], versions: [:], seed: 1)
    #expect(report.values(["map"]).head == ["retrieval", "map"])
    #expect(report.values(["map"]).rows.count == 9)
  }

  @Test func `legends stand below the axes, and plots are no wider than a phone`() throws {
    let names = ["first", "second", "third", "fourth", "fifth"]
    let svg = SVGPlot.curves(
      names.map { .init($0, [.init(0, 0), .init(1, 1)]) }, x: "x", y: "y", diagonal: false)
    /// The numbers of an attribute of every element of a class.
    func numbers(_ attribute: String, of style: String) throws -> [Double] {
      let elements = try Regex("<[a-z]+[^>]*class=\"\(style)[^>]*>")
      let value = try Regex("\(attribute)=\"([0-9.]+)\"")
      return svg.matches(of: elements).compactMap { match in
        String(svg[match.range]).firstMatch(of: value)?.output[1].substring.flatMap { Double($0) }
      }
    }
    let axes = try #require(try numbers("y1", of: "grid").max())
    #expect(try numbers("cy", of: "dot").allSatisfy { $0 <= axes })
    let legend = try svg.matches(of: Regex("<text[^>]* y=\"([0-9]+)\"[^>]*class=\"legend\"")).compactMap {
      $0.output[1].substring.flatMap { Double($0) }
    }
    #expect(legend.count == names.count && Set(legend).count == names.count)
    #expect(legend.allSatisfy { $0 > axes + 15 })
    for plot in [
      svg,
      SVGPlot.confusion(
        labels: ["red", "orange", "yellow", "green", "blue"], counts: .init(repeating: [1, 2, 3, 4, 5], count: 5)),
      SVGPlot.bars(
        [.init("a name that is rather long for a bar (99)", Estimate(value: 0.5, low: 0.4, high: 0.6))], x: "x"),
    ] {
      #expect(plot.hasPrefix("<svg viewBox=\"0 0 328 "))
    }
  }

  private static let axes: [(largest: Double, labels: [String])] = [
    (0.31, ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]), (28.5, ["0", "10", "20", "30", "40", "50"]),
    (0.06, ["0", "0.025", "0.05", "0.075", "0.1"]), (1, ["0", "0.25", "0.5", "0.75", "1"]),
    (0, ["0", "0.25", "0.5", "0.75", "1"]), (644, ["0", "250", "500", "750", "1000"]),
  ]

  @Test(arguments: axes)
  func `an axis is divided at numbers of few digits, and says them exactly`(largest: Double, labels: [String]) {
    let svg = SVGPlot.curves([.init("one", [.init(1, largest)])], x: "x", y: "y", diagonal: false)
    let written = svg.matches(of: /text-anchor="end">([0-9.]+)</).map { String($0.1) }
    #expect(written.prefix(labels.count) == labels[...])
    #expect(svg.components(separatedBy: "class=\"grid\"").count - 1 == labels.count)
  }

  @Test func `words of a plot keep their size on a phone, and counts can be read on their squares`() {
    // 328 units of a plot need 328 px: of the page's letters, for the plot's own are smaller.
    #expect(HTMLStyle.text.contains("svg { display: block; width: 100%; max-width: 26rem"))
    let svg = SVGPlot.confusion(labels: ["a", "b"], counts: [[3, 2], [0, 9]])
    #expect(svg.matches(of: /class="inverse">([0-9]+)</).map { String($0.1) } == ["9"])
  }

  @Test func `a page is made for phones, for dark rooms and for paper`() {
    let html = HTMLReport(Self.report(), metrics: ["accuracy"], sections: Self.sections).html
    #expect(html.contains("name=\"viewport\" content=\"width=device-width"))
    for query in ["@media print", "max-width: 40em", "prefers-color-scheme: dark"] { #expect(html.contains(query)) }
    // Each curve has dashes of its own: black and white print has no colours.
    let dashes = html.matches(of: /\.c\d \{ --c: var\(--c\d\); stroke-dasharray: ([^}]+) \}/).map { String($0.1) }
    #expect(dashes.count == 5 && Set(dashes).count == 5)
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
