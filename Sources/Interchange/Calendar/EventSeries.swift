import CIcal
import Clinical

/// An event that may repeat: when it takes place within a window, with its exceptions left out.
struct EventSeries {
  private let event: OpaquePointer
  private let window: CalendarWindow

  init(_ event: OpaquePointer, window: CalendarWindow) {
    self.event = event
    self.window = window
  }

  var repeats: Bool {
    [ICAL_RRULE_PROPERTY, ICAL_RDATE_PROPERTY].contains { icalcomponent_get_first_property(event, $0) != nil }
  }

  /// Occurrences that are gone through at most, from the first on: a century of days.
  private static let maximumSteps = 40_000
  /// Within the window: more is no appointment.
  private static let maximumCount = 2_000

  /// The moments at which it takes place within the window, and the first of all, in order.
  ///
  /// Local times are gone through, and each is read as `moment` does: what is at ten stays at ten when the clocks change.
  func starts(
    from first: Timestamp, reading moment: (icaltimetype) throws(FieldError) -> Timestamp
  ) throws(FieldError) -> [Timestamp] {
    var found: Set<Timestamp> = [first]
    let zoned = icalcomponent_get_dtstart(event)
    var property = icalcomponent_get_first_property(event, ICAL_RRULE_PROPERTY)
    while let current = property {
      let rule = icalproperty_get_rrule(current)
      guard rule.freq.rawValue >= ICAL_DAILY_RECURRENCE.rawValue, rule.freq != ICAL_NO_RECURRENCE else {
        throw FieldError("RRULE", value: nil, "repeats within a day", hint: "an appointment is one visit")
      }
      try go(through: rule, from: zoned, into: &found, moment)
      property = icalcomponent_get_next_property(event, ICAL_RRULE_PROPERTY)
    }
    for time in times(ICAL_RDATE_PROPERTY) {
      let at = try moment(time)
      if at <= window.repeatsUntil { found.insert(at) }
    }
    for time in times(ICAL_EXDATE_PROPERTY) {
      if time.is_date != 0 {
        found = found.filter { !isDay(time, of: $0, moment) }
      } else {
        found.remove(try moment(time))
      }
    }
    return found.filter { $0 >= window.from || $0 == first }.sorted()
  }

  private func go(
    through rule: icalrecurrencetype, from zoned: icaltimetype, into found: inout Set<Timestamp>,
    _ moment: (icaltimetype) throws(FieldError) -> Timestamp
  ) throws(FieldError) {
    guard let iterator = icalrecur_iterator_new(rule, zoned) else {
      throw FieldError("RRULE", value: nil, "can't be read", hint: "export single events")
    }
    defer { icalrecur_iterator_free(iterator) }
    var steps = 0
    while true {
      var next = icalrecur_iterator_next(iterator)
      guard icaltime_is_null_time(next) == 0 else { return }
      next.zone = zoned.zone
      steps += 1
      let at = try moment(next)
      if at > window.repeatsUntil { return }
      if at >= window.from { found.insert(at) }
      guard steps < Self.maximumSteps, found.count < Self.maximumCount else {
        throw FieldError("RRULE", value: nil, "repeats too often", hint: "export single events")
      }
    }
  }

  /// Whether a moment lies on a day without a time.
  private func isDay(
    _ day: icaltimetype, of at: Timestamp, _ moment: (icaltimetype) throws(FieldError) -> Timestamp
  ) -> Bool {
    var midnight = day
    midnight.is_date = 0
    (midnight.hour, midnight.minute, midnight.second) = (0, 0, 0)
    midnight.zone = icalcomponent_get_dtstart(event).zone
    guard let first = try? moment(midnight) else { return false }
    return at >= first && at < first.adding(days: 1)
  }

  private func times(_ kind: icalproperty_kind) -> [icaltimetype] {
    var times: [icaltimetype] = []
    var property = icalcomponent_get_first_property(event, kind)
    while let current = property {
      var time =
        kind == ICAL_RDATE_PROPERTY ? icalproperty_get_rdate(current).time : icalproperty_get_exdate(current)
      let resolved = icalproperty_get_datetime_with_component(current, event)
      if icaltime_is_null_time(resolved) == 0 { time = resolved }
      if icaltime_is_null_time(time) == 0 { times.append(time) }
      property = icalcomponent_get_next_property(event, kind)
    }
    return times
  }

  /// The addresses of those who take part, and of who invited them, in small letters and without `mailto:`.
  static func attendees(_ event: OpaquePointer) -> [String] {
    var found: [String] = []
    func take(_ text: UnsafePointer<CChar>?) {
      guard let text else { return }
      let address = String(cString: text).lowercased()
      let plain = address.hasPrefix("mailto:") ? String(address.dropFirst("mailto:".count)) : address
      if plain.contains("@"), plain.utf8.count <= 320, !found.contains(plain) { found.append(plain) }
    }
    var property = icalcomponent_get_first_property(event, ICAL_ATTENDEE_PROPERTY)
    while let current = property {
      take(icalproperty_get_attendee(current))
      property = icalcomponent_get_next_property(event, ICAL_ATTENDEE_PROPERTY)
    }
    if let organizer = icalcomponent_get_first_property(event, ICAL_ORGANIZER_PROPERTY) {
      take(icalproperty_get_organizer(organizer))
    }
    return found
  }
}

extension CalendarEntry {
  /// The event of its series that stands for a moment, which names it; nil for the first, which has the series' own name.
  func occurrence(at start: Timestamp, for moment: Timestamp?) -> CalendarEntry {
    guard let foreign else { return self }
    var appointment = appointment
    appointment.start = start
    if let moment { appointment.id = "\(foreign.series)#\(PracticeTimeZone.utc.iso8601(moment))" }
    return CalendarEntry(
      uid: appointment.id, sequence: sequence, appointment: appointment, summary: summary, location: location,
      foreign: foreign)
  }

  /// Itself, marked as left out where it is over before a moment.
  func leavingOut(before moment: Timestamp) -> CalendarEntry {
    guard let foreign, foreign.leftOut == nil, appointment.end <= moment else { return self }
    return CalendarEntry(
      uid: uid, sequence: sequence, appointment: appointment, summary: summary, location: location,
      foreign: ForeignEvent(
        series: foreign.series, attendees: foreign.attendees, details: foreign.details, leftOut: .outsideWindow))
  }
}
