public import Clinical

/// Somebody who sees patients: what they can, when they work, how full that is, whom they know, and when they are free.
public struct SpecialistCard: Sendable {
  /// A day of theirs.
  public struct Day: Sendable {
    public let date: CalendarDate
    /// In minutes of the day; empty where they don't work.
    public let hours: [Range<Int>]
    public let isOnLeave: Bool
    public let load: Load
  }

  /// Minutes booked, of minutes worked with breaks taken out.
  public struct Load: Hashable, Sendable {
    public internal(set) var visits = 0
    public internal(set) var bookedMinutes = 0
    public internal(set) var workingMinutes = 0

    public var share: Double { workingMinutes > 0 ? Double(bookedMinutes) / Double(workingMinutes) : 0 }
  }

  /// A patient whom they see often.
  public struct Regular: Sendable {
    public let patient: Patient
    public let visits: Int
    public let last: Timestamp
  }

  public let member: StaffMember
  /// Today and the seven days behind it.
  public let days: [Day]
  /// Of the calendar week, from Monday to Sunday.
  public let week: Load
  /// Leave of the next two months, what is on now as well.
  public let leave: [ClosedRange<CalendarDate>]
  /// Those of the last year with the most visits, at most `most`.
  public let regulars: [Regular]
  /// When they next have the time for a visit of the length that was asked for; nil for not within two weeks.
  public let nextFree: Timestamp?

  static let most = 4
}
