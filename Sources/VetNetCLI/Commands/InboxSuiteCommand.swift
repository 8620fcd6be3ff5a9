import Clinical
import Evaluation
import VetNet

enum InboxSuiteCommand {
  static let command = Command(
    "evaluate inbox", "measures whom the review queue proposes for what comes in, on labelled texts",
    positionals: [Positional("FILE", "JSON Lines of texts, beside patients.jsonl and clients.jsonl")],
    options: SuiteRun.options,
    examples: [Example("vetnet evaluate inbox Evaluations/inbox/dev.jsonl", "first proposals, and nobody's")],
    discussion: """
      Needs no practice file. first is the share of texts about somebody on file whose first proposal is right; within_three that
      with everybody whom it is about among the first three; none the share of texts about nobody on file that are proposed nobody;
      stands_out_wrongly the share in which one click would file to a wrong patient; filed_wrongly_unasked what was filed without
      any, which is always 0.
      """
  ) { invocation in
    let path = invocation.arguments.positionals[0]
    let outcome = try InboxSuite(path).run(
      models: invocation.models(), now: try invocation.now(in: .utc), seed: try SuiteRun.seed(invocation))
    try SuiteRun(report: outcome.report, metrics: InboxSuite.metricNames, paths: [path]).show(invocation) {
      try OutputLines.lines(outcome.predictions)
    }
    return .ok
  }
}
