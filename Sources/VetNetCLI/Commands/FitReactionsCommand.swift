import Training
import Extraction
import Foundation
import VetNet

/// Fits by which words a note says that a treatment was not tolerated.
enum FitReactionsCommand {
  static let command = Command(
    "evaluate fit-reactions", "fits what tells a reaction in a note to the exemplars in Models/extraction",
    options: [
      Option("--out", "DIR", "a model folder to write the table into (default: shows figures only)")
    ],
    examples: [
      Example("vetnet evaluate fit-reactions", "what reading each writer's texts by the others' gives"),
      Example("vetnet evaluate fit-reactions --out Models", "writes the table; run it after changing exemplars"),
    ],
    discussion: """
      Reads extraction/reaction-exemplars.tsv and the tables of extraction. Writes extraction/reaction-weights.tsv. The same
      exemplars give the same bytes on one machine. After it, practices are re-indexed to read their notes anew.
      """
  ) { invocation in
    let (fitter, version) = try ReactionFitting.fitter(models: invocation.models())
    if let folder = invocation.arguments.value("--out") {
      let place = "\(folder)/extraction/reaction-weights.tsv"
      try Data(fitter.table(version: version).utf8).write(to: URL(filePath: place), options: .atomic)
      invocation.terminal.say("wrote \(place)")
      return .ok
    }
    let figures = fitter.crossValidation()
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(
        Dictionary(
          uniqueKeysWithValues: figures.map {
            ($0.source, ["recall": $0.figures.recall, "precision": $0.figures.precision])
          }))
      return .ok
    }
    invocation.terminal.print("reactions and bans of each source, read by what the others teach")
    for (source, figures) in figures {
      let (recall, precision) = ((figures.recall * 1000).rounded() / 1000, (figures.precision * 1000).rounded() / 1000)
      invocation.terminal.print(
        "  \(source.padded(to: 14))recall \(recall)  precision \(precision)  of \(figures.exemplars)")
    }
    return .ok
  }
}
