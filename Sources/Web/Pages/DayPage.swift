import Clinical
import Presentation
import Scheduling
import VetNet

/// A day of the book: columns by vet or by room, time down.
enum DayPage {
  /// What stands in the address, so that a link shows the same day in the same way.
  struct View {
    enum Columns: String { case vet, room }
    enum Colour: String, CaseIterable { case urgency, type, status, vet }

    var columns = Columns.vet
    var colour = Colour.urgency

    /// Words that nobody knows are passed over.
    init(_ request: Request) {
      columns = request.parameter("by").flatMap(Columns.init(rawValue:)) ?? .vet
      colour = request.parameter("colour").flatMap(Colour.init(rawValue:)) ?? .urgency
    }

    func link(_ date: CalendarDate) -> String {
      var parts: [String] = []
      if columns != .vet { parts.append("by=\(columns.rawValue)") }
      if colour != .urgency { parts.append("colour=\(colour.rawValue)") }
      return Link.day(date) + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    }
  }

  static func page(_ call: Call) throws -> HTML {
    let date = try call.date()
    let view = View(call.request)
    let day = try call.perform(ShowDay(date: date))
    let waiting = try call.perform(ListWaiting(days: 0))
    let live = DayView(day: day, waiting: waiting, view: view, zone: call.zone, now: call.now).html
    if call.request.parameter("part") == "live" { return live }
    let clinicians = day.workload.map { ($0.clinicianID, $0.name) }
    let main: HTML = """
      \(toolbar(date, view))
      <p class="print-head">\(call.site.practiceName) · \(Badges.longDate(date))</p>
      <div id="live" data-live="\(Link.day(date))?part=live&amp;by=\(view.columns.rawValue)&amp;colour=\(view.colour.rawValue)" data-kinds="appointment plan patient staff resource">\(live)</div>
      """
    return Layout(
      title: "\(Badges.shortDate(date))", tab: .schedule, script: "day.js", main: main,
      dialogs: Dialogs.booking(clinicians: clinicians, date: date) + Dialogs.emergency + Dialogs.plan + Dialogs.panel
    ).page(call)
  }

  private static func toolbar(_ date: CalendarDate, _ view: View) -> HTML {
    let colours = View.Colour.allCases.html { colour in
      "<option value=\"\(colour.rawValue)\"\(colour == view.colour ? " selected" : "" as HTML)>\(colour == .type ? "kind of visit" : "\(colour.rawValue)")</option>"
    }
    let columns = [(View.Columns.vet, "vet"), (.room, "room")].html { columns, word in
      "<option value=\"\(columns.rawValue)\"\(columns == view.columns ? " selected" : "" as HTML)>\(word)</option>"
    }
    return """
      <div class="toolbar">
      <h1>\(Badges.longDate(date))</h1>
      <div class="group" role="group" aria-label="Other days"><a class="button" href="\(view.link(date.adding(days: -1)))" aria-label="The day before">‹</a><a class="button" href="/day/today">Today</a><a class="button" href="\(view.link(date.adding(days: 1)))" aria-label="The day after">›</a><input type="date" id="jump" value="\("\(date)")" aria-label="Go to a day"></div>
      <div class="group" role="group" aria-label="Change the plan">
      <button type="button" class="primary" data-open="booking" data-testid="add_appointment_button">Add appointment</button>
      <button type="button" class="danger" data-open="emergency" data-testid="emergency_button">Emergency</button>
      <button type="button" data-optimize="\("\(date)")" data-testid="optimize_button">Better plan</button>
      <button type="button" data-revert="undo" data-testid="undo_button">Undo</button>
      <button type="button" data-revert="redo" data-testid="redo_button">Redo</button></div>
      <div class="group" role="group" aria-label="More days"><a class="button" href="\(Link.week(date))" data-testid="week_link">Week</a><a class="button" href="\(Link.month(date))" data-testid="month_link">Month</a></div>
      <div class="group view-choice"><label for="columns">Columns</label><select id="columns" data-testid="columns_picker">\(columns)</select>
      <label for="colour">Colour</label><select id="colour" data-testid="colour_picker">\(colours)</select>
      <button type="button" id="view" aria-pressed="false" data-testid="view_toggle">List</button>
      <a class="button" href="\(Link.briefs(date))">Briefs</a><button type="button" id="print">Print</button></div>
      </div>
      """
  }
}

