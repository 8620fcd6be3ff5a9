import Clinical
import Presentation
import VetNet

/// The waiting room and what comes after it: who is expected, waits, is with a vet, pays.
enum FlowPage {
  static func page(_ call: Call) throws -> HTML {
    let date = try call.date()
    let flow = try call.perform(ShowFlow(date: date))
    let live = FlowBoard(flow: flow, zone: call.zone, maySay: call.session.actor.role.may(.writeBook)).html
    if call.request.parameter("part") == "live" { return live }
    let main: HTML = """
      <div class="toolbar"><h1>Flow, \(Badges.longDate(date))</h1>
      <div class="group" role="group" aria-label="Other days"><a class="button" href="\(Link.flow(date.adding(days: -1)))" aria-label="The day before">‹</a><a class="button" href="/flow/today">Today</a><a class="button" href="\(Link.flow(date.adding(days: 1)))" aria-label="The day after">›</a></div>
      <a class="button" href="\(Link.day(date))">Schedule</a></div>
      <div id="live" data-live="\(Link.flow(date))?part=live" data-kinds="appointment plan patient staff">\(live)</div>
      """
    return Layout(title: "Flow, \(Badges.shortDate(date))", tab: .flow, script: "flow.js", main: main).page(call)
  }
}

/// What of the flow changes while somebody looks.
struct FlowBoard {
  let flow: DayFlow
  let zone: PracticeTimeZone
  /// Whether whoever looks may say who is where.
  let maySay: Bool

  var html: HTML {
    guard !flow.entries.isEmpty else {
      return "<p class=\"empty\" data-testid=\"flow_board\">Nobody is expected on this day.</p>"
    }
    let columns = [VisitStage.arrived, .inConsult, .toPay, .expected].html { column($0) }
    let over = [VisitStage.left, .noShow].html { stage in
      let entries = flow.entries(at: stage)
      guard !entries.isEmpty else { return "" }
      return """
        <details><summary>\(Self.title(stage)) (\(entries.count))</summary><ul class="plain flow-cards" data-testid="flow_\(stage.rawValue)">\(entries.html { card($0) })</ul></details>
        """
    }
    return """
      <p class="flow-summary" role="status" data-testid="flow_summary">\(summary)</p>
      <div class="flow" data-testid="flow_board">\(columns)</div>\(over)
      """
  }

  private var summary: String {
    let waiting = flow.entries(at: .arrived)
    var parts = [waiting.isEmpty ? "Nobody waits" : "\(waiting.count) waiting"]
    if let longest = waiting.compactMap(\.waitedMinutes).max() {
      parts.append("the longest \(Badges.minutes(longest))")
    }
    let late = waiting.filter(\.isOverdue).count
    if late > 0 { parts.append("\(late) longer than their level allows") }
    let urgent = flow.entries.filter {
      $0.course.stage <= .arrived && $0.course.stage != .noShow && ($0.visit.urgency ?? .blue) >= .orange
    }
    if !urgent.isEmpty { parts.append("\(urgent.count) red or orange still to be seen") }
    return parts.joined(separator: ", ") + "."
  }

  static func title(_ stage: VisitStage) -> String {
    switch stage {
    case .expected: "Expected"
    case .arrived: "Waiting"
    case .inConsult: "In consult"
    case .toPay: "To pay"
    case .left: "Gone"
    case .noShow: "Didn't come"
    }
  }

  private func column(_ stage: VisitStage) -> HTML {
    let entries = flow.entries(at: stage)
    let none: HTML = entries.isEmpty ? "<li class=\"empty\">Nobody.</li>" : ""
    return """
      <section aria-labelledby="flow-\(stage.rawValue)"><h2 id="flow-\(stage.rawValue)">\(Self.title(stage)) (\(entries.count))</h2>
      <ul class="plain flow-cards" data-testid="flow_\(stage.rawValue)">\(entries.html { card($0) })\(none)</ul></section>
      """
  }

