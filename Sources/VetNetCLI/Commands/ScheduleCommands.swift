import Clinical
import VetNet

enum ScheduleCommands {
  static let show = Command(
    "schedule show", "shows a day's appointments",
    options: [
      Option("--date", "DATE", "2026-11-23, today or tomorrow (default: today)"),
      Option("--clinician", "ID", "only this clinician"),
    ],
    examples: [
      Example("vetnet schedule show --date tomorrow", "who comes when, to whom, and what is still asked for"),
      Example("vetnet schedule show --date 2026-11-23 --json", "one JSON object an appointment"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    let date = try day(invocation, practice)
    let schedule = try practice.schedule(on: date, clinicianID: invocation.arguments.value("--clinician"))
    if invocation.wantsJSON {
      for entry in schedule.entries {
        try invocation.terminal.printJSON(AppointmentOutput(entry.appointment, zone: practice.timeZone))
      }
    } else {
      for line in ScheduleText.lines(schedule, zone: practice.timeZone, terminal: invocation.terminal) {
        invocation.terminal.print(line)
      }
    }
    return .ok
  }

  static let propose = Command(
    "schedule propose", "proposes the best slots for a case",
    positionals: [Positional("FILE", "the intake's text, or - for standard input", optional: true)],
    options: [
      Option("--text", "TEXT", "the intake in words"),
      Option("--appointment", "ID", "an appointment that was asked for and has no time yet"),
      Option("--patient", "PATIENT", "whose record to take into account"),
      Option("--species", "SPECIES", "when the patient is not in the record"),
      Option("--from", "TIME", "not before (default: now)"),
      Option("--days", "N", "how far to look (default 7)"),
      Option("--limit", "N", "how many slots (default 5)"),
    ],
    examples: [
      Example("vetnet schedule propose --text \"sore eye, half shut\" --patient P003", "triages, then looks for room"),
      Example("vetnet schedule propose --appointment A0301 --json", "for a request on file"),
    ]
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let request: ProposalRequest
    if let id = arguments.value("--appointment") {
      request = .appointment(id)
    } else {
      let text = try arguments.value("--text") ?? InputText.read(arguments.positionals.first ?? "-")
      var intake = Intake(id: "", receivedAt: now, text: text)
      if let word = arguments.value("--species") {
        guard let species = Species(describing: word) else { throw UsageError("--species '\(word)' is not known") }
        intake.species = species
      }
      request = .intake(intake, patient: arguments.value("--patient"))
    }
    let proposals = try practice.proposeSlots(
      for: request, from: try invocation.moment("--from", in: practice.timeZone) ?? now, now: now,
      days: invocation.integer("--days", in: 1...60) ?? 7, limit: invocation.integer("--limit", in: 1...50) ?? 5)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(ProposalsOutput(proposals, zone: practice.timeZone))
    } else {
      for line in ScheduleText.lines(proposals, zone: practice.timeZone, terminal: invocation.terminal) {
        invocation.terminal.print(line)
      }
    }
    return .ok
  }

  static let book = Command(
    "schedule book", "books an appointment",
    options: [
      Option("--patient", "PATIENT", "an id, a microchip, or a name that fits one patient"),
      Option("--appointment", "ID", "instead: the request on file that gets this time"),
      Option("--at", "TIME", "when it begins, such as 2026-11-23T09:30"),
      Option("--minutes", "N", "how long (default: predicted)"),
      Option("--with", "CLINICIAN", "a staff id"),
      Option("--resource", "ID", "a room or device; may be given several times (default: what the visit type needs)"),
      Option("--visit-type", "TYPE", "such as recheck or dental"),
      Option("--reason", "TEXT", "in a few words"),
      Option("--dry-run", nil, "check everything, write nothing"),
    ],
    examples: [
      Example(
        "vetnet schedule book --patient P001 --at 2026-11-24T10:00 --with S01 --reason \"stiff, new tablets\"",
        "books it, or says what is in the way")
    ],
    discussion:
      "A slot that is taken is refused, whoever else books at the same moment: the practice file can't hold a double booking."
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice(.write)
    let now = try invocation.now(in: practice.timeZone)
    guard let start = try invocation.moment("--at", in: practice.timeZone) else {
      throw UsageError("'vetnet schedule book' needs --at TIME")
    }
    guard let clinician = arguments.value("--with") else {
      throw UsageError("'vetnet schedule book' needs --with CLINICIAN")
    }
    let booking = Booking(
      patient: arguments.value("--patient"), appointmentID: arguments.value("--appointment"), start: start,
      minutes: try invocation.integer("--minutes", in: 1...1440), clinicianID: clinician,
      resourceIDs: arguments.values("--resource"),
      visitType: arguments.value("--visit-type").map(VisitType.init(rawValue:)),
      reason: arguments.value("--reason"))
    let appointment = try practice.book(booking, now: now, isDryRun: arguments.isSet("--dry-run"))
    return try printChange(appointment, invocation, practice, verb: "booked")
  }

  static let cancel = Command(
    "schedule cancel", "cancels an appointment and frees its time",
    positionals: [Positional("ID", "the appointment")],
    options: [Option("--dry-run", nil, "check everything, write nothing")],
    examples: [Example("vetnet schedule cancel A0301", "frees clinician and rooms")]
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let appointment = try practice.cancel(
      appointment: invocation.arguments.positionals[0], now: invocation.now(in: practice.timeZone),
      isDryRun: invocation.arguments.isSet("--dry-run"))
    return try printChange(appointment, invocation, practice, verb: "cancelled")
  }

  static let optimize = Command(
    "schedule optimize", "improves a day's plan and places what is still asked for",
    options: [
      Option("--date", "DATE", "the day (default: tomorrow)"),
      Option("--dry-run", nil, "show the changes, write nothing"),
      Option("--instance", "FILE", "instead: a vetnet-sched-1 instance, whose plan is printed as JSON"),
      Option("--seed", "N", "of the random numbers (default 1)"),
    ] + searchOptions,
    examples: [
      Example("vetnet schedule optimize --date tomorrow --dry-run", "what would change, and why"),
      Example("vetnet schedule optimize --instance day.json --time-limit 1 --seed 7 --json", "a plan for an instance"),
    ],
    discussion:
      "Booked appointments keep their clinician and time unless moving them makes room; changes are listed with reasons and written in one transaction."
  ) { invocation in
    let arguments = invocation.arguments
    let search = try searchLimits(invocation)
    if let file = arguments.value("--instance") {
      try invocation.terminal.printJSON(InstanceSolving.solve(file: file, limits: search))
      return .ok
    }
    let practice = try invocation.openPractice(arguments.isSet("--dry-run") ? .read : .write)
    let now = try invocation.now(in: practice.timeZone)
    let date = try invocation.day("--date", in: practice.timeZone) ?? practice.timeZone.date(of: now).adding(days: 1)
    let plan = try practice.optimize(date, limits: search, now: now, isDryRun: arguments.isSet("--dry-run"))
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(PlanOutput(plan, zone: practice.timeZone))
    } else {
      for line in ScheduleText.lines(plan, zone: practice.timeZone, terminal: invocation.terminal) {
        invocation.terminal.print(line)
      }
    }
    return .ok
  }

