import Clinical
import VetNet

/// What the weeks were like and those to come look like, as pictures with the numbers behind them.
enum WeeksPage {
  static func page(_ call: Call) throws -> HTML {
    let live = live(try call.perform(ShowInsights()))
    if call.request.parameter("part") != nil { return live }
    return ManagePages.page(
      .weeks, call,
      main: """
        <h1>Weeks</h1><p class="hint">The last twelve weeks with this one, which is marked, and four to come, which are paler. Counts of the book alone: no note is read.</p>
        \(ManagePages.live(ManagePages.Page.weeks.path, kinds: "appointment staff plan location", live))
        """)
  }

  private static func live(_ insights: Insights) -> HTML {
    let all = figure(
      insights, "Everybody", "weeks_workload_all", insights.weeks.indices.map { insights.load(week: $0) })
    let people = insights.workload.html { person in
      figure(insights, person.name, "weeks_workload_\(person.clinicianID)", person.weeks)
    }
    let nobody: HTML =
      insights.workload.isEmpty
      ? "<p class=\"empty\">Nobody works here yet, and nothing is booked: say who does under <a href=\"\(ManagePages.Page.people.path)\">People and rooms</a>.</p>"
      : ""
    return """
      <section data-testid="weeks_workload"><h2>Workload</h2><p class="hint">Booked minutes beside the minutes of work, by the hours, leave and days off that are on file today.</p>\(nobody)<div class="figures">\(insights.workload.isEmpty ? "" : all)\(people)</div></section>
      <section data-testid="weeks_kept"><h2>Overruns, levels and appointments that were not kept</h2><div class="figures">\(overruns(insights))\(overMinutes(insights))\(waiting(insights))\(levels(insights, "Level with which visits were booked", "weeks_levels", insights.bookedLevels))\(levels(insights, "Level of assessments that were kept", "weeks_kept_levels", insights.keptLevels))\(attendance(insights))</div></section>
      """
  }

  private static func hours(_ hours: Double) -> String { "\(TrendFigure.number(hours, 1)) h" }
  private static func percent(_ share: Double?) -> String { share.map(Badges.percent) ?? "–" }

  private static func figure(
    _ insights: Insights, _ title: String, _ testID: String, _ loads: [Insights.Load]
  ) -> HTML {
    WeekFigure(
      title: title, testID: testID, weeks: insights.weeks,
      parts: [.init(name: "booked", colour: "fill-accent", values: loads.map { Double($0.bookedMinutes) / 60 })],
      line: .init(name: "hours of work", values: loads.map { Double($0.workingMinutes) / 60 }), unit: hours,
      columns: ["Visits", "Booked, min", "Work, min", "Share"]
    ) { week in
      let load = loads[week]
      return ["\(load.visits)", "\(load.bookedMinutes)", "\(load.workingMinutes)", percent(load.share)]
    }.html
  }

  private static func overruns(_ insights: Insights) -> HTML {
    WeekFigure(
      title: "Visits that took longer than planned", testID: "weeks_overruns", weeks: insights.weeks,
      parts: [
        .init(name: "share over", colour: "fill-orange", values: insights.overruns.map { 100 * ($0.share ?? 0) })
      ], unit: { "\(TrendFigure.number($0, 1)) %" }, columns: ["Visits with their length", "Over", "Share"]
    ) { week in
      let overrun = insights.overruns[week]
      return ["\(overrun.visits)", "\(overrun.over)", percent(overrun.share)]
    }.html
  }

  private static func overMinutes(_ insights: Insights) -> HTML {
    WeekFigure(
      title: "Minutes beyond the plan", testID: "weeks_minutes_over", weeks: insights.weeks,
      parts: [.init(name: "minutes over", colour: "fill-orange", values: insights.overruns.map(\.minutesOver))],
      unit: { TrendFigure.number($0, 1) }, columns: ["Minutes over", "Actual less planned, min", "A visit, min"]
    ) { week in
      let overrun = insights.overruns[week]
      let each = overrun.visits > 0 ? TrendFigure.number(overrun.minutesDifference / Double(overrun.visits), 1) : "–"
      return [
        TrendFigure.number(overrun.minutesOver, 1), TrendFigure.number(overrun.minutesDifference, 1), each,
      ]
    }.html
  }

  private static func waiting(_ insights: Insights) -> HTML {
    WeekFigure(
      title: "Minutes from coming to being seen", testID: "weeks_waiting", weeks: insights.weeks,
      parts: [
        .init(name: "median", colour: "fill-accent", values: insights.waiting.map { $0.medianMinutes ?? 0 })
      ], line: .init(name: "nine in ten waited no longer", values: insights.waiting.map { $0.p90Minutes ?? 0 }),
      unit: { TrendFigure.number($0, 1) },
      columns: ["Visits told of", "Median, min", "Nine in ten, min", "Longer than their level allows"]
    ) { week in
      let waiting = insights.waiting[week]
      func minutes(_ value: Double?) -> String { value.map { TrendFigure.number($0, 1) } ?? "–" }
      return [
        "\(waiting.visits)", minutes(waiting.medianMinutes), minutes(waiting.p90Minutes), "\(waiting.tooLong)",
      ]
    }.html
  }

  private static func levels(
    _ insights: Insights, _ title: String, _ testID: String, _ levels: [Insights.Levels]
  ) -> HTML {
    // The most urgent at the foot, where it is compared best.
    let order = Urgency.allCases.sorted(by: >)
    return WeekFigure(
      title: title, testID: testID, weeks: insights.weeks,
      parts: order.map { level in
        .init(
          name: level.rawValue, colour: colour(level), values: levels.map { Double($0.counts[level] ?? 0) })
      }, unit: { TrendFigure.number($0, 1) }, columns: order.map(\.rawValue) + ["All"]
    ) { week in order.map { "\(levels[week].counts[$0] ?? 0)" } + ["\(levels[week].total)"] }.html
  }

  private static func colour(_ level: Urgency) -> HTML {
    switch level {
    case .red: "fill-red"
    case .orange: "fill-orange"
    case .yellow: "fill-yellow"
    case .green: "fill-green"
    case .blue: "fill-blue"
    }
  }

  private static func attendance(_ insights: Insights) -> HTML {
    func shares(_ count: (Insights.Attendance) -> Int) -> [Double] {
      insights.attendance.map { 100 * ($0.share(of: count($0)) ?? 0) }
    }
    return WeekFigure(
      title: "Appointments that were not kept", testID: "weeks_attendance", weeks: insights.weeks,
      parts: [
        .init(name: "nobody came", colour: "fill-red", values: shares(\.noShows)),
        .init(name: "cancelled", colour: "fill-none", values: shares(\.cancelled)),
      ], unit: { "\(TrendFigure.number($0, 1)) %" },
      columns: ["Appointments", "Nobody came", "Share", "Cancelled", "Share"]
    ) { week in
      let kept = insights.attendance[week]
      return [
        "\(kept.appointments)", "\(kept.noShows)", percent(kept.share(of: kept.noShows)), "\(kept.cancelled)",
        percent(kept.share(of: kept.cancelled)),
      ]
    }.html
  }
}
