import Clinical
import Presentation
import VetNet

/// Who is where in the practice, and saying so.
enum FlowCommands {
  static let flow = Command(
    "schedule flow", "shows who is expected, waiting, with a vet, paying and gone",
    options: [
      Option("--date", "DATE", "2026-11-23, tomorrow, mon or 24 nov (default: today)"), LocationCommands.option,
    ],
    examples: [
      Example("vetnet schedule flow", "who waits, for how long, and who has waited longer than their level allows"),
      Example("vetnet schedule flow --date 2026-11-23 --json", "one JSON object with every step that was told"),
    ],
    discussion: """
      Red and orange come first, then whoever came first. The time that a level allows is the triage list's; who has no level has no such time.
      """
  ) { invocation in
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let date = try invocation.day("--date", in: practice.timeZone) ?? practice.timeZone.date(of: now)
    let flow = try invocation.perform(
      ShowFlow(date: date, locationID: invocation.location(practice)), on: practice, at: now)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(FlowOutput(flow, zone: practice.timeZone))
      return .ok
    }
    for line in lines(flow, zone: practice.timeZone) { invocation.terminal.print(line) }
    return .ok
  }

  private static func lines(_ flow: DayFlow, zone: PracticeTimeZone) -> [String] {
    guard !flow.entries.isEmpty else { return ["nothing is booked on \(flow.date)"] }
    return shown.flatMap { stage -> [String] in
      let entries = flow.entries(at: stage)
      guard !entries.isEmpty else { return [] }
      return ["\(stage.words) (\(entries.count))"]
        + entries.map { entry in
          let appointment = entry.visit.appointment
          var line =
            "  " + zone.clock(appointment.start).padded(to: 7) + appointment.id.padded(to: 8)
            + (entry.visit.urgency?.rawValue ?? "–").padded(to: 8)
            + (entry.visit.patient?.name ?? "no patient").shortened(to: 20).isolated.padded(to: 22)
            + (entry.visit.clinicianName ?? "nobody yet")
          if stage == .arrived, let waited = entry.waitedMinutes {
            line += " · waits \(waited) min" + (entry.targetMinutes.map { " of \($0)" } ?? "")
            if entry.isOverdue { line += ", too long" }
          }
          return line
        }
    }
  }

  /// Who needs somebody first.
  private static let shown: [VisitStage] = [.arrived, .inConsult, .toPay, .expected, .left, .noShow]

  static let stage = Command(
    "schedule stage", "says how far a visit has got, or takes that back",
    positionals: [
      Positional("ID", "the appointment"),
      Positional("STAGE", VisitStage.allCases.map(\.rawValue).joined(separator: ", ")),
    ],
    examples: [
      Example("vetnet schedule stage A0301 arrived", "they are in the waiting room, from now on"),
      Example("vetnet schedule stage A0301 expected", "no, they aren't: it was somebody else"),
    ],
    discussion: """
      Every word is kept with who said it and when. Where the beginning and the end of a visit were told, the minutes between are its actual length,
      from which lengths are learned.
      """
  ) { invocation in
    let words = invocation.arguments.positionals
    guard let stage = VisitStage(rawValue: words[1].replacing("-", with: "_")) else {
      throw UsageError(
        "'\(words[1])' is no stage; there are \(VisitStage.allCases.map(\.rawValue).joined(separator: ", "))",
        suggestion: Suggestions.nearest(to: words[1], among: VisitStage.allCases.map(\.rawValue)))
    }
    let practice = try invocation.openPractice(.write)
    let change = try invocation.perform(SetVisitStage(id: words[0], stage: stage), on: practice)
    if invocation.wantsJSON {
      try invocation.terminal.printJSON(StageChangeOutput(change, zone: practice.timeZone))
    } else {
      invocation.terminal.print(
        change.before == stage
          ? "\(words[0]) is \(stage.words) already" : "\(words[0]): \(change.before.words) → \(stage.words)")
    }
    return .ok
  }
}
