public import Clinical
public import Scheduling
import Store

/// Who and which rooms are free, as receptionists ask.
public struct FreeTimes: Sendable {
  public let date: CalendarDate
  /// The moment that was asked about; nil for the whole day.
  public let at: Timestamp?
  public let minutes: Int
  /// Those that were asked about.
  public let people: [FreeTime.Line]
  public let rooms: [FreeTime.Line]
}

/// What is asked of the book.
public struct FreeQuery: Hashable, Codable, Sendable {
  public var date: CalendarDate
  public var at: Timestamp?
  /// Of the day, in local minutes past midnight; nil for all of it.
  public var window: Range<Int>?
  /// Nil for ten minutes.
  public var minutes: Int?
  /// Staff by id or name; empty for all.
  public var people: [String]
  /// Rooms and devices by id or name; empty for all.
  public var rooms: [String]
  public var wantsPeople: Bool
  public var wantsRooms: Bool
  /// Only of this role; nil for any.
  public var role: StaffMember.Role?
  /// Only at this location, by id or name; nil for all.
  public var location: String?

  public init(
    date: CalendarDate, at: Timestamp? = nil, window: Range<Int>? = nil, minutes: Int? = nil, people: [String] = [],
    rooms: [String] = [], wantsPeople: Bool = true, wantsRooms: Bool = true, role: StaffMember.Role? = nil,
    location: String? = nil
  ) {
    self.date = date
    self.at = at
    self.window = window
    self.minutes = minutes
    self.people = people
    self.rooms = rooms
    self.wantsPeople = wantsPeople
    self.wantsRooms = wantsRooms
    self.role = role
    self.location = location
  }

  static let usualMinutes = 10
}

extension Practice.Reception {
  /// Who and what is free on a day, or at a moment, for a visit of some length.
  ///
  /// Free times keep to the practice's opening hours where it has said them; a moment that is asked about outside of them is answered
  /// by who works then.
  func freeTimes(_ query: FreeQuery, now: Timestamp) throws -> FreeTimes {
    try reading {
      let people = try query.people.map { try practice.workplace.staffMember($0).id }
      let rooms = try query.rooms.map { try practice.workplace.resource($0).id }
      let whole = try practice.calendar.practiceDay([query.date])
      let place = try query.location.map { try practice.workplace.location($0).value.id }
      let day = place.map { whole.at($0) } ?? whole
      let minutes = query.minutes ?? FreeQuery.usualMinutes
      let free = FreeTime(day, open: window(query), at: query.at, minutes: minutes, now: now)
      // Rooms are free while their own location is open.
      let freeRooms =
        place != nil || whole.sites.isEmpty
        ? free.rooms
        : whole.sites.flatMap {
          FreeTime(whole.at($0.id), open: window(query), at: query.at, minutes: minutes, now: now).rooms
        }
      let wanted = free.people.filter { line in
        (people.isEmpty || people.contains(line.id)) && (query.role == nil || line.kind == query.role?.rawValue)
      }
      let missing = people.filter { id in !free.people.contains { $0.id == id } }
      if let place, let id = missing.first {
        throw PracticeError(
          .invalidArgument, "'\(id)' does not work at \(place) on \(query.date)",
          hint: "Maybe ask without --location: vetnet schedule free --with \(id)")
      }
      if let id = missing.first {
        throw PracticeError(
          .invalidArgument, "appointments are with vets and nurses, and '\(id)' is neither",
          hint: "Maybe ask without a name: vetnet schedule free")
      }
      return FreeTimes(
        date: query.date, at: query.at, minutes: query.minutes ?? FreeQuery.usualMinutes,
        people: query.wantsPeople ? wanted : [],
        rooms: query.wantsRooms ? freeRooms.filter { rooms.isEmpty || rooms.contains($0.id) } : [])
    }
  }

  /// When free times are looked for: the opening hours, and the part of the day that is asked about.
  private func window(_ query: FreeQuery) -> [Range<Timestamp>]? {
    let open = practice.settings.openingHours.map { $0.stretches[query.date.weekday] ?? [] }
    guard open != nil || query.window != nil else { return nil }
    let part = query.window ?? 0..<1440
    return (open ?? [0..<1440]).map { $0.clamped(to: part) }.filter { !$0.isEmpty }.map {
      timeZone.timestamp(
        of: query.date, minuteOfDay: $0.lowerBound)..<timeZone.timestamp(of: query.date, minuteOfDay: $0.upperBound)
    }
  }
}
