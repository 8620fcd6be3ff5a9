public import Briefing
public import Clinical

/// Which of a day's appointments ask for something to be read beforehand.
public struct BriefedDay: Sendable {
  /// An appointment that gets a brief.
  public struct Visit: Sendable {
    public let appointment: Appointment
    public let patient: Patient
  }

  /// An appointment for which no brief can be made.
  public struct Without: Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
      case noPatient, cancelled, noShow
      case died(CalendarDate)
    }

    public let appointment: Appointment
    public let reason: Reason

    /// `10:20 A0311: no brief, the appointment names no patient`
    public func line(in zone: PracticeTimeZone) -> String {
      let why =
        switch reason {
        case .noPatient: "the appointment names no patient"
        case .cancelled: "cancelled"
        case .noShow: "did not come"
        case .died(let date): "\(appointment.patientID ?? "the patient") died on \(date)"
        }
      return "\(zone.clock(appointment.start)) \(appointment.id): no brief, \(why)"
    }
  }

  /// In the order of the appointments.
  public var visits: [Visit] = []
  /// In the order of the appointments; those that are over or only asked for are in neither list.
  public var without: [Without] = []
}

/// What a day's appointments ask to be read beforehand.
public struct DayBriefs: Sendable {
  /// In the order of the appointments.
  public var briefs: [Brief] = []
  /// In the order of the appointments; those that are over or only asked for are in neither list.
  public var without: [BriefedDay.Without] = []
}
