import Briefing
import Clinical
import FoundationEssentials
import Presentation
import VetNet

/// What a vet writes at a patient's side, from the first words to the signed note.
enum EncounterCommands {
  private static let encounter = Positional("ENCOUNTER", "an id that vetnet encounter list shows, such as enc-…")
  private static let file = Positional(
    "FILE", "a text file, or - for standard input; without it $EDITOR opens", optional: true)
  private static let revision = Option(
    "--revision", "N", "the revision that the change is based on: it is refused where there is a newer one")
  private static let text = Option("--text", "TEXT", "the words themselves")

  static let new = Command(
    "encounter new", "begins an encounter with what was dictated or typed",
    positionals: [Positional("PATIENT", "an id, a microchip, or a name that fits one patient"), file],
    options: [
      text, Option("--author", "ID", "who the note will be by: a staff id or a name (default: whoever acts)"),
      Option("--appointment", "ID", "the visit that it belongs to"),
    ],
    examples: [
      Example("vetnet encounter new P001 dictation.txt", "prints its id, the sections and what is missing"),
      Example("vetnet encounter new P001 --text \"Vomiting since Monday. T 39.4, HR 120.\"", "a short one"),
    ],
    discussion: """
      Nothing becomes a note before it is signed. Each section of the reading is accepted, edited or dropped \
      (vetnet encounter section); then the encounter goes forward (vetnet encounter advance) and is signed.
      """,
    reach: { _ in .thisMachine }, files: InputText.fileUse
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let now = try invocation.now(in: practice.timeZone)
    let arguments = invocation.arguments
    let patient = try invocation.perform(IdentifyPatient(reference: arguments.positionals[0]), on: practice, at: now)
    let encounter = try invocation.perform(
      BeginEncounter(
        patient: patient.id, appointment: arguments.value("--appointment"), author: arguments.value("--author"),
        text: words(invocation)), on: practice, at: now)
    return try tell(encounter.id, practice, invocation, now)
  }

