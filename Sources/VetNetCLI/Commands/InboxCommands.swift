import Clinical
import FoundationEssentials
import Presentation
import VetNet

/// What came in and could not be filed for certain: looking at it, and saying whose it is.
enum InboxCommands {
  private static let item = Positional("ITEM", "an id that vetnet inbox list shows, such as inbox-3")
  private static let dryRun = Option("--dry-run", nil, "check everything, write nothing")

  static let list = Command(
    "inbox list", "lists what waits to be filed, the most urgent first",
    options: [
      Option(
        "--state", "open|waiting|later|asked|filed|rejected|all",
        "which of it (default: open, which is the first three)"),
      Option("--kind", "letter|note|intake|event", "of one kind"),
    ],
    examples: [
      Example("vetnet inbox list", "what waits, why, and who it may be about"),
      Example("vetnet inbox list --state rejected --json", "one JSON object an item"),
    ],
    discussion: "Nothing is filed by guess: what fits a patient probably waits here for somebody to say so."
  ) { invocation in
    let practice = try invocation.openPractice()
    let kind = try invocation.arguments.value("--kind").map { word in
      guard let kind = IncomingItem.Kind(rawValue: word) else {
        throw UsageError("--kind '\(word)' is not known; write letter, note, intake or event")
      }
      return kind
    }
    let items = try invocation.perform(ListInbox(states: try states(invocation), kind: kind), on: practice)
    for item in items {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(InboxItemOutput(item, zone: practice.timeZone, isWhole: false))
      } else {
        invocation.terminal.print(line(item, practice, width: invocation.terminal.width))
      }
    }
    if items.isEmpty { invocation.terminal.say("Nothing waits in the inbox.") }
    if !items.isEmpty, !invocation.wantsJSON {
      invocation.terminal.say("\(try invocation.perform(CountInbox(), on: practice).words), of today")
    }
    return .ok
  }

  static let show = Command(
    "inbox show", "shows what came in, who it may be about and why, and what was decided",
    positionals: [item],
    options: [Option("--save", "FILE", "write it as it came, such as a PDF, to a new file")],
    examples: [
      Example("vetnet inbox show inbox-3", "all of it"),
      Example("vetnet inbox show inbox-3 --save letter.pdf", "and the file itself"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    let item = try invocation.perform(ShowInboxItem(id: invocation.arguments.positionals[0]), on: practice)
    if let path = invocation.arguments.value("--save") {
      try save(item.content.original?.bytes ?? Array(item.content.text.utf8), to: path)
    }
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(InboxItemOutput(item, zone: practice.timeZone, isWhole: true))
      return .ok
    }
    let terminal = invocation.terminal
    terminal.print(line(item, practice, width: terminal.width))
    let today = practice.timeZone.date(of: try invocation.now(in: practice.timeZone))
    terminal.print("  from \(item.content.origin.id) of \(item.content.origin.source)".withoutControls)
    if let level = item.level {
      for line in "now: \(level.action)".wrapped(to: terminal.width, indent: "  ") { terminal.print(line) }
      let quotes = level.words.map { "“\($0.shortened(to: 40))”" }.joined(separator: " … ")
      for line in "rests on: \(level.basis) \(quotes)".withoutControls.wrapped(to: terminal.width, indent: "  ") {
        terminal.print(line)
      }
    }
    if let asked = item.asked { terminal.print("  asked back: \(asked)".withoutControls) }
    if let contact = item.content.details.contact { terminal.print("  reached by \(contact)".withoutControls) }
    for reader in item.readers { terminal.print("  \(reader.name) has it open") }
    if let visit = item.booked { terminal.print("  booked: \(visit.id), \(practice.timeZone.describe(visit.start))") }
    if let author = item.content.details.author { terminal.print("  by \(author)".withoutControls) }
    if let dated = item.content.details.datedAt { terminal.print("  of \(practice.timeZone.describe(dated))") }
    if let appointment = item.appointment {
      terminal.print(
        "  \(appointment.id): \(practice.timeZone.describe(appointment.start)), \(appointment.durationMinutes) min")
    }
    for proposal in item.proposals {
      terminal.print(line(proposal, practice, on: today))
    }
    if let original = item.content.original { terminal.print("  \(original.mediaType), \(original.bytes.count) bytes") }
    for decision in item.decisions {
      let undone = decision.undoneAt.map {
        ", taken back \(practice.timeZone.describe($0)) by \(decision.undoneBy ?? "")"
      }
      terminal.print(
        "  \(practice.timeZone.describe(decision.at)) \(decision.after.rawValue) by \(decision.actor)\(decision.reason.map { ": \($0)" } ?? "")\(undone ?? "")"
          .withoutControls)
    }
    if let filed = item.filed { terminal.print("  filed to \(filed.patient.id) as \(filed.kind) \(filed.id)") }
    for text in item.content.text.split(separator: "\n", omittingEmptySubsequences: false) {
      terminal.print("  | \(String(text).withVisibleControls)")
    }
    return .ok
  }

  static let assign = Command(
    "inbox assign", "files an item to the patient that it is about",
    positionals: [item],
    options: [
      Option("--patient", "PATIENT", "an id, a microchip, or a name that fits one patient"),
      Option("--date", "TIME", "when it was written (default: what it says, else when it came in)"), dryRun,
    ],
    examples: [Example("vetnet inbox assign inbox-3 --patient P007", "a letter becomes a note of P007")],
    discussion: """
      A letter becomes a note (a referral), a message an intake; the appointment of a calendar's event gets its patient. To take it
      back: vetnet inbox undo.
      """
  ) { invocation in
    guard let patient = invocation.arguments.value("--patient") else { throw UsageError("--patient is needed") }
    let practice = try invocation.openPractice(.write)
    let date = try invocation.moment("--date", in: practice.timeZone)
    let item = try invocation.perform(
      AssignInboxItem(
        id: invocation.arguments.positionals[0], patient: patient, date: date,
        isDryRun: invocation.arguments.isSet("--dry-run")), on: practice)
    var filed = item.filed.map { "filed to \($0.patient.id) as \($0.kind) \($0.id)" } ?? "filed to \(patient)"
    if [.letter, .note].contains(item.content.kind), date == nil, item.content.details.datedAt == nil {
      filed += ", of \(practice.timeZone.date(of: item.content.origin.receivedAt)), the day on which it came in"
    }
    return try tell(item, filed, practice, invocation)
  }

  static let reject = Command(
    "inbox reject", "says that an item is not to be filed, and why",
    positionals: [item],
    options: [Option("--reason", "WORDS", "why; it is kept with the item"), dryRun],
    examples: [Example("vetnet inbox reject inbox-3 --reason \"an advertisement\"", "it stays, out of the list")]
  ) { invocation in try setAside(invocation, isRejected: true) }

  static let later = Command(
    "inbox later", "puts an item off: it stands behind all others",
    positionals: [item],
    options: [
      Option("--back-at", "TIME", "when it comes back; without it, it waits at the end"),
      Option("--reason", "WORDS", "why; it is kept with the item"), dryRun,
    ],
    examples: [
      Example("vetnet inbox later inbox-3 --reason \"the owner rings back\"", "it waits at the end"),
      Example("vetnet inbox later inbox-3 --back-at \"tomorrow 9am\"", "and comes back then"),
    ]
  ) { invocation in try setAside(invocation, isRejected: false) }

  static let book = Command(
    "inbox book", "files an item to its patient and books a visit, at the level that it has",
    positionals: [item],
    options: [
      Option("--patient", "PATIENT", "an id, a microchip, or a name that fits one patient"),
      Option("--at", "TIME", "when it begins: 2026-11-23T09:30, 15:00, tomorrow 9:30"),
      Option("--with", "CLINICIAN", "an id or name of staff"),
      Option("--minutes", "N", "how long (default: predicted)"),
      Option("--reason", "TEXT", "in a few words (default: how the item begins)"), dryRun,
    ],
    examples: [
      Example("vetnet inbox book inbox-3 --patient P007 --at \"tomorrow 9:30\" --with S01", "both, or neither")
    ],
    discussion: "vetnet inbox undo takes both back: the visit is cancelled, unless somebody changed it since."
  ) { invocation in
    let arguments = invocation.arguments
    guard let patient = arguments.value("--patient") else { throw UsageError("--patient is needed") }
    let practice = try invocation.openPractice(.write)
    guard let start = try invocation.moment("--at", in: practice.timeZone, needsTime: true) else {
      throw UsageError("'vetnet inbox book' needs --at TIME")
    }
    guard let clinician = try invocation.staff("--with", practice) else {
      throw UsageError("'vetnet inbox book' needs --with CLINICIAN")
    }
    let booking = Booking(
      patient: patient, start: start, minutes: try invocation.integer("--minutes", in: 1...1440),
      clinicianID: clinician, reason: arguments.value("--reason"))
    let item = try invocation.perform(
      BookInboxItem(
        id: arguments.positionals[0], patient: patient, booking: booking, isDryRun: arguments.isSet("--dry-run")),
      on: practice)
    let visit = item.booked.map { ", and \($0.id) booked for \(practice.timeZone.describe($0.start))" } ?? ""
    return try tell(item, "filed to \(item.filed?.patient.id ?? patient)\(visit)", practice, invocation)
  }

  static let ask = Command(
    "inbox ask", "keeps what the sender of an item is asked back, and waits for the answer",
    positionals: [item],
    options: [
      Option("--text", "TEXT", "what is asked; VetNet sends nothing"),
      Option("--back-at", "TIME", "when it comes back without an answer (default: the sooner, the more urgent it is)"),
      dryRun,
    ],
    examples: [
      Example("vetnet inbox ask inbox-3 --text \"Which of your two cats is it?\"", "it comes back with the answer")
    ],
    discussion: """
      An answer is a message that names the item (vetnet intake --answers ITEM), or one from the same number or address. Without one
      the item comes back after 10 minutes where it is red, 30 where it is orange, 4 hours where it is yellow, else two days.
      """
  ) { invocation in
    guard let text = invocation.arguments.value("--text") else { throw UsageError("--text is needed: what is asked") }
    let practice = try invocation.openPractice(.write)
    let item = try invocation.perform(
      AskBack(
        id: invocation.arguments.positionals[0], text: text,
        until: try invocation.moment("--back-at", in: practice.timeZone),
        isDryRun: invocation.arguments.isSet("--dry-run")), on: practice)
    let until = item.until.map { " until \(practice.timeZone.describe($0))" } ?? ""
    return try tell(item, "asked back, and waits for the answer\(until)", practice, invocation)
  }

  static let undo = Command(
    "inbox undo", "takes the last decision of the inbox back; what was filed is unfiled",
    positionals: [
      Positional("ITEM", "an id such as inbox-3; without it whichever was decided last", optional: true)
    ],
    options: [
      Option("--together", nil, "with it all that was decided as one, such as several that were put off at once"),
      dryRun,
    ],
    examples: [
      Example("vetnet inbox undo", "the last decision"),
      Example("vetnet inbox undo inbox-3", "the last one about an item"),
    ],
    discussion: "Again takes back the decision before. What was changed since it was filed stays, and is named."
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    if invocation.arguments.isSet("--together") {
      guard !invocation.arguments.isSet("--dry-run") else {
        throw UsageError("--together can't be tried with --dry-run")
      }
      let last = try invocation.perform(ListInboxDecisions(most: 200), on: practice).first {
        guard let named = invocation.arguments.positionals.first else { return true }
        return [named, "inbox-\(named)"].contains($0.item.id)
      }
      guard let batch = last?.decision.batch else {
        throw PracticeError(
          .notFound, "nothing was decided together with it", hint: "Without --together it is taken back.")
      }
      for item in try invocation.perform(UndoInboxBatch(batch: batch), on: practice) {
        _ = try tell(item, "waiting again", practice, invocation)
      }
      return .ok
    }
    let item = try invocation.perform(
      UndoInbox(
        id: invocation.arguments.positionals.first, isDryRun: invocation.arguments.isSet("--dry-run")), on: practice)
    return try tell(item, item.state == .later ? "put off again" : "waiting again", practice, invocation)
  }

  private static func setAside(_ invocation: Invocation, isRejected: Bool) throws -> ExitCode {
    if isRejected, !invocation.arguments.isSet("--reason") {
      throw UsageError("--reason is needed: a rejection says why")
    }
    let practice = try invocation.openPractice(.write)
    let item = try invocation.perform(
      SetInboxItemAside(
        id: invocation.arguments.positionals[0], isRejected: isRejected,
        reason: invocation.arguments.value("--reason"),
        until: isRejected ? nil : try invocation.moment("--back-at", in: practice.timeZone),
        isDryRun: invocation.arguments.isSet("--dry-run")), on: practice
    )
    let until = item.until.map { " until \(practice.timeZone.describe($0))" } ?? ""
    return try tell(item, isRejected ? "rejected" : "put off\(until)", practice, invocation)
  }

  /// Over nothing that is there: a letter can't be got back.
  private static func save(_ bytes: [UInt8], to path: String) throws {
    do {
      try Data(bytes).write(to: URL(filePath: path), options: .withoutOverwriting)
    } catch {
      throw UsageError("--save '\(path)' can't be written, or is there already")
    }
  }

  private static func states(_ invocation: Invocation) throws -> [InboxItem.State] {
    switch invocation.arguments.value("--state") ?? "open" {
    case "open": return InboxItem.State.open
    case "all": return InboxItem.State.allCases
    case let word:
      guard let state = InboxItem.State(rawValue: word) else {
        throw UsageError("--state '\(word)' is not known; write open, waiting, later, asked, filed, rejected or all")
      }
      return [state]
    }
  }

  private static func line(_ item: InboxItem, _ practice: Practice, width: Int) -> String {
    let urgency = (item.content.urgency?.rawValue ?? "").padded(to: 8)
    let until =
      item.state == .later || item.state == .asked ? item.until.map { " until \(practice.timeZone.describe($0))" } : nil
    let state =
      item.state == .waiting
      ? item.isBack ? " (back)" : "" : " (\(item.state == .later ? "put off" : item.state.rawValue)\(until ?? ""))"
    let best =
      item.proposals.first.map { "; \($0.patient.id)? \(percent($0.candidate)) by \(words($0.candidate))" } ?? ""
    let more = item.proposals.count > 1 ? " and \(item.proposals.count - 1) more" : ""
    let title = item.content.details.title.map { " “\($0)”" } ?? ""
    return
      "\(item.id.padded(to: 11))\(urgency)\(practice.timeZone.describe(item.content.origin.receivedAt))  \(item.content.kind.rawValue)\(title)\(state): \(item.content.reason.words)\(best)\(more)"
      .shortened(to: max(60, width * 2))
  }

  /// Who it may be about, how likely and why.
  static func line(_ proposal: InboxItem.Proposal, _ practice: Practice, on today: CalendarDate) -> String {
    "  \(proposal.patient.id)  \(percent(proposal.candidate)) by \(words(proposal.candidate)): \(proposal.patient.summary(on: today, units: practice.settings.units))"
      .withoutControls
  }

  private static func percent(_ candidate: IncomingItem.Candidate) -> String {
    "\(Int((candidate.certainty * 100).rounded())) %"
  }

  private static func words(_ candidate: IncomingItem.Candidate) -> String {
    let against = candidate.evidence.filter(\.speaksAgainst).map(\.rawValue)
    let words = candidate.evidence.filter { !$0.speaksAgainst }.map(\.rawValue).joined(separator: ", ")
    return against.isEmpty ? words : "\(words), against it \(against.joined(separator: ", "))"
  }

  private static func tell(
    _ item: InboxItem, _ what: String, _ practice: Practice, _ invocation: Invocation
  ) throws -> ExitCode {
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(InboxItemOutput(item, zone: practice.timeZone, isWhole: true))
    } else {
      invocation.terminal.print(
        "\(item.id) \(invocation.arguments.isSet("--dry-run") ? "would be" : "is") \(what)")
    }
    return .ok
  }
}
