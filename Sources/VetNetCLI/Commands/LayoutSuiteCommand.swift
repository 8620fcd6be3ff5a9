import Clinical
import Evaluation
import VetNet

enum LayoutSuiteCommand {
  static let command = Command(
    "evaluate layouts", "measures proposed mappings on exports whose columns are labelled",
    positionals: [
      Positional("PATH", "labels NAME.tsv beside the export's folder NAME, or folders of them", repeating: true)
    ],
    options: SuiteRun.options,
    examples: [
      Example("vetnet evaluate layouts Evaluations/layouts", "which columns import --guess reads for what they are")
    ],
    discussion: """
      Needs no practice file. What is measured is the mapping as it is proposed where nobody is asked. columns is the share of
      labelled columns that are read as what they are, left_unread that of columns that should be left alone, tables that of
      columns whose table is taken for what it is. The baseline is an import without a mapping that is told each table's kind.
      """
  ) { invocation in
    let paths = invocation.arguments.positionals
    let suite = try LayoutSuite(paths)
    let zone = PracticeTimeZone.utc
    let outcome = try suite.run(
      try LayoutReader(models: invocation.models()), today: zone.date(of: try invocation.now(in: zone)),
      seed: try SuiteRun.seed(invocation))
    try SuiteRun(report: outcome.report, metrics: LayoutSuite.metricNames, paths: paths).show(invocation) {
      try OutputLines.lines(outcome.predictions)
    }
    for layout in outcome.layouts where !invocation.wantsJSON {
      invocation.terminal.print(
        "\(layout.name): \(layout.right) of \(layout.columns) columns right, \(layout.doubts) doubts")
    }
    return .ok
  }
}
