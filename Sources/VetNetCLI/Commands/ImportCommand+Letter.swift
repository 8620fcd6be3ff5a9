import Clinical
import Foundation
import Presentation
import VetNet

extension ImportCommand {
  /// Reads letters, asks at a terminal whose they are, and keeps them in the inbox, where each waits that nobody filed.
  static func letters(_ invocation: Invocation) throws -> ExitCode {
    let arguments = invocation.arguments
    let others = ["--source", "--kind", "--date-order", "--encoding", "--rejects", "--map"].filter {
      arguments.value($0) != nil
    }
    let flags = ["--clear-empty", "--guess", "--no-index"].filter(arguments.isSet)
    if let flag = (others + flags).first { throw UsageError("--letter reads letters: leave out \(flag)") }
    let practice = try invocation.openPractice(.write)
    let readings = try invocation.perform(ReadLetters(paths: arguments.positionals), on: practice)
    for letter in readings.unread {
      invocation.terminal.say("\(letter.file): not read: \(letter.reason)".withoutControls)
    }
    let asks = invocation.terminal.stdinIsTerminal && !invocation.wantsJSON && !arguments.isSet("--dry-run")
    for letter in readings.letters {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(LetterOutput(letter, kept: try keep(letter, invocation, practice)))
      } else {
        for line in letter.lines { invocation.terminal.print(line.withoutControls) }
        let decided = asks ? decision(letter, invocation, practice) : nil
        var letter = letter
        if let author = decided?.author { letter.item.details.author = author.isEmpty ? nil : author }
        let kept = try keep(letter, invocation, practice)
        if let kept { invocation.terminal.print(kept.line(letter.item.reason)) }
        if let decided, let kept, !kept.wasKnown { try file(kept.id, decided, invocation, practice) }
      }
    }
    return readings.unread.isEmpty ? .ok : .someInputRejected
  }

  /// Where a letter lies in the inbox.
  struct KeptLetter: Encodable {
    let id: String
    /// Whether it came before.
    let wasKnown: Bool

    private enum CodingKeys: String, CodingKey {
      case id
      case wasKnown = "was_known"
    }

    func line(_ reason: IncomingItem.Reason) -> String {
      wasKnown
        ? "  came before: \(id) (vetnet inbox show \(id))"
        : "  in the inbox as \(id): it \(reason.words) (vetnet inbox assign \(id) --patient PATIENT)"
    }
  }

  /// A letter as `--json` has it: what was read of it without its bytes.
  private struct LetterOutput: Encodable {
    let file: String
    let format: String
    let subject: String?
    let attachments: [String]
    let candidates: [LetterReading.Candidate]
    let date: LetterReading.Proposal<String>?
    let author: LetterReading.Proposal<String>?
    let reason: IncomingItem.Reason
    let inbox: KeptLetter?

    init(_ letter: LetterReading, kept: KeptLetter?) {
      file = letter.file
      format = letter.format
      subject = letter.subject
      attachments = letter.attachments
      candidates = letter.candidates
      date = letter.date
      author = letter.author
      reason = letter.item.reason
      inbox = kept
    }
  }

  private static func keep(_ letter: LetterReading, _ invocation: Invocation, _ practice: Practice) throws
    -> KeptLetter?
  {
    if invocation.arguments.isSet("--dry-run") { return nil }
    let receipt = try invocation.perform(AddToInbox(items: [letter.item]), on: practice)
    return receipt.ids.first.map { KeptLetter(id: $0, wasKnown: receipt.unchanged > 0) }
  }

  /// What a person said of a letter.
  private struct Decision {
    let patient: String
    /// Nil for the letter's own.
    let date: Timestamp?
    /// Empty for nobody.
    let author: String
  }

  /// Asks whose a letter is, of when and by whom; nil where it shall wait.
  private static func decision(_ letter: LetterReading, _ invocation: Invocation, _ practice: Practice) -> Decision? {
    let terminal = invocation.terminal
    // Namesakes have no default: somebody has to look.
    let offered = letter.standsOut ? letter.candidates.first?.id : nil
    var patient: String?
    while patient == nil {
      terminal.say(
        "Whose is it? A number above, an id or a name; - leaves it in the inbox\(offered.map { " [\($0)]" } ?? "")?")
      guard let line = readLine() else { return nil }
      let word = line.trimmingCharacters(in: .whitespaces)
      if word == "-" { return nil }
      if word.isEmpty {
        patient = offered
        if offered == nil { return nil }
      } else if let number = Int(word), letter.candidates.indices.contains(number - 1) {
        patient = letter.candidates[number - 1].id
      } else {
        do {
          let found = try invocation.perform(IdentifyPatient(reference: word), on: practice)
          terminal.say(
            "\(found.name) (\(found.id)), \(found.species.rawValue)\(found.ownerName.map { ", \($0)" } ?? "")"
              .withoutControls)
          patient = found.id
        } catch {
          terminal.say("\(error)".withoutControls)
        }
      }
    }
    guard let patient else { return nil }
    var date: Timestamp?
    while true {
      terminal.say("Of which day is it [\(letter.date?.value ?? "today")]?")
      guard let line = readLine() else { return nil }
      let word = line.trimmingCharacters(in: .whitespaces)
      if word.isEmpty { break }
      do {
        let day = try invocation.written("the day", word, in: practice.timeZone)
        date = day.exact ?? day.date.map { practice.timeZone.interval(of: $0).lowerBound }
        break
      } catch {
        terminal.say("\(error)")
      }
    }
    terminal.say("Who wrote it (- for nobody) [\(letter.author?.value.withoutControls ?? "")]?")
    let author = readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
    return Decision(
      patient: patient, date: date, author: author == "-" ? "" : author.isEmpty ? letter.author?.value ?? "" : author)
  }

  private static func file(_ id: String, _ decision: Decision, _ invocation: Invocation, _ practice: Practice) throws {
    let item = try invocation.perform(
      AssignInboxItem(id: id, patient: decision.patient, date: decision.date), on: practice)
    guard let filed = item.filed else { return }
    invocation.terminal.print(
      "  filed as note \(filed.id) of \(filed.patient.name) (\(filed.patient.id)); vetnet inbox undo \(id) takes it back"
        .withoutControls)
  }
}