  static let list = Command(
    "encounter list", "lists encounters, what was changed last first",
    options: [
      Option("--patient", "PATIENT", "of one patient"), Option("--own", nil, "only those that whoever asks began"),
      Option("--state", "STATE", "open, signed or all (default: open)"),
    ],
    examples: [
      Example("vetnet encounter list --own", "my unfinished ones"),
      Example("vetnet encounter list --patient P001 --state all", "everything of one patient"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let listed = try invocation.perform(
      ListEncounters(
        patient: invocation.arguments.value("--patient"), isOwn: invocation.arguments.isSet("--own"),
        states: states(invocation)), on: practice, at: now)
    for one in listed {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(EncounterOutput(one.encounter, zone: practice.timeZone))
      } else {
        let encounter = one.encounter
        let note = encounter.signature?.noteID.map { " as \($0)" } ?? ""
        invocation.terminal.print(
          "\(encounter.id)  \(practice.timeZone.describe(encounter.changedAt))  \(encounter.state.rawValue)\(note)  \(one.patient.name) (\(one.patient.id)), by \(encounter.author)"
            .withoutControls)
      }
    }
    if listed.isEmpty { invocation.terminal.say("There is no such encounter.") }
    return .ok
  }

  static let show = Command(
    "encounter show",
    "shows an encounter: its sections with what each line rests on, what is missing, what was decided",
    positionals: [encounter],
    examples: [Example("vetnet encounter show enc-7f2kq8w1m0rx4c9tzb3a", "all of it")]
  ) { invocation in
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    return try tell(invocation.arguments.positionals[0], practice, invocation, now)
  }

  static let edit = Command(
    "encounter edit", "replaces the words of an encounter that isn't signed",
    positionals: [encounter, file], options: [text, revision],
    examples: [Example("vetnet encounter edit enc-7f2kq8w1m0rx4c9tzb3a --revision 3 new.txt", "refused at revision 4")],
    reach: { _ in .thisMachine }, files: InputText.fileUse
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let now = try invocation.now(in: practice.timeZone)
    let id = invocation.arguments.positionals[0]
    let old = try invocation.perform(ShowEncounter(id: id), on: practice, at: now).encounter
    _ = try invocation.perform(
      EditEncounter(
        id: id, expecting: revision(invocation), text: words(invocation, beginningWith: old.narrative)),
      on: practice, at: now)
    return try tell(id, practice, invocation, now)
  }

  static let section = Command(
    "encounter section", "accepts, edits or drops sections as they are proposed",
    positionals: [
      encounter,
      Positional(
        "SECTION",
        EncounterSection.allCases.map(\.rawValue).joined(separator: ", ") + ", or open for all undecided ones"),
    ],
    options: [
      Option("--accept", nil, "what was proposed goes into the note"),
      Option("--edit", "TEXT", "these words go into the note instead; - reads them from standard input"),
      Option("--drop", nil, "nothing of it goes into the note"), revision,
    ],
    examples: [
      Example("vetnet encounter section enc-7f2kq8w1m0rx4c9tzb3a history --accept", "as proposed"),
      Example(
        "vetnet encounter section enc-7f2kq8w1m0rx4c9tzb3a plan --edit \"Plan: fluids, recheck in 2 days.\"",
        "other words"),
    ],
    discussion: "What was proposed, what became of it and the final words are kept: vetnet encounter cases prints them."
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let now = try invocation.now(in: practice.timeZone)
    let arguments = invocation.arguments
    let (verdict, words) = try verdict(invocation)
    let sections: [EncounterSection]
    if arguments.positionals[1] == "open" {
      let shown = try invocation.perform(ShowEncounter(id: arguments.positionals[0]), on: practice, at: now)
      sections = shown.open(for: .planComplete)
      guard !sections.isEmpty else { throw UsageError("every section is decided on already") }
    } else {
      guard let section = EncounterSection(rawValue: arguments.positionals[1]) else {
        throw UsageError(
          "'\(arguments.positionals[1])' is no section",
          suggestion: Suggestions.nearest(
            to: arguments.positionals[1], among: EncounterSection.allCases.map(\.rawValue)))
      }
      sections = [section]
    }
    let shown = try invocation.perform(
      DecideEncounter(
        id: arguments.positionals[0], expecting: revision(invocation), sections: sections, verdict: verdict, text: words
      ),
      on: practice, at: now)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(ShownEncounterOutput(shown, now: now, zone: practice.timeZone))
    } else {
      let open = shown.open(for: .planComplete).map(\.rawValue)
      invocation.terminal.print(
        "\(sections.map(\.rawValue).joined(separator: ", ")) \(verdict.rawValue)\(open.isEmpty ? "; everything is decided" : "; still open: \(open.joined(separator: ", "))")"
      )
    }
    return .ok
  }

  static let advance = Command(
    "encounter advance", "goes one step forward: draft, history complete, plan complete",
    positionals: [encounter], options: [revision],
    examples: [Example("vetnet encounter advance enc-7f2kq8w1m0rx4c9tzb3a", "says what is missing where it can't")]
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let now = try invocation.now(in: practice.timeZone)
    let shown = try invocation.perform(
      AdvanceEncounter(id: invocation.arguments.positionals[0], expecting: revision(invocation)), on: practice, at: now)
    return try tellState(shown, "is now '\(shown.encounter.state.rawValue)'", practice, invocation, now)
  }

  static let sign = Command(
    "encounter sign", "makes a note of what was accepted and written",
    positionals: [encounter], options: [revision],
    examples: [Example("vetnet encounter sign enc-7f2kq8w1m0rx4c9tzb3a", "prints the note's id")],
    discussion: "It makes one note, once. What changes after that is an amendment, with the old text kept."
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let now = try invocation.now(in: practice.timeZone)
    let shown = try invocation.perform(
      SignEncounter(id: invocation.arguments.positionals[0], expecting: revision(invocation)), on: practice, at: now)
    let note = shown.encounter.signature?.noteID ?? "a note"
    return try tellState(shown, "is signed as \(note)", practice, invocation, now)
  }

