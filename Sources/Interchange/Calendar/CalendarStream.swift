import CIcal
import Clinical

/// An iCalendar file as appointments: those that VetNet wrote as they were, those of other programs as far as they go.
final class CalendarStream: RowStream {
  private let source: ImportSource
  private let context: StreamContext
  private let reader: WholeFile
  private var events: [ImportEvent]?
  private(set) var bytesRead: Int64 = 0

  init(_ source: ImportSource, _ file: InputFile, encoding: TextEncoding, context: StreamContext) {
    self.source = source
    self.context = context
    reader = WholeFile(file: file, encoding: encoding)
  }

  func next() throws(InterchangeError) -> ImportEvent? {
    if events == nil { events = try read().reversed() }
    return events?.popLast()
  }

  /// A calendar is read whole: libical knows no other way, and 64 MB hold a practice's century.
  private static let maximumBytes = 64 << 20

  private func read() throws(InterchangeError) -> [ImportEvent] {
    guard let bytes = try reader.contents(upTo: Self.maximumBytes) else {
      return [problem(.wrongFormat, "the file has more than \(Self.maximumBytes) bytes", "export a shorter time")]
    }
    bytesRead = Int64(bytes.count)
    if bytes.isEmpty { return [problem(.empty, "the file is empty", "")] }
    guard CalendarLibrary.isAvailable else {
      throw InterchangeError(.libraryMissing, path: source.name, hint: CalendarLibrary.remedy)
    }
    if let flaw = CalendarCheck.flaw(in: bytes) {
      return [
        .problem(
          ImportFileProblem(
            .wrongFormat, file: source.name, line: flaw.line, message: flaw.message, hint: flaw.hint))
      ]
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let root = icalparser_parse_string(text) else {
      return [problem(.wrongFormat, "the file is no calendar", "export it as iCalendar (.ics)")]
    }
    defer { icalcomponent_free(root) }
    // What is missing of half a file would seem to be deleted at its source.
    let last = text.utf8.split { $0 == 0x0A || $0 == 0x0D }.last { $0.contains { $0 != 0x20 && $0 != 0x09 } }
    guard last.map({ String(Substring($0)).uppercased().hasPrefix("END:VCALENDAR") }) ?? false else {
      return [problem(.wrongFormat, "the calendar breaks off before its end", "export or copy it again")]
    }
    let found = events(root, at: nil)
    return found.isEmpty ? [problem(.noRows, "the calendar holds no events", "")] : found
  }

  /// The event of a rejects file's row, nil when there is none in it.
  func event(inRow row: [UInt8], at location: SourceLocation) -> ImportEvent? {
    let calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(String(decoding: row, as: UTF8.self))\r\nEND:VCALENDAR\r\n"
    guard CalendarLibrary.isAvailable, CalendarCheck.flaw(in: Array(calendar.utf8)) == nil,
      let root = icalparser_parse_string(calendar)
    else { return nil }
    defer { icalcomponent_free(root) }
    return events(root, at: location).first
  }

  private func events(_ root: OpaquePointer, at location: SourceLocation?) -> [ImportEvent] {
    var components: [OpaquePointer] = []
    for calendar in calendars(root) {
      var event = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT)
      while let current = event {
        components.append(current)
        event = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)
      }
    }
    // Events that stand for single ones of a series, by the moment they were to begin.
    var exceptions: [String: Set<Timestamp>] = [:]
    var firsts: [String: Timestamp] = [:]
    for component in components {
      guard let uid = icalcomponent_get_uid(component).map({ String(cString: $0) }) else { continue }
      if let moment = recurrence(of: component) {
        exceptions[uid, default: []].insert(moment)
      } else {
        firsts[uid] = try? moment(icalcomponent_get_dtstart(component), "DTSTART")
      }
    }
    var found: [ImportEvent] = []
    for (index, component) in components.enumerated() {
      // libical keeps no line numbers: rows are counted in events.
      let place = location ?? SourceLocation(file: source.name, line: index + 1)
      let uid = icalcomponent_get_uid(component).map { String(cString: $0) } ?? ""
      found += events(component, at: place, exceptions: exceptions[uid] ?? [], first: firsts[uid])
    }
    return found
  }

  /// One file may hold several calendars, one after the other.
  private func calendars(_ root: OpaquePointer) -> [OpaquePointer] {
    if icalcomponent_isa(root) == ICAL_VCALENDAR_COMPONENT { return [root] }
    var calendars: [OpaquePointer] = []
    var calendar = icalcomponent_get_first_component(root, ICAL_VCALENDAR_COMPONENT)
    while let current = calendar {
      calendars.append(current)
      calendar = icalcomponent_get_next_component(root, ICAL_VCALENDAR_COMPONENT)
    }
    return calendars
  }

  private func problem(_ code: ImportFileProblem.Code, _ message: String, _ hint: String) -> ImportEvent {
    .problem(ImportFileProblem(code, file: source.name, message: message, hint: hint))
  }

  /// One event, or those that a repeating one stands for within the window.
  private func events(
    _ event: OpaquePointer, at location: SourceLocation, exceptions: Set<Timestamp>, first: Timestamp?
  ) -> [ImportEvent] {
    var raw: [UInt8] = []
    if let text = icalcomponent_as_ical_string_r(event) {
      raw = Array(String(cString: text).utf8)
      icalmemory_free_buffer(text)
    }
    let kept = RawRow(raw, origin: RowOrigin(kind: .appointments, format: .calendar))
    do throws(FieldError) {
      var entries = [try entry(event)]
      if let foreign = entries[0].foreign, foreign.leftOut == nil, let window = context.options.calendarWindow {
        let series = EventSeries(event, window: window)
        if let moment = recurrence(of: event) {
          entries[0] = entries[0].occurrence(at: entries[0].appointment.start, for: moment == first ? nil : moment)
        } else if series.repeats {
          let first = entries[0]
          entries = try series.starts(from: first.appointment.start) { (time) throws(FieldError) in
            try moment(time, "RRULE")
          }.filter { !exceptions.contains($0) }.map {
            first.occurrence(at: $0, for: $0 == first.appointment.start ? nil : $0)
          }
        }
        entries = entries.map { $0.leavingOut(before: window.from) }
      }
      let given = self.stated(event, entries.first?.appointment)
      return entries.map { .record(.calendarEntry($0), at: location, raw: kept, stated: given) }
    } catch {
      return [.reject(ImportReject(error, at: location, raw: kept))]
    }
  }

  /// The moment for which an event of a series stands; nil for all others.
  private func recurrence(of event: OpaquePointer) -> Timestamp? {
    guard icalcomponent_get_first_property(event, ICAL_RECURRENCEID_PROPERTY) != nil else { return nil }
    return try? moment(icalcomponent_get_recurrenceid(event), "RECURRENCE-ID")
  }

  private func entry(_ event: OpaquePointer) throws(FieldError) -> CalendarEntry {
    guard let uid = icalcomponent_get_uid(event).map({ String(cString: $0) }), !uid.isEmpty else {
      throw .missing("UID", hint: "each event of a calendar has one")
    }
    guard uid.utf8.count <= 512 else { throw FieldError("UID", value: nil, "is too long", hint: "") }
    let extra = extraProperties(event)
    let isOwn = extra[CalendarProperty.status] != nil
    if context.options.calendarWindow == nil || isOwn {
      guard icalcomponent_get_first_property(event, ICAL_RRULE_PROPERTY) == nil else {
        throw FieldError("RRULE", value: nil, "repeats", hint: "an appointment is one visit: export single events")
      }
    }
    let takesTime = isOwn || context.options.calendarWindow == nil || self.takesTime(event)
    let start = takesTime ? try moment(icalcomponent_get_dtstart(event), "DTSTART") : Timestamp(seconds: 0)
    let end = takesTime ? try moment(icalcomponent_get_dtend(event), "DTEND") : start.adding(minutes: 1)
    let minutes = (end.seconds - start.seconds) / 60
    guard (1...10_080).contains(minutes) else {
      throw FieldError("DTEND", value: nil, "does not lie after DTSTART, within a week", hint: "give the event an end")
    }
    let description = icalcomponent_get_description(event).map { String(cString: $0) }
    let summary = icalcomponent_get_summary(event).map { String(cString: $0) }
    let appointment = Appointment(
      id: isOwn ? extra[CalendarProperty.id]?.first ?? uid : uid, patientID: extra[CalendarProperty.patient]?.first,
      clinicianID: extra[CalendarProperty.clinician]?.first, resourceIDs: extra[CalendarProperty.resource] ?? [],
      start: start, durationMinutes: Int(minutes),
      actualMinutes: extra[CalendarProperty.actualMinutes]?.first.flatMap(Double.init),
      visitType: extra[CalendarProperty.visitType]?.first.map(VisitType.init(rawValue:)),
      reason: isOwn ? description : summary ?? description, status: try status(event, extra))
    return CalendarEntry(
      uid: uid, sequence: Int(icalcomponent_get_sequence(event)), appointment: appointment, summary: summary ?? "",
      location: icalcomponent_get_location(event).map { String(cString: $0) },
      foreign: isOwn
        ? nil
        : ForeignEvent(
          series: uid, attendees: EventSeries.attendees(event), details: summary == nil ? nil : description,
          leftOut: takesTime ? nil : .takesNoTime))
  }

  /// Whether an event keeps anybody from anything: one of whole days doesn't say when, and one marked as free says that it doesn't.
  private func takesTime(_ event: OpaquePointer) -> Bool {
    if icalcomponent_get_dtstart(event).is_date != 0 { return false }
    guard let property = icalcomponent_get_first_property(event, ICAL_TRANSP_PROPERTY) else { return true }
    let value = icalproperty_get_transp(property)
    return value != ICAL_TRANSP_TRANSPARENT && value != ICAL_TRANSP_TRANSPARENTNOCONFLICT
  }

  /// Start and end are always stated, the rest where the event has it.
  private func stated(_ event: OpaquePointer, _ appointment: Appointment?) -> StatedFields {
    let extra = extraProperties(event)
    var stated = StatedFields(given: ["id", "start", "duration_minutes"])
    for (field, property) in [
      ("patient_id", CalendarProperty.patient), ("clinician_id", CalendarProperty.clinician),
      ("resource_ids", CalendarProperty.resource), ("visit_type", CalendarProperty.visitType),
      ("actual_minutes", CalendarProperty.actualMinutes), ("status", CalendarProperty.status),
    ] where extra[property] != nil { stated.given.insert(field) }
    if icalcomponent_get_first_property(event, ICAL_STATUS_PROPERTY) != nil { stated.given.insert("status") }
    if appointment?.reason != nil { stated.given.insert("reason") }
    return stated
  }

  private func status(
    _ event: OpaquePointer, _ extra: [String: [String]]
  ) throws(FieldError) -> Appointment.Status {
    if let word = extra[CalendarProperty.status]?.first {
      guard let status = Appointment.Status(rawValue: word) else {
        throw FieldError(
          CalendarProperty.status, value: word, "is no status",
          hint: "one of " + Appointment.Status.allCases.map(\.rawValue).joined(separator: ", "))
      }
      return status
    }
    switch icalcomponent_get_status(event) {
    case ICAL_STATUS_CANCELLED: return .cancelled
    case ICAL_STATUS_TENTATIVE: return .requested
    default: return .booked
    }
  }

  /// The X- properties by name, each with its values in order.
  private func extraProperties(_ event: OpaquePointer) -> [String: [String]] {
    var values: [String: [String]] = [:]
    var property = icalcomponent_get_first_property(event, ICAL_X_PROPERTY)
    while let current = property {
      if let name = icalproperty_get_x_name(current), let value = icalproperty_get_x(current) {
        values[String(cString: name).uppercased(), default: []].append(String(cString: value))
      }
      property = icalcomponent_get_next_property(event, ICAL_X_PROPERTY)
    }
    return values
  }

  private func moment(_ time: icaltimetype, _ field: String) throws(FieldError) -> Timestamp {
    guard icaltime_is_null_time(time) == 0, icaltime_is_valid_time(time) != 0 else {
      throw .missing(field, hint: "a time such as 20261123T093000")
    }
    guard time.is_date == 0,
      let date = CalendarDate(year: Int(time.year), month: Int(time.month), day: Int(time.day)),
      (0..<24).contains(time.hour), (0..<60).contains(time.minute)
    else {
      throw FieldError(field, value: nil, "has no time of day", hint: "an appointment begins at a time")
    }
    let local = LocalDateTime(
      date: date, minuteOfDay: Int(time.hour) * 60 + Int(time.minute), second: min(59, max(0, Int(time.second))))
    if icaltime_is_utc(time) != 0 { return PracticeTimeZone.utc.timestamp(of: local) }
    // The machine's own knowledge of a named zone first: files often tell only part of it.
    if let zone = time.zone, let name = icaltimezone_get_tzid(zone) {
      if let known = PracticeTimeZone(identifier: String(cString: name)) { return known.timestamp(of: local) }
      return Timestamp(seconds: Int64(icaltime_as_timet_with_zone(time, zone)))
    }
    return context.options.timeZone.timestamp(of: local)
  }
}