  private func card(_ entry: DayFlow.Entry) -> HTML {
    let appointment = entry.visit.appointment
    let name: HTML =
      entry.visit.patient.map {
        "<a href=\"\(Link.patient($0.id))\"><bdi>\($0.name)</bdi></a> <span class=\"id\">\($0.id)</span>"
      }
      ?? "No patient"
    let who = entry.visit.patient?.name ?? "no patient"
    let late: HTML = entry.isOverdue ? " overdue" : ""
    return """
      <li class="flow-card level-\(entry.visit.urgency?.rawValue ?? "none")\(late)" data-testid="flow_card_\(appointment.id)" data-appointment="\(appointment.id)" data-revision="\(entry.visit.revision)">
      <div class="line"><span class="time">\(zone.clock(appointment.start))</span> <b>\(name)</b> \(Badges.level(entry.visit.urgency))</div>
      <div class="what">\(appointment.reason?.shortened(to: 90) ?? appointment.visitType?.rawValue)</div>
      <div class="with">\(entry.visit.clinicianName ?? "nobody yet")\(appointment.resourceIDs.isEmpty ? "" : " · \(appointment.resourceIDs.joined(separator: ", "))")</div>
      \(wait(entry))\(maySay ? buttons(entry, who) : "")</li>
      """
  }

  /// How long somebody has waited, against what their level allows; how long the others did.
  private func wait(_ entry: DayFlow.Entry) -> HTML {
    switch entry.course.stage {
    case .expected, .noShow, .left: return ""
    case .arrived:
      guard let waited = entry.waitedMinutes else { return "<div class=\"wait\">nobody said when they came</div>" }
      guard let target = entry.targetMinutes else { return "<div class=\"wait\">waits \(Badges.minutes(waited))</div>" }
      let words: HTML = entry.isOverdue ? ", <strong>too long</strong>" : ""
      return """
        <div class="wait"><meter min="0" max="\(max(target, 1))" value="\(min(waited, max(target, 1)))" aria-label="Waited \(waited) of \(target) minutes"></meter> waits \(Badges.minutes(waited)) of \(Badges.minutes(target))\(words)</div>
        """
    case .inConsult:
      return entry.course.moment(of: .inConsult).map { "<div class=\"wait\">since \(zone.clock($0))</div>" } ?? ""
    case .toPay:
      let took: HTML = entry.course.consultMinutes.map { ", \(Badges.minutes($0)) with the vet" } ?? ""
      return entry.course.moment(of: .toPay).map { "<div class=\"wait\">since \(zone.clock($0))\(took)</div>" } ?? ""
    }
  }

  /// What may be said next, the likeliest first.
  private func buttons(_ entry: DayFlow.Entry, _ who: String) -> HTML {
    let moves: [(VisitStage, String)]
    switch entry.course.stage {
    case .expected: moves = [(.arrived, "Arrived"), (.inConsult, "With the vet"), (.noShow, "Didn't come")]
    case .arrived: moves = [(.inConsult, "With the vet"), (.expected, "Not here")]
    case .inConsult: moves = [(.toPay, "To pay"), (.left, "Gone"), (.arrived, "Back to waiting")]
    case .toPay: moves = [(.left, "Paid and gone"), (.inConsult, "Back to the vet")]
    case .left: moves = [(.toPay, "Back to pay")]
    case .noShow: moves = [(.arrived, "Came after all"), (.expected, "Expected again")]
    }
    let items = moves.enumerated().map { (index: $0.offset, stage: $0.element.0, label: $0.element.1) }.html { item in
      let primary: HTML = item.index == 0 ? " class=\"primary\"" : " class=\"quiet\""
      return """
        <button type="button"\(primary) data-stage="\(item.stage.rawValue)" data-testid="stage_\(entry.visit.appointment.id)_\(item.stage.rawValue)" aria-label="\(item.label): \(who)">\(item.label)</button>
        """
    }
    return "<div class=\"actions\">\(items)</div>"
  }
}