/// What of the day changes while somebody looks.
struct DayView {
  let day: DaySchedule
  let waiting: [WaitingEntry]
  let view: DayPage.View
  let zone: PracticeTimeZone
  let now: Timestamp
  /// Appointments that stand out from the others, as in a proposal.
  var marked: Set<String> = []

  var html: HTML {
    let shown = day.entries.filter { $0.appointment.status != .requested && $0.appointment.status != .cancelled }
    return """
      <div class="day"><div class="book">\(legend(shown))\(grid(shown))\(list(shown))</div>
      <aside class="waiting" aria-label="Waiting list">\(waitingList)\(asked)</aside></div>
      """
  }

  /// Minutes of this day, cut at midnight.
  private func span(_ appointment: Appointment) -> Range<Int> {
    let start = zone.local(appointment.start)
    let first = start.date == day.date ? start.minuteOfDay : 0
    return first..<min(1440, first + max(TimeGrid.step, appointment.durationMinutes))
  }

  // MARK: Columns

  /// A column of the day: somebody who sees patients, or a room.
  private struct Column {
    let id: String
    let name: String
    var load: DaySchedule.Workload?
    let visits: [DaySchedule.Entry]
  }

  private func columns(_ shown: [DaySchedule.Entry]) -> [Column] {
    var columns: [Column]
    let rest: [DaySchedule.Entry]
    switch view.columns {
    case .vet:
      columns = day.workload.map { load in
        Column(
          id: load.clinicianID, name: load.name, load: load,
          visits: shown.filter { $0.appointment.clinicianID == load.clinicianID })
      }
      let ids = Set(columns.map(\.id))
      rest = shown.filter { !ids.contains($0.appointment.clinicianID ?? "") }
    case .room:
      columns = day.resources.map { room in
        Column(
          id: room.id, name: room.name, visits: shown.filter { $0.appointment.resourceIDs.contains(room.id) })
      }
      let ids = Set(columns.map(\.id))
      rest = shown.filter { ids.isDisjoint(with: $0.appointment.resourceIDs) }
    }
    if !rest.isEmpty {
      columns.append(Column(id: "", name: view.columns == .vet ? "Nobody yet" : "No room", visits: rest))
    }
    return columns
  }

  func grid(_ shown: [DaySchedule.Entry], of proposal: String? = nil) -> HTML {
    let columns = columns(shown)
    guard !columns.isEmpty else {
      return
        "<div class=\"empty\" data-testid=\"schedule_calendar_grid\"><p>Nobody works on this day, and nothing is booked.</p><p><a class=\"button\" href=\"\(Link.day(day.date.adding(days: 1)))\">The day after</a></p></div>"
    }
    let grid = TimeGrid(covering: day.workload.flatMap(\.hours) + shown.map { span($0.appointment) })
    let hours = grid.hours.html {
      "<div class=\"hour at-\(($0 - grid.minutes.lowerBound) / TimeGrid.step) for-12\">\($0 / 60):00</div>"
    }
    let heads = columns.html { column in
      let load: HTML =
        column.load.map {
          "<span class=\"load\">\($0.visits) \($0.visits == 1 ? "visit" : "visits") · \(Badges.percent($0.share))\(late($0))</span>"
        } ?? "<span class=\"load\">\(column.visits.count) \(column.visits.count == 1 ? "visit" : "visits")</span>"
      return "<div class=\"column-head\"><b>\(column.name)</b>\(load)</div>"
    }
    let bodies = columns.html { self.column($0, grid) }
    let names: HTML = proposal != nil ? "" : " data-testid=\"schedule_calendar_grid\""
    return """
      <div class="grid columns-\(min(24, columns.count))"\(names) data-date="\("\(day.date)")" data-first="\(grid.minutes.lowerBound)" data-by="\(view.columns.rawValue)" role="region" aria-label="Day by \(view.columns.rawValue)\(proposal.map { ", \($0)" })" tabindex="0">
      <div class="corner"></div>\(heads)
      <div class="hours rows-\(grid.rows)" aria-hidden="true">\(hours)</div>\(bodies)</div>
      """
  }

  /// How late a clinician's day may end, where that is worth a word.
  private func late(_ load: DaySchedule.Workload) -> HTML {
    guard let risk = load.risk, risk.p95Late >= 15 else { return "" }
    return " · up to \(Int((risk.p95Late / 5).rounded()) * 5) min late"
  }

