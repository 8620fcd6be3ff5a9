public import Clinical
import Scheduling
import Store

// Where the practice sees animals.

/// A location as a practice shows it.
public struct LocationState: Sendable {
  public let location: Location
  /// Whether everything is there that names no location.
  public let isMain: Bool
  public let roomIDs: [String]
  /// Those whose hours are there.
  public let staffIDs: [String]
}

/// A day on which a location is closed, or open although there is a holiday.
public struct ClosedDay: Sendable {
  public let date: CalendarDate
  public let reason: String
  /// Whether it follows from the region, and not from what the practice said.
  public let isHoliday: Bool
}

extension Practice.Workplace {
  /// The locations on the days that are planned, and on those before and after, which a night may touch.
  func sites(on dates: [CalendarDate]) throws -> [PracticeSite] {
    let locations = try connection.locations.list().map(\.value)
    guard !locations.isEmpty else { return [] }
    let holidays = try models.publicHolidays()
    let days = Set(dates.flatMap { [$0.adding(days: -1), $0, $0.adding(days: 1)] })
    return locations.map { PracticeSite($0, on: days, holidays: holidays) }
  }

  /// The one location that some words mean: an id, a name, or words of a name.
  func location(_ reference: String) throws -> Stored<Location> {
    let all = try reporting { try connection.locations.list() }
    guard !all.isEmpty else {
      throw PracticeError(
        .notFound, "the practice lists no locations: it is one place", hint: "Maybe add one: vetnet location add NAME")
    }
    return all[try Self.one(reference, "location", among: all.map { ($0.value.id, $0.value.name) })]
  }

  func locationStates() throws -> [LocationState] {
    try reading {
      let rooms = try connection.resources.list().map(\.value)
      let staff = try connection.staff.list().map(\.value)
      let all = try connection.locations.list().map(\.value)
      return all.map { location in
        let isMain = location.id == all.first?.id
        func isHere(_ id: String?) -> Bool { id == location.id || (id == nil && isMain) }
        return LocationState(
          location: location, isMain: isMain, roomIDs: rooms.filter { isHere($0.locationID) }.map(\.id),
          staffIDs: staff.filter { $0.workingHours.contains { isHere($0.locationID) } }.map(\.id))
      }
    }
  }

  /// The region that somebody wrote, in whatever case, with hyphens, underscores or spaces.
  func region(_ word: String) throws -> String {
    let key = String(word.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
    let known = try models.publicHolidays().regions
    guard known.contains(key) else {
      throw PracticeError(
        .invalidArgument, "the public holidays of '\(word)' are not known",
        hint: "There are \(known.joined(separator: ", ")).")
    }
    return key
  }

  func addLocation(_ wanted: AddLocation) throws -> Location {
    let region = try wanted.region.map { try self.region($0) }
    let hours = try wanted.hours.map { try Self.weekly($0) } ?? []
    let name = wanted.name.trimmingSpaces()
    guard !name.isEmpty, name.count <= 200 else {
      throw PracticeError(.invalidArgument, "a location needs a name of at most 200 characters")
    }
    return try changingLocations(isDryRun: wanted.isDryRun) {
      let all = try connection.locations.list().map(\.value)
      guard !all.contains(where: { $0.name.isSameName(as: name) || $0.id == wanted.id }) else {
        throw PracticeError(.failed, "there is a location of that name or id already")
      }
      let location = Location(
        id: try wanted.id ?? connection.recordIDs.unused(.location), name: name, address: wanted.address,
        region: region, hours: hours)
      _ = try connection.locations.upsert(location, source: try connection.sources.local())
      return location
    }
  }

  /// Changes a location in one transaction; a dry run does it and takes it back.
  func changeLocation(_ reference: String, isDryRun: Bool, _ edit: (inout Location) throws -> Void) throws -> Location {
    try changingLocations(isDryRun: isDryRun) {
      let stored = try location(reference)
      var location = stored.value
      try edit(&location)
      return try connection.locations.change(row: stored.rowID) { $0 = location }?.value ?? location
    }
  }

  /// Puts rooms and devices into a location.
  func placeRooms(_ references: [String], at reference: String, isDryRun: Bool) throws -> Location {
    try changingLocations(isDryRun: isDryRun) {
      let stored = try location(reference)
      for room in references {
        let id = try resource(room).id
        guard let row = try connection.recordIDs.row(.resource, id) else { continue }
        try connection.resources.setLocation(stored.rowID, row: row)
      }
      return stored.value
    }
  }

  private func changingLocations(isDryRun: Bool, _ work: () throws -> Location) throws -> Location {
    struct DryRunIsOver: Error { let location: Location }
    do {
      return try writing {
        let location = try work()
        if isDryRun { throw DryRunIsOver(location: location) }
        return location
      }
    } catch let over as DryRunIsOver {
      return over.location
    }
  }

  /// Opening hours as a location keeps them: the words that the practice's own setting takes, or "always" for none.
  static func weekly(_ text: String) throws -> [StaffMember.WorkingHours] {
    if text.lowercased() == "always" { return [] }
    guard let hours = OpeningHours(text) else {
      throw PracticeError(
        .invalidArgument, "these hours can't be read",
        hint: "Write \"mon-fri 08:30-18:30, sat 09:00-12:00\", or always.")
    }
    return hours.stretches.sorted { $0.key < $1.key }.flatMap { weekday, stretches in
      stretches.map { StaffMember.WorkingHours(weekday: weekday, minutes: $0) }
    }
  }

  /// The days of a year on which a location is not open although its week says so, in order.
  func closedDays(of location: Location, in year: Int) throws -> [ClosedDay] {
    guard let first = CalendarDate(year: year, month: 1, day: 1),
      let last = CalendarDate(year: year, month: 12, day: 31)
    else { return [] }
    let holidays = try location.region.map { try models.publicHolidays().days(in: $0, year: year) } ?? [:]
    return (first.daysSince1970...last.daysSince1970).compactMap { number in
      let date = CalendarDate(daysSince1970: number)
      let own = location.closures.filter { $0.days.contains(date) }
      if let closure = own.first(where: { !$0.isOpen }) {
        return ClosedDay(date: date, reason: closure.reason ?? "closed", isHoliday: false)
      }
      guard let name = holidays[date], !own.contains(where: \.isOpen) else { return nil }
      return ClosedDay(date: date, reason: name, isHoliday: true)
    }
  }

  // MARK: - Where appointments are

  /// Where an appointment is; nil in a practice that is one place.
  func locationID(of stored: StoredAppointment) throws -> String? {
    guard try connection.locations.hasAny() else { return nil }
    return try practice.calendar.practiceDay([timeZone.date(of: stored.value.start)]).siteID(of: stored.value)
  }

  /// Where a patient was last, or is to be next, before a moment; nil for one who has been nowhere.
  func usualLocationID(of patientID: String?, before moment: Timestamp) throws -> String? {
    guard let patientID, try connection.locations.hasAny(),
      let patient = try connection.patients.patients(id: patientID).first
    else { return nil }
    let last = try connection.appointments.appointments(patient: patient.rowID).last {
      $0.value.start < moment && $0.value.status != .requested && $0.value.status != .cancelled
    }
    return try last.flatMap { try locationID(of: $0) }
  }
}

extension ModelDirectory {
  func publicHolidays() throws -> PublicHolidays {
    try stage("public holidays") {
      let table = try table("scheduling/public-holidays.tsv", uniqueKey: "id")
      return try usable { () throws(DataTableError) in try PublicHolidays(table: table) }
    }
  }
}
