import Clinical
import VetNet

/// A month as a calendar: how full each day is, and who is away.
enum MonthPage {
  static func page(_ call: Call) throws -> HTML {
    let date = try call.date()
    let first = date.adding(days: 1 - date.day)
    let next = Self.month(after: first)
    let period = try call.perform(ShowPeriod(first: first, days: next.daysSince1970 - first.daysSince1970))
    let live = calendar(period, today: call.today)
    if call.request.parameter("part") == "live" { return live }
    let before = first.adding(days: -1)
    let name = Badges.longDate(first).split(separator: " ").dropFirst(2).joined(separator: " ")
    let main: HTML = """
      <div class="toolbar"><h1>\(name)</h1>
      <div class="group" role="group" aria-label="Other months"><a class="button" href="\(Link.month(before.adding(days: 1 - before.day)))" aria-label="The month before">‹</a><a class="button" href="/month/today">This month</a><a class="button" href="\(Link.month(next))" aria-label="The month after">›</a></div>
      <div class="group" role="group" aria-label="Other views"><a class="button" href="\(Link.day(date))">Day</a><a class="button" href="\(Link.week(date))">Week</a><button type="button" id="print">Print</button></div></div>
      <p class="print-head">\(call.site.practiceName) · \(name)</p>
      <div id="live" data-live="\(Link.month(first))?part=live" data-kinds="appointment plan staff">\(live)</div>
      """
    return Layout(title: name, tab: .schedule, main: main).page(call)
  }

  private static func month(after first: CalendarDate) -> CalendarDate {
    let within = first.adding(days: 31)
    return within.adding(days: 1 - within.day)
  }

  private static func calendar(_ period: WorkPeriod, today: CalendarDate) -> HTML {
    guard let first = period.days.first else { return "" }
    var cells = [WorkPeriod.Day?](repeating: nil, count: first.date.weekday - 1) + period.days.map(Optional.some)
    cells += [WorkPeriod.Day?](repeating: nil, count: (7 - cells.count % 7) % 7)
    let weeks = stride(from: 0, to: cells.count, by: 7).map { Array(cells[$0..<$0 + 7]) }
    let heads = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].html { "<th scope=\"col\">\($0)</th>" }
    let rows = weeks.html { week in
      "<tr>\(week.html { $0.map { day($0, period, today) } ?? "<td class=\"none\"></td>" })</tr>"
    }
    return """
      <div class="scroller" tabindex="0" role="region" aria-label="Month"><table class="month" data-testid="month_table"><thead><tr>\(heads)</tr></thead><tbody>\(rows)</tbody></table></div>
      """
  }

  private static func day(_ day: WorkPeriod.Day, _ period: WorkPeriod, _ today: CalendarDate) -> HTML {
    let here: HTML = day.date == today ? " aria-current=\"date\"" : ""
    let away = period.clinicians.filter { day.cells[$0.id]?.isOnLeave == true }
    let names: HTML = away.isEmpty ? "" : "<div class=\"hint\">away: \(away.map(\.name).joined(separator: ", "))</div>"
    let requests: HTML =
      day.requests > 0
      ? "<div class=\"hint\">\(Period.count(day.requests, "request waits", "requests wait"))</div>" : ""
    let load: HTML =
      day.workingMinutes > 0
      ? "<meter min=\"0\" max=\"100\" value=\"\(min(100, Int((day.share * 100).rounded())))\" aria-label=\"\(Badges.percent(day.share)) booked\"></meter> \(Badges.percent(day.share))"
      : "<span class=\"hint\">\(day.visits > 0 ? "nobody works" : "closed")</span>"
    return """
      <td\(here) data-testid="month_\("\(day.date)")"><a class="date" href="\(Link.day(day.date))" aria-label="\(Badges.longDate(day.date)), \(Period.count(day.visits, "visit", "visits"))">\(day.date.day)</a> <span class="count">\(day.visits > 0 ? Period.count(day.visits, "visit", "visits") : "")</span><div class="load">\(load)</div>\(requests)\(names)</td>
      """
  }
}
