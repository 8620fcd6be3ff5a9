public import Clinical

/// Who is where on a day: expected, waiting, with a vet, paying, gone.
public struct ShowFlow: RepeatableReading {
  public static let name = "schedule.flow"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]

  public var date: CalendarDate
  /// Only at this location, by id; nil for all.
  public var locationID: String?

  public init(date: CalendarDate, locationID: String? = nil) {
    self.date = date
    self.locationID = locationID
  }

  public var place: String? { locationID }

  public func run(_ passage: Passage) throws -> DayFlow {
    let flow = try passage.practice.reception.flow(on: date, locationID: locationID, now: passage.now)
    passage.touch(.patient, flow.entries.compactMap(\.visit.patient?.id))
    return flow
  }
}

/// Says how far a visit has got.
public struct SetVisitStage: Operation {
  public static let name = "schedule.stage"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.appointment]
  public static let changes: Set<RecordKind> = [.appointment]

  public var id: String
  public var stage: VisitStage
  /// The revision that the change is based on; nil for whatever it is now.
  public var expecting: Int64?

  public init(id: String, stage: VisitStage, expecting: Int64? = nil) {
    self.id = id
    self.stage = stage
    self.expecting = expecting
  }

  public var subjects: [RecordReference] { [RecordReference(.appointment, id)] }

  public func run(_ passage: Passage) throws -> StageChange {
    let change = try passage.practice.reception.advance(
      id, to: stage, expecting: expecting, actor: passage.actor.name, now: passage.now)
    passage.details["stage"] = stage.rawValue
    return change
  }
}

/// Some days at a glance: who works, how full they are, where time is left, who is away.
public struct ShowPeriod: RepeatableReading {
  public static let name = "schedule.period"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .staff]

  public var first: CalendarDate
  /// 1 to 62.
  public var days: Int
  /// Only at this location, by id; nil for all.
  public var locationID: String?

  public init(first: CalendarDate, days: Int, locationID: String? = nil) {
    self.first = first
    self.days = days
    self.locationID = locationID
  }

  public var place: String? { locationID }

  public func run(_ passage: Passage) throws -> WorkPeriod {
    guard (1...62).contains(days) else {
      throw PracticeError(.invalidArgument, "\(days) days can't be shown at once", hint: "Give 1 to 62.")
    }
    return try passage.practice.reception.period(from: first, days: days, locationID: locationID, now: passage.now)
  }
}