  static let amend = Command(
    "encounter amend", "gives the note of a signed encounter a new text; the old one is kept as superseded",
    positionals: [encounter, file],
    options: [text, Option("--reason", "WORDS", "why; it is kept with the note"), revision],
    examples: [
      Example("vetnet encounter amend enc-7f2kq8w1m0rx4c9tzb3a --reason \"wrong dose\"", "opens $EDITOR on the note")
    ],
    reach: { _ in .thisMachine }, files: InputText.fileUse
  ) { invocation in
    guard let reason = invocation.arguments.value("--reason") else { throw UsageError("--reason is needed") }
    let practice = try invocation.openPractice(.write)
    let now = try invocation.now(in: practice.timeZone)
    let id = invocation.arguments.positionals[0]
    let old = try invocation.perform(ShowEncounter(id: id), on: practice, at: now)
    let shown = try invocation.perform(
      AmendEncounter(
        id: id, expecting: revision(invocation),
        text: words(invocation, beginningWith: old.note?.note.text ?? ""), reason: reason), on: practice, at: now)
    return try tellState(shown, "is amended", practice, invocation, now)
  }

  static let discard = Command(
    "encounter discard", "throws an encounter away that nobody signed",
    positionals: [encounter], options: [revision],
    examples: [Example("vetnet encounter discard enc-7f2kq8w1m0rx4c9tzb3a", "its words are gone")]
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let encounter = try invocation.perform(
      DiscardEncounter(id: invocation.arguments.positionals[0], expecting: revision(invocation)), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(EncounterOutput(encounter, zone: practice.timeZone))
    } else {
      invocation.terminal.print("\(encounter.id) is thrown away")
    }
    return .ok
  }

