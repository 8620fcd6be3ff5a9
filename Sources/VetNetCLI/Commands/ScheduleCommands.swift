import Clinical
import Presentation
import VetNet

enum ScheduleCommands {
  static let show = Command(
    "schedule show", "shows a day's or a week's appointments, workload and overrun risk",
    options: [
      Option("--date", "DATE", "2026-11-23, tomorrow, mon or 24 nov (default: today)"),
      Option("--week", "DATE", "instead: the seven days from Monday on that hold this day"),
      Option("--clinician", "NAME", "only this clinician, by id or name"),
      LocationCommands.option,
      Option("--seed", "N", "of the simulated days (default 1)"),
      Option("--tag", "TAG", "only appointments with this tag, or of patients with it"),
    ],
    examples: [
      Example("vetnet schedule show --date tomorrow", "who comes when, to whom, and what is still asked for"),
      Example("vetnet schedule show --week 2026-11-23", "the week, day by day"),
      Example("vetnet schedule show --date 2026-11-23 --json", "one JSON object an appointment"),
    ],
    discussion: """
      Urgency is what triage said when the appointment was booked, or what its reason reads like now. The risk is of taking longer than
      reserved, and the delay that visits before it may cause, over simulated days.
      """
  ) { invocation in
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let seed = UInt64(try invocation.integer("--seed", in: 0...Int.max) ?? 1)
    for date in try dates(invocation, practice, day: "--date") {
      var schedule = try invocation.perform(
        ShowDay(
          date: date, clinicianID: invocation.staff("--clinician", practice), locationID: invocation.location(practice),
          seed: seed), on: practice, at: now)
      if let visits = try invocation.tagged("appointment", practice),
        let patients = try invocation.tagged("patient", practice)
      {
        schedule = schedule.showing(
          only: visits.union(
            schedule.entries.filter { $0.patient.map { patients.contains($0.id) } ?? false }.map(\.appointment.id)))
      }
      if invocation.wantsJSON {
        for entry in schedule.entries {
          try invocation.terminal.printJSON(EntryOutput(entry, zone: practice.timeZone))
        }
      } else {
        for line in ScheduleText.lines(schedule, zone: practice.timeZone, terminal: invocation.terminal) {
          invocation.terminal.print(line)
        }
      }
    }
    return .ok
  }

