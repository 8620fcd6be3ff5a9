import Foundation
import VetNet

/// Finds everyday words that triage would misread; the table it writes is the one that ships.
enum KnownWordsCommand {
  static let command = Command(
    "evaluate known-words", "finds everyday words that triage would take for misspelt signs of disease",
    positionals: [Positional("FILE", "vocabularies of English, a word a line", repeating: true)],
    options: [
      Option("--out", "DIR", "a model folder to write the table into (default: prints the words that are new)")
    ],
    examples: [
      Example(
        "vetnet evaluate known-words /usr/share/dict/american-english --out Models",
        "writes triage/known-words.tsv; run it after changing concepts or toxins, then fit triage")
    ],
    discussion: """
      Reads triage/concepts.tsv and triage/toxins.tsv. The words that triage/known-words.tsv has already stay in it.
      """
  ) { invocation in
    var vocabulary: [String] = []
    for file in invocation.arguments.positionals {
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        throw PracticeError(.failed, "can't read '\(file)' as UTF-8")
      }
      vocabulary += text.split(whereSeparator: \.isNewline).map(String.init)
    }
    let found = try KnownWordsFinding.run(models: invocation.models(), vocabulary: vocabulary)
    if let folder = invocation.arguments.value("--out") {
      let file = "\(folder)/\(KnownWordsFinding.file)"
      try OutputLines.write(Array(found.text.utf8), to: file)
      invocation.terminal.say("wrote \(file): \(found.added.count) new words")
    } else if invocation.wantsJSON {
      try invocation.terminal.printJSON(found.added)
    } else {
      for word in found.added { invocation.terminal.print(word) }
    }
    return .ok
  }
}
