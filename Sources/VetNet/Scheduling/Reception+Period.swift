public import Clinical
import Scheduling
import Store

// Some days at a glance: who works, how full they are, and where time is left.

/// What some days ask of those who work, without judging any case.
public struct WorkPeriod: Sendable {
  /// One member of staff on one day.
  public struct Cell: Sendable {
    public let visits: Int
    public let bookedMinutes: Int
    /// By contract, breaks taken out; 0 on leave and on days off.
    public let workingMinutes: Int
    /// Minutes of the day.
    public let hours: [Range<Int>]
    /// When visits stand, in minutes of the day, in order and joined where they touch.
    public let busy: [Range<Int>]
    public let isOnLeave: Bool

    /// Working hours without a visit, a quarter of an hour or longer.
    public var gaps: [Range<Int>] {
      hours.flatMap { stretch in
        var free: [Range<Int>] = []
        var start = stretch.lowerBound
        for taken in busy where taken.overlaps(stretch) {
          if taken.lowerBound > start { free.append(start..<taken.lowerBound) }
          start = max(start, taken.upperBound)
        }
        if start < stretch.upperBound { free.append(start..<stretch.upperBound) }
        return free
      }.filter { $0.count >= 15 }
    }

    public var share: Double { workingMinutes > 0 ? Double(bookedMinutes) / Double(workingMinutes) : 0 }
  }

  public struct Day: Sendable {
    public let date: CalendarDate
    /// By clinician; none for who has nothing to do with the day.
    public let cells: [String: Cell]
    /// Visits in the book, whoever they are with.
    public let visits: Int
    public let bookedMinutes: Int
    public let workingMinutes: Int
    /// Requests that wish for this day.
    public let requests: Int
    /// Booked with nobody yet.
    public let unassigned: Int

    public var share: Double { workingMinutes > 0 ? Double(bookedMinutes) / Double(workingMinutes) : 0 }
  }

  /// Who works on any of the days, or has leave or visits, in the order of the staff list.
  public let clinicians: [(id: String, name: String)]
  public let days: [Day]
}

extension Practice.Reception {
  /// - Complexity: one reading of the book a day.
  package func period(from first: CalendarDate, days count: Int, locationID: String?, now: Timestamp) throws
    -> WorkPeriod
  {
    try reading {
      let staff = try connection.staff.list().map(\.value)
      let days = try (0..<count).map { offset -> WorkPeriod.Day in
        try workDay(first.adding(days: offset), staff, locationID: locationID, now: now)
      }
      let present = days.reduce(into: Set<String>()) { $0.formUnion($1.cells.keys) }
      return WorkPeriod(clinicians: staff.filter { present.contains($0.id) }.map { ($0.id, $0.name) }, days: days)
    }
  }

  private func workDay(
    _ date: CalendarDate, _ staff: [StaffMember], locationID: String?, now: Timestamp
  ) throws -> WorkPeriod.Day {
    let day = try schedule(on: date, clinicianID: nil, locationID: locationID, now: now, judges: false)
    let stands = day.entries.map(\.appointment).filter { $0.status.occupiesTime || $0.status == .done }
    var cells: [String: WorkPeriod.Cell] = [:]
    for member in staff {
      let load = day.workload.first { $0.clinicianID == member.id }
      let own = stands.filter { $0.clinicianID == member.id }
      let isAway = member.isOnLeave(date) && member.workingHours.contains { $0.weekday == date.weekday }
      guard load != nil || !own.isEmpty || isAway else { continue }
      cells[member.id] = WorkPeriod.Cell(
        visits: own.count, bookedMinutes: own.reduce(0) { $0 + $1.durationMinutes },
        workingMinutes: load?.workingMinutes ?? 0, hours: load?.hours ?? [],
        busy: Self.joined(own.map { minutes(of: $0, on: date) }), isOnLeave: isAway)
    }
    return WorkPeriod.Day(
      date: date, cells: cells, visits: stands.count, bookedMinutes: cells.values.reduce(0) { $0 + $1.bookedMinutes },
      workingMinutes: cells.values.reduce(0) { $0 + $1.workingMinutes },
      requests: day.entries.count { $0.appointment.status == .requested },
      unassigned: stands.count { $0.clinicianID == nil })
  }

  /// A visit's minutes of the day, cut at midnight.
  private func minutes(of visit: Appointment, on date: CalendarDate) -> Range<Int> {
    let start = timeZone.local(visit.start)
    let first = start.date == date ? start.minuteOfDay : 0
    return first..<max(first, min(1440, first + visit.durationMinutes))
  }

  private static func joined(_ stretches: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for stretch in stretches.sorted(by: { $0.lowerBound < $1.lowerBound }) where !stretch.isEmpty {
      if let last = result.last, last.upperBound >= stretch.lowerBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, stretch.upperBound)
      } else {
        result.append(stretch)
      }
    }
    return result
  }
}
