import Clinical
import Presentation
import Scheduling
import VetNet

/// The appointment book as a person reads it.
enum ScheduleText {
  static func lines(_ schedule: DaySchedule, zone: PracticeTimeZone, terminal: Terminal) -> [String] {
    let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    let title = "\(names[schedule.date.weekday - 1]) \(schedule.date)"
    guard !schedule.entries.isEmpty else { return ["\(terminal.styled(title, .bold)): nothing booked."] }
    var lines = [terminal.styled(title, .bold)]
    let isNarrow = terminal.width < 100
    lines.append(
      terminal.styled(
        isNarrow ? "  start     min  level  vet  room  over" : "  start     min  level  vet  room  over  patient", .dim)
    )
    var isOpenPart = false
    for entry in schedule.entries {
      if entry.appointment.status == .requested, !isOpenPart {
        isOpenPart = true
        lines.append("asked for:")
      }
      lines += isNarrow ? narrow(entry, zone: zone, terminal: terminal) : [line(entry, zone: zone, terminal: terminal)]
      for limit in entry.broken { lines += Columns.hanging("        broken: ", limit, width: terminal.width) }
      if let conflict = entry.conflict {
        lines += Columns.hanging("        conflict: ", conflict, width: terminal.width)
      }
    }
    for person in schedule.workload {
      lines += isNarrow ? Columns.hanging("  ", line(person), width: terminal.width) : ["  " + line(person)]
    }
    if let risk = schedule.risk, !risk.visits.isEmpty {
      lines += Columns.hanging(
        "  ",
        "a visit begins \(minutes(risk.meanDelay)) late on average, 95 of 100 within \(minutes(risk.p95Delay)) (\(risk.days) simulated days)",
        width: max(terminal.width, isNarrow ? 0 : 140))
    }
    return lines
  }

  private static func line(_ entry: DaySchedule.Entry, zone: PracticeTimeZone, terminal: Terminal) -> String {
    let appointment = entry.appointment
    let who = who(entry).padded(to: 20)
    let what = appointment.reason ?? appointment.visitType?.rawValue ?? ""
    let status =
      appointment.status == .booked || appointment.status == .requested ? "" : " [\(appointment.status.rawValue)]"
    let limits = entry.options.words(in: zone, brief: true)
    let room = max(16, terminal.width - 80)
    return
      "\(place(entry, zone: zone, terminal: terminal))  \(who) \(what.shortened(to: room).padded(to: room))  \(appointment.id)\(status)"
      + (limits.isEmpty ? "" : " (\(limits))")
  }

  /// When, how long, how urgent, with whom, where, and the risk: the columns before the patient.
  private static func place(_ entry: DaySchedule.Entry, zone: PracticeTimeZone, terminal: Terminal) -> String {
    let appointment = entry.appointment
    let level = (entry.urgency?.rawValue ?? "").padded(to: 7)
    let colored = entry.urgency.map { terminal.styled(level, TriageText.style($0)) } ?? level
    let risk = (entry.risk.map { percent($0.overrun) } ?? "").leftPadded(to: 5)
    return "  \(zone.clock(appointment.start)) \("\(appointment.durationMinutes)".leftPadded(to: 3)) min  \(colored)"
      + "\((appointment.clinicianID ?? "–").padded(to: 5))\(appointment.resourceIDs.joined(separator: ",").padded(to: 5))\(risk)"
  }

  private static func who(_ entry: DaySchedule.Entry) -> String {
    entry.patient.map { "\($0.name.isolated) (\($0.id))" } ?? "–"
  }

  /// An appointment on two lines or more, for a terminal that holds the columns and the patient only one below the other.
  private static func narrow(_ entry: DaySchedule.Entry, zone: PracticeTimeZone, terminal: Terminal) -> [String] {
    let appointment = entry.appointment
    let isPlain = appointment.status == .booked || appointment.status == .requested
    let what = appointment.reason ?? appointment.visitType?.rawValue
    let limits = entry.options.words(in: zone, brief: true)
    let text =
      who(entry) + (what.map { ": \($0.withoutControls)" } ?? "") + "  \(appointment.id)"
      + (isPlain ? "" : " [\(appointment.status.rawValue)]") + (limits.isEmpty ? "" : " (\(limits))")
    return [place(entry, zone: zone, terminal: terminal)] + Columns.hanging("        ", text, width: terminal.width)
  }

