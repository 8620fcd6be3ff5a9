/// The calendars of other programs that are kept in step, and what is in the book of each.
public struct ListCalendars: Operation {
  public static let name = "calendar.list"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.setting, .staff]

  public init() {}

  public func run(_ passage: Passage) throws -> [CalendarStatus] { try passage.practice.exchange.calendarStatuses() }
}

/// Adds a calendar by a name of its own, or gives it another place or clinician.
public struct KeepCalendar: Operation {
  public static let name = "calendar.keep"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.setting, .staff]
  public static let changes: Set<RecordKind> = [.setting]

  public var calendar: String
  /// A file or a folder.
  public var path: String
  /// Whose it is.
  public var clinician: String?

  public init(calendar: String, path: String, clinician: String? = nil) {
    self.calendar = calendar
    self.path = path
    self.clinician = clinician
  }

  public func run(_ passage: Passage) throws {
    try passage.practice.exchange.keepCalendar(calendar, path: path, clinician: clinician)
  }
}

/// Reads a calendar no more; its appointments stay.
public struct RemoveCalendar: Operation {
  public static let name = "calendar.remove"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.setting]
  public static let changes: Set<RecordKind> = [.setting]

  public var calendar: String

  public init(calendar: String) {
    self.calendar = calendar
  }

  public func run(_ passage: Passage) throws { try passage.practice.exchange.removeCalendar(calendar) }
}

/// Says under which mail address somebody of the staff is invited.
public struct SetStaffAddress: Operation {
  public static let name = "calendar.address"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.staff]
  public static let changes: Set<RecordKind> = [.setting]

  public var address: String
  /// Nil for nobody any more.
  public var staff: String?

  public init(address: String, staff: String?) {
    self.address = address
    self.staff = staff
  }

  public func run(_ passage: Passage) throws { try passage.practice.exchange.setStaffAddress(address, of: staff) }
}

/// Brings the book in step with calendars: what is new or changed there is here, what is gone there stays here, marked.
public struct SyncCalendars: Operation {
  public static let name = "calendar.sync"
  public static let permission = Permission.writeBook
  public static let reads: Set<RecordKind> = [.patient, .staff, .resource, .appointment, .setting]
  public static let changes: Set<RecordKind> = [.appointment, .imports, .inbox]
  public static let conduct = Conduct.inSteps

  /// Nil for all.
  public var calendars: [String]?

  public init(calendars: [String]? = nil) {
    self.calendars = calendars
  }

  public func run(_ passage: Passage) throws -> [CalendarSyncReport] {
    let reports = try passage.practice.exchange.syncCalendars(calendars, now: passage.now, message: passage.message)
    passage.details["calendars"] = String(reports.count)
    passage.details["changed"] = String(reports.reduce(0) { $0 + $1.inserted + $1.updated + $1.totals.gone })
    return reports
  }
}
