import Foundation
import Presentation
import VetNet

extension ImportCommand {
  /// The mapping that an import reads tables by.
  static func mappingFile(_ arguments: Arguments) throws -> String? {
    guard let file = arguments.value("--map") else { return nil }
    if arguments.value("--kind") != nil {
      throw UsageError("the mapping says what each file is: leave out --kind, or --map")
    }
    return file
  }

  /// Writes a proposed mapping, and says what it isn't sure of.
  static func guess(_ invocation: Invocation) throws -> ExitCode {
    let arguments = invocation.arguments
    guard let file = arguments.value("--map") else {
      throw UsageError("--guess needs --map FILE, the mapping file to be written")
    }
    let others = ["--source", "--kind", "--date-order", "--encoding", "--rejects"].filter { arguments.value($0) != nil }
    let flags = ["--clear-empty", "--dry-run", "--no-index"].filter(arguments.isSet)
    if let flag = (others + flags).first {
      throw UsageError("--guess imports nothing: leave out \(flag), and give it with the mapping that was written")
    }
    guard !FileManager.default.fileExists(atPath: file) else {
      throw UsageError("\(file) is there already, and may have been corrected: name another file, or remove it")
    }
    let practice = try invocation.openPractice()
    var guess = try invocation.perform(GuessMapping(paths: arguments.positionals), on: practice)
    if invocation.terminal.stdinIsTerminal, !invocation.wantsJSON {
      let answers = ask(guess.doubts, invocation.terminal)
      guess = try invocation.perform(GuessMapping(paths: arguments.positionals, answers: answers), on: practice)
    }
    try Data(guess.text.utf8).write(to: URL(filePath: file), options: .withoutOverwriting)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(guess)
    } else {
      for line in guess.lines { invocation.terminal.print(line.withoutControls) }
      invocation.terminal.say("Wrote \(file). Read and correct it, then: vetnet import --map \(file) PATH… --dry-run")
    }
    return .ok
  }

  /// A person's answers, by the doubts' ids; an empty line takes what is proposed, the end of input takes all the rest so.
  private static func ask(_ doubts: [MappingGuess.Doubt], _ terminal: Terminal) -> [String: String] {
    var answers: [String: String] = [:]
    for doubt in doubts where !doubt.choices.isEmpty {
      while true {
        let choices = doubt.choices.joined(separator: ", ")
        terminal.say("\(doubt.file): \(doubt.text). \(choices) [\(doubt.taken ?? "")]?".withoutControls)
        guard let line = readLine() else { return answers }
        let word = line.lowercased()
        if word.allSatisfy(\.isWhitespace) {
          answers[doubt.id] = doubt.taken
          break
        }
        let meant = doubt.choices.filter { $0.lowercased() == word }
        let begun = doubt.choices.filter { $0.lowercased().hasPrefix(word) }
        if let answer = meant.first ?? (begun.count == 1 ? begun.first : nil) {
          answers[doubt.id] = answer
          break
        }
      }
    }
    return answers
  }
}
