import Clinical
import Interchange
import Store

/// What became of the events of other programs' calendars.
public struct CalendarTotals: Encodable, Sendable {
  /// Before the window, over whole days, or marked as free.
  public internal(set) var leftOut = 0
  /// That stand in another calendar, whose they are: they block nobody's time by this one.
  public internal(set) var elsewhere = 0
  /// On file, and no longer at their source.
  public internal(set) var gone = 0
  /// That wait for somebody to say whose they are.
  public internal(set) var inbox = 0

  private enum CodingKeys: String, CodingKey {
    case leftOut = "left_out"
    case elsewhere, gone, inbox
  }

  /// For a person.
  var lines: [String] {
    var lines: [String] = []
    if leftOut > 0 {
      lines.append("left out: \(leftOut) events before the days that are read, over whole days, or marked as free")
    }
    if elsewhere > 0 {
      lines.append("in another calendar already: \(elsewhere) events, which take the time of those of that one only")
    }
    if gone > 0 { lines.append("no longer in their calendar: \(gone) events, whose appointments stay and are marked") }
    if inbox > 0 {
      lines.append("in the inbox for somebody to say whose they are: \(inbox) events (vetnet inbox list)")
    }
    return lines
  }
}

/// The events of other programs' calendars in one import: which there were, and what has to be done at the end.
final class EventKeeper {
  private let practice: Practice
  private let reader: EventReader
  /// The registered calendar that all files are of; nil for files that stand for themselves.
  private let calendar: CalendarStore.Source?
  private let window: CalendarWindow
  private var seen: [String: Set<Int64>] = [:]
  /// Calendars with events that could not be read: what is missing of these isn't gone.
  private var incomplete: Set<String> = []
  private var waiting: [(item: IncomingItem, row: Int64)] = []
  private(set) var totals = CalendarTotals()

  init(_ practice: Practice, calendar: CalendarStore.Source?, window: CalendarWindow) throws {
    self.practice = practice
    self.calendar = calendar
    self.window = window
    reader = try EventReader(practice)
  }

  /// Which calendar a file is; nil for standard input.
  func name(ofFile file: String?) -> String? { calendar?.name ?? file }

  /// A row of a calendar could not be read, or kept.
  func miss(inFile file: String?) { if let name = name(ofFile: file) { incomplete.insert(name) } }

  /// An event that is no appointment, and not on file as one.
  func leaveOut(onFile row: Int64?, inFile file: String?) {
    totals.leftOut += 1
    see(row, inFile: file)
  }

  /// An event that another calendar tells of.
  func passOver(inFile file: String?) {
    totals.elsewhere += 1
    see(nil, inFile: file)
  }

  private func see(_ row: Int64?, inFile file: String?) {
    guard let name = name(ofFile: file) else { return }
    seen[name, default: []].formUnion([row].compactMap(\.self))
  }

  /// Whether another calendar has the event, in which it says what it is.
  func isOfAnother(_ row: Int64?, inFile file: String?) throws -> Bool {
    guard let row, let event = try practice.connection.calendars.event(appointment: row), event.goneAt == nil else {
      return false
    }
    guard event.calendar != name(ofFile: file) ?? "" else { return false }
    // A file that was read before, and a calendar that was given up, have nobody else to tell of it.
    return try seen[event.calendar]?.contains(row) == true || practice.connection.calendars.isKept(event.calendar)
  }

  func reading(of entry: CalendarEntry, inFile file: String?) throws -> EventReading {
    var reading = try reader.reading(of: entry, owner: calendar?.clinicianID)
    if reading.patientID == nil, let foreign = entry.foreign {
      // What somebody said of one of a series holds for all.
      reading.patientID = try practice.connection.calendars.patientOfSeries(
        .init(appointment: 0, calendar: name(ofFile: file) ?? "", series: foreign.series, isCase: true),
        reason: entry.appointment.reason)
      if reading.patientID != nil { reading.isCase = true }
    }
    return reading
  }

