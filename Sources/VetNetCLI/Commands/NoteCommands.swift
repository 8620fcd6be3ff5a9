import Clinical
import FoundationEssentials
import Glibc
import Presentation
import VetNet

enum NoteCommands {
  static let show = Command(
    "note show", "prints a note as it was written",
    positionals: [Positional("NOTE", "a note id")],
    options: [
      Option("--range", "START:END", "only these code points, as citations count them"),
      Option("--versions", nil, "what it was before it was changed, too"),
    ],
    examples: [
      Example("vetnet note show N0042", "the whole note"),
      Example("vetnet note show N0042 --range 120:180", "the words a citation points at"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    let shown = try invocation.perform(ShowNote(id: invocation.arguments.positionals[0]), on: practice)
    let history = shown.history
    let note = history.note
    let withVersions = invocation.arguments.isSet("--versions")
    var text = note.text
    if let words = invocation.arguments.value("--range") {
      let ends = words.split(separator: ":").compactMap { Int($0) }
      guard ends.count == 2, ends[0] <= ends[1], let range = note.text.utf8Range(codePoints: ends[0]..<ends[1]),
        let slice = note.text.slice(utf8: range)
      else { throw UsageError("--range '\(words)' is no range of this note; write START:END in code points") }
      text = String(slice)
    }
    let isIntact = shown.isIntact
    if invocation.wantsJSON {
      var output = NoteOutput(
        note, text: text, zone: practice.timeZone, history: history, withVersions: withVersions)
      output.damaged = isIntact ? nil : true
      try invocation.terminal.printJSON(output)
    } else {
      let terminal = invocation.terminal
      let author = note.author.map { " by \(terminal.shown($0))" } ?? ""
      terminal.print(
        terminal.styled(
          "\(note.id) · \(note.patientID) · \(practice.timeZone.describe(note.recordedAt)) · \(note.kind.rawValue)\(author)",
          .bold))
      if let retraction = history.retraction {
        terminal.print(
          terminal.styled(
            "RETRACTED \(practice.timeZone.describe(retraction.at)) by \(retraction.actor): \(terminal.shown(retraction.reason))",
            .red)
        )
      }
      terminal.printText(text)
      if withVersions {
        for version in history.versions.reversed() { show(version, practice.timeZone, on: terminal) }
      } else if !history.versions.isEmpty {
        terminal.say("It was changed \(history.versions.count) times; --versions shows what it was.")
      }
    }
    invocation.warnOfDamage(in: practice)
    return isIntact ? .ok : .integrity
  }

  private static func show(_ version: NoteHistory.Version, _ zone: PracticeTimeZone, on terminal: Terminal) {
    let patient = version.patientID.map { " · \($0)" } ?? ""
    let reason = version.reason.map { ": \(terminal.shown($0))" } ?? ""
    terminal.print()
    terminal.print(
      terminal.styled(
        "SUPERSEDED \(zone.describe(version.replacedAt)) by \(version.actor) (\(version.cause))\(reason)\(patient)",
        .bold))
    terminal.printText(version.text)
  }

  static let add = Command(
    "note add", "writes a note",
    positionals: [
      Positional("PATIENT", "an id, a microchip, or a name that fits one patient"),
      Positional("FILE", "a text file, or - for standard input; without it $EDITOR opens", optional: true),
    ],
    options: [
      Option("--text", "TEXT", "the note itself"),
      Option("--kind", "KIND", NoteKind.allCases.map(\.rawValue).joined(separator: ", ") + " (default: consult)"),
      Option("--author", "ID", "who writes it: a staff id or a name"),
      Option("--at", "TIME", "when it was recorded (default: now)"),
      Option("--dry-run", nil, "check everything, write nothing"),
    ],
    examples: [
      Example("vetnet note add P001 --text \"Owner rang: eating again.\" --kind phone --author S05", "a short note"),
      Example("vetnet note add P001", "opens $EDITOR"),
    ],
    reach: { _ in .thisMachine }, files: InputText.fileUse
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice(.write)
    let now = try invocation.now(in: practice.timeZone)
    let kindName = arguments.value("--kind") ?? NoteKind.consult.rawValue
    guard let kind = NoteKind(rawValue: kindName) else {
      throw UsageError(
        "--kind '\(kindName)' is no kind of note",
        suggestion: Suggestions.nearest(to: kindName, among: NoteKind.allCases.map(\.rawValue)))
    }
    let patient = try invocation.perform(IdentifyPatient(reference: arguments.positionals[0]), on: practice, at: now)
    let text = try noteText(invocation)
    let note = try invocation.perform(
      AddNote(
        patient: patient.id, kind: kind, author: arguments.value("--author"), text: text,
        recordedAt: invocation.moment("--at", in: practice.timeZone) ?? now, isDryRun: arguments.isSet("--dry-run")),
      on: practice, at: now)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(NoteOutput(note, text: note.text, zone: practice.timeZone))
    } else {
      invocation.terminal.print(
        "\(note.id) \(arguments.isSet("--dry-run") ? "would be " : "")written for \(patient.name) (\(patient.id))")
    }
    return .ok
  }

  private static func noteText(_ invocation: Invocation) throws -> String {
    if let text = invocation.arguments.value("--text") { return text }
    if invocation.arguments.positionals.count > 1 {
      return try InputText.read(invocation.arguments.positionals[1])
    }
    guard invocation.terminal.stdinIsTerminal else { return try InputText.read("-") }
    return try InputText.fromEditor(environment: invocation.environment)
  }
}
