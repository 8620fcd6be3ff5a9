public import Clinical

/// What a practice knows about one or more days: who works, which rooms there are, what is booked.
public struct PracticeDay: Hashable, Sendable {
  /// The days to plan, in any order.
  public var dates: [CalendarDate]
  public var timeZone: PracticeTimeZone
  public var staff: [StaffMember]
  public var resources: [Resource]
  /// Everything booked; those that occupy no time are skipped.
  public var appointments: [Appointment]
  /// Wishes and limits by appointment id; absent where there are none.
  public var options: [String: AppointmentOptions]
  /// The practice's locations in its order, the first one being where everything is that names none; empty for one place.
  public var sites: [PracticeSite]
  /// Minutes that somebody needs from one location to another.
  public var travelMinutes: Int
  /// The location that the day was taken at by ``at(_:keeping:)``; nil for all of it.
  var here: String?
  /// The names of credentials that somebody on the staff has or had: others are asked of nobody.
  let credentialsKept: Set<String>
  /// What is booked at other locations, by id.
  var elsewhere: Set<String> = []

  public init(
    dates: [CalendarDate], timeZone: PracticeTimeZone, staff: [StaffMember], resources: [Resource],
    appointments: [Appointment], options: [String: AppointmentOptions] = [:], sites: [PracticeSite] = [],
    travelMinutes: Int = 0
  ) {
    self.sites = sites
    credentialsKept = Set(staff.flatMap { $0.credentials.map { $0.name.lowercased() } })
    self.travelMinutes = travelMinutes
    self.options = options
    self.dates = dates
    self.timeZone = timeZone
    self.staff = staff
    self.resources = resources
    self.appointments = appointments
  }
}

/// Something in the practice's own bookings that can't all be true, to be shown and resolved, never dropped.
public struct ScheduleConflict: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// The clinician has two visits at once.
    case doubleBooked = "double booked"
    /// The clinician doesn't work then.
    case outsideWorkingHours = "outside working hours"
    /// More visits than units of a room or piece of equipment.
    case resourceOverbooked = "resource overbooked"
    /// The visits leave no room for a break.
    case noBreak = "no room for a break"
    case unknownClinician = "unknown clinician"
    case unknownResource = "unknown resource"
  }

  public let kind: Kind
  /// Nil for a missing break.
  public let appointmentID: String?
  /// The clinician's or resource's id.
  public let subjectID: String

  public init(kind: Kind, appointmentID: String?, subjectID: String) {
    self.kind = kind
    self.appointmentID = appointmentID
    self.subjectID = subjectID
  }
}
