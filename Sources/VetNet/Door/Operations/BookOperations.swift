public import Clinical
public import Scheduling

/// A day's appointments, with what is still asked for, how full the day is and how late it may run.
public struct ShowDay: RepeatableReading {
  public static let name = "schedule.show"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]

  public var date: CalendarDate
  public var clinicianID: String?
  /// Only at this location, by id; nil for all.
  public var locationID: String?
  public var seed: UInt64

  public init(date: CalendarDate, clinicianID: String? = nil, locationID: String? = nil, seed: UInt64 = 1) {
    self.date = date
    self.clinicianID = clinicianID
    self.locationID = locationID
    self.seed = seed
  }

  public var place: String? { locationID }

  public func run(_ passage: Passage) throws -> DaySchedule {
    let day = try passage.practice.reception.schedule(
      on: date, clinicianID: clinicianID, locationID: locationID, now: passage.now, seed: seed)
    passage.touch(.patient, day.entries.compactMap(\.patient?.id))
    return day
  }
}

/// One appointment as the day shows it, without what its case would be judged.
public struct ShowAppointment: Operation {
  public static let name = "schedule.appointment"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]

  public var id: String

  public init(id: String) {
    self.id = id
  }

  public var subjects: [RecordReference] { [RecordReference(.appointment, id)] }

  public func run(_ passage: Passage) throws -> DaySchedule.Entry {
    let entry = try passage.practice.reception.scheduled(id, now: passage.now)
    passage.touch(.appointment, entry.appointment.id)
    passage.touch(.patient, entry.patient?.id)
    return entry
  }
}

/// The best free slots for a case; nobody is moved and nothing is written.
public struct ProposeSlots: Operation {
  public static let name = "schedule.propose"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]

  public var request: ProposalRequest
  public var from: Timestamp
  public var days: Int
  public var limit: Int
  /// A level that somebody gave the case; it counts where it is more urgent than the program's.
  public var urgency: Urgency?
  /// Only at this location, by id; nil for all.
  public var locationID: String?

  public init(
    request: ProposalRequest, from: Timestamp, days: Int = 7, limit: Int = 5, urgency: Urgency? = nil,
    locationID: String? = nil
  ) {
    self.request = request
    self.from = from
    self.days = days
    self.limit = limit
    self.urgency = urgency
    self.locationID = locationID
  }

  public var place: String? { locationID }

  public func run(_ passage: Passage) throws -> CaseProposals {
    let found = try passage.practice.calendar.proposeSlots(
      for: request, from: from, now: passage.now, days: days, limit: limit, urgency: urgency, locationID: locationID)
    passage.touch(.patient, found.request.patientID)
    return found
  }
}

/// Books an appointment, whoever else tries at the same moment.
public struct BookAppointment: Operation {
  public static let name = "schedule.book"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]
  public static let changes: Set<RecordKind> = [.appointment, .plan]

  public var booking: Booking
  public var isDryRun: Bool

  public init(booking: Booking, isDryRun: Bool = false) {
    self.booking = booking
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { booking.patient.map { [RecordReference(.patient, $0)] } ?? [] }
  public var place: String? { booking.limits?.locationID?.value }

  public func run(_ passage: Passage) throws -> BookChange {
    try passage.practice.calendar.book(booking, now: passage.now, isDryRun: isDryRun)
  }
}

/// Moves a booked appointment, with the same checks as booking; what is nil stays.
public struct MoveAppointment: Operation {
  public static let name = "schedule.move"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]
  public static let changes: Set<RecordKind> = [.appointment, .plan]

  public var id: String
  public var start: Timestamp?
  public var clinicianID: String?
  public var resourceIDs: [String]?
  public var minutes: Int?
  /// The revision that the change is based on; nil for whatever it is now.
  public var expecting: Int64?
  public var isDryRun: Bool

  public init(
    id: String, start: Timestamp? = nil, clinicianID: String? = nil, resourceIDs: [String]? = nil, minutes: Int? = nil,
    expecting: Int64? = nil, isDryRun: Bool = false
  ) {
    self.id = id
    self.start = start
    self.clinicianID = clinicianID
    self.resourceIDs = resourceIDs
    self.minutes = minutes
    self.expecting = expecting
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.appointment, id)] }

  public func run(_ passage: Passage) throws -> BookChange {
    try passage.practice.calendar.move(
      appointment: id, to: start, clinicianID: clinicianID, resourceIDs: resourceIDs, minutes: minutes,
      expecting: expecting, now: passage.now, isDryRun: isDryRun)
  }
}

/// Cancels an appointment and frees its time, which is offered to those who wait.
public struct CancelAppointment: Operation {
  public static let name = "schedule.cancel"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]
  public static let changes: Set<RecordKind> = [.appointment, .plan]

  public var id: String
  /// The revision that the change is based on; nil for whatever it is now.
  public var expecting: Int64?
  public var isDryRun: Bool

  public init(id: String, expecting: Int64? = nil, isDryRun: Bool = false) {
    self.id = id
    self.expecting = expecting
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.appointment, id)] }

  public func run(_ passage: Passage) throws -> BookChange {
    try passage.practice.calendar.cancel(appointment: id, expecting: expecting, now: passage.now, isDryRun: isDryRun)
  }
}

