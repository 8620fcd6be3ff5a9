import Clinical
import Presentation
import VetNet

/// Calendars of other programs that the book is kept in step with.
enum CalendarCommands {
  static let list = Command(
    "calendar list", "lists the calendars that are read, and which of their events are gone",
    examples: [Example("vetnet calendar list", "where each lies, whose it is, and what of it is in the book")]
  ) { invocation in
    let practice = try invocation.openPractice()
    let calendars = try invocation.perform(ListCalendars(), on: practice)
    for calendar in calendars {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(calendar)
        continue
      }
      let owner = calendar.clinicianID.map { " of \($0)" } ?? ""
      invocation.terminal.print("\(calendar.name)\(owner): \(calendar.path)".withoutControls)
      invocation.terminal.print("  \(calendar.cases) about animals, \(calendar.blocks) that only take time")
      if !calendar.gone.isEmpty {
        invocation.terminal.print("  no longer at the source: \(calendar.gone.joined(separator: ", "))".withoutControls)
      }
    }
    if calendars.isEmpty { invocation.terminal.say("No calendar is read: vetnet calendar add NAME PATH") }
    return .ok
  }

  static let add = Command(
    "calendar add", "has a calendar of another program read: a file, or a folder of them",
    positionals: [
      Positional("NAME", "what to call it; one of that name gets another place"),
      Positional("PATH", "an iCalendar file that a program keeps, or a folder with such files"),
    ],
    options: [Option("--clinician", "CLINICIAN", "whose it is, where events don't say who takes part")],
    examples: [
      Example("vetnet calendar add ann ~/calendars/ann.ics --clinician S02", "then vetnet sync --calendar ann")
    ]
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let words = invocation.arguments.positionals
    try invocation.perform(
      KeepCalendar(calendar: words[0], path: words[1], clinician: invocation.staff("--clinician", practice)),
      on: practice)
    return try tell("\(words[0]) is read from now on: vetnet sync --calendar \(words[0])", practice, invocation)
  }

  static let remove = Command(
    "calendar remove", "reads a calendar no more; its appointments stay",
    positionals: [Positional("NAME", "as vetnet calendar list shows it")],
    examples: [Example("vetnet calendar remove ann", "what came of it stays in the book")]
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let name = invocation.arguments.positionals[0]
    try invocation.perform(RemoveCalendar(calendar: name), on: practice)
    return try tell("\(name) is not read any more", practice, invocation)
  }

  static let address = Command(
    "calendar address", "says under which mail address somebody of the staff is invited",
    positionals: [Positional("ADDRESS", "as events name those who take part")],
    options: [
      Option("--clinician", "CLINICIAN", "whose it is"), Option("--remove", nil, "it is nobody's any more"),
    ],
    examples: [
      Example("vetnet calendar address ann@example.org --clinician S02", "events with her are hers, in any calendar")
    ]
  ) { invocation in
    try invocation.requireOne(of: "--clinician", "--remove")
    let practice = try invocation.openPractice(.write)
    let staff = try invocation.staff("--clinician", practice)
    guard staff != nil || invocation.arguments.isSet("--remove") else {
      throw UsageError("--clinician is needed, or --remove")
    }
    try invocation.perform(
      SetStaffAddress(address: invocation.arguments.positionals[0], staff: staff), on: practice)
    return try tell(staff.map { "the address is \($0)'s" } ?? "the address is nobody's", practice, invocation)
  }

  /// Reads calendars of other programs; nil for all.
  static func sync(_ names: [String]?, _ practice: Practice, _ invocation: Invocation) throws -> ExitCode {
    StopSignal.watch()
    practice.door.stopSignal = { StopSignal.current }
    let reports = try invocation.perform(
      SyncCalendars(calendars: names), on: practice, message: { invocation.terminal.say($0) })
    for report in reports {
      if invocation.wantsJSON {
        try invocation.terminal.printJSON(report)
      } else {
        for line in report.lines { invocation.terminal.print(line) }
      }
    }
    if reports.isEmpty { invocation.terminal.say("No calendar is read: vetnet calendar add NAME PATH") }
    return reports.allSatisfy(\.ok) ? .ok : .someInputRejected
  }

  private static func tell(_ words: String, _ practice: Practice, _ invocation: Invocation) throws -> ExitCode {
    if invocation.wantsJSON {
      for calendar in try invocation.perform(ListCalendars(), on: practice) {
        try invocation.terminal.printJSON(calendar)
      }
    } else {
      invocation.terminal.print(words)
    }
    return .ok
  }
}

/// Reads calendars while a server runs, whenever their files change.
struct CalendarTicker {
  /// Looks so often, in rounds of the server's loop.
  private static let rounds = 40

  private var states: [String: String] = [:]
  private var round = 0
  /// Whoever it reads for may no more; each try would be put on record.
  private var isOver = false

  /// One round; `say` gets what a person should hear.
  mutating func tick(_ practice: Practice, by actor: Actor, at now: Timestamp, say: (String) -> Void) {
    round += 1
    guard !isOver, round % Self.rounds == 1 else { return }
    let calendars: [CalendarStatus]
    do {
      calendars = try practice.perform(ListCalendars(), by: actor, at: now)
    } catch let error as PracticeError where [.notPermitted, .notSignedIn].contains(error.code) {
      isOver = true
      say("calendars are not read any more: \(error.description)")
      return
    } catch {
      return
    }
    for calendar in calendars {
      guard let state = CalendarFiles.state(at: calendar.path), states[calendar.name] != state else { continue }
      do {
        let reports = try practice.perform(SyncCalendars(calendars: [calendar.name]), by: actor, at: now)
        for report in reports where !report.ok { for line in report.lines { say(line) } }
        states[calendar.name] = state
      } catch let error as PracticeError where error.code == .locked {
        // Its turn comes.
        continue
      } catch let error as PracticeError where [.notPermitted, .notSignedIn].contains(error.code) {
        isOver = true
        return say("calendars are not read any more: \(error.description)")
      } catch {
        say("\(calendar.name): \(error)")
        states[calendar.name] = state
      }
    }
  }
}