  static let summary = Command(
    "encounter summary", "prints what an owner takes home, in plain words and without doses",
    positionals: [encounter], options: [Option("--format", "FORMAT", "text or html (default: text)")],
    examples: [
      Example("vetnet encounter summary enc-7f2kq8w1m0rx4c9tzb3a --format html > bella.html", "one page to print")
    ],
    discussion: "It is made from the sections that were accepted or written, and from the tables of warning signs."
  ) { invocation in
    let format = invocation.arguments.value("--format") ?? "text"
    guard ["text", "html"].contains(format) else {
      throw UsageError("--format '\(format)' is not known; there are text and html")
    }
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let summarized = try invocation.perform(
      SummarizeEncounter(id: invocation.arguments.positionals[0]), on: practice, at: now)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(OwnerSummaryOutput(summarized, now: now, zone: practice.timeZone))
      return .ok
    }
    let document = OwnerSummaryDocument(
      summarized.summary, patient: summarized.patient,
      date: practice.timeZone.date(of: summarized.encounter.beganAt), practice: try practice.settings.name())
    if format == "html" {
      invocation.terminal.printRaw(document.html + "\n")
    } else {
      for line in document.lines { invocation.terminal.print(line.withoutControls) }
    }
    return .ok
  }

  static let cases = Command(
    "encounter cases", "prints what was proposed for every encounter and what became of it, as JSON Lines",
    positionals: [Positional("FILE", "a new file; without it standard output", optional: true)],
    examples: [Example("vetnet encounter cases cases.jsonl", "labelled cases for an evaluation")],
    discussion: """
      A line an encounter: the narrative, each decision with the lines that were proposed, what they rested on, the final words and \
      the versions of the tables, and the note.
      """,
    files: { _ in .folders }
  ) { invocation in
    let practice = try invocation.openPractice()
    let cases = try invocation.perform(ListEncounterCases(), on: practice)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var lines = ""
    for one in cases {
      lines +=
        String(decoding: try encoder.encode(EncounterCaseOutput(one, zone: practice.timeZone)), as: UTF8.self) + "\n"
    }
    guard let path = invocation.arguments.positionals.first else {
      invocation.terminal.printRaw(lines)
      return .ok
    }
    do {
      try Data(lines.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
    } catch {
      throw UsageError("'\(path)' can't be written, or is there already")
    }
    invocation.terminal.say("\(cases.count) cases.")
    return .ok
  }

  // MARK: Words in

  private static func words(_ invocation: Invocation, beginningWith old: String = "") throws -> String {
    if let text = invocation.arguments.value("--text") { return text }
    if invocation.arguments.positionals.count > 1 { return try InputText.read(invocation.arguments.positionals[1]) }
    guard invocation.terminal.stdinIsTerminal else { return try InputText.read("-") }
    return try InputText.fromEditor(environment: invocation.environment, beginningWith: old)
  }

  private static func revision(_ invocation: Invocation) throws -> Int? {
    try invocation.integer("--revision", in: 1...Int(Int32.max))
  }

  private static func verdict(_ invocation: Invocation) throws -> (EncounterVerdict, String?) {
    let arguments = invocation.arguments
    let given = ["--accept", "--edit", "--drop"].filter(arguments.isSet)
    guard given.count == 1 else { throw UsageError("one of --accept, --edit and --drop is needed") }
    switch given[0] {
    case "--accept": return (.accepted, nil)
    case "--drop": return (.dropped, nil)
    default:
      let text = arguments.value("--edit") ?? ""
      return (.edited, text == "-" ? try InputText.read("-") : text)
    }
  }

  private static func states(_ invocation: Invocation) throws -> [EncounterState] {
    switch invocation.arguments.value("--state") ?? "open" {
    case "open": return EncounterState.allCases.filter { !$0.isSigned }
    case "signed": return EncounterState.allCases.filter(\.isSigned)
    case "all": return EncounterState.allCases
    case let word: throw UsageError("--state '\(word)' is not known; write open, signed or all")
    }
  }

  // MARK: Words out

  private static func tellState(
    _ shown: ShownEncounter, _ what: String, _ practice: Practice, _ invocation: Invocation, _ now: Timestamp
  ) throws -> ExitCode {
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(ShownEncounterOutput(shown, now: now, zone: practice.timeZone))
    } else {
      invocation.terminal.print("\(shown.encounter.id) \(what) (revision \(shown.encounter.revision))")
    }
    return .ok
  }

  private static func tell(
    _ id: String, _ practice: Practice, _ invocation: Invocation, _ now: Timestamp
  ) throws -> ExitCode {
    let shown = try invocation.perform(ShowEncounter(id: id), on: practice, at: now)
    let terminal = invocation.terminal
    if invocation.wantsJSON {
      try terminal.printJSON(ShownEncounterOutput(shown, now: now, zone: practice.timeZone))
      return .ok
    }
    let encounter = shown.encounter
    terminal.print(
      terminal.styled(
        "\(encounter.id) · \(shown.patient.name) (\(shown.patient.id)) · \(encounter.state.rawValue) · revision \(encounter.revision)"
          .withoutControls, .bold))
    if let note = shown.note {
      terminal.print(
        "signed \(encounter.signature.map { practice.timeZone.describe($0.at) } ?? "") by \(encounter.signature?.actor ?? "") as \(note.note.id)"
          .withoutControls)
      terminal.printText(note.note.text)
      return .ok
    }
    for section in shown.reading?.sections ?? [] {
      let decided = shown.decided[section.section]
      let mark =
        decided.map { $0.isStale ? " [changed since, look again]" : " [\($0.decision.verdict.rawValue)]" } ?? ""
      terminal.print()
      terminal.print(terminal.styled(section.section.title + mark, .bold))
      for line in section.lines { print(line, shown, terminal) }
    }
    if let questions = shown.reading?.questions, !questions.isEmpty {
      terminal.print()
      terminal.print(terminal.styled("Missing for a safe decision", .bold))
      for line in questions { print(line, shown, terminal) }
    }
    for followUp in shown.reading?.followUps ?? [] {
      guard let due = followUp.due else { continue }
      terminal.say(
        "To book: vetnet schedule free --date \(due.lowerBound)")
    }
    if let empty = shown.reading?.sections.isEmpty, empty { terminal.say("It says nothing yet.") }
    return .ok
  }

  /// A line with the marks of what it is and what it rests on: notes by id, rows of tables by name, the narrative by its places.
  private static func print(_ line: EncounterReading.Line, _ shown: ShownEncounter, _ terminal: Terminal) {
    guard let proposed = shown.reading?.proposed(line) else { return }
    let places = proposed.places.map { place in
      place.note.map { "\($0) \(place.start):\(place.end)" } ?? "\(place.start):\(place.end)"
    }
    let rests = (places + proposed.sources).joined(separator: ", ")
    let mark = line.kind == .words ? " " : line.isWarning ? "!" : "·"
    let text = line.text.split(whereSeparator: \.isNewline).joined(separator: " ")
    terminal.print("  \(mark) \(text)  [\(rests)]".withoutControls)
  }
}
