import Presentation
import VetNet

/// Two records of one animal: made one, and taken apart.
enum PatientMergeCommands {
  private static let reason = Option("--reason", "WORDS", "why; it is kept with the merge")
  private static let dryRun = Option("--dry-run", nil, "show what would become of it, write nothing")

  static let merge = Command(
    "patient merge", "makes two records of one animal one",
    positionals: [
      Positional("A", "the patient whose id stays"),
      Positional("B", "the patient whose record goes into it; its id finds A from then on"),
    ],
    options: [Option("--keep", "A|B", "whose fields hold where both say something else"), reason, dryRun],
    examples: [
      Example("vetnet patient merge P001 P388 --reason \"entered twice\" --dry-run", "in what they differ"),
      Example("vetnet patient merge P001 P388 --keep A --reason \"entered twice\"", "P388's notes are P001's"),
    ],
    discussion: """
      Notes, appointments, messages, reactions and what waits in the inbox move; fields that only B has are A's. Where both say
      something and differ, it is shown and asked, or refused without --keep. To take it back: vetnet patient split B.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let reason = try why(invocation)
    var keep: MergePatients.Side?
    if let word = arguments.value("--keep") {
      guard let side = ["a": MergePatients.Side.first, "b": .second][word.lowercased()] else {
        throw UsageError("--keep '\(word)' is not known; write A or B")
      }
      keep = side
    }
    let practice = try invocation.openPractice(.write)
    func merge() throws -> PatientMergeReport {
      try invocation.perform(
        MergePatients(
          first: arguments.positionals[0], second: arguments.positionals[1], keep: keep, reason: reason,
          isDryRun: arguments.isSet("--dry-run")), on: practice)
    }
    var report = try merge()
    if report.isOpen, !arguments.isSet("--dry-run"), !invocation.wantsJSON, invocation.terminal.stdinIsTerminal {
      for line in lines(report) { invocation.terminal.say(line) }
      invocation.terminal.say(
        "Whose hold: A (\(report.patient)) or B (\(report.other))? Anything else leaves both as they are.")
      switch readLine()?.lowercased() {
      case "a": keep = .first
      case "b": keep = .second
      default: return .failed
      }
      report = try merge()
    }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(report)
    } else {
      for line in lines(report) { invocation.terminal.print(line) }
      if report.isOpen {
        invocation.terminal.say("They differ: nothing was merged. Say whose fields hold with --keep A or --keep B.")
      } else {
        invocation.terminal.print(
          "\(report.other) \(report.done ? "is" : "would be") part of \(report.patient)\(counts(report))")
      }
    }
    return report.isOpen && !arguments.isSet("--dry-run") ? .failed : .ok
  }

  static let split = Command(
    "patient split", "takes a merge back: the record that went is one of its own again",
    positionals: [Positional("B", "the id that went")],
    options: [
      Option("--note", "NOTE", "a note written since that is about B; may be given several times"), reason, dryRun,
    ],
    examples: [Example("vetnet patient split P388 --reason \"two animals after all\"", "as before the merge")],
    discussion:
      "What was written since the merge stays with A, but for the notes that are named. To take it back, merge again."
  ) { invocation in
    let reason = try why(invocation)
    let practice = try invocation.openPractice(.write)
    let report = try invocation.perform(
      SplitPatient(
        id: invocation.arguments.positionals[0], notes: invocation.arguments.values("--note"), reason: reason,
        isDryRun: invocation.arguments.isSet("--dry-run")), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(report)
    } else {
      invocation.terminal.print(
        "\(report.other) \(report.done ? "is" : "would be") a patient of its own again\(counts(report))")
      for field in report.stayed {
        invocation.terminal.print("  \(field) of \(report.patient) was changed since, and stays")
      }
    }
    return .ok
  }

  private static func why(_ invocation: Invocation) throws -> String {
    guard let reason = invocation.arguments.value("--reason") else {
      throw UsageError("--reason is needed: a correction says why")
    }
    return reason
  }

  private static func lines(_ report: PatientMergeReport) -> [String] {
    report.fields.map {
      "\($0.conflicts ? "! " : "  ")\($0.field): \($0.kept ?? "nothing") → \($0.other ?? "nothing")".withoutControls
    }
  }

  private static func counts(_ report: PatientMergeReport) -> String {
    let words = report.moved.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\($0.value == 1 ? "" : "s")" }
    return words.isEmpty ? "" : ": \(words.joined(separator: ", "))"
  }
}
