import Clinical
import Presentation
import VetNet

/// Changes of the plan as a whole, and the record of them.
enum SchedulePlanCommands {
  static let optimize = Command(
    "schedule optimize", "improves a day's or week's plan and places what is still asked for",
    options: [
      Option("--day", "DATE", "the day (default: tomorrow)"),
      Option("--date", "DATE", "the same as --day"),
      Option("--week", "DATE", "instead: the seven days from Monday on that hold this day, planned together"),
      LocationCommands.option,
      Option("--dry-run", nil, "show the changes, write nothing"),
      Option("--instance", "FILE", "instead: a vetnet-sched-1 instance, whose plan is printed as JSON"),
      Option("--seed", "N", "of the random numbers (default 1)"),
    ] + ScheduleCommands.searchOptions,
    examples: [
      Example("vetnet schedule optimize --day tomorrow --dry-run", "what would change, and why"),
      Example("vetnet schedule optimize --week 2026-11-23 --time-limit 2", "the whole week, written as one change"),
      Example("vetnet schedule optimize --instance day.json --time-limit 1 --seed 7 --json", "a plan for an instance"),
    ],
    discussion: """
      Booked appointments keep their clinician and time unless moving them makes room; changes are listed with reasons and written in one
      transaction. If the book changes while the plan is computed, the plan is thrown away and computed anew.
      """
  ) { invocation in
    let arguments = invocation.arguments
    let search = try ScheduleCommands.searchLimits(invocation)
    for option in ["--day", "--date", "--week"] { try invocation.requireOne(of: "--instance", option) }
    try invocation.requireOne(of: "--day", "--date")
    if let file = arguments.value("--instance") {
      try invocation.terminal.printJSON(InstanceSolving.solve(file: file, limits: search))
      return .ok
    }
    let practice = try invocation.openPractice(arguments.isSet("--dry-run") ? .read : .write)
    let now = try invocation.now(in: practice.timeZone)
    let option = arguments.value("--day") == nil ? "--date" : "--day"
    let dates = try ScheduleCommands.dates(invocation, practice, day: option, defaultOffset: 1)
    StopSignal.watch()
    practice.door.stopSignal = { StopSignal.current }
    let plan = try invocation.perform(
      OptimizePlan(
        dates: dates, locationID: invocation.location(practice), limits: search, isDryRun: arguments.isSet("--dry-run")),
      on: practice, at: now)
    try invocation.show(PlanOutput(plan, zone: practice.timeZone)) {
      ScheduleText.lines(plan, zone: practice.timeZone, terminal: invocation.terminal)
    }
    return .ok
  }

  static let emergency = Command(
    "schedule emergency", "makes room for an urgent case today, moving as few others as it takes",
    positionals: [Positional("FILE", "the intake's text, or - for standard input", optional: true)],
    options: [
      Option("--text", "TEXT", "the intake in words"),
      Option("--appointment", "ID", "instead: a request on file"),
      Option("--patient", "PATIENT", "who it is"),
      Option("--urgency", "LEVEL", "red or orange (default: what triage says)"),
      Option("--minutes", "N", "how long (default: predicted)"),
      LocationCommands.option,
      ScheduleCommands.dryRun,
    ],
    examples: [
      Example(
        "vetnet schedule emergency --patient P017 --text \"collapsed, gums white\"",
        "triages, books, and lists who has to be told what"),
      Example("vetnet schedule emergency --appointment A0301 --urgency orange --dry-run", "what it would take"),
    ]
  ) { invocation in
    let arguments = invocation.arguments
    let practice = try invocation.openPractice(.write)
    let now = try invocation.now(in: practice.timeZone)
    var level: Urgency?
    if let word = arguments.value("--urgency") {
      guard let named = Urgency(rawValue: word), named >= .orange else {
        throw UsageError("--urgency '\(word)' is no emergency; write red or orange")
      }
      level = named
    }
    let booking = try invocation.perform(
      BookEmergency(
        request: ScheduleCommands.request(invocation, now: now), urgency: level,
        minutes: invocation.integer("--minutes", in: 1...1440), locationID: invocation.location(practice),
        isDryRun: arguments.isSet("--dry-run")),
      on: practice, at: now)
    try invocation.show(EmergencyOutput(booking, zone: practice.timeZone)) {
      ScheduleText.lines(booking, zone: practice.timeZone, terminal: invocation.terminal)
    }
    return .ok
  }

