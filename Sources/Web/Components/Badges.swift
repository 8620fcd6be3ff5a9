import Clinical

/// Levels and states in colour and in words: never by colour alone.
enum Badges {
  static func level(_ urgency: Urgency?) -> HTML {
    guard let urgency else { return "<span class=\"badge level-none\">not triaged</span>" }
    return "<span class=\"badge level-\(urgency.rawValue)\">\(urgency.rawValue)</span>"
  }

  static func status(_ status: Appointment.Status) -> HTML {
    "<span class=\"badge status-\(status.rawValue)\">\(words(status))</span>"
  }

  static func words(_ status: Appointment.Status) -> String {
    switch status {
    case .requested: "asked for"
    case .booked: "booked"
    case .arrived: "arrived"
    case .inProgress: "in consult"
    case .done: "done"
    case .cancelled: "cancelled"
    case .noShow: "did not come"
    }
  }

  static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  /// `Thursday 26 November 2026`
  static func longDate(_ date: CalendarDate) -> String {
    let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    return "\(days[date.weekday - 1]) \(date.day) \(month(date)) \(date.year)"
  }

  /// `26 Nov 2026`
  static func shortDate(_ date: CalendarDate) -> String { "\(date.day) \(month(date).prefix(3)) \(date.year)" }

  private static func month(_ date: CalendarDate) -> String {
    [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ][date.month - 1]
  }

  /// Minutes in words a person says: `25 min`, `2 h 5 min`.
  static func minutes(_ minutes: Int) -> String {
    minutes < 60 ? "\(minutes) min" : minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
