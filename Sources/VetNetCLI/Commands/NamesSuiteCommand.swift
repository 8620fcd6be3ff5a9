import Evaluation
import VetNet

enum NamesSuiteCommand {
  static let command = Command(
    "evaluate names", "measures how names are taken out of what leaves a practice, on notes with names marked",
    positionals: [Positional("FILE", "JSON Lines of notes with their names and what is on file")],
    options: SuiteRun.options,
    examples: [Example("vetnet evaluate names Evaluations/names/dev.jsonl", "what is found, and what else is lost")],
    discussion: """
      Needs no practice file. recall is the share of names of people, places and ways to reach somebody of which no letter is left; precision the
      share of words taken out that belong to a name; words_lost the share of all other words that are taken out. Offsets are code points.
      """
  ) { invocation in
    let path = invocation.arguments.positionals[0]
    let outcome = try NamesSuite(path).run(models: invocation.models(), seed: try SuiteRun.seed(invocation))
    try SuiteRun(report: outcome.report, metrics: NamesSuite.metricNames, paths: [path]).show(invocation) {
      try OutputLines.lines(outcome.predictions)
    }
    return .ok
  }
}
