import Clinical
import Presentation
import VetNet

/// Corrections of notes; each is on record with its reason, and undone by its opposite.
enum NoteCorrectionCommands {
  private static let reason = Option("--reason", "WORDS", "why; it is kept with the note")
  private static let dryRun = Option("--dry-run", nil, "check everything, write nothing")

  static let amend = Command(
    "note amend", "gives a note a new text; the old one is kept as superseded",
    positionals: [
      Positional("NOTE", "a note id"),
      Positional(
        "FILE", "the new text, or - for standard input; without it $EDITOR opens on the old one", optional: true),
    ],
    options: [Option("--text", "TEXT", "the new text itself"), reason, dryRun],
    examples: [
      Example("vetnet note amend N0042 --reason \"wrong dose\"", "opens $EDITOR on the note"),
      Example("vetnet note amend N0042 --text \"Weight 4.2 kg.\" --reason \"typing error\"", "at once"),
    ],
    discussion: "To take it back, amend it to what vetnet note show --versions shows.",
    reach: { _ in .thisMachine }, files: InputText.fileUse
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let arguments = invocation.arguments
    let id = arguments.positionals[0]
    let old = try invocation.perform(ShowNote(id: id), on: practice).history.note
    let text =
      if let text = arguments.value("--text") {
        text
      } else if arguments.positionals.count > 1 || !invocation.terminal.stdinIsTerminal {
        try InputText.read(arguments.positionals.count > 1 ? arguments.positionals[1] : "-")
      } else {
        try InputText.fromEditor(environment: invocation.environment, beginningWith: old.text)
      }
    let note = try invocation.perform(
      AmendNote(id: id, text: text, reason: try reason(invocation), isDryRun: arguments.isSet("--dry-run")),
      on: practice)
    return try tell(note, "amended", practice, invocation)
  }

  static let move = Command(
    "note move", "puts a note into the record of the patient that it is about",
    positionals: [Positional("NOTE", "a note id")],
    options: [Option("--patient", "PATIENT", "an id, a microchip, or a name that fits one patient"), reason, dryRun],
    examples: [
      Example("vetnet note move N0042 --patient P007 --reason \"filed under the other Bella\"", "a misfiled note")
    ],
    discussion: "To take it back, move it back."
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    guard let reference = invocation.arguments.value("--patient") else { throw UsageError("--patient is needed") }
    let note = try invocation.perform(
      MoveNote(
        id: invocation.arguments.positionals[0], patient: reference, reason: try reason(invocation),
        isDryRun: invocation.arguments.isSet("--dry-run")), on: practice)
    return try tell(note, "moved to \(note.patientID)", practice, invocation)
  }

  static let retract = Command(
    "note retract", "marks a note as one not to be relied on",
    positionals: [Positional("NOTE", "a note id")],
    options: [Option("--undo", nil, "let it stand again"), reason, dryRun],
    examples: [
      Example("vetnet note retract N0042 --reason \"written about another animal\"", "out of answers and briefs"),
      Example("vetnet note retract N0042 --undo --reason \"it was right\"", "back again"),
    ],
    discussion: """
      A retracted note is kept, and note show shows it with the reason. It is neither searched nor answered from nor part of a
      brief.
      """
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let id = invocation.arguments.positionals[0]
    let why = try reason(invocation)
    let now = try invocation.now(in: practice.timeZone)
    let isDryRun = invocation.arguments.isSet("--dry-run")
    if invocation.arguments.isSet("--undo") {
      let note = try invocation.perform(ReinstateNote(id: id, reason: why, isDryRun: isDryRun), on: practice, at: now)
      return try tell(note, "no longer retracted", practice, invocation)
    }
    let note = try invocation.perform(RetractNote(id: id, reason: why, isDryRun: isDryRun), on: practice, at: now)
    return try tell(note, "retracted", practice, invocation)
  }

  private static func reason(_ invocation: Invocation) throws -> String {
    guard let reason = invocation.arguments.value("--reason") else {
      throw UsageError("--reason is needed: a correction says why")
    }
    return reason
  }

  private static func tell(
    _ note: ClinicalNote, _ what: String, _ practice: Practice, _ invocation: Invocation
  ) throws -> ExitCode {
    let isDryRun = invocation.arguments.isSet("--dry-run")
    if invocation.wantsJSON {
      let history = try isDryRun ? nil : invocation.perform(ShowNote(id: note.id), on: practice).history
      try invocation.terminal.printJSON(
        NoteOutput(note, text: note.text, zone: practice.timeZone, history: history, withVersions: true))
    } else {
      invocation.terminal.print("\(note.id) \(isDryRun ? "would be" : "is") \(what)")
    }
    return .ok
  }
}
