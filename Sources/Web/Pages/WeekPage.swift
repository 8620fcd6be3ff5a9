import Clinical
import VetNet

/// Seven days by vet: how full each is, where time is left, who is away.
enum WeekPage {
  static func page(_ call: Call) throws -> HTML {
    let date = try call.date()
    let monday = date.adding(days: 1 - date.weekday)
    let period = try call.perform(ShowPeriod(first: monday, days: 7))
    let live = WeekTable(period: period, today: call.today).html
    if call.request.parameter("part") == "live" { return live }
    let main: HTML = """
      <div class="toolbar"><h1>Week of \(Badges.longDate(monday))</h1>
      <div class="group" role="group" aria-label="Other weeks"><a class="button" href="\(Link.week(monday.adding(days: -7)))" aria-label="The week before">‹</a><a class="button" href="/week/today">This week</a><a class="button" href="\(Link.week(monday.adding(days: 7)))" aria-label="The week after">›</a></div>
      <div class="group" role="group" aria-label="Other views"><a class="button" href="\(Link.day(date))">Day</a><a class="button" href="\(Link.month(date))">Month</a><button type="button" id="print">Print</button></div></div>
      <p class="print-head">\(call.site.practiceName) · week of \(Badges.longDate(monday))</p>
      <div id="live" data-live="\(Link.week(monday))?part=live" data-kinds="appointment plan staff">\(live)</div>
      """
    return Layout(title: "Week of \(Badges.shortDate(monday))", tab: .schedule, main: main).page(call)
  }
}

/// The table of a week.
struct WeekTable {
  let period: WorkPeriod
  let today: CalendarDate

  /// Minutes of the day that the strips show: those in which anybody works or is visited.
  private var span: Range<Int> {
    let stretches = period.days.flatMap { $0.cells.values.flatMap { $0.hours + $0.busy } }
    let first = stretches.map(\.lowerBound).min() ?? 480
    let last = stretches.map(\.upperBound).max() ?? 1080
    return first / 60 * 60..<max(first / 60 * 60 + 60, (last + 59) / 60 * 60)
  }

  var html: HTML {
    let span = span
    let heads = period.days.html { day in
      let here: HTML = day.date == today ? " aria-current=\"date\"" : ""
      return
        "<th scope=\"col\"\(here)><a href=\"\(Link.day(day.date))\">\(Period.weekday(day.date)) \(day.date.day) \(Badges.shortDate(day.date).split(separator: " ")[1])</a></th>"
    }
    let rows = period.clinicians.html { clinician in
      let cells = period.days.html { day in
        day.cells[clinician.id].map { cell($0, day.date, clinician.name, span) } ?? "<td class=\"off\">off</td>"
      }
      return "<tr><th scope=\"row\"><bdi>\(clinician.name)</bdi></th>\(cells)</tr>"
    }
    let totals = period.days.html { day in
      let open: HTML = day.requests > 0 ? "<br>\(Period.count(day.requests, "request waits", "requests wait"))" : ""
      let nobody: HTML = day.unassigned > 0 ? "<br>\(day.unassigned) with nobody yet" : ""
      return "<td>\(Period.count(day.visits, "visit", "visits")) · \(Badges.percent(day.share))\(open)\(nobody)</td>"
    }
    let none: HTML =
      period.clinicians.isEmpty ? "<p class=\"empty\">Nobody works this week, and nothing is booked.</p>" : ""
    return """
      \(none)<div class="scroller" tabindex="0" role="region" aria-label="Week by vet"><table class="week" data-testid="week_table">
      <thead><tr><th scope="col">Who</th>\(heads)</tr></thead><tbody>\(rows)</tbody>
      <tfoot><tr><th scope="row">All</th>\(totals)</tr></tfoot></table></div>
      <p class="hint">Dark is booked, light is free working time. Lengths are as booked.</p>
      """
  }

  private func cell(_ cell: WorkPeriod.Cell, _ date: CalendarDate, _ name: String, _ span: Range<Int>) -> HTML {
    if cell.isOnLeave && cell.visits == 0 { return "<td class=\"away\">on leave</td>" }
    let gaps = cell.gaps
    let free = gaps.reduce(0) { $0 + $1.count }
    let longest = gaps.map(\.count).max() ?? 0
    let left: HTML =
      free == 0
      ? "nothing free" : "\(Badges.minutes(free)) free\(gaps.count > 1 ? ", longest \(Badges.minutes(longest))" : "")"
    let away: HTML = cell.isOnLeave ? "<br><strong>on leave</strong>" : ""
    return """
      <td data-testid="week_\("\(date)")">\(strip(cell, span))<a href="\(Link.day(date))" aria-label="\(name), \(Badges.longDate(date)): \(Period.count(cell.visits, "visit", "visits")), \(Badges.percent(cell.share)) booked">\(Period.count(cell.visits, "visit", "visits")) · \(Badges.percent(cell.share))</a><br><span class="hint">\(left)</span>\(away)</td>
      """
  }

  /// The day as a strip: when somebody works, and what of it is taken.
  private func strip(_ cell: WorkPeriod.Cell, _ span: Range<Int>) -> HTML {
    func bars(_ stretches: [Range<Int>], _ kind: String) -> HTML {
      stretches.map { $0.clamped(to: span) }.filter { !$0.isEmpty }.html {
        "<rect class=\"\(kind)\" x=\"\($0.lowerBound - span.lowerBound)\" y=\"0\" width=\"\($0.count)\" height=\"40\"/>"
      }
    }
    return """
      <svg class="strip" viewBox="0 0 \(span.count) 40" preserveAspectRatio="none" aria-hidden="true">\(bars(cell.hours, "hours"))\(bars(cell.busy, "busy"))</svg>
      """
  }
}

/// Words of pages that show several days.
enum Period {
  static func weekday(_ date: CalendarDate) -> String {
    ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][date.weekday - 1]
  }

  static func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }
}
