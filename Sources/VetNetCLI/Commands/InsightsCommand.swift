import Clinical
import Presentation
import VetNet

/// What the weeks were like.
enum InsightsCommand {
  static let command = Command(
    "insights", "shows workload, overruns, waits, levels, no-shows and cancellations by week",
    options: [
      Option("--weeks", "N", "how many weeks back, with this one (1 to 104, default 12)"),
      Option("--ahead", "N", "how many weeks to come (0 to 26, default 4)"),
    ],
    examples: [
      Example("vetnet insights", "the last quarter of a year, and the month to come"),
      Example("vetnet insights --weeks 52 --json", "a year for a spreadsheet"),
    ],
    discussion: """
      Counts alone, of the appointment book and the assessments that were kept; no note is read. Workload compares booked minutes with the \
      hours, leave and days off that are on file today. Overruns are of visits whose actual length was put down. Levels are those with \
      which visits were booked. The workspace shows the same as pictures under Manage, Weeks.
      """
  ) { invocation in
    let practice = try invocation.openPractice()
    let now = try invocation.now(in: practice.timeZone)
    let insights = try invocation.perform(
      ShowInsights(
        past: invocation.integer("--weeks", in: ShowInsights.pastRange) ?? 12,
        ahead: invocation.integer("--ahead", in: ShowInsights.aheadRange) ?? 4), on: practice, at: now)
    try invocation.show(insights) { lines(insights) }
    return .ok
  }

  private static func lines(_ insights: Insights) -> [String] {
    let head = ["week of", "visits", "booked", "over", "wait", "no-show", "cancelled"]
    let rows = insights.weeks.indices.map { week -> [String] in
      let (load, attendance) = (insights.load(week: week), insights.attendance[week])
      return [
        "\(insights.weeks[week].monday)\(insights.weeks[week].phase == .present ? "*" : "")", "\(load.visits)",
        percent(load.share), percent(insights.overruns[week].share),
        insights.waiting[week].medianMinutes.map { "\(Int($0.rounded())) min" } ?? "-",
        percent(attendance.share(of: attendance.noShows)),
        percent(attendance.share(of: attendance.cancelled)),
      ]
    }
    let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
    let table = ([head] + rows).map { row in
      zip(row, widths).enumerated().map { column, cell in
        column == row.count - 1 ? cell.0 : cell.0.padded(to: cell.1 + 2)
      }.joined()
    }
    let levels = insights.weeks.indices.filter { insights.bookedLevels[$0].total > 0 }.map { week in
      let named = Urgency.allCases.sorted(by: >).compactMap { level in
        insights.bookedLevels[week].counts[level].map { "\($0) \(level.rawValue)" }
      }
      return "levels of visits in the week of \(insights.weeks[week].monday): \(named.joined(separator: ", "))"
    }
    let key = [
      "* this week", "booked: share of working minutes; over: share of visits that took longer than planned",
      "wait: median from coming to being seen",
    ]
    return table + levels + key
  }

  private static func percent(_ share: Double?) -> String { share.map { "\(Int(($0 * 100).rounded())) %" } ?? "-" }
}
