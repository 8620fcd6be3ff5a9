public import Clinical

/// An event of an iCalendar file and the appointment it stands for.
public struct CalendarEntry: Hashable, Sendable {
  /// The same for good, whatever becomes of the appointment.
  public let uid: String
  /// Grows with every change.
  public let sequence: Int
  /// With ids as the practice file shows them; those of another program's event are empty.
  public var appointment: Appointment
  /// What calendars show as the title.
  public let summary: String
  /// Where it is, in words.
  public let location: String?
  /// What else another program's event says; nil for VetNet's own.
  public let foreign: ForeignEvent?

  public init(
    uid: String, sequence: Int, appointment: Appointment, summary: String, location: String? = nil,
    foreign: ForeignEvent? = nil
  ) {
    self.foreign = foreign
    self.uid = uid
    self.sequence = sequence
    self.appointment = appointment
    self.summary = summary
    self.location = location
  }
}

/// An event of another program: whom it is with, and which of a series it is.
public struct ForeignEvent: Hashable, Sendable {
  /// Why it is no appointment.
  public enum LeftOut: Hashable, Sendable {
    /// It lies before the days that are read.
    case outsideWindow
    /// It has no time of day, or is marked as free.
    case takesNoTime
  }

  /// The UID that all events of a series share.
  public let series: String
  /// Addresses of those who take part, in small letters.
  public let attendees: [String]
  /// What it says below its title.
  public let details: String?
  /// Nil for one that is an appointment.
  public let leftOut: LeftOut?

  public init(series: String, attendees: [String] = [], details: String? = nil, leftOut: LeftOut? = nil) {
    self.series = series
    self.attendees = attendees
    self.details = details
    self.leftOut = leftOut
  }
}

/// Which part of a calendar is read: everything that ends after `from`, and what repeats up to `repeatsUntil`.
public struct CalendarWindow: Hashable, Sendable {
  public let from: Timestamp
  public let repeatsUntil: Timestamp

  public init(from: Timestamp, repeatsUntil: Timestamp) {
    self.from = from
    self.repeatsUntil = repeatsUntil
  }
}

/// The properties that carry what iCalendar has no word for.
enum CalendarProperty {
  static let id = "X-VETNET-ID"
  static let patient = "X-VETNET-PATIENT"
  static let clinician = "X-VETNET-CLINICIAN"
  static let resource = "X-VETNET-RESOURCE"
  static let visitType = "X-VETNET-VISIT-TYPE"
  static let status = "X-VETNET-STATUS"
  static let actualMinutes = "X-VETNET-ACTUAL-MINUTES"
}