  /// What the colours mean, in words; the level is written on each visit anyway.
  private func legend(_ shown: [DaySchedule.Entry]) -> HTML {
    let items: [(String, String)]
    switch view.colour {
    case .urgency: return ""
    case .status:
      items = Set(shown.map(\.appointment.status)).sorted { $0.rawValue < $1.rawValue }.map {
        ("status-\($0.rawValue)", Badges.words($0))
      }
    case .type: items = kinds.map { ("hue-\($0.value)", $0.key) }.sorted { $0.1 < $1.1 }
    case .vet:
      items = day.workload.enumerated().map { ("hue-\($0.offset % 8)", $0.element.name) }
    }
    let entries = items.html { "<li><span class=\"swatch \($0.0)\" aria-hidden=\"true\"></span>\($0.1)</li>" }
    return "<ul class=\"legend\" aria-label=\"Colours\">\(entries)</ul>"
  }

  /// A colour for each kind of visit of the day, by its name, so that it stays when others come and go.
  private var kinds: [String: Int] {
    let all = VisitType.builtIn.map(\.rawValue)
    let names = Set(day.entries.compactMap { $0.appointment.visitType?.rawValue })
    return Dictionary(
      names.map { name in (name, all.firstIndex(of: name).map { $0 % 8 } ?? name.utf8.reduce(0) { ($0 + Int($1)) % 8 })
      },
      uniquingKeysWith: { first, _ in first })
  }

  private func column(_ column: Column, _ grid: TimeGrid) -> HTML {
    let own = column.visits
    let spans = own.map { span($0.appointment) }
    let (lanes, count) = TimeGrid.lanes(spans)
    let work = (column.load?.hours ?? []).html { hours in
      grid.place(hours).map { "<div class=\"work \($0)\"></div>" } ?? ""
    }
    let kinds = view.colour == .type ? kinds : [:]
    let visits = own.indices.html { index in
      grid.place(spans[index]).map {
        visit(own[index], place: "\($0) lane-\(lanes[index])", hue: hue(own[index], kinds))
      }
        ?? ""
    }
    let present = zone.local(now)
    let line: HTML =
      present.date == day.date
      ? grid.place(present.minuteOfDay..<present.minuteOfDay + 1).map {
        "<div class=\"now \($0)\" aria-hidden=\"true\"></div>"
      }
        ?? "" : ""
    let split: HTML = count > 1 ? " lanes-\(count)" : ""
    let room: HTML = view.columns == .room ? " room" : ""
    return
      "<div class=\"column rows-\(grid.rows)\(split)\(room)\" data-column=\"\(column.id)\" role=\"group\" aria-label=\"\(column.name)\">\(work)\(visits)\(line)</div>"
  }

  private func hue(_ entry: DaySchedule.Entry, _ kinds: [String: Int]) -> HTML {
    switch view.colour {
    case .urgency, .status: return ""
    case .type: return entry.appointment.visitType.flatMap { kinds[$0.rawValue] }.map { " hue-\($0)" } ?? ""
    case .vet:
      let place = day.workload.firstIndex { $0.clinicianID == entry.appointment.clinicianID }
      return place.map { " hue-\($0 % 8)" } ?? ""
    }
  }

