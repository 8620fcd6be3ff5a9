package import Clinical
import Interchange
import Store

// The appointment book as a calendar, and a calendar that comes back.

extension Practice.Exchange {
  /// The appointments of some days as iCalendar: those asked for as tentative, those cancelled as cancelled.
  ///
  /// - Parameters:
  ///   - date: the first day.
  ///   - days: how many.
  ///   - clinicianID: only this clinician's; nil for all.
  ///   - locationID: only at this location; nil for all.
  ///   - now: when it is written.
  /// - Returns: the file's text. UIDs stay what they are for good; a SEQUENCE grows with each change of its appointment.
  /// - Throws: ``PracticeError`` for an unknown clinician.
  package func calendar(
    from date: CalendarDate, days: Int, clinicianID: String?, locationID: String? = nil, now: Timestamp
  ) throws -> String {
    try reading {
      let staff = try practice.workplace.staffNames()
      if let clinicianID, staff[clinicianID] == nil { throw practice.calendar.unknownClinician(clinicianID, staff) }
      let rooms = Dictionary(
        try connection.resources.list().map { ($0.value.id, $0.value.name) }, uniquingKeysWith: { first, _ in first })
      let interval = timeZone.timestamp(of: date)..<timeZone.timestamp(of: date.adding(days: days))
      let calendar = try connection.plan.calendarID()
      let entries = try connection.appointments.appointments(startingIn: interval).filter {
        try (clinicianID == nil || $0.value.clinicianID == clinicianID)
          && (locationID == nil || practice.workplace.locationID(of: $0) == locationID)
      }.map { stored -> CalendarEntry in
        let appointment = stored.value
        let patient = try appointment.patientID.flatMap { try practice.records.registered($0) }
        let what = appointment.visitType?.rawValue ?? "appointment"
        let places = appointment.resourceIDs.map { rooms[$0] ?? $0 }
        return CalendarEntry(
          uid: Self.uid(stored.rowID, calendar), sequence: Int(stored.version - 1), appointment: appointment,
          summary: [patient?.name, what, appointment.clinicianID.flatMap { staff[$0] }].compactMap { $0 }
            .joined(separator: " · "),
          location: places.isEmpty ? nil : places.joined(separator: ", "))
      }
      return try CalendarWriter(zone: timeZone, name: try connection.settings.value(Setting.name))
        .whole(entries, now: now)
    }
  }

  static func uid(_ row: Int64, _ calendar: String) -> String { "appointment-\(row)@\(calendar).vetnet" }

  /// The row of this file's own appointment that a UID names; nil for any other calendar's.
  func ownAppointment(uid: String) throws -> Int64? {
    let calendar = try connection.plan.calendarID()
    guard uid.hasPrefix("appointment-"), uid.hasSuffix("@\(calendar).vetnet"),
      let row = Int64(uid.dropFirst("appointment-".count).prefix { $0 != "@" }), uid == Self.uid(row, calendar)
    else { return nil }
    return try connection.appointments.appointment(row: row) == nil ? nil : row
  }

  /// Whether a copy of an own appointment says something that the book has never said: an older copy doesn't count.
  func wasChanged(_ row: Int64, in entry: CalendarEntry) throws -> Bool {
    guard let stored = try connection.appointments.appointment(row: row) else { return false }
    if Int64(entry.sequence) < stored.version - 1 { return false }
    var copy = entry.appointment
    copy.id = stored.value.id
    // White space at the end of a line doesn't survive every calendar program.
    var own = stored.value
    copy.reason = copy.reason.map { $0.trimmingSpaces() }
    own.reason = own.reason.map { $0.trimmingSpaces() }
    return copy != own
  }
}

extension CalendarWriter {
  /// The file's text.
  ///
  /// - Throws: ``PracticeError`` where libical isn't installed.
  func whole(_ entries: [CalendarEntry], now: Timestamp) throws -> String {
    do throws(InterchangeError) {
      return try text(entries, now: now)
    } catch {
      throw PracticeError(.failed, error.description)
    }
  }
}
