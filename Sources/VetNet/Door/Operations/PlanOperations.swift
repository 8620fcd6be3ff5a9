public import Clinical
import Scheduling

/// Improves some days: places what is asked for, and moves booked visits where that gains more than it costs.
public struct OptimizePlan: Operation {
  public static let name = "schedule.optimize"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]
  public static let changes: Set<RecordKind> = [.appointment, .plan]

  public var dates: [CalendarDate]
  public var limits: SearchLimits
  /// Only at this location, by id; nil for all.
  public var locationID: String?
  public var isDryRun: Bool

  public init(dates: [CalendarDate], locationID: String? = nil, limits: SearchLimits, isDryRun: Bool = false) {
    self.dates = dates
    self.limits = limits
    self.locationID = locationID
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public var place: String? { locationID }

  public func run(_ passage: Passage) throws -> DayPlan {
    try passage.practice.calendar.optimize(
      dates, locationID: locationID, limits: limits, now: passage.now, isDryRun: isDryRun)
  }
}

/// Makes room for an urgent case today, moving as few others as it takes, and books it.
public struct BookEmergency: Operation {
  public static let name = "schedule.emergency"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]
  public static let changes: Set<RecordKind> = [.appointment, .plan]

  public var request: ProposalRequest
  public var urgency: Urgency?
  public var minutes: Int?
  /// Only at this location, by id; nil for all.
  public var locationID: String?
  public var isDryRun: Bool

  public init(
    request: ProposalRequest, urgency: Urgency? = nil, minutes: Int? = nil, locationID: String? = nil,
    isDryRun: Bool = false
  ) {
    self.request = request
    self.urgency = urgency
    self.minutes = minutes
    self.locationID = locationID
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public var place: String? { locationID }

  public func run(_ passage: Passage) throws -> EmergencyBooking {
    try passage.practice.calendar.bookEmergency(
      request, urgency: urgency, minutes: minutes, locationID: locationID, now: passage.now, isDryRun: isDryRun)
  }
}

/// Takes the latest change of the plan back that is in force, whoever made it and whenever.
public struct UndoPlan: Operation {
  public static let name = "schedule.undo"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]
  public static let changes: Set<RecordKind> = [.appointment, .plan]

  public var isDryRun: Bool

  public init(isDryRun: Bool = false) {
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> PlanRevert {
    try passage.practice.calendar.undo(now: passage.now, isDryRun: isDryRun)
  }
}

/// Makes the change again that was taken back last, unless the plan was changed since.
public struct RedoPlan: Operation {
  public static let name = "schedule.redo"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]
  public static let changes: Set<RecordKind> = [.appointment, .plan]

  public var isDryRun: Bool

  public init(isDryRun: Bool = false) {
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> PlanRevert {
    try passage.practice.calendar.redo(now: passage.now, isDryRun: isDryRun)
  }
}

/// The latest changes of the plan, the newest first.
public struct ListPlanChanges: Operation {
  public static let name = "schedule.log"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.plan]

  public var limit: Int

  public init(limit: Int = 20) {
    self.limit = limit
  }

  public func run(_ passage: Passage) throws -> [PlanEntry] {
    try passage.practice.calendar.planLog(limit: limit)
  }
}

/// Who moved between two versions of the plan; nil for the latest, and for the one before it.
public struct ComparePlans: Operation {
  public static let name = "schedule.diff"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.plan, .patient]

  public var from: Int64?
  public var to: Int64?

  public init(from: Int64? = nil, to: Int64? = nil) {
    self.from = from
    self.to = to
  }

  public func run(_ passage: Passage) throws -> PlanDifference {
    let difference = try passage.practice.calendar.planDifference(from: from, to: to)
    passage.touch(.patient, difference.rows.compactMap(\.patient?.id))
    return difference
  }
}