  private func visit(_ entry: DaySchedule.Entry, place: HTML, hue: HTML) -> HTML {
    let appointment = entry.appointment
    let level = entry.urgency?.rawValue ?? "none"
    let name = entry.patient?.name ?? "No patient"
    let start = zone.clock(appointment.start)
    let risk = entry.risk.flatMap { $0.overrun >= 0.5 ? "likely to run over (\(Badges.percent($0.overrun)))" : nil }
    let flags = [entry.conflict == nil ? nil : "conflict", risk].compactMap(\.self)
    let words =
      ([
        "\(start), \(appointment.durationMinutes) min", name, entry.clinicianName,
        entry.urgency?.rawValue ?? "not triaged",
        Badges.words(appointment.status), appointment.visitType?.rawValue, appointment.reason?.shortened(to: 80),
      ].compactMap(\.self) + flags).joined(separator: ", ")
    let mark: HTML =
      entry.conflict != nil
      ? "<span class=\"mark\" title=\"conflict\">!</span>"
      : risk != nil ? "<span class=\"mark\" title=\"\(risk)\">+</span>" : ""
    let mine: HTML = marked.contains(appointment.id) ? " marked" : ""
    let canMove = appointment.status == .booked || appointment.status == .arrived
    let grip: HTML = canMove ? "<span class=\"grip\" data-grip aria-hidden=\"true\"></span>" : ""
    let short: HTML = appointment.durationMinutes <= 20 ? " short" : ""
    return """
      <button type="button" class="visit level-\(level) status-\(appointment.status.rawValue)\(short)\(hue)\(mine) \(place)" data-testid="appointment_\(appointment.id)" data-visit="\(appointment.id)" data-revision="\(entry.revision)" data-vet="\(appointment.clinicianID)" data-rooms="\(appointment.resourceIDs.joined(separator: " "))" data-minutes="\(appointment.durationMinutes)" data-start="\(local(appointment.start))" aria-label="\(words)"><span class="line"><b><bdi>\(name)</bdi></b>\(mark)</span><span class="level">\(entry.urgency?.rawValue ?? "–")</span><span class="reason"><b>\(start)</b> \(appointment.reason?.shortened(to: 120) ?? appointment.visitType?.rawValue)</span>\(grip)</button>
      """
  }

  /// `2026-11-26T09:30`, as fields of forms take it.
  private func local(_ moment: Timestamp) -> String { String(zone.iso8601(moment).prefix(16)) }

  // MARK: Lists

  private func list(_ shown: [DaySchedule.Entry]) -> HTML {
    let rows = shown.html { entry in
      let appointment = entry.appointment
      let room = appointment.resourceIDs.joined(separator: ", ")
      return """
        <li><button type="button" class="row" data-visit="\(appointment.id)" data-testid="listed_\(appointment.id)"><span class="time">\(zone.clock(appointment.start))</span><span class="whom"><bdi>\(entry.patient?.name ?? "No patient")</bdi> <span class="id">\(appointment.patientID)</span></span><span class="what">\(appointment.reason?.shortened(to: 90) ?? appointment.visitType?.rawValue)</span><span class="with">\(entry.clinicianName ?? "nobody yet") · \(appointment.durationMinutes) min\(room.isEmpty ? "" : " · \(room)")</span><span class="marks">\(Badges.level(entry.urgency))\(Badges.status(appointment.status))</span></button></li>
        """
    }
    let none: HTML = shown.isEmpty ? "<li class=\"empty\">Nothing is booked on this day.</li>" : ""
    return
      "<ol class=\"visits\" data-testid=\"appointment_list_view\" aria-label=\"Appointments by time\">\(rows)\(none)</ol>"
  }

  private var waitingList: HTML {
    let rows = waiting.prefix(30).html { entry in
      let appointment = entry.appointment
      return """
        <li><div><b><bdi>\(entry.patient?.name ?? "No patient")</bdi></b> \(Badges.level(entry.urgency))<div class="what">\(appointment.reason?.shortened(to: 90) ?? appointment.visitType?.rawValue)</div><div class="with">wishes \(zone.describe(appointment.start)) · \(appointment.durationMinutes) min</div><button type="button" data-place="\(appointment.id)" data-name="\(entry.patient?.name)" data-patient="\(appointment.patientID)">Find a slot</button></div></li>
        """
    }
    let more: HTML = waiting.count > 30 ? "<p class=\"hint\">and \(waiting.count - 30) more</p>" : ""
    let none: HTML = waiting.isEmpty ? "<p class=\"empty\">Nobody waits for a slot.</p>" : ""
    return "<h2>Waiting (\(waiting.count))</h2><ul class=\"plain\">\(rows)</ul>\(more)\(none)"
  }

  /// What was cancelled, so that nobody looks for it in vain.
  private var asked: HTML {
    let cancelled = day.entries.filter { $0.appointment.status == .cancelled }
    guard !cancelled.isEmpty else { return "" }
    let rows = cancelled.html {
      "<li>\(zone.clock($0.appointment.start)) <bdi>\($0.patient?.name ?? "No patient")</bdi> <span class=\"id\">\($0.appointment.id)</span></li>"
    }
    return "<details><summary>\(cancelled.count) cancelled</summary><ul class=\"plain\">\(rows)</ul></details>"
  }
}
