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

  public init(
    dates: [CalendarDate], timeZone: PracticeTimeZone, staff: [StaffMember], resources: [Resource],
    appointments: [Appointment], options: [String: AppointmentOptions] = [:]
  ) {
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
