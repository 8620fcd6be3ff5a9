import Clinical
import Presentation
import Scheduling
import VetNet

/// A better plan for a day: what would change, what it is worth, the day before and after. Nothing is written until somebody
/// accepts it.
enum PlanPiece {
  static func piece(_ call: Call) throws -> HTML {
    let date = try call.date()
    let plan = try call.perform(OptimizePlan(dates: [date], limits: BookRoutes.planLimits, isDryRun: true))
    let proposal = plan.proposal
    guard !proposal.changes.isEmpty else {
      let unplaced: HTML =
        proposal.unplaced.isEmpty
        ? "" : "<p>\(proposal.unplaced.count) of those who wait find no place on this day.</p>"
      return
        "<p class=\"empty\" data-testid=\"plan_outcome\">No better plan was found: the day stays as it is.</p>\(unplaced)<div class=\"actions\"><button type=\"button\" data-close>Close</button></div>"
    }
    let day = try call.perform(ShowDay(date: date))
    let names = Dictionary(
      day.workload.map { ($0.clinicianID, $0.name) }, uniquingKeysWith: { first, _ in first })
    func place(_ visit: PlannedVisit) -> HTML {
      "\(call.zone.clock(visit.start)), \(names[visit.clinicianID] ?? visit.clinicianID), \(visit.minutes) min"
    }
    let rows = proposal.changes.html { change in
      let patient = plan.appointments[change.id]?.patientID.flatMap { plan.patients[$0] }
      return
        "<tr><th scope=\"row\"><bdi>\(patient?.name ?? change.id)</bdi> <span class=\"id\">\(change.id)</span></th><td>\(change.before.map(place) ?? "waits")</td><td>\(place(change.after))</td><td>\(why(change))</td></tr>"
    }
    let moved = proposal.changes.count { $0.kind == .move }
    let placed = proposal.changes.count - moved
    let counts = [
      moved > 0 ? "\(moved) \(moved == 1 ? "appointment moves" : "appointments move")" : nil,
      placed > 0 ? "\(placed) of those who wait \(placed == 1 ? "gets" : "get") a time" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    let ring: HTML =
      moved > 0 ? "<p class=\"hint\">Owners whose time changes have to be told; nobody is told by accepting.</p>" : ""
    let visits = proposal.changes.html { change in
      "<span hidden data-place data-id=\"\(change.id)\" data-start=\"\(call.zone.iso8601(change.after.start))\" data-minutes=\"\(change.after.minutes)\" data-vet=\"\(change.after.clinicianID)\" data-rooms=\"\(change.after.resourceIDs.joined(separator: " "))\"></span>"
    }
    return """
      <p data-testid="plan_outcome"><b>\(counts).</b> Worth \(TrendFigure.number(proposal.before, 1)) points now, \(TrendFigure.number(proposal.after, 1)) then; no plan of this day is worth more than \(TrendFigure.number(proposal.upperBound, 1)).</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Changes"><table><thead><tr><th scope="col">Who</th><th scope="col">Now</th><th scope="col">Then</th><th scope="col">Why</th></tr></thead><tbody>\(rows)</tbody></table></div>\(ring)
      <p class="problem" role="alert" hidden></p>
      <div class="actions" data-version="\(plan.version)"><button type="button" class="primary" data-accept data-testid="plan_accept_button">Accept</button><button type="button" data-close data-testid="plan_discard_button">Discard</button></div>\(visits)
      \(days(day, plan, call))
      """
  }

  /// What the visit earns by it, and the rules that say most.
  private static func why(_ change: PlanChange) -> String {
    func signed(_ points: Double) -> String { (points < 0 ? "−" : "+") + TrendFigure.number(abs(points), 1) }
    let rules = change.explanation.details.filter { abs($0.value) >= 0.5 }.sorted { abs($0.value) > abs($1.value) }
      .prefix(2).map { "\($0.description) \(signed($0.value))" }
    return "\(signed(change.gain)) points" + (rules.isEmpty ? "" : ": " + rules.joined(separator: ", "))
  }

  private static func days(_ day: DaySchedule, _ plan: DayPlan, _ call: Call) -> HTML {
    let changes = Dictionary(plan.proposal.changes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let view = DayPage.View(call.request)
    func shown(_ entries: [DaySchedule.Entry], _ words: String) -> HTML {
      DayView(
        day: day, waiting: [], view: view, zone: call.zone, now: call.now, marked: Set(changes.keys)
      ).grid(entries, of: words)
    }
    let now = day.entries.filter { $0.appointment.status != .requested && $0.appointment.status != .cancelled }
    let then = day.entries.compactMap { entry -> DaySchedule.Entry? in
      guard let change = changes[entry.appointment.id] else {
        return entry.appointment.status == .requested || entry.appointment.status == .cancelled ? nil : entry
      }
      return entry.moved(
        to: change.after, clinicianName: day.workload.first { $0.clinicianID == change.after.clinicianID }?.name)
    }
    return """
      <h3>Before</h3><div class="before-after">\(shown(now, "before"))</div><h3>After</h3><div class="before-after">\(shown(then, "after"))</div>
      """
  }
}

/// What stands in the way of a place for an appointment, and the cheapest ways round, each of which can be taken.
enum WaysPiece {
  static func piece(_ call: Call) throws -> HTML {
    let fields = try Fields(call, known: ["start", "clinician_id", "resource_ids"])
    guard let start = try fields.moment("start") else {
      throw ErrorBody(400, "invalid_field", "'start' is needed", field: "start")
    }
    let id = call.value("id")
    let refusal = try call.perform(
      ExplainRefusal(
        id: id, start: start, clinicianID: fields.text("clinician_id"), resourceIDs: fields.list("resource_ids") ?? []))
    guard !refusal.verdict.isFree else { return "" }
    let date = call.zone.date(of: start)
    let staff = try call.perform(ShowDay(date: date)).workload
    let names = Dictionary(staff.map { ($0.clinicianID, $0.name) }, uniquingKeysWith: { first, _ in first })
    func place(_ visit: PlannedVisit) -> HTML {
      let day = call.zone.date(of: visit.start)
      return
        "\(day == date ? "" : "\(Badges.shortDate(day)) ")\(call.zone.clock(visit.start)) with \(names[visit.clinicianID] ?? visit.clinicianID)"
    }
    let obstacles = refusal.verdict.obstacles.html { "<li>\($0.description)</li>" }
    let ways = refusal.alternatives.prefix(4).enumerated().html { index, way in
      let moves = way.moves.html { "; \($0.id) moves to \(place($0.after))" }
      let visits = ([PlacedVisit(id, at: way.visit)] + way.moves.map { PlacedVisit($0.id, at: $0.after) }).html {
        "<span hidden data-place data-id=\"\($0.appointmentID)\" data-start=\"\(call.zone.iso8601($0.start))\" data-minutes=\"\($0.minutes)\" data-vet=\"\($0.clinicianID)\" data-rooms=\"\($0.resourceIDs.joined(separator: " "))\"></span>"
      }
      return
        "<li><button type=\"button\" class=\"slot\" data-way data-testid=\"way_\(index)\"><b>\(way.kind.rawValue)</b>: \(place(way.visit))\(moves) <span class=\"why\">costs \(TrendFigure.number(way.cost, 1)) points</span>\(visits)</button></li>"
    }
    let none: HTML =
      refusal.alternatives.isEmpty ? "<p class=\"empty\">There is no way round within a week.</p>" : ""
    return """
      <h3>In the way</h3><ul>\(obstacles)</ul><h3>Ways round, the cheapest first</h3><ol class="plain slots" data-version="\(refusal.version)" data-testid="ways_list">\(ways)</ol>\(none)
      """
  }
}
