public import Clinical

/// What the practice's weeks were like, and what those to come look like, in counts alone.
public struct Insights: Encodable, Sendable {
  /// A week from Monday to Sunday.
  public struct Week: Hashable, Encodable, Sendable {
    public let monday: CalendarDate
    /// Whether it is over, is now, or is still to come.
    public let phase: Phase

    public init(monday: CalendarDate, phase: Phase) {
      self.monday = monday
      self.phase = phase
    }

    private enum CodingKeys: String, CodingKey { case monday, phase }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode("\(monday)", forKey: .monday)
      try container.encode(phase.rawValue, forKey: .phase)
    }
  }

  public enum Phase: String, Sendable { case past, present, ahead }

  /// A week of one clinician.
  public struct Load: Hashable, Encodable, Sendable {
    /// Visits that are to be or were; cancelled ones and those to which nobody came are left out.
    public internal(set) var visits = 0
    /// Their planned minutes with the way to them and back.
    public internal(set) var bookedMinutes = 0
    /// Minutes of work by the hours, leave and days off that are on file today, breaks taken out.
    public internal(set) var workingMinutes = 0

    public var share: Double? { workingMinutes > 0 ? Double(bookedMinutes) / Double(workingMinutes) : nil }

    private enum CodingKeys: String, CodingKey {
      case visits
      case bookedMinutes = "booked_minutes"
      case workingMinutes = "working_minutes"
    }
  }

  /// The weeks of one clinician.
  public struct Workload: Encodable, Sendable {
    public let clinicianID: String
    public let name: String
    public internal(set) var weeks: [Load]

    private enum CodingKeys: String, CodingKey {
      case name, weeks
      case clinicianID = "clinician_id"
    }
  }

  /// How visits of a week that are over compare with their plan.
  public struct Overrun: Hashable, Encodable, Sendable {
    /// Those whose actual length was put down.
    public internal(set) var visits = 0
    /// Those that took longer than planned.
    public internal(set) var over = 0
    /// Minutes beyond the plan, of those that took longer.
    public internal(set) var minutesOver = 0.0
    /// Actual less planned minutes of all: negative where the plan was too long.
    public internal(set) var minutesDifference = 0.0

    public var share: Double? { visits > 0 ? Double(over) / Double(visits) : nil }

    private enum CodingKeys: String, CodingKey {
      case visits, over
      case minutesOver = "minutes_over"
      case minutesDifference = "minutes_difference"
    }
  }

  /// How long those who came in a week waited to be seen, of visits of which people told when they came.
  public struct Waiting: Hashable, Encodable, Sendable {
    public let visits: Int
    /// Nil without visits.
    public let medianMinutes: Double?
    /// By nearest rank.
    public let p90Minutes: Double?
    /// Those that waited longer than the level they were booked with allows; a visit without a level isn't among them.
    public let tooLong: Int

    /// - Parameter waits: each with its level.
    init(_ waits: [(minutes: Int, urgency: Urgency?)]) {
      let sorted = waits.map(\.minutes).sorted()
      visits = sorted.count
      let middle = sorted.count / 2
      medianMinutes =
        sorted.isEmpty
        ? nil
        : sorted.count.isMultiple(of: 2) ? Double(sorted[middle - 1] + sorted[middle]) / 2 : Double(sorted[middle])
      p90Minutes = sorted.isEmpty ? nil : Double(sorted[(sorted.count * 9 + 9) / 10 - 1])
      tooLong = waits.count { wait in wait.urgency.map { wait.minutes > $0.targetMinutes } ?? false }
    }

    private enum CodingKeys: String, CodingKey {
      case visits
      case medianMinutes = "median_minutes"
      case p90Minutes = "p90_minutes"
      case tooLong = "too_long"
    }
  }

  /// How many cases of a week had each level.
  public struct Levels: Hashable, Encodable, Sendable {
    public internal(set) var counts: [Urgency: Int] = [:]
    public var total: Int { counts.values.reduce(0, +) }

    public func encode(to encoder: any Encoder) throws {
      let named = Urgency.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
      try Dictionary(uniqueKeysWithValues: named).encode(to: encoder)
    }
  }

  /// What became of the appointments of a week.
  public struct Attendance: Hashable, Encodable, Sendable {
    /// All but those that were only asked for.
    public internal(set) var appointments = 0
    public internal(set) var noShows = 0
    public internal(set) var cancelled = 0

    public func share(of count: Int) -> Double? {
      appointments > 0 ? Double(count) / Double(appointments) : nil
    }

    private enum CodingKeys: String, CodingKey {
      case appointments, cancelled
      case noShows = "no_shows"
    }
  }

  public let weeks: [Week]
  /// Of everybody who works or has visits in these weeks, in the order of the staff.
  public internal(set) var workload: [Workload] = []
  public internal(set) var overruns: [Overrun]
  public internal(set) var waiting: [Waiting]
  /// Levels with which visits were booked, by the week of the visit.
  public internal(set) var bookedLevels: [Levels]
  /// Levels of assessments that were kept, by the week in which they were made.
  public internal(set) var keptLevels: [Levels]
  public internal(set) var attendance: [Attendance]

  private enum CodingKeys: String, CodingKey {
    case weeks, workload, overruns, waiting, attendance
    case bookedLevels = "booked_levels"
    case keptLevels = "kept_levels"
  }

  init(weeks: [Week]) {
    self.weeks = weeks
    overruns = Array(repeating: Overrun(), count: weeks.count)
    waiting = Array(repeating: Waiting([]), count: weeks.count)
    bookedLevels = Array(repeating: Levels(), count: weeks.count)
    keptLevels = bookedLevels
    attendance = Array(repeating: Attendance(), count: weeks.count)
  }

  /// The weeks around a day: so many up to the one that it is in, which counts, and so many behind it.
  public static func weeks(around today: CalendarDate, past: Int, ahead: Int) -> [Week] {
    let monday = today.adding(days: 1 - today.weekday)
    return (1 - past...ahead).map { number in
      Week(monday: monday.adding(days: 7 * number), phase: number < 0 ? .past : number == 0 ? .present : .ahead)
    }
  }

  /// All clinicians of a week together.
  public func load(week: Int) -> Load {
    workload.reduce(into: Load()) { sum, person in
      sum.visits += person.weeks[week].visits
      sum.bookedMinutes += person.weeks[week].bookedMinutes
      sum.workingMinutes += person.weeks[week].workingMinutes
    }
  }
}
