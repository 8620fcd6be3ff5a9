import Evaluation
import Training
import VetNet

/// Fits by which signs a word that the rules leave is somebody's name after all.
enum FitNamesCommand {
  static let command = Command(
    "evaluate fit-names", "fits what tells a name that the rules for names leave to notes with names marked",
    positionals: [Positional("FILE", "JSON Lines of notes with their names and what is on file", repeating: true)],
    options: [
      Option("--out", "DIR", "a model folder to write the table into (default: shows figures only)")
    ],
    examples: [
      Example(
        "vetnet evaluate fit-names Evaluations/names/hand.jsonl Evaluations/names/practices-a.jsonl",
        "what each practice's names are found by, of those that the rules leave, when the others teach"),
      Example(
        "vetnet evaluate fit-names Evaluations/names/hand.jsonl Evaluations/names/practices-a.jsonl --out Models",
        "writes names/evidence-weights.tsv; run it after changing rules or tables of names"),
    ],
    discussion: """
      Needs no practice file. A practice is the notes with one register. So much is taken out that of words which belong to no name five in a
      thousand go beside those that the rules take, by weights of the other practices. The same notes give the same table on one machine.
      """
  ) { invocation in
    let paths = invocation.arguments.positionals
    let fitter = try NamesSuite.fitter(try paths.map { try NamesSuite($0) }, models: invocation.models())
    if let folder = invocation.arguments.value("--out") {
      let place = "\(folder)/names/evidence-weights.tsv"
      let files = paths.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      try OutputLines.write(Array(fitter.table(from: files).utf8), to: place)
      invocation.terminal.say("wrote \(place)")
      return .ok
    }
    let figures = fitter.crossValidation()
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(Dictionary(uniqueKeysWithValues: figures.map { ($0.practice, $0.figures) }))
      return .ok
    }
    invocation.terminal.print("names that the rules leave in each practice, found by what the others teach")
    for (practice, figures) in figures {
      invocation.terminal.print(
        "  \(practice.padded(to: 28))\(figures.found) of \(figures.left); other words \(figures.lost) of \(figures.others)"
      )
    }
    return .ok
  }
}
