public import Clinical

/// An event of an iCalendar file and the appointment it stands for.
public struct CalendarEntry: Hashable, Sendable {
  /// The same for good, whatever becomes of the appointment.
  public let uid: String
  /// Grows with every change.
  public let sequence: Int
  /// With ids as the practice file shows them; those of another program's event are empty.
  public let appointment: Appointment
  /// What calendars show as the title.
  public let summary: String
  /// Where it is, in words.
  public let location: String?

  public init(uid: String, sequence: Int, appointment: Appointment, summary: String, location: String? = nil) {
    self.uid = uid
    self.sequence = sequence
    self.appointment = appointment
    self.summary = summary
    self.location = location
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