  /// The event is in the book.
  func kept(_ entry: CalendarEntry, _ reading: EventReading, row: Int64, isNew: Bool, source: String, file: String?)
    throws
  {
    guard let foreign = entry.foreign else { return }
    let connection = practice.connection
    see(row, inFile: file)
    try connection.calendars.keep(
      .init(appointment: row, calendar: name(ofFile: file) ?? "", series: foreign.series, isCase: reading.isCase))
    guard let appointment = try connection.appointments.appointment(row: row) else { return }
    if isNew, !reading.isCase, reading.candidates.isEmpty {
      var limits = AppointmentOptions()
      limits.keepsTime = true
      limits.keepsClinician = true
      try connection.appointments.setOptions(limits, row: row)
    }
    let isOpen = appointment.patientRowID == nil && appointment.value.status.occupiesTime
    guard isOpen, reading.isCase || !reading.candidates.isEmpty else { return try settle(row) }
    guard !waiting.contains(where: { $0.item.origin.id == foreign.series && $0.item.origin.source == source }) else {
      return
    }
    var item = IncomingItem(
      .event,
      from: .init(
        source: source, id: foreign.series, receivedAt: practice.door.passage?.now ?? appointment.value.start),
      text: [foreign.details, entry.location].compactMap(\.self).joined(separator: "\n"),
      reason: reading.candidates.isEmpty
        ? .noPatient : reading.candidates.count == 1 ? .unsurePatient : .severalPatients,
      details: .init(title: entry.summary), candidates: reading.candidates)
    item.appointmentID = appointment.value.id
    waiting.append((item, row))
  }

  /// What an event says of whose it is.
  enum PatientWord {
    case says(String)
    /// It said somebody whom nothing in it names any more.
    case withdraws
    case nothing
  }

  /// Of one that is on file: whom a person named, and whom it was about when it began, stays, and the same words say nothing new,
  /// whoever was put on file or died meanwhile.
  func patientWord(_ row: Int64?, _ entry: CalendarEntry, _ reading: EventReading) throws -> PatientWord {
    let read = reading.patientID.map(PatientWord.says) ?? .nothing
    let connection = practice.connection
    guard let row, let old = try connection.appointments.appointment(row: row)?.value, let patient = old.patientID
    else {
      return read
    }
    let words = entry.appointment.reason
    let isSame =
      try old.reason == words
      || words.map { try connection.imports.isSaid("reason", $0, of: .appointment, row: row) } == true
    guard !isSame, old.status == .booked || old.status == .requested,
      try connection.imports.isSaid("patient_id", patient, of: .appointment, row: row)
    else { return .nothing }
    if reading.patientID == nil, !reading.candidates.contains(where: { $0.patientID == patient }) {
      return .withdraws
    }
    return read
  }

  /// Whose it is is known by now.
  private func settle(_ row: Int64) throws {
    if let item = try practice.connection.inbox.row(ofAppointment: row) {
      try practice.connection.inbox.delete(row: item)
    }
  }

  /// At the end of all files: marks what is gone, and lists what somebody has to confirm. Call it within a transaction.
  func finish(now: Timestamp) throws {
    let connection = practice.connection
    for (name, rows) in seen.sorted(by: { $0.key < $1.key }) where !incomplete.contains(name) && !rows.isEmpty {
      let gone = try connection.calendars.markGone(
        name, within: window.from..<window.repeatsUntil, except: rows, at: now)
      for row in gone { try settle(row) }
      totals.gone += gone.count
    }
    let items = waiting.map { entry in
      var item = entry.item
      item.origin.receivedAt = now
      return item
    }
    waiting = []
    guard !items.isEmpty else { return }
    let receipt = try practice.inbox.receive(items, now: now)
    totals.inbox += receipt.added + receipt.updated
  }
}

extension ImportKeeper {
  /// Keeps an event of another program's calendar: it becomes an appointment, with the patient whom it names for certain.
  func keepEvent(
    _ row: Row, _ entry: CalendarEntry, _ foreign: ForeignEvent, _ context: ImportContext, source: String,
    _ batch: inout Batch
  ) throws {
    let file = files.absolute(row.location.file)
    let events = try eventKeeper()
    let known = try practice.connection.calendars.row(id: entry.appointment.id, source: context.source)
    if foreign.leftOut == .takesNoTime || (foreign.leftOut != nil && known == nil) {
      return events.leaveOut(onFile: known, inFile: file)
    }
    guard try !events.isOfAnother(known, inFile: file) else { return events.passOver(inFile: file) }
    let reading = try events.reading(of: entry, inFile: file)
    var entry = entry
    var row = row
    if let clinician = reading.clinicianID {
      entry.appointment.clinicianID = clinician
      row.stated.given.insert("clinician_id")
    }
    switch try events.patientWord(known, entry, reading) {
    case .says(let patient):
      entry.appointment.patientID = patient
      row.stated.given.insert("patient_id")
    case .withdraws: row.stated.withdrawn.insert("patient_id")
    case .nothing: break
    }
    row.record = .calendarEntry(entry)
    do {
      let kept = try write(row, context, &batch)
      try events.kept(
        entry, reading, row: kept.rowID, isNew: kept.outcome == .inserted, source: source, file: file)
    } catch let problem as RecordProblem {
      events.miss(inFile: file)
      throw problem
    }
  }
}
