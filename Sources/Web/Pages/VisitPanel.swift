import Clinical
import Presentation
import Scheduling
import VetNet

/// One appointment: what it is, why it stands there, and a form that moves it, for those who don't drag.
enum VisitPanel {
  static func piece(_ call: Call) throws -> HTML {
    let id = call.value("id")
    let entry = try call.perform(ShowAppointment(id: id))
    let appointment = entry.appointment
    let day = try call.perform(ShowDay(date: call.zone.date(of: appointment.start)))
    let clinicians = day.workload.map { ($0.clinicianID, $0.name) }
    let judged = day.entries.first { $0.appointment.id == id }
    let reasons = appointment.status.occupiesTime ? try call.perform(ExplainVisit(id: id)) : nil
    let patient: HTML =
      entry.patient.map {
        "<a href=\"\(Link.patient($0.id))\"><bdi>\($0.name)</bdi></a> <span class=\"signalment\">\($0.summary(on: call.today).drop { $0 != "·" }.dropFirst())</span>"
      } ?? "No patient"
    let risk: HTML =
      judged?.risk.map {
        "<dt>Time</dt><dd>\(Badges.percent($0.overrun)) likely to take longer than reserved; begins \(Int($0.meanDelay.rounded())) min late on average</dd>"
      } ?? ""
    let conflict: HTML = entry.conflict.map { "<p class=\"alert\">Conflict: \($0)</p>" } ?? ""
    return """
      \(Dialogs.head("\(call.zone.clock(appointment.start)) \(entry.patient?.name ?? appointment.id)", id: "panel"))
      \(conflict)<p>\(patient)</p>\(encounter(entry, call))<p>\(Badges.level(judged?.urgency))\(Badges.status(appointment.status)) <span class="id">\(appointment.id)</span></p>
      <dl class="facts"><dt>When</dt><dd>\(Badges.longDate(call.zone.date(of: appointment.start))), \(call.zone.clock(appointment.start)), \(Badges.minutes(appointment.durationMinutes))</dd>
      <dt>With</dt><dd>\(entry.clinicianName ?? "nobody yet")\(appointment.resourceIDs.isEmpty ? "" : ", \(appointment.resourceIDs.joined(separator: ", "))")</dd>
      \(appointment.visitType.map { "<dt>Kind</dt><dd>\($0.rawValue)</dd>" as HTML })
      \(appointment.reason.map { "<dt>Reason</dt><dd class=\"said\">\($0)</dd>" as HTML })\(risk)</dl>
      \(form(appointment, revision: entry.revision, clinicians, call.zone))\(reasons.map { why($0.explanation) })
      """
  }

  /// The way to what is written at the patient's side, for whom that is.
  private static func encounter(_ entry: DaySchedule.Entry, _ call: Call) -> HTML {
    guard let patient = entry.patient, patient.deceasedAt == nil, call.session.actor.role.may(.writeRecord) else {
      return ""
    }
    return
      "<p><a class=\"button small\" href=\"\(Link.newEncounter(of: patient.id, visit: entry.appointment.id))\" data-testid=\"visit_encounter_button\">Write an encounter</a></p>"
  }

  private static func form(
    _ appointment: Appointment, revision: Int64, _ clinicians: [(id: String, name: String)], _ zone: PracticeTimeZone
  ) -> HTML {
    guard appointment.status == .booked || appointment.status == .arrived else { return "" }
    return """
      <form class="move" data-move="\(appointment.id)" data-revision="\(revision)"><h3>Move</h3><div class="fields">
      <div class="field"><label for="move-start">Begins</label><input id="move-start" name="start" type="datetime-local" step="300" value="\(zone.iso8601(appointment.start).prefix(16))" data-testid="move_start_input"></div>
      <div class="field"><label for="move-vet">With</label><select id="move-vet" name="clinician_id" data-testid="move_clinician_picker">\(Dialogs.options(clinicians, chosen: appointment.clinicianID))</select></div>
      <div class="field"><label for="move-minutes">Minutes</label><input id="move-minutes" name="duration_minutes" type="number" inputmode="numeric" min="5" max="1440" value="\(appointment.durationMinutes)"></div></div>
      <p class="problem" role="alert" hidden></p><div class="ways" data-ways></div>
      <div class="actions"><button type="submit" class="primary" data-testid="move_save_button">Save</button>
      <button type="button" class="danger" data-cancel data-testid="appointment_cancel_button">Cancel appointment</button></div></form>
      """
  }

  private static func why(_ explanation: Explanation) -> HTML {
    let lines = explanation.details.filter { $0.value != 0 }.html {
      "<li><span class=\"number\">\(TrendFigure.number($0.value, 1))</span> \($0.description)</li>"
    }
    return "<details><summary>Why it stands here</summary><ul class=\"plain reasons\">\(lines)</ul></details>"
  }
}

/// The best slots for a case, as buttons.
enum SlotPiece {
  static func piece(_ call: Call) throws -> HTML {
    let found = try BookRoutes.proposals(call)
    guard !found.proposals.isEmpty else {
      return "<p class=\"empty\">No free slot in the week ahead. The waiting list, or another week?</p>"
    }
    let items = found.proposals.enumerated().html { index, proposal in
      let name = found.staffNames[proposal.clinicianID] ?? proposal.clinicianID
      let reasons = proposal.explanation.details.filter { abs($0.value) >= 0.5 }.sorted {
        abs($0.value) > abs($1.value)
      }
      .prefix(3).map(\.description).joined(separator: "; ")
      let target: HTML =
        proposal.meetsTarget.map {
          $0 ? "<span class=\"badge good\">in time</span>" : "<span class=\"badge bad\">too late for its level</span>"
        }
        ?? ""
      return """
        <li><button type="button" class="slot" data-testid="slot_proposal_\(index)" data-start="\(call.zone.iso8601(proposal.start).prefix(16))" data-clinician="\(proposal.clinicianID)" data-minutes="\(proposal.minutes)" data-name="\(name)"><b>\(Self.day(proposal.start, call)) \(call.zone.clock(proposal.start))</b> \(name) · \(proposal.minutes) min \(target)<span class="why">\(reasons)</span></button></li>
        """
    }
    return "<h3>Best slots</h3><ol class=\"plain slots\">\(items)</ol>"
  }

  private static func day(_ moment: Timestamp, _ call: Call) -> String {
    let date = call.zone.date(of: moment)
    if date == call.today { return "Today" }
    if date == call.today.adding(days: 1) { return "Tomorrow" }
    return String(Badges.longDate(date).prefix(3)) + " \(Badges.shortDate(date).dropLast(5))"
  }
}
