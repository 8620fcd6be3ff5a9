import Clinical
import Scheduling
import VetNet

/// The appointment book as a person reads it.
enum ScheduleText {
  static func lines(_ schedule: DaySchedule, zone: PracticeTimeZone, terminal: Terminal) -> [String] {
    guard !schedule.entries.isEmpty else { return ["\(schedule.date): nothing booked."] }
    var lines = [terminal.styled("\(schedule.date)", .bold)]
    var isOpenPart = false
    for entry in schedule.entries {
      let appointment = entry.appointment
      if appointment.status == .requested, !isOpenPart {
        isOpenPart = true
        lines.append("asked for:")
      }
      let who = entry.patient.map { "\($0.name) (\($0.id))" } ?? "–"
      let what = appointment.reason ?? appointment.visitType?.rawValue ?? ""
      let status =
        appointment.status == .booked || appointment.status == .requested ? "" : " [\(appointment.status.rawValue)]"
      lines.append(
        "  \(zone.clock(appointment.start)) \("\(appointment.durationMinutes)".leftPadded(to: 3)) min  "
          + "\((appointment.clinicianID ?? "–").padded(to: 5))\(appointment.resourceIDs.joined(separator: ",").padded(to: 5))"
          + "\(who.padded(to: 20))\(what.shortened(to: max(20, terminal.width - 62)))\(status)  \(appointment.id)")
      if let conflict = entry.conflict { lines.append("        conflict: \(conflict)") }
    }
    return lines
  }

  static func lines(_ proposals: CaseProposals, zone: PracticeTimeZone, terminal: Terminal) -> [String] {
    var head: [String] = []
    if let urgency = proposals.request.urgency { head.append("urgency \(urgency.rawValue)") }
    if let type = proposals.request.visitType { head.append(type.rawValue) }
    head.append("about \(Int(proposals.request.duration.p50.rounded())) min")
    var lines = [head.joined(separator: ", ")]
    if proposals.proposals.isEmpty { lines.append("No free slot in that time.") }
    for (index, proposal) in proposals.proposals.enumerated() {
      let name = proposals.staffNames[proposal.clinicianID].map { " \($0)" } ?? ""
      let late = proposal.meetsTarget == false ? "  later than the target wait" : ""
      lines.append(
        "\(index + 1). \(zone.date(of: proposal.start)) \(zone.clock(proposal.start)), \(proposal.minutes) min, \(proposal.clinicianID)\(name)"
          + "\(proposal.resourceIDs.isEmpty ? "" : ", \(proposal.resourceIDs.joined(separator: " + "))")\(late)")
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
        "\(plan.date): nothing to improve; the plan is worth \(ExplanationText.number(proposal.before)) of at most \(ExplanationText.number(proposal.upperBound)) points."
      ]
    }
    var lines = [
      "\(plan.date): \(ExplanationText.number(proposal.before)) → \(ExplanationText.number(proposal.after)) points, at most \(ExplanationText.number(proposal.upperBound)) possible"
    ]
    for change in proposal.changes {
      let appointment = plan.appointments[change.id]
      let who = appointment?.patientID.flatMap { plan.patients[$0]?.name } ?? change.id
      let from = change.before.map { "\(zone.clock($0.start)) \($0.clinicianID) → " } ?? ""
      lines.append(
        "  \(change.kind.rawValue) \(change.id) \(who): \(from)\(zone.clock(change.after.start)) \(change.after.clinicianID)"
          + ", \(change.after.minutes) min, \(change.after.resourceIDs.joined(separator: " + ")) (\(change.gain < 0 ? "" : "+")\(ExplanationText.number(change.gain)))"
      )
      for detail in change.explanation.details.prefix(4) {
        lines.append("       \(ExplanationText.number(detail.value).leftPadded(to: 7))  \(detail.description)")
      }
    }
    for id in proposal.unplaced {
      lines.append("  no room for \(id)\(plan.appointments[id]?.reason.map { ": \($0)" } ?? "")")
    }
    for conflict in proposal.conflicts {
      lines.append(
        "  conflict: \(conflict.appointmentID.map { "\($0), " } ?? "")\(conflict.subjectID) \(conflict.kind.rawValue)")
    }
    lines.append(plan.isWritten ? "Written." : "Nothing was written.")
    return lines
  }
}

/// Proposed slots as JSON.
struct ProposalsOutput: Encodable {
  struct Slot: Encodable {
    let clinician_id: String
    let resource_ids: [String]
    let start: String
    let minutes: Int
    let score: Double
    let meets_target: Bool?
    let explanation: Explanation
  }

  let urgency: String?
  let visit_type: String?
  let proposals: [Slot]

  init(_ proposals: CaseProposals, zone: PracticeTimeZone) {
    urgency = proposals.request.urgency?.rawValue
    visit_type = proposals.request.visitType?.rawValue
    self.proposals = proposals.proposals.map {
      Slot(
        clinician_id: $0.clinicianID, resource_ids: $0.resourceIDs, start: zone.iso8601($0.start), minutes: $0.minutes,
        score: $0.score, meets_target: $0.meetsTarget, explanation: $0.explanation)
    }
  }
}

/// A better day as JSON.
struct PlanOutput: Encodable {
  struct Visit: Encodable {
    let clinician_id: String
    let resource_ids: [String]
    let start: String
    let minutes: Int

    init(_ visit: PlannedVisit, zone: PracticeTimeZone) {
      clinician_id = visit.clinicianID
      resource_ids = visit.resourceIDs
      start = zone.iso8601(visit.start)
      minutes = visit.minutes
    }
  }

  struct Change: Encodable {
    let kind: String
    let appointment_id: String
    let before: Visit?
    let after: Visit
    let gain: Double
    let explanation: Explanation
  }

  let date: String
  let before: Double
  let after: Double
  let upper_bound: Double
  let changes: [Change]
  let unplaced: [String]
  let written: Bool

  init(_ plan: DayPlan, zone: PracticeTimeZone) {
    date = plan.date.description
    before = plan.proposal.before
    after = plan.proposal.after
    upper_bound = plan.proposal.upperBound
    changes = plan.proposal.changes.map {
      Change(
        kind: $0.kind.rawValue, appointment_id: $0.id, before: $0.before.map { Visit($0, zone: zone) },
        after: Visit($0.after, zone: zone), gain: $0.gain, explanation: $0.explanation)
    }
    unplaced = plan.proposal.unplaced
    written = plan.isWritten
  }
}