  static let undo = Command(
    "schedule undo", "takes the latest change of the plan back",
    options: [ScheduleCommands.dryRun],
    examples: [Example("vetnet schedule undo", "also what was changed yesterday, by somebody else")],
    discussion:
      "Refused when a slot it needs was taken since, an appointment was changed since, or a visit has begun meanwhile; then nothing is changed."
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let revert = try invocation.perform(
      UndoPlan(isDryRun: invocation.arguments.isSet("--dry-run")), on: practice)
    return try print(revert, "undone", invocation, practice)
  }

  static let redo = Command(
    "schedule redo", "makes the change again that was taken back last",
    options: [ScheduleCommands.dryRun],
    examples: [Example("vetnet schedule redo", "as long as nothing was changed since the undo")]
  ) { invocation in
    let practice = try invocation.openPractice(.write)
    let revert = try invocation.perform(
      RedoPlan(isDryRun: invocation.arguments.isSet("--dry-run")), on: practice)
    return try print(revert, "made again", invocation, practice)
  }

  private static func print(
    _ revert: PlanRevert, _ verb: String, _ invocation: Invocation, _ practice: Practice
  ) throws -> ExitCode {
    let dry = invocation.arguments.isSet("--dry-run")
    try invocation.show(RevertOutput(revert, zone: practice.timeZone)) {
      ScheduleText.lines(revert, verb: dry ? "would be \(verb)" : verb, zone: practice.timeZone)
    }
    return .ok
  }

  static let log = Command(
    "schedule log", "lists the changes of the plan, the newest first",
    options: [Option("--limit", "N", "how many (default 20)")],
    examples: [Example("vetnet schedule log --limit 5", "with the plan's version after each")]
  ) { invocation in
    let practice = try invocation.openPractice()
    let entries = try invocation.perform(
      ListPlanChanges(limit: invocation.integer("--limit", in: 1...10_000) ?? 20), on: practice)
    if entries.isEmpty, !invocation.wantsJSON { invocation.terminal.print("The plan has not been changed yet.") }
    for entry in entries {
      try invocation.show(LogOutput(entry, zone: practice.timeZone)) {
        ScheduleText.lines(entry, zone: practice.timeZone)
      }
    }
    return .ok
  }

  static let diff = Command(
    "schedule diff", "shows who moved between two versions of the plan",
    positionals: [
      Positional("FROM", "the older version (default: the one before the latest change)", optional: true),
      Positional("TO", "the newer version (default: the latest)", optional: true),
    ],
    examples: [
      Example("vetnet schedule diff", "what the latest change did"),
      Example("vetnet schedule diff 4 9 --json", "all that changed from version 4 to 9"),
    ]
  ) { invocation in
    let practice = try invocation.openPractice()
    func version(_ index: Int) throws -> Int64? {
      guard invocation.arguments.positionals.count > index else { return nil }
      let text = invocation.arguments.positionals[index]
      guard let number = Int64(text), number >= 0 else {
        throw UsageError("'\(text)' is no version of the plan; vetnet schedule log lists them")
      }
      return number
    }
    let difference = try invocation.perform(ComparePlans(from: version(0), to: version(1)), on: practice)
    try invocation.show(DifferenceOutput(difference, zone: practice.timeZone)) {
      ScheduleText.lines(difference, zone: practice.timeZone)
    }
    return .ok
  }

  static let waiting = Command(
    "schedule waiting", "lists requests without a slot, the most urgent first",
    options: [
      Option("--days", "N", "look so many days ahead for the best free slot of each (default 0: don't)"),
      LocationCommands.option,
    ],
    examples: [Example("vetnet schedule waiting --days 7", "with the best slot that is free for each")]
  ) { invocation in
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let list = try invocation.perform(
      ListWaiting(days: invocation.integer("--days", in: 0...60) ?? 0, locationID: invocation.location(practice)),
      on: practice, at: now)
    if list.isEmpty, !invocation.wantsJSON { invocation.terminal.print("Nobody waits.") }
    for entry in list {
      try invocation.show(WaitingOutput(entry, zone: practice.timeZone)) {
        ScheduleText.lines(entry, zone: practice.timeZone, now: now, terminal: invocation.terminal)
      }
    }
    return .ok
  }
}

extension Invocation {
  /// The value as JSON, or as lines for a person.
  func show(_ value: some Encodable, _ lines: () -> [String]) throws {
    if wantsJSON { return try terminal.printJSON(value) }
    for line in lines() { terminal.print(line) }
  }
}