  /// How long and how a plan is searched for, beside `--seed`.
  static let searchOptions = [
    Option("--time-limit", "S", "seconds of search (default: 0.5)"),
    Option("--iterations", "N", "stop after so many steps: repeatable"),
    Option("--threads", "N", "searches side by side on an instance (default: one a core; with --iterations: 2)"),
  ]

  static func searchLimits(_ invocation: Invocation) throws -> SearchLimits {
    var search = SearchLimits()
    if let text = invocation.arguments.value("--time-limit") {
      guard let seconds = Double(text), seconds > 0, seconds <= 3600 else {
        throw UsageError("--time-limit '\(text)' is no number of seconds from 0 to 3600")
      }
      search.seconds = seconds
    }
    search.iterations = try invocation.integer("--iterations", in: 1...1_000_000_000)
    search.seed = UInt64(try invocation.integer("--seed", in: 0...Int.max) ?? 1)
    search.threads = try invocation.integer("--threads", in: 1...64)
    return search
  }

  private static func day(_ invocation: Invocation, _ practice: Practice) throws -> CalendarDate {
    try invocation.day("--date", in: practice.timeZone)
      ?? practice.timeZone.date(of: invocation.now(in: practice.timeZone))
  }

  private static func printChange(
    _ appointment: Appointment, _ invocation: Invocation, _ practice: Practice, verb: String
  ) throws -> ExitCode {
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(AppointmentOutput(appointment, zone: practice.timeZone))
    } else {
      let would = invocation.arguments.isSet("--dry-run") ? "would be " : ""
      invocation.terminal.print(
        "\(appointment.id) \(would)\(verb): \(practice.timeZone.describe(appointment.start)), \(appointment.durationMinutes) min"
          + "\(appointment.clinicianID.map { " with \($0)" } ?? "")"
          + "\(appointment.resourceIDs.isEmpty ? "" : " in \(appointment.resourceIDs.joined(separator: ", "))")")
    }
    return .ok
  }
}