/// Changes the wishes and limits of an appointment.
public struct SetLimits: Operation {
  public static let name = "schedule.set"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]
  public static let changes: Set<RecordKind> = [.appointment, .plan]

  public var id: String
  public var limits: LimitsEdit
  public var isDryRun: Bool

  public init(id: String, limits: LimitsEdit, isDryRun: Bool = false) {
    self.id = id
    self.limits = limits
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { [RecordReference(.appointment, id)] }

  public func run(_ passage: Passage) throws -> LimitsChange {
    try passage.practice.calendar.setOptions(of: id, now: passage.now, isDryRun: isDryRun) { limits.apply(to: &$0) }
  }
}

/// The types of visit that the practice has had.
public struct ListVisitTypes: Operation {
  public static let name = "schedule.visit-types"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.plan]

  public init() {}

  public func run(_ passage: Passage) throws -> [VisitType] {
    try passage.practice.calendar.visitTypes()
  }
}

/// Those who asked and have no slot: the most urgent first, then by the time they wish for.
public struct ListWaiting: RepeatableReading {
  public static let name = "schedule.waiting"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]

  public var days: Int
  /// Only at this location, by id; nil for all.
  public var locationID: String?

  public init(days: Int = 0, locationID: String? = nil) {
    self.days = days
    self.locationID = locationID
  }

  public var place: String? { locationID }

  public func run(_ passage: Passage) throws -> [WaitingEntry] {
    let list = try passage.practice.reception.waitingList(now: passage.now, days: days, locationID: locationID)
    passage.touch(.patient, list.compactMap(\.patient?.id))
    return list
  }
}

/// Why an appointment stands where it does.
public struct ExplainVisit: Operation {
  public static let name = "schedule.why"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]

  public var id: String

  public init(id: String) {
    self.id = id
  }

  public var subjects: [RecordReference] { [RecordReference(.appointment, id)] }

  public func run(_ passage: Passage) throws -> VisitReasons {
    let reasons = try passage.practice.calendar.why(appointment: id, now: passage.now)
    passage.touch(.appointment, id)
    passage.touch(.patient, reasons.patient?.id)
    return reasons
  }
}

/// Everything that forbids an appointment a time with somebody, and the cheapest changes that would allow it.
public struct ExplainRefusal: Operation {
  public static let name = "schedule.why-not"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]

  public var id: String
  public var start: Timestamp
  public var clinicianID: String?
  public var resourceIDs: [String]

  public init(id: String, start: Timestamp, clinicianID: String? = nil, resourceIDs: [String] = []) {
    self.id = id
    self.start = start
    self.clinicianID = clinicianID
    self.resourceIDs = resourceIDs
  }

  public var subjects: [RecordReference] { [RecordReference(.appointment, id)] }

  public func run(_ passage: Passage) throws -> SlotRefusal {
    let refusal = try passage.practice.calendar.whyNot(
      appointment: id, at: start, with: clinicianID, resourceIDs: resourceIDs, now: passage.now)
    passage.touch(.appointment, id)
    passage.touch(.patient, refusal.appointment.patientID)
    return refusal
  }
}

/// The appointments of some days as iCalendar.
public struct ExportCalendar: Operation {
  public static let name = "schedule.export"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]

  public var from: CalendarDate
  public var days: Int
  public var clinicianID: String?
  /// Only at this location, by id; nil for all.
  public var locationID: String?

  public init(from: CalendarDate, days: Int = 28, clinicianID: String? = nil, locationID: String? = nil) {
    self.from = from
    self.days = days
    self.clinicianID = clinicianID
    self.locationID = locationID
  }

  public var place: String? { locationID }

  public func run(_ passage: Passage) throws -> String {
    try passage.practice.exchange.calendar(
      from: from, days: days, clinicianID: clinicianID, locationID: locationID, now: passage.now)
  }
}

/// What reserving more or less of the predicted time would buy on a day.
public struct WeighReserve: Operation {
  public static let name = "schedule.risk"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]

  public var date: CalendarDate
  public var quantiles: [Double]
  public var seed: UInt64

  public init(date: CalendarDate, quantiles: [Double], seed: UInt64 = 1) {
    self.date = date
    self.quantiles = quantiles
    self.seed = seed
  }

  public func run(_ passage: Passage) throws -> (current: Double, table: ReserveTradeOff) {
    try passage.practice.calendar.reserveTradeOff(on: date, now: passage.now, quantiles: quantiles, seed: seed)
  }
}

/// Makes a share of predicted lengths the one that the practice's plans reserve.
public struct SetReserve: Operation {
  public static let name = "schedule.reserve"
  public static let permission = Permission.keep
  public static let isOfHub = true
  public static let reads: Set<RecordKind> = [.setting]
  public static let changes: Set<RecordKind> = [.setting]

  public var quantile: Double

  public init(quantile: Double) {
    self.quantile = quantile
  }

  public func run(_ passage: Passage) throws {
    passage.details["quantile"] = String(quantile)
    try passage.practice.calendar.setPlanQuantile(quantile)
  }
}