  private static func line(_ person: DaySchedule.Workload) -> String {
    var text =
      "\(person.clinicianID.padded(to: 5))\(person.name.padded(to: 22))\("\(person.visits)".leftPadded(to: 3)) visit\(person.visits == 1 ? "" : "s"), \(person.bookedMinutes) of \(person.workingMinutes) min"
    if person.workingMinutes > 0 { text += ", \(percent(person.share))" }
    if let risk = person.risk {
      text += "; ends \(minutes(risk.meanLate)) late on average, 95 of 100 days within \(minutes(risk.p95Late))"
    }
    return text
  }

  /// `, R1 + IM1`; nothing for a visit without a room.
  private static func rooms(_ visit: PlannedVisit) -> String {
    visit.resourceIDs.isEmpty ? "" : ", \(visit.resourceIDs.joined(separator: " + "))"
  }

  static func minutes(_ value: Double) -> String { "\(Int(value.rounded())) min" }

  static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  static func lines(_ proposals: CaseProposals, zone: PracticeTimeZone, terminal: Terminal) -> [String] {
    var head: [String] = []
    if let urgency = proposals.request.urgency { head.append("urgency \(urgency.rawValue)") }
    if let type = proposals.request.visitType { head.append(type.rawValue) }
    head.append("about \(Int(proposals.request.duration.p50.rounded())) min")
    if let urgency = proposals.request.urgency, urgency >= .orange { head.append("the soonest first") }
    var lines = [head.joined(separator: ", ")]
    if proposals.proposals.isEmpty { lines.append("No free slot in that time.") }
    for (index, proposal) in proposals.proposals.enumerated() {
      let name = proposals.staffNames[proposal.clinicianID].map { " \($0)" } ?? ""
      let late = proposal.meetsTarget == false ? "  later than the target wait" : ""
      lines.append(
        "\(index + 1). \(zone.date(of: proposal.start)) \(zone.clock(proposal.start)), \(proposal.minutes) min, \(proposal.clinicianID)\(name)"
          + "\(proposal.resourceIDs.isEmpty ? "" : ", \(proposal.resourceIDs.joined(separator: " + "))")\(proposal.locationID.map { ", at \($0)" } ?? "")\(late)"
      )
      for detail in proposal.explanation.details {
        lines.append("     \(ExplanationText.number(detail.value).leftPadded(to: 7))  \(detail.description)")
      }
    }
    return lines
  }

  static func lines(_ plan: DayPlan, zone: PracticeTimeZone, terminal: Terminal) -> [String] {
    let proposal = plan.proposal
    guard !proposal.changes.isEmpty || !proposal.unplaced.isEmpty else {
      return [
        "\(ScheduleText.days(plan.dates)): nothing to improve; the plan is worth \(ExplanationText.number(proposal.before)) of at most \(ExplanationText.number(proposal.upperBound)) points."
      ]
    }
    var lines = [
      "\(ScheduleText.days(plan.dates)): \(ExplanationText.number(proposal.before)) → \(ExplanationText.number(proposal.after)) points, at most \(ExplanationText.number(proposal.upperBound)) possible"
    ]
    for change in proposal.changes {
      let appointment = plan.appointments[change.id]
      let who = appointment?.patientID.flatMap { plan.patients[$0]?.name } ?? change.id
      let isWeek = plan.dates.count > 1
      func clock(_ moment: Timestamp) -> String { isWeek ? zone.describe(moment) : zone.clock(moment) }
      let from = change.before.map { "\(clock($0.start)) \($0.clinicianID) → " } ?? ""
      lines.append(
        "  \(change.kind.rawValue) \(change.id) \(who): \(from)\(clock(change.after.start)) \(change.after.clinicianID)"
          + ", \(change.after.minutes) min\(rooms(change.after)) (\(change.gain < 0 ? "" : "+")\(ExplanationText.number(change.gain)))"
      )
      for detail in change.explanation.details.prefix(4) {
        lines.append("       \(ExplanationText.number(detail.value).leftPadded(to: 7))  \(detail.description)")
      }
    }
    for id in proposal.unplaced {
      lines.append("  no room for \(id)\(plan.appointments[id]?.reason.map { ": \($0.shortened(to: 60))" } ?? "")")
    }
    for conflict in proposal.conflicts {
      lines.append(
        "  conflict: \(conflict.appointmentID.map { "\($0), " } ?? "")\(conflict.subjectID) \(conflict.kind.rawValue)")
    }
    let again = plan.attempts > 1 ? " It was computed \(plan.attempts) times, because the book changed meanwhile." : ""
    lines.append((plan.isWritten ? "Written, plan version \(plan.version)." : "Nothing was written.") + again)
    return lines
  }
}
