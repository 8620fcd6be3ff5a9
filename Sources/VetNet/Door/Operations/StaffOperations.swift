public import Clinical
import Store

/// Who works at the practice, with hours, skills, credentials and what they would like their days to be.
public struct ListStaff: Operation {
  public static let name = "staff.list"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.staff]

  /// Only those who work there, by id or name; nil for all.
  public var location: String?

  public init(location: String? = nil) {
    self.location = location
  }

  public var place: String? { location }

  public func run(_ passage: Passage) throws -> [StaffMember] {
    let practice = passage.practice
    let staff = try practice.reading { try practice.connection.staff.list().map(\.value) }
    guard let location else { return staff }
    let here = try practice.workplace.location(location).value.id
    let main = try practice.workplace.locationStates().first?.location.id
    return staff.filter { $0.workingHours.contains { ($0.locationID ?? main) == here } }
  }
}

/// Changes of one member of staff; what is nil stays as it is.
public struct StaffEdit: Hashable, Codable, Sendable {
  /// A credential to be had until a day, for as long as nobody says otherwise, or no more.
  public struct Credential: Hashable, Codable, Sendable {
    public var name: String
    public var expires: CalendarDate?
    public var isTakenAway: Bool

    public init(name: String, expires: CalendarDate? = nil, isTakenAway: Bool = false) {
      self.name = name
      self.expires = expires
      self.isTakenAway = isTakenAway
    }
  }

  /// Days away, both ends included, that are added or taken back.
  public struct Leave: Hashable, Codable, Sendable {
    public var first: CalendarDate
    public var last: CalendarDate
    public var isTakenBack: Bool

    public init(first: CalendarDate, last: CalendarDate, isTakenBack: Bool = false) {
      self.first = first
      self.last = last
      self.isTakenBack = isTakenBack
    }
  }

  /// Weekly hours as the setting `hours` takes them, at ``location``; "none" for none there.
  public var hours: String?
  /// By id or name; nil for the practice's only place, or its first location.
  public var location: String?
  public var credentials: [Credential] = []
  /// Visits of a type in a day, at most, by its name, `*` for all; negative to take the preference away.
  public var mostPerDay: [String: Int] = [:]
  /// Local minutes past midnight; negative to take the preference away.
  public var latestLongStart: Int?
  public var longMinutes: Int?
  /// Pauses that float within a window, such as `mon-fri 12:00-14:00 30`; "none" for none.
  public var breaks: String?
  public var leave: [Leave]?

  public init() {}

  public var isEmpty: Bool {
    hours == nil && credentials.isEmpty && mostPerDay.isEmpty && latestLongStart == nil && longMinutes == nil
      && breaks == nil && leave?.isEmpty != false
  }
}

/// Changes what is on file of somebody's hours, credentials or preferences. An import that says something else changes it again.
public struct ChangeStaff: Operation {
  public static let name = "staff.set"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.staff, .location]
  public static let changes: Set<RecordKind> = [.staff]

  /// By id or name.
  public var reference: String
  public var edit: StaffEdit
  public var isDryRun: Bool

  public init(reference: String, edit: StaffEdit, isDryRun: Bool = false) {
    self.reference = reference
    self.edit = edit
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  /// Only hours are a location's: the rest counts wherever somebody works.
  public var place: String? {
    let isOfHoursOnly =
      edit.credentials.isEmpty && edit.mostPerDay.isEmpty && edit.latestLongStart == nil && edit.longMinutes == nil
      && edit.breaks == nil && edit.leave?.isEmpty != false
    return isOfHoursOnly ? edit.location : nil
  }

  public func run(_ passage: Passage) throws -> StaffMember {
    try passage.practice.workplace.changeStaff(reference, edit, isDryRun: isDryRun)
  }
}

extension Practice.Workplace {
  func changeStaff(_ reference: String, _ edit: StaffEdit, isDryRun: Bool) throws -> StaffMember {
    struct DryRunIsOver: Error { let member: StaffMember }
    let hours = try edit.hours.map { try $0.lowercased() == "none" ? [] : Self.weekly($0) }
    let breaks = try edit.breaks.map { try StaffWeek.breaks($0) }
    for leave in edit.leave ?? [] {
      // What came by an import may be longer, and has to go in one.
      guard leave.first <= leave.last,
        leave.isTakenBack || leave.last.daysSince1970 - leave.first.daysSince1970 <= 366
      else {
        throw PracticeError(
          .invalidArgument, "leave from \(leave.first) to \(leave.last) is no stretch of at most a year",
          hint: "Give the first and the last day away.")
      }
    }
    do {
      return try writing {
        let id = try staffMember(reference).id
        guard let row = try connection.recordIDs.row(.staff, id) else {
          throw PracticeError(.notFound, "nobody of the staff has the id '\(id)'")
        }
        let place = try edit.location.map { try location($0).value.id }
        let main = try connection.locations.list().first?.value.id
        let changed = try connection.staff.change(row: row) { member in
          if let hours {
            member.workingHours.removeAll { ($0.locationID ?? main) == (place ?? main) }
            member.workingHours += hours.map {
              StaffMember.WorkingHours(weekday: $0.weekday, minutes: $0.minutes, locationID: place)
            }
          }
          if let breaks { member.breaks = breaks }
          for leave in edit.leave ?? [] { leave.apply(to: &member) }
          edit.applyTerms(to: &member)
        }
        guard let member = changed?.value else { throw PracticeError(.failed, "'\(id)' is gone") }
        if isDryRun { throw DryRunIsOver(member: member) }
        return member
      }
    } catch let over as DryRunIsOver {
      return over.member
    }
  }
}

extension StaffEdit.Leave {
  /// What was said before of the same days gives way; of the days around them it stays.
  fileprivate func apply(to member: inout StaffMember) {
    let days = first...last
    member.leave = member.leave.flatMap { away in
      guard away.days.overlaps(days) else { return [away] }
      var rest: [StaffMember.Leave] = []
      if away.days.lowerBound < first { rest.append(.init(days: away.days.lowerBound...first.adding(days: -1))) }
      if last < away.days.upperBound { rest.append(.init(days: last.adding(days: 1)...away.days.upperBound)) }
      return rest
    }
    guard !isTakenBack else { return }
    member.leave.append(.init(days: days))
    member.leave.sort { $0.days.lowerBound < $1.days.lowerBound }
  }
}

extension StaffEdit {
  fileprivate func applyTerms(to member: inout StaffMember) {
    for credential in credentials {
      member.credentials.removeAll { $0.name.lowercased() == credential.name.lowercased() }
      if !credential.isTakenAway {
        member.credentials.append(StaffMember.Credential(name: credential.name, expires: credential.expires))
      }
    }
    for (type, most) in mostPerDay { member.load.mostPerDay[type] = most < 0 ? nil : most }
    if let latestLongStart { member.load.latestLongStart = latestLongStart < 0 ? nil : latestLongStart }
    if let longMinutes { member.load.longMinutes = longMinutes }
  }
}
