import Clinical
import FoundationEssentials
import Presentation
import VetNet

/// Why the plan is as it is, what it risks, and how it leaves the house.
enum ScheduleReasonCommands {
  static let why = Command(
    "schedule why", "explains why an appointment stands where it does",
    positionals: [Positional("ID", "the appointment")],
    examples: [Example("vetnet schedule why A0301", "what each rule adds or takes, and the facts behind it")]
  ) { invocation in
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let reasons = try invocation.perform(ExplainVisit(id: invocation.arguments.positionals[0]), on: practice, at: now)
    try invocation.show(ReasonsOutput(reasons, zone: practice.timeZone)) {
      ScheduleText.lines(reasons, zone: practice.timeZone)
    }
    return .ok
  }

  static let whyNot = Command(
    "schedule why-not", "says everything that forbids an appointment a time, and the cheapest way round",
    positionals: [Positional("ID", "the appointment, booked or asked for")],
    options: [
      Option("--at", "TIME", "the time asked about"),
      Option("--with", "CLINICIAN", "an id or name of staff (default: the one it has)"),
      Option("--resource", "ROOM", "a room or device, by id or name; several times (default: any of the kind)"),
    ],
    examples: [
      Example(
        "vetnet schedule why-not A0301 --at 2026-11-24T10:00 --with S02", "reasons, who is in the way, what to do")
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    guard let start = try invocation.moment("--at", in: practice.timeZone, needsTime: true) else {
      throw UsageError("'vetnet schedule why-not' needs --at TIME")
    }
    let refusal = try invocation.perform(
      ExplainRefusal(
        id: invocation.arguments.positionals[0], start: start,
        clinicianID: invocation.staff("--with", practice), resourceIDs: invocation.rooms("--resource", practice)),
      on: practice)
    try invocation.show(RefusalOutput(refusal, zone: practice.timeZone)) {
      ScheduleText.lines(refusal, zone: practice.timeZone)
    }
    return .ok
  }

  static let set = Command(
    "schedule set",
    "says what plans may do with an appointment: what is kept, when the owner can come, what comes first",
    positionals: [Positional("ID", "the appointment")],
    options: ScheduleCommands.limitOptions + [ScheduleCommands.dryRun],
    examples: [
      Example("vetnet schedule set A0301 --keep time,vet", "only its room may change"),
      Example("vetnet schedule set A0302 --after A0301 --lag 10", "the scan, ten minutes after the consultation"),
      Example("vetnet schedule set A0303 --window 2026-11-24T09:00/2026-11-24T12:00", "mornings only"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    guard let limits = try ScheduleCommands.limits(invocation, practice) else {
      throw UsageError("'vetnet schedule set' needs --keep, --window, --after, --lag, --travel or --location")
    }
    let id = invocation.arguments.positionals[0]
    let change = try invocation.perform(
      SetLimits(id: id, limits: limits, isDryRun: invocation.arguments.isSet("--dry-run")), on: practice)
    try invocation.show(OptionsOutput(id, change, zone: practice.timeZone)) {
      let version = change.version.map { " (plan version \($0))" } ?? ""
      return ["\(id): \(change.options.words(in: practice.timeZone))\(version)"]
        + change.broken.map { "  broken where it stands: \($0)" }
    }
    return .ok
  }

  static let risk = Command(
    "schedule risk", "shows how late a day may run, and what reserving more or less time would buy",
    options: [
      Option("--date", "DATE", "the day (default: today)"),
      Option("--seed", "N", "of the simulated days (default 1)"),
      Option("--reserve", "Q", "make this share of predicted lengths the one that plans reserve, such as 0.8"),
    ],
    examples: [
      Example("vetnet schedule risk --date tomorrow", "delays by clinician, and the table of quantiles"),
      Example("vetnet schedule risk --reserve 0.8", "fewer visits, fewer delays, from now on"),
    ]
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice(arguments.value("--reserve") == nil ? .read : .write)
    if let text = arguments.value("--reserve") {
      guard let quantile = Double(text) else { throw UsageError("--reserve '\(text)' is no share such as 0.8") }
      try invocation.perform(SetReserve(quantile: quantile), on: practice)
    }
    let now = try invocation.now(in: practice.timeZone)
    let seed = UInt64(try invocation.integer("--seed", in: 0...Int.max) ?? 1)
    let date = try ScheduleCommands.dates(invocation, practice, day: "--date")[0]
    let schedule = try invocation.perform(ShowDay(date: date, seed: seed), on: practice, at: now)
    let (current, table) = try invocation.perform(
      WeighReserve(date: date, quantiles: [0.5, 0.6, 0.7, 0.8, 0.9], seed: seed), on: practice, at: now)
    try invocation.show(RiskOutput(schedule, table, current: current, zone: practice.timeZone)) {
      ScheduleText.lines(schedule, table, current: current, zone: practice.timeZone)
    }
    return .ok
  }

  static let export = Command(
    "schedule export", "writes appointments as an iCalendar file",
    options: [
      Option("--from", "DATE", "the first day (default: today)"),
      Option("--days", "N", "how many days (default 28)"),
      Option("--clinician", "NAME", "only this clinician's, by id or name"),
      LocationCommands.option,
      Option("--format", "NAME", "ics"),
      Option("--out", "FILE", "where to (default: standard output)"),
    ],
    examples: [
      Example("vetnet schedule export --format ics --out practice.ics", "for any calendar"),
      Example("vetnet schedule export --from 2026-11-23 --days 7 --clinician S01", "one vet's week"),
    ],
    discussion: """
      An appointment keeps its UID for good and its SEQUENCE grows with each change; cancelled ones stay in the file as cancelled, so that calendars
      drop them. Importing the file again changes nothing.
      """
  ) { invocation in
    let arguments = invocation.arguments
    guard ["ics", nil].contains(arguments.value("--format")) else {
      throw UsageError("--format '\(arguments.value("--format") ?? "")' is not known; there is ics")
    }
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let first = try invocation.day("--from", in: practice.timeZone) ?? practice.timeZone.date(of: now)
    let text = try invocation.perform(
      ExportCalendar(
        from: first, days: invocation.integer("--days", in: 1...3660) ?? 28,
        clinicianID: invocation.staff("--clinician", practice), locationID: invocation.location(practice)),
      on: practice, at: now)
    if let file = arguments.value("--out"), file != "-" {
      do {
        try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
      } catch {
        throw PracticeError(.failed, "can't write '\(file)'")
      }
    } else {
      invocation.terminal.printRaw(text)
    }
    return .ok
  }
}
