import CIcal
public import Clinical

/// Writes appointments as iCalendar (RFC 5545), spelt and folded by libical.
///
/// Times are local, with the zone's changes told in a VTIMEZONE, so that a calendar shows what the practice's clock shows on
/// either side of a change. Whatever iCalendar has no word for goes along in X- properties: a calendar that is read back says
/// the same as before.
public struct CalendarWriter {
  private let zone: PracticeTimeZone
  private let name: String?
  private let isPlain: Bool

  /// - Parameters:
  ///   - zone: the practice's zone.
  ///   - name: what calendars call it.
  ///   - isPlain: whether nothing is written that calendars don't show: for those that are never read back.
  public init(zone: PracticeTimeZone, name: String?, isPlain: Bool = false) {
    self.zone = zone
    self.name = name
    self.isPlain = isPlain
  }

  /// The file's text, with line ends as the standard has them.
  ///
  /// - Parameters:
  ///   - entries: in the order in which they are written.
  ///   - now: when it is written, for DTSTAMP.
  /// - Returns: one calendar.
  /// - Throws: ``InterchangeError`` with `libraryMissing` where libical isn't installed.
  public func text(_ entries: [CalendarEntry], now: Timestamp) throws(InterchangeError) -> String {
    guard CalendarLibrary.isAvailable else {
      throw InterchangeError(.libraryMissing, path: "the calendar", hint: CalendarLibrary.remedy)
    }
    let calendar = icalcomponent_new(ICAL_VCALENDAR_COMPONENT)
    defer { icalcomponent_free(calendar) }
    icalcomponent_add_property(calendar, icalproperty_new_prodid("-//VetNet//appointments//EN"))
    icalcomponent_add_property(calendar, icalproperty_new_version("2.0"))
    icalcomponent_add_property(calendar, icalproperty_new_calscale("GREGORIAN"))
    icalcomponent_add_property(calendar, icalproperty_new_method(ICAL_METHOD_PUBLISH))
    if let name { add("X-WR-CALNAME", name, to: calendar) }
    if isLocal { icalcomponent_add_component(calendar, zoneComponent(covering: entries, now: now)) }
    for entry in entries { icalcomponent_add_component(calendar, event(entry, now: now)) }
    guard let text = icalcomponent_as_ical_string_r(calendar) else { return "" }
    defer { icalmemory_free_buffer(text) }
    return String(cString: text)
  }

  private var isLocal: Bool { zone.identifier != PracticeTimeZone.utc.identifier }

  private func event(_ entry: CalendarEntry, now: Timestamp) -> OpaquePointer? {
    let appointment = entry.appointment
    let event = icalcomponent_new(ICAL_VEVENT_COMPONENT)
    icalcomponent_add_property(event, icalproperty_new_uid(entry.uid))
    icalcomponent_add_property(event, icalproperty_new_dtstamp(Self.utc(now)))
    icalcomponent_add_property(event, timed(appointment.start, icalproperty_new_dtstart))
    icalcomponent_add_property(event, timed(appointment.end, icalproperty_new_dtend))
    icalcomponent_add_property(event, icalproperty_new_sequence(Int32(clamping: entry.sequence)))
    icalcomponent_add_property(event, icalproperty_new_status(Self.status(appointment.status)))
    icalcomponent_add_property(event, icalproperty_new_summary(entry.summary))
    if let reason = appointment.reason { icalcomponent_add_property(event, icalproperty_new_description(reason)) }
    if let location = entry.location { icalcomponent_add_property(event, icalproperty_new_location(location)) }
    guard !isPlain else { return event }
    add(CalendarProperty.id, appointment.id, to: event)
    if let id = appointment.patientID { add(CalendarProperty.patient, id, to: event) }
    if let id = appointment.clinicianID { add(CalendarProperty.clinician, id, to: event) }
    for id in appointment.resourceIDs { add(CalendarProperty.resource, id, to: event) }
    if let type = appointment.visitType { add(CalendarProperty.visitType, type.rawValue, to: event) }
    if let minutes = appointment.actualMinutes { add(CalendarProperty.actualMinutes, String(minutes), to: event) }
    add(CalendarProperty.status, appointment.status.rawValue, to: event)
    return event
  }

  private static func status(_ status: Appointment.Status) -> icalproperty_status {
    switch status {
    case .requested: ICAL_STATUS_TENTATIVE
    case .booked, .arrived, .inProgress, .done: ICAL_STATUS_CONFIRMED
    case .cancelled, .noShow: ICAL_STATUS_CANCELLED
    }
  }

  private func add(_ name: String, _ value: String, to component: OpaquePointer?) {
    let property = icalproperty_new_x(value)
    icalproperty_set_x_name(property, name)
    icalcomponent_add_property(component, property)
  }

  // MARK: - Time

  /// A property with a local time and its zone; with UTC in the hour that autumn repeats, where a local time says too little.
  private func timed(
    _ moment: Timestamp, _ make: (icaltimetype) -> OpaquePointer?
  ) -> OpaquePointer? {
    let local = zone.local(moment)
    guard isLocal, zone.timestamp(of: local) == moment else { return make(Self.utc(moment)) }
    let property = make(Self.reading(local))
    icalproperty_add_parameter(property, icalparameter_new_tzid(zone.identifier))
    return property
  }

  private static func utc(_ moment: Timestamp) -> icaltimetype {
    var time = reading(PracticeTimeZone.utc.local(moment))
    time.zone = icaltimezone_get_utc_timezone()
    return time
  }

  private static func reading(_ local: LocalDateTime) -> icaltimetype {
    var time = icaltime_null_time()
    time.year = Int32(local.date.year)
    time.month = Int32(local.date.month)
    time.day = Int32(local.date.day)
    time.hour = Int32(local.minuteOfDay / 60)
    time.minute = Int32(local.minuteOfDay % 60)
    time.second = Int32(local.second)
    return time
  }

  /// The zone as far as the entries need it: each change of the clocks from the year before to the year after them.
  private func zoneComponent(covering entries: [CalendarEntry], now: Timestamp) -> OpaquePointer? {
    let first = entries.map(\.appointment.start).min() ?? now
    let last = entries.map(\.appointment.end).max() ?? now
    let transitions = ZoneTransitions(of: zone, in: first.adding(days: -400)..<last.adding(days: 400))
    let component = icalcomponent_new(ICAL_VTIMEZONE_COMPONENT)
    icalcomponent_add_property(component, icalproperty_new_tzid(zone.identifier))
    if transitions.changes.isEmpty {
      let start = LocalDateTime(date: CalendarDate(daysSince1970: 0), minuteOfDay: 0)
      icalcomponent_add_component(
        component, observance(start, from: transitions.first, to: transitions.first, isStandard: true))
    }
    for change in transitions.changes {
      // A change is told in the local time that it ends.
      let start = PracticeTimeZone.utc.local(Timestamp(seconds: change.at.seconds + Int64(change.before)))
      icalcomponent_add_component(
        component,
        observance(start, from: change.before, to: change.after, isStandard: change.after <= transitions.standard))
    }
    return component
  }

  private func observance(_ start: LocalDateTime, from: Int, to: Int, isStandard: Bool) -> OpaquePointer? {
    let component = icalcomponent_new(isStandard ? ICAL_XSTANDARD_COMPONENT : ICAL_XDAYLIGHT_COMPONENT)
    icalcomponent_add_property(component, icalproperty_new_dtstart(Self.reading(start)))
    icalcomponent_add_property(component, icalproperty_new_tzoffsetfrom(Int32(from)))
    icalcomponent_add_property(component, icalproperty_new_tzoffsetto(Int32(to)))
    return component
  }
}
