import Clinical
import Presentation
import Scheduling
import VetNet

// Changes of the plan and their reasons, as a person reads them.

extension ScheduleText {
  static func days(_ dates: [CalendarDate]) -> String {
    guard let first = dates.first, let last = dates.last else { return "no day" }
    return first == last ? "\(first)" : "\(first) to \(last)"
  }

  static func lines(_ change: BookChange, verb: String, zone: PracticeTimeZone) -> [String] {
    let appointment = change.appointment
    var text =
      "\(appointment.id) \(verb): \(zone.describe(appointment.start)), \(appointment.durationMinutes) min"
      + "\(appointment.clinicianID.map { " with \($0)" } ?? "")"
      + "\(appointment.resourceIDs.isEmpty ? "" : " in \(appointment.resourceIDs.joined(separator: ", "))")"
    if let before = change.before, before.start != appointment.start || before.clinicianID != appointment.clinicianID,
      before.status.occupiesTime
    {
      text += "; it was \(zone.describe(before.start))\(before.clinicianID.map { " with \($0)" } ?? "")"
    }
    if let version = change.version { text += " (plan version \(version))" }
    var lines = [text]
    for kind in change.missingResources { lines.append("  without a room: the practice lists no \(kind)") }
    if !change.offers.isEmpty { lines.append("the slot fits:") }
    for offer in change.offers {
      let words = [
        offer.appointment.id, offer.patient.map { "\($0.name) (\($0.id))" } ?? "", offer.urgency?.rawValue ?? "",
      ]
      lines.append(
        "  \(words.filter { !$0.isEmpty }.joined(separator: " ")): \(zone.clock(offer.proposal.start)), \(offer.proposal.minutes) min, \(ExplanationText.number(offer.proposal.score)) points"
      )
    }
    return lines
  }

  private static func detail(_ explanation: Explanation) -> String {
    "\(ExplanationText.number(explanation.value).leftPadded(to: 7))  \(explanation.description)"
  }

  static func words(_ state: PlanState?, zone: PracticeTimeZone) -> String {
    guard let state else { return "–" }
    let where_ = state.resourceIDs.isEmpty ? "" : " \(state.resourceIDs.joined(separator: "+"))"
    let status = state.status == .booked ? "" : " [\(state.status.rawValue)]"
    return "\(zone.describe(state.start)) \(state.clinicianID ?? "–")\(where_) \(state.minutes) min\(status)"
  }

  static func lines(_ entry: PlanEntry, zone: PracticeTimeZone) -> [String] {
    let reverts = entry.reverts.map { " of version \($0)" } ?? ""
    return ["\(entry.version)  \(zone.describe(entry.at))  \(entry.kind.rawValue)\(reverts)"]
      + entry.rows.map { "     \($0.appointmentID): \(change($0.before, $0.after, zone: zone))" }
  }

  /// From one state to the other; wishes and limits only where they differ.
  private static func change(_ before: PlanState?, _ after: PlanState, zone: PracticeTimeZone) -> String {
    func limits(_ state: PlanState?) -> String {
      let differs = (before?.options ?? AppointmentOptions()) != (after.options ?? AppointmentOptions())
      guard differs, let options = state?.options else { return "" }
      return " (\(options.words(in: zone)))"
    }
    if let before, before.hasSamePlace(as: after), before.visitType == after.visitType {
      return "\(words(after, zone: zone)):\(limits(before)) →\(limits(after))"
    }
    return "\(words(before, zone: zone))\(limits(before)) → \(words(after, zone: zone))\(limits(after))"
  }

  static func lines(_ revert: PlanRevert, verb: String, zone: PracticeTimeZone) -> [String] {
    let version = revert.version.map { " (plan version \($0))" } ?? ""
    return ["\(revert.entry.kind.rawValue) of version \(revert.entry.version) \(verb)\(version)"]
      + revert.appointments.map { "  \($0.id): \(words(PlanState($0), zone: zone))" }
  }

  static func lines(_ difference: PlanDifference, zone: PracticeTimeZone) -> [String] {
    guard !difference.rows.isEmpty else {
      return ["version \(difference.from) to \(difference.to): nobody moved."]
    }
    return ["version \(difference.from) to \(difference.to):"]
      + difference.rows.map { row in
        let who = row.patient.map { " \($0.name)" } ?? ""
        return
          "  \(row.kind) \(row.appointmentID)\(who): \(change(row.before, row.after, zone: zone))"
      }
  }

  static func lines(_ entry: WaitingEntry, zone: PracticeTimeZone, now: Timestamp, terminal: Terminal) -> [String] {
    let appointment = entry.appointment
    let level = (entry.urgency?.rawValue ?? "").padded(to: 7)
    let colored = entry.urgency.map { terminal.styled(level, TriageText.style($0)) } ?? level
    let waited = entry.receivedAt.map { ", waiting for \(now.minutes(since: $0)) min" } ?? ""
    let who = entry.patient.map { "\($0.name) (\($0.id))" } ?? "–"
    let what = (appointment.reason ?? appointment.visitType?.rawValue ?? "").shortened(to: 40)
    var lines = [
      "\(colored)\(appointment.id)  \(who)  wishes for \(zone.describe(appointment.start))\(waited)  \(what)"
    ]
    if let best = entry.best {
      lines.append(
        "       best free: \(zone.describe(best.start)) with \(best.clinicianID), \(best.minutes) min, \(ExplanationText.number(best.score)) points"
      )
    }
    return lines
  }

