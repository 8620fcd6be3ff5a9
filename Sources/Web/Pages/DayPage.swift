import Clinical
import Presentation
import Scheduling
import VetNet

/// A day of the book: columns by vet, time down.
enum DayPage {
  static func page(_ call: Call) throws -> HTML {
    let date = try call.date()
    let day = try call.perform(ShowDay(date: date))
    let waiting = try call.perform(ListWaiting(days: 0))
    let live = DayView(day: day, waiting: waiting, zone: call.zone, now: call.now).html
    if call.request.parameter("part") == "live" { return live }
    let clinicians = day.workload.map { ($0.clinicianID, $0.name) }
    let picker: HTML =
      "<input type=\"date\" id=\"jump\" value=\"\("\(date)")\" aria-label=\"Go to a day\">"
    let main: HTML = """
      <div class="toolbar">
      <h1>\(Badges.longDate(date))</h1>
      <div class="group" role="group" aria-label="Other days"><a class="button" href="\(Link.day(date.adding(days: -1)))" aria-label="The day before">‹</a><a class="button" href="/day/today">Today</a><a class="button" href="\(Link.day(date.adding(days: 1)))" aria-label="The day after">›</a>\(picker)</div>
      <div class="group" role="group" aria-label="Change the plan">
      <button type="button" class="primary" data-open="booking" data-testid="add_appointment_button">Add appointment</button>
      <button type="button" class="danger" data-open="emergency" data-testid="emergency_button">Emergency</button>
      <button type="button" data-revert="undo" data-testid="undo_button">Undo</button>
      <button type="button" data-revert="redo" data-testid="redo_button">Redo</button></div>
      <div class="group view-choice"><label for="colour">Colour</label><select id="colour"><option value="urgency">urgency</option><option value="status">status</option></select>
      <button type="button" id="view" aria-pressed="false" data-testid="view_toggle">List</button>
      <a class="button" href="\(Link.briefs(date))">Briefs</a><button type="button" id="print">Print</button></div>
      </div>
      <div id="live" data-live="\(Link.day(date))?part=live" data-kinds="appointment plan patient staff resource">\(live)</div>
      """
    return Layout(
      title: "\(Badges.shortDate(date))", tab: .schedule, script: "day.js", main: main,
      dialogs: Dialogs.booking(clinicians: clinicians, date: date) + Dialogs.emergency + Dialogs.panel
    ).page(call)
  }
}

/// What of the day changes while somebody looks.
struct DayView {
  let day: DaySchedule
  let waiting: [WaitingEntry]
  let zone: PracticeTimeZone
  let now: Timestamp

  var html: HTML {
    let shown = day.entries.filter { $0.appointment.status != .requested && $0.appointment.status != .cancelled }
    return """
      <div class="day"><div class="book">\(grid(shown))\(list(shown))</div>
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

  private func grid(_ shown: [DaySchedule.Entry]) -> HTML {
    var columns = day.workload.map { (id: $0.clinicianID, name: $0.name, load: Optional($0)) }
    if shown.contains(where: { entry in !columns.contains { $0.id == entry.appointment.clinicianID } }) {
      columns.append(("", "Nobody yet", nil))
    }
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
          "<span class=\"load\">\($0.visits) \($0.visits == 1 ? "visit" : "visits") · \(Badges.percent($0.share))</span>"
        } ?? ""
      return "<div class=\"column-head\"><b>\(column.name)</b>\(load)</div>"
    }
    let bodies = columns.html { column in
      let own = shown.filter { entry in
        column.id.isEmpty
          ? !columns.contains { $0.id == entry.appointment.clinicianID } : entry.appointment.clinicianID == column.id
      }
      return self.column(id: column.id, name: column.name, hours: column.load?.hours ?? [], own, grid)
    }
    return """
      <div class="grid columns-\(min(24, columns.count))" data-testid="schedule_calendar_grid" data-date="\("\(day.date)")" data-first="\(grid.minutes.lowerBound)" role="region" aria-label="Day by vet" tabindex="0">
      <div class="corner"></div>\(heads)
      <div class="hours rows-\(grid.rows)" aria-hidden="true">\(hours)</div>\(bodies)</div>
      """
  }

  private func column(
    id: String, name: String, hours: [Range<Int>], _ own: [DaySchedule.Entry], _ grid: TimeGrid
  ) -> HTML {
    let spans = own.map { span($0.appointment) }
    let (lanes, count) = TimeGrid.lanes(spans)
    let work = hours.html { hours in grid.place(hours).map { "<div class=\"work \($0)\"></div>" } ?? "" }
    let visits = own.indices.html { index in
      grid.place(spans[index]).map { visit(own[index], place: "\($0) lane-\(lanes[index])") } ?? ""
    }
    let present = zone.local(now)
    let line: HTML =
      present.date == day.date
      ? grid.place(present.minuteOfDay..<present.minuteOfDay + 1).map {
        "<div class=\"now \($0)\" aria-hidden=\"true\"></div>"
      }
        ?? "" : ""
    let split: HTML = count > 1 ? " lanes-\(count)" : ""
    return
      "<div class=\"column rows-\(grid.rows)\(split)\" data-clinician=\"\(id)\" role=\"group\" aria-label=\"\(name)\">\(work)\(visits)\(line)</div>"
  }

  private func visit(_ entry: DaySchedule.Entry, place: HTML) -> HTML {
    let appointment = entry.appointment
    let level = entry.urgency?.rawValue ?? "none"
    let name = entry.patient?.name ?? "No patient"
    let start = zone.clock(appointment.start)
    let risk = entry.risk.map { $0.overrun >= 0.5 ? "likely to run over (\(Badges.percent($0.overrun)))" : nil } ?? nil
    let flags = [entry.conflict == nil ? nil : "conflict", risk].compactMap(\.self)
    let words =
      ([
        "\(start), \(appointment.durationMinutes) min", name, entry.urgency?.rawValue ?? "not triaged",
        Badges.words(appointment.status), appointment.reason?.shortened(to: 80),
      ].compactMap(\.self) + flags).joined(separator: ", ")
    let mark: HTML =
      entry.conflict != nil ? "<span class=\"mark\">!</span>" : risk != nil ? "<span class=\"mark\">+</span>" : ""
    let short: HTML = appointment.durationMinutes <= 20 ? " short" : ""
    return """
      <button type="button" class="visit level-\(level) status-\(appointment.status.rawValue)\(short) \(place)" data-testid="appointment_\(appointment.id)" data-visit="\(appointment.id)" data-revision="\(entry.revision)" data-minutes="\(appointment.durationMinutes)" data-start="\(local(appointment.start))" aria-label="\(words)"><span class="line"><b><bdi>\(name)</bdi></b>\(mark)</span><span class="level">\(entry.urgency?.rawValue ?? "–")</span><span class="reason"><b>\(start)</b> \(appointment.reason?.shortened(to: 120) ?? appointment.visitType?.rawValue)</span></button>
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
