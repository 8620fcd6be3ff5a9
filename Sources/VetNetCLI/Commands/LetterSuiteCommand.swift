import Clinical
import Evaluation
import VetNet

enum LetterSuiteCommand {
  static let command = Command(
    "evaluate letters", "measures what letters are proposed on labelled ones",
    positionals: [Positional("FILE", "JSON Lines of letters, beside patients.jsonl and clients.jsonl")],
    options: SuiteRun.options,
    examples: [Example("vetnet evaluate letters Evaluations/letters/test.jsonl", "patients, days and authors")],
    discussion: """
      Needs no practice file. patient is the share of letters about somebody on file whose first candidate is that patient; date
      and author that of all letters with the right one, none where the letter says none. offered_wrongly is the share in which a
      wrong patient is the default of the question; no letter is ever filed without a person's answer.
      """
  ) { invocation in
    let path = invocation.arguments.positionals[0]
    let outcome = try LetterSuite(path).run(
      models: invocation.models(), now: try invocation.now(in: .utc), seed: try SuiteRun.seed(invocation))
    try SuiteRun(report: outcome.report, metrics: LetterSuite.metricNames, paths: [path]).show(invocation) {
      try OutputLines.lines(outcome.predictions)
    }
    return .ok
  }
}