  /// The days that `--week` or the option for a day names.
  static func dates(
    _ invocation: Invocation, _ practice: Practice, day option: String, defaultOffset: Int = 0
  ) throws -> [CalendarDate] {
    try invocation.requireOne(of: option, "--week")
    if let day = try invocation.day("--week", in: practice.timeZone) {
      let monday = day.adding(days: 1 - day.weekday)
      return (0..<7).map { monday.adding(days: $0) }
    }
    let today = practice.timeZone.date(of: try invocation.now(in: practice.timeZone))
    return [try invocation.day(option, in: practice.timeZone) ?? today.adding(days: defaultOffset)]
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
      LocationCommands.option,
    ],
    examples: [
      Example("vetnet schedule propose --text \"sore eye, half shut\" --patient P003", "triages, then looks for room"),
      Example("vetnet schedule propose --appointment A0301 --json", "for a request on file"),
    ]
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let proposals = try invocation.perform(
      ProposeSlots(
        request: request(invocation, now: now), from: try invocation.moment("--from", in: practice.timeZone) ?? now,
        days: invocation.integer("--days", in: 1...60) ?? 7, limit: invocation.integer("--limit", in: 1...50) ?? 5,
        locationID: invocation.location(practice)),
      on: practice, at: now)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(ProposalsOutput(proposals, zone: practice.timeZone))
    } else {
      for line in ScheduleText.lines(proposals, zone: practice.timeZone, terminal: invocation.terminal) {
        invocation.terminal.print(line)
      }
    }
    return .ok
  }

  /// The case that the options describe.
  static func request(_ invocation: Invocation, now: Timestamp) throws -> ProposalRequest {
    let arguments = invocation.arguments
    try invocation.requireOne(of: "--appointment", "--text")
    try invocation.requireOne(of: "--appointment", "--patient")
    try invocation.requireOne(of: "--appointment", "--species")
    if let file = arguments.positionals.first, arguments.isSet("--appointment") || arguments.isSet("--text") {
      throw UsageError("'\(file)' and '\(arguments.isSet("--text") ? "--text" : "--appointment")' exclude each other")
    }
    if let id = arguments.value("--appointment") { return .appointment(id) }
    let text = try arguments.value("--text") ?? InputText.read(arguments.positionals.first ?? "-")
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw UsageError("the text is empty; say in words what is wrong")
    }
    var intake = Intake(id: "", receivedAt: now, text: text)
    intake.species = try invocation.species()
    return .intake(intake, patient: arguments.value("--patient"))
  }

  static let book = Command(
    "schedule book", "books an appointment",
    options: [
      Option("--patient", "PATIENT", "an id, a microchip, or a name that fits one patient"),
      Option("--appointment", "ID", "instead: the request on file that gets this time"),
      Option("--at", "TIME", "when it begins: 2026-11-23T09:30, 15:00, tomorrow 9:30, mon 10am"),
      Option("--minutes", "N", "how long (default: predicted)"),
      Option("--with", "CLINICIAN", "an id or name of staff"),
      Option(
        "--resource", "ROOM", "a room or device, by id or name; several times (default: what the visit type needs)"),
      Option("--visit-type", "TYPE", "such as recheck or dental"),
      Option("--reason", "TEXT", "in a few words"),
    ] + limitOptions + [dryRun],
    examples: [
      Example(
        "vetnet schedule book --patient P001 --at 2026-11-24T10:00 --with S01 --reason \"stiff, new tablets\"",
        "books it, or says what is in the way"),
      Example(
        "vetnet schedule book --patient P020 --at 2026-11-24T14:00 --with S06 --travel 25 --minutes 40",
        "a call at a yard: the way there and back is the vet's time too"),
    ],
    discussion: """
      A slot that is taken is refused, whoever else books at the same moment, and slots that are left are named: the practice file can't hold a
      double booking.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice(.write)
    let now = try invocation.now(in: practice.timeZone)
    guard let start = try invocation.moment("--at", in: practice.timeZone, needsTime: true) else {
      throw UsageError("'vetnet schedule book' needs --at TIME")
    }
    guard let clinician = try invocation.staff("--with", practice) else {
      throw UsageError("'vetnet schedule book' needs --with CLINICIAN")
    }
    let limits = try limits(invocation, practice)
    let booking = Booking(
      patient: arguments.value("--patient"), appointmentID: arguments.value("--appointment"), start: start,
      minutes: try invocation.integer("--minutes", in: 1...1440), clinicianID: clinician,
      resourceIDs: try invocation.rooms("--resource", practice),
      visitType: try visitType(invocation, practice),
      reason: arguments.value("--reason"), limits: limits)
    let change = try invocation.perform(
      BookAppointment(booking: booking, isDryRun: arguments.isSet("--dry-run")), on: practice, at: now)
    return try printChange(change, invocation, practice, verb: "booked")
  }

  static let move = Command(
    "schedule move", "moves an appointment to another time, clinician or room",
    positionals: [Positional("ID", "the appointment")],
    options: [
      Option("--at", "TIME", "when it is to begin (default: as it is)"),
      Option("--with", "CLINICIAN", "an id or name of staff (default: as it is)"),
      Option("--resource", "ROOM", "a room or device, by id or name; several times (default: as it is, if free)"),
      Option("--minutes", "N", "how long (default: as it is)"),
      dryRun,
    ],
    examples: [
      Example("vetnet schedule move A0301 --at 2026-11-24T11:30", "same vet, another time"),
      Example("vetnet schedule move A0301 --with S02 --dry-run", "could S02 take it?"),
    ],
    discussion: "The same is checked as when booking."
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice(.write)
    let start = try invocation.moment("--at", in: practice.timeZone, needsTime: true)
    let rooms = try invocation.rooms("--resource", practice)
    let minutes = try invocation.integer("--minutes", in: 1...1440)
    guard start != nil || arguments.value("--with") != nil || !rooms.isEmpty || minutes != nil else {
      throw UsageError("'vetnet schedule move' needs --at, --with, --resource or --minutes")
    }
    let change = try invocation.perform(
      MoveAppointment(
        id: arguments.positionals[0], start: start, clinicianID: invocation.staff("--with", practice),
        resourceIDs: rooms.isEmpty ? nil : rooms, minutes: minutes, isDryRun: arguments.isSet("--dry-run")),
      on: practice)
    return try printChange(change, invocation, practice, verb: "moved")
  }

  static let cancel = Command(
    "schedule cancel", "cancels an appointment and offers its slot to those who wait",
    positionals: [Positional("ID", "the appointment")],
    options: [dryRun],
    examples: [Example("vetnet schedule cancel A0301", "frees clinician and rooms, and says whom the slot fits")]
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let change = try invocation.perform(
      CancelAppointment(
        id: invocation.arguments.positionals[0], isDryRun: invocation.arguments.isSet("--dry-run")), on: practice)
    return try printChange(change, invocation, practice, verb: "cancelled")
  }

  /// The visit type that `--visit-type` names: one that VetNet knows, or that the practice has had.
  private static func visitType(_ invocation: Invocation, _ practice: Practice) throws -> VisitType? {
    guard let word = invocation.arguments.value("--visit-type") else { return nil }
    var known = VisitType.builtIn
    known += try invocation.perform(ListVisitTypes(), on: practice).filter { !known.contains($0) }
    if let type = known.first(where: { $0.rawValue.lowercased() == word.lowercased() }) { return type }
    throw UsageError(
      "--visit-type '\(word)' is not known; there are \(known.map(\.rawValue).joined(separator: ", "))",
      suggestion: Suggestions.nearest(to: word, among: known.map(\.rawValue)))
  }

  static let dryRun = Option("--dry-run", nil, "check everything, write nothing")

  /// What may be said about where an appointment may stand.
  static let limitOptions = [
    Option("--keep", "WHAT", "what plans leave alone: time, vet, room, joined by commas; all; none"),
    Option("--window", "FROM/TO", "when the owner can come, such as 2026-11-24T09:00/2026-11-24T12:00; none"),
    Option("--after", "ID", "the appointment that comes first, such as the consultation before the scan; none"),
    Option("--lag", "N", "minutes between that one's end and the start"),
    Option("--travel", "N", "minutes on the road before and after; 20,30 where they differ"),
    Option("--location", "NAME", "where it is to be, by id or name; none for wherever its clinician is"),
  ]

  /// The change of an appointment's limits that the options ask for; nil where they ask for none.
  static func limits(_ invocation: Invocation, _ practice: Practice) throws -> LimitsEdit? {
    let arguments = invocation.arguments
    var edit = LimitsEdit()
    if let text = arguments.value("--keep") {
      let words = text.split(separator: ",").map(String.init)
      guard !words.isEmpty, words.allSatisfy({ ["time", "vet", "room", "all", "none"].contains($0) }) else {
        throw UsageError("--keep '\(text)' is not time, vet or room, joined by commas, or all or none")
      }
      edit.keepsTime = words.contains("time") || words.contains("all")
      edit.keepsClinician = words.contains("vet") || words.contains("all")
      edit.keepsRooms = words.contains("room") || words.contains("all")
    }
    if let text = arguments.value("--window") {
      edit.window = try window(text, invocation, practice.timeZone).map { .set($0) } ?? .clear
    }
    if let id = arguments.value("--after") { edit.afterID = id == "none" ? .clear : .set(id) }
    edit.lagMinutes = try invocation.integer("--lag", in: 0...10_080)
    if let text = arguments.value("--travel") {
      let numbers = text.split(separator: ",").compactMap { Int($0) }
      guard (1...2).contains(numbers.count), numbers.allSatisfy({ (0...1440).contains($0) }) else {
        throw UsageError("--travel '\(text)' is no number of minutes, nor two joined by a comma")
      }
      edit.travelBefore = numbers[0]
      edit.travelAfter = numbers[numbers.count - 1]
    }
    if let word = arguments.value("--location") {
      edit.locationID = try word == "none" ? .clear : invocation.location(practice).map { .set($0) }
    }
    return edit.isEmpty ? nil : edit
  }

  private static func window(
    _ text: String, _ invocation: Invocation, _ zone: PracticeTimeZone
  ) throws -> Range<Timestamp>? {
    if text == "none" { return nil }
    let ends = try invocation.moments(text.split(separator: "/").map(String.init), option: "--window", in: zone)
    guard ends.count == 2, ends[0] < ends[1] else {
      throw UsageError("--window '\(text)' is no stretch of time; write 2026-11-24T09:00/2026-11-24T12:00")
    }
    return ends[0]..<ends[1]
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

  static func printChange(
    _ change: BookChange, _ invocation: Invocation, _ practice: Practice, verb: String
  ) throws -> ExitCode {
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(ChangeOutput(change, zone: practice.timeZone))
    } else {
      let dry = invocation.arguments.isSet("--dry-run")
      for line in ScheduleText.lines(change, verb: dry ? "would be \(verb)" : verb, zone: practice.timeZone) {
        invocation.terminal.print(line)
      }
    }
    return .ok
  }
}