  static func lines(_ booking: EmergencyBooking, zone: PracticeTimeZone, terminal: Terminal) -> [String] {
    let appointment = booking.appointment
    let level = terminal.styled(booking.urgency.rawValue.uppercased(), TriageText.style(booking.urgency))
    let dry = booking.version == nil ? "would be seen" : "is seen"
    var lines = [
      "\(level) \(appointment.id) \(dry) at \(zone.clock(appointment.start)) with \(appointment.clinicianID ?? "–")"
        + "\(appointment.resourceIDs.isEmpty ? "" : " in \(appointment.resourceIDs.joined(separator: ", "))"), \(appointment.durationMinutes) min, in \(booking.plan.wait) min"
    ]
    if !booking.plan.isInTime {
      lines.append(
        "  TOO LATE for a \(booking.urgency.rawValue) case: nobody who may take it is free before. Maybe refer it.")
    } else if !booking.plan.meetsTarget {
      lines.append("  later than the target wait of \(booking.urgency.targetMinutes) min")
    }
    lines.append(
      booking.notices.isEmpty ? "  nobody is moved" : "  moved, and to be told:")
    for notice in booking.notices {
      let phone = notice.phone.map { " (\($0))" } ?? ""
      lines.append("  \(notice.appointmentID)\(phone): \(notice.text)")
    }
    lines += booking.plan.explanation.details.map { "     \(detail($0))" }
    return lines
  }

  static func lines(_ reasons: VisitReasons, zone: PracticeTimeZone) -> [String] {
    var lines = [
      "\(reasons.appointment.id)\(reasons.patient.map { " \($0.name)" } ?? ""): \(reasons.explanation.description), worth \(ExplanationText.number(reasons.explanation.value)) points"
    ]
    lines += reasons.explanation.details.map { "  \(detail($0))" }
    for entry in reasons.history.prefix(5) {
      lines.append(
        "  version \(entry.version), \(zone.describe(entry.at)): \(entry.kind.rawValue)\(entry.reverts.map { " of version \($0)" } ?? "")"
      )
    }
    return lines
  }

  static func lines(_ refusal: SlotRefusal, zone: PracticeTimeZone) -> [String] {
    let at = "\(zone.describe(refusal.visit.start)) with \(refusal.visit.clinicianID)"
    var lines: [String] = []
    if refusal.verdict.isFree {
      lines.append("\(refusal.appointment.id) could be had \(at): nothing forbids it.")
    } else {
      lines.append("\(refusal.appointment.id) can't be had \(at):")
      lines += refusal.verdict.obstacles.map { "  \($0.kind.rawValue): \($0.description)" }
      if !refusal.verdict.conflicts.isEmpty {
        lines.append("  smallest set in the way: \(refusal.verdict.conflicts.joined(separator: ", "))")
      }
    }
    if let difference = refusal.difference {
      let amount = ExplanationText.number(abs(difference.value))
      lines.append(
        "  there it would be worth \(amount) points \(difference.value < 0 ? "less" : "more") than where it is")
    }
    if !refusal.alternatives.isEmpty { lines.append("  cheapest ways round:") }
    for way in refusal.alternatives {
      lines.append(
        "    \(way.kind.rawValue), costs \(ExplanationText.number(way.cost)): \(zone.describe(way.visit.start)) with \(way.visit.clinicianID), \(way.visit.minutes) min\(way.visit.resourceIDs.isEmpty ? "" : " in \(way.visit.resourceIDs.joined(separator: " + "))")"
      )
      for move in way.moves {
        lines.append(
          "      \(move.id): \(move.before.map { "\(zone.clock($0.start)) \($0.clinicianID)" } ?? "–") → \(zone.clock(move.after.start)) \(move.after.clinicianID)"
        )
      }
    }
    return lines
  }

  static func lines(
    _ schedule: DaySchedule, _ table: ReserveTradeOff, current: Double, zone: PracticeTimeZone
  ) -> [String] {
    var lines = ["\(schedule.date)"]
    for person in schedule.workload where person.risk != nil {
      guard let risk = person.risk else { continue }
      lines.append(
        "  \(person.clinicianID.padded(to: 5))\(person.name.padded(to: 22)) \(percent(person.share).leftPadded(to: 5)) booked, ends \(minutes(risk.meanLate)) late on average, 95 of 100 days within \(minutes(risk.p95Late))"
      )
    }
    let likely = (schedule.risk?.visits ?? []).filter { $0.overrun >= 0.5 || $0.p95Delay >= 15 }
    for visit in likely {
      lines.append(
        "  \(visit.id): \(percent(visit.overrun)) to overrun, begins \(minutes(visit.meanDelay)) late on average, 95 of 100 days within \(minutes(visit.p95Delay))"
      )
    }
    lines.append("  reserved  placed      minutes  delay on average  95 of 100 within")
    for row in table.rows {
      let mark = abs(row.quantile - current) < 0.005 ? "  (as set)" : ""
      lines.append(
        "  \("P\(Int((row.quantile * 100).rounded()))".padded(to: 10))\("\(row.placed) of \(row.asked)".padded(to: 12))\("\(row.reserved)".leftPadded(to: 7))  \(minutes(row.meanDelay).leftPadded(to: 16))  \(minutes(row.p95Delay).leftPadded(to: 16))\(mark)"
      )
    }
    return lines
  }
}
