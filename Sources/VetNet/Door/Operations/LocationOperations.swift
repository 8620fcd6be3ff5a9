public import Clinical
import Store

/// The practice's locations with what is there; none for a practice that is one place.
public struct ListLocations: Operation {
  public static let name = "location.list"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.location, .resource, .staff]

  public init() {}

  public func run(_ passage: Passage) throws -> [LocationState] { try passage.practice.workplace.locationStates() }
}

/// The location that some words mean: an id, a name, or words of a name.
///
/// - Throws: ``PracticeError`` listing candidates where the words fit several or none.
public struct IdentifyLocation: Operation {
  public static let name = "location.identify"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.location]

  public var reference: String

  public init(reference: String) {
    self.reference = reference
  }

  public func run(_ passage: Passage) throws -> Location { try passage.practice.workplace.location(reference).value }
}

/// A further place where the practice sees animals. All that there is belongs to the first one that is added.
///
/// - Throws: ``PracticeError`` with `invalidArgument` for hours that can't be read or a region whose holidays aren't known.
public struct AddLocation: Operation {
  public static let name = "location.add"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.location]
  public static let changes: Set<RecordKind> = [.location]

  public var name: String
  /// Nil for one that nothing has.
  public var id: String?
  public var address: String?
  /// Whose public holidays close it.
  public var region: String?
  /// As the setting `hours` takes them; nil for whenever somebody works.
  public var hours: String?
  public var isDryRun: Bool

  public init(
    name: String, id: String? = nil, address: String? = nil, region: String? = nil, hours: String? = nil,
    isDryRun: Bool = false
  ) {
    self.name = name
    self.id = id
    self.address = address
    self.region = region
    self.hours = hours
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> Location { try passage.practice.workplace.addLocation(self) }
}

/// Changes when a location is open, and whose public holidays it keeps; what is nil stays.
public struct SetLocationHours: Operation {
  public static let name = "location.hours"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.location]
  public static let changes: Set<RecordKind> = [.location]

  public var location: String
  /// As the setting `hours` takes them; "always" for whenever somebody works.
  public var hours: String?
  /// "none" for no public holidays.
  public var region: String?
  public var isDryRun: Bool

  public init(location: String, hours: String?, region: String? = nil, isDryRun: Bool = false) {
    self.location = location
    self.hours = hours
    self.region = region
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var place: String? { location }

  public func run(_ passage: Passage) throws -> Location {
    let hours = try hours.map { try Practice.Workplace.weekly($0) }
    let region = try region.map { $0 == "none" ? nil : try passage.practice.workplace.region($0) }
    return try passage.practice.workplace.changeLocation(location, isDryRun: isDryRun) { location in
      if let hours { location.hours = hours }
      if let region { location.region = region }
    }
  }
}

/// Days on which a location is closed, or open although there is a public holiday; or such days taken back.
public struct ChangeClosures: Operation {
  public static let name = "location.closures.set"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.location]
  public static let changes: Set<RecordKind> = [.location]

  public enum Edit: String, Codable, Sendable {
    case close, open
    /// What was said of these days is taken back; a holiday counts again.
    case clear
  }

  public var location: String
  public var first: CalendarDate
  public var last: CalendarDate
  public var edit: Edit
  public var reason: String?
  public var isDryRun: Bool

  public init(
    location: String, first: CalendarDate, last: CalendarDate, edit: Edit, reason: String? = nil, isDryRun: Bool = false
  ) {
    self.location = location
    self.first = first
    self.last = last
    self.edit = edit
    self.reason = reason
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var place: String? { location }

  public func run(_ passage: Passage) throws -> Location {
    guard first <= last, last.daysSince1970 - first.daysSince1970 <= 366 else {
      throw PracticeError(.invalidArgument, "\(first) to \(last) is no stretch of at most a year")
    }
    let days = first...last
    passage.details = ["edit": edit.rawValue, "from": first.description, "to": last.description]
    return try passage.practice.workplace.changeLocation(location, isDryRun: isDryRun) { location in
      // What was said before of the same days gives way; of the days around them it stays.
      location.closures = location.closures.flatMap { $0.without(days) }
      guard edit != .clear else { return }
      location.closures.append(Location.Closure(days: days, isOpen: edit == .open, reason: reason))
      location.closures.sort { $0.days.lowerBound < $1.days.lowerBound }
    }
  }
}

extension Location.Closure {
  /// What is left of it outside some days.
  fileprivate func without(_ taken: ClosedRange<CalendarDate>) -> [Self] {
    guard days.overlaps(taken) else { return [self] }
    var rest: [Self] = []
    if days.lowerBound < taken.lowerBound {
      rest.append(Self(days: days.lowerBound...taken.lowerBound.adding(days: -1), isOpen: isOpen, reason: reason))
    }
    if taken.upperBound < days.upperBound {
      rest.append(Self(days: taken.upperBound.adding(days: 1)...days.upperBound, isOpen: isOpen, reason: reason))
    }
    return rest
  }
}

/// The days of a year on which a location is closed although its week says otherwise.
public struct ListClosures: Operation {
  public static let name = "location.closures"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.location]

  public var location: String
  public var year: Int

  public init(location: String, year: Int) {
    self.location = location
    self.year = year
  }

  public func run(_ passage: Passage) throws -> (location: Location, days: [ClosedDay]) {
    let location = try passage.practice.workplace.location(location).value
    return (location, try passage.practice.workplace.closedDays(of: location, in: year))
  }
}

/// Puts rooms and devices into a location; what is booked in them stays booked.
public struct PlaceRooms: Operation {
  public static let name = "location.rooms"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.location, .resource]
  public static let changes: Set<RecordKind> = [.resource]

  public var location: String
  public var rooms: [String]
  public var isDryRun: Bool

  public init(location: String, rooms: [String], isDryRun: Bool = false) {
    self.location = location
    self.rooms = rooms
    self.isDryRun = isDryRun
  }

  // They are taken from another location: the role in the whole practice counts.
  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> Location {
    try passage.practice.workplace.placeRooms(rooms, at: location, isDryRun: isDryRun)
  }
}
