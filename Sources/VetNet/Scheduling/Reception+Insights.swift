import Clinical
import Scheduling
import Store

extension Practice.Reception {
  /// - Complexity: O(appointments and assessments in these weeks, and days × staff).
  func insights(past: Int, ahead: Int, now: Timestamp) throws -> Insights {
    try reading {
      var insights = Insights(weeks: Insights.weeks(around: timeZone.date(of: now), past: past, ahead: ahead))
      let spans = insights.weeks.map { week in
        timeZone.timestamp(of: week.monday)..<timeZone.timestamp(of: week.monday.adding(days: 7))
      }
      let counts = WeekCounts(connection: connection)
      insights.workload = try workload(insights.weeks, counts.loads(in: spans))
      for row in try counts.overruns(in: spans) {
        insights.overruns[row.week] = Insights.Overrun(
          visits: row.visits, over: row.over, minutesOver: row.minutesOver, minutesDifference: row.minutesDifference)
      }
      for (index, span) in spans.enumerated() { insights.waiting[index] = try waiting(in: span, now: now) }
      for row in try counts.bookedLevels(in: spans) {
        if let level = Urgency(rawValue: row.level) { insights.bookedLevels[row.week].counts[level] = row.count }
      }
      for row in try counts.keptLevels(in: spans) {
        if let level = Urgency(rawValue: row.level) { insights.keptLevels[row.week].counts[level] = row.count }
      }
      for row in try counts.attendance(in: spans) {
        insights.attendance[row.week] = Insights.Attendance(
          appointments: row.appointments, noShows: row.noShows, cancelled: row.cancelled)
      }
      return insights
    }
  }

  /// Of those who were seen, or left without: who waits still has no end yet.
  private func waiting(in span: Range<Timestamp>, now: Timestamp) throws -> Insights.Waiting {
    let told = try connection.visitSteps.told(ofVisitsIn: span)
    return Insights.Waiting(
      told.compactMap { visit in
        guard let course = VisitCourse(visit.steps, status: visit.status), course.stage > .arrived,
          let minutes = course.waitingMinutes(now: now, in: timeZone)
        else { return nil }
        return (minutes, visit.urgency)
      })
  }

  private func workload(_ weeks: [Insights.Week], _ loads: [WeekCounts.Load]) throws -> [Insights.Workload] {
    let staff = try connection.staff.list()
    let dates = weeks.flatMap { week in (0..<7).map { week.monday.adding(days: $0) } }
    let days = PracticeDay(
      dates: dates, timeZone: timeZone, staff: staff.map(\.value), resources: [], appointments: [],
      sites: try practice.workplace.sites(on: dates))
    return staff.compactMap { stored in
      let member = stored.value
      var own = Insights.Workload(
        clinicianID: member.id, name: member.name, weeks: Array(repeating: Insights.Load(), count: weeks.count))
      let takesVisits = member.role == .veterinarian || member.role == .nurse
      for (index, week) in weeks.enumerated() where takesVisits {
        own.weeks[index].workingMinutes = (0..<7).reduce(0) { sum, day in
          sum + workingMinutes(of: member, on: week.monday.adding(days: day), days)
        }
      }
      for load in loads where load.clinician == stored.rowID {
        own.weeks[load.week].visits = load.visits
        own.weeks[load.week].bookedMinutes = load.minutes
      }
      return own.weeks.contains { $0.visits > 0 || $0.workingMinutes > 0 } ? own : nil
    }
  }
}
