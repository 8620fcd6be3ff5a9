public import Clinical

/// Calendars of other programs, and which appointments are their events.
public struct CalendarStore {
  let connection: Connection

  /// A file or folder that is kept in step.
  public struct Source: Hashable, Sendable {
    public let name: String
    public let path: String
    /// Whose it is, as the practice shows it.
    public let clinicianID: String?

    public init(name: String, path: String, clinicianID: String?) {
      self.name = name
      self.path = path
      self.clinicianID = clinicianID
    }
  }

  /// How many events of a calendar are in the book.
  public struct Count: Hashable, Sendable {
    public var cases = 0
    public var blocks = 0
    /// No longer at their source.
    public var gone = 0

    public init() {}
  }

  /// What an appointment is in its calendar.
  public struct Event: Hashable, Sendable {
    public let appointment: Int64
    public let calendar: String
    public let series: String
    public let isCase: Bool
    public let goneAt: Timestamp?

    public init(appointment: Int64, calendar: String, series: String, isCase: Bool, goneAt: Timestamp? = nil) {
      self.appointment = appointment
      self.calendar = calendar
      self.series = series
      self.isCase = isCase
      self.goneAt = goneAt
    }
  }

  // MARK: Sources

  /// By name.
  public func sources() throws(StoreError) -> [Source] {
    try connection.rows(
      "SELECT name, path, \(RecordIDs.reference("clinician_id", .staff)) FROM calendar ORDER BY name"
    ) { Source(name: $0.text(0), path: $0.text(1), clinicianID: $0.optionalText(2)) }
  }

  /// Adds a calendar, or gives the one of that name another place or clinician.
  public func keep(_ source: Source) throws(StoreError) {
    let clinician: Int64? = try connection.recordIDs.required(.staff, source.clinicianID, preferring: nil)
    try connection.execute(
      """
      INSERT INTO calendar (name, path, clinician_id) VALUES (?1, ?2, ?3)
      ON CONFLICT (name) DO UPDATE SET path = ?2, clinician_id = ?3
      """, source.name, source.path, clinician)
  }

  /// Whether a calendar of that name is kept in step.
  public func isKept(_ name: String) throws(StoreError) -> Bool {
    try connection.exists("SELECT 1 FROM calendar WHERE name = ?", name)
  }

  /// Forgets a calendar; its appointments stay.
  public func remove(_ name: String) throws(StoreError) {
    try connection.execute("DELETE FROM calendar WHERE name = ?", name)
  }

  /// Who is invited under an address, as the practice shows them.
  public func staff(address: String) throws(StoreError) -> String? {
    try connection.first(
      "SELECT \(RecordIDs.reference("staff_id", .staff)) FROM staff_address WHERE address = ?", address
    ) { $0.text(0) }
  }

  /// Every address, with whose it is.
  public func addresses() throws(StoreError) -> [(address: String, staffID: String)] {
    try connection.rows(
      "SELECT address, \(RecordIDs.reference("staff_id", .staff)) FROM staff_address ORDER BY address"
    ) { ($0.text(0), $0.text(1)) }
  }

  /// Says whose an address is; nil for nobody's.
  public func setAddress(_ address: String, staffID: String?) throws(StoreError) {
    try connection.execute("DELETE FROM staff_address WHERE address = ?", address)
    guard let staffID else { return }
    let staff = try connection.recordIDs.required(.staff, staffID) as Int64
    try connection.execute("INSERT INTO staff_address (address, staff_id) VALUES (?, ?)", address, staff)
  }

  // MARK: Events

  /// The row of the appointment by the very id that its source gave it.
  public func row(id: String, source: Int64) throws(StoreError) -> Int64? {
    try connection.recordIDs.row(.appointment, externalID: id, source: source)?.rowID
  }

  public func event(appointment: Int64) throws(StoreError) -> Event? {
    try connection.first("\(Self.selection) WHERE appointment_id = ?", appointment, read: Self.read)
  }

  /// Whether an appointment is time that is taken by something else than a case.
  public func isBlock(_ id: String) throws(StoreError) -> Bool {
    guard try connection.exists("SELECT 1 FROM calendar_event WHERE is_case = 0") else { return false }
    for row in try connection.recordIDs.candidates(.appointment, id) {
      if try connection.exists("SELECT 1 FROM calendar_event WHERE appointment_id = ? AND is_case = 0", row) {
        return true
      }
    }
    return false
  }

  /// Keeps what an appointment is; writes nothing where that is on file.
  public func keep(_ event: Event) throws(StoreError) {
    guard try self.event(appointment: event.appointment) != event else { return }
    try connection.execute(
      """
      INSERT INTO calendar_event (appointment_id, calendar, series, is_case, gone_at) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (appointment_id) DO UPDATE SET calendar = ?2, series = ?3, is_case = ?4, gone_at = ?5
      """, event.appointment, event.calendar, event.series, event.isCase ? 1 : 0, event.goneAt)
  }

  /// Marks the events of a calendar that begin within an interval and were not among those that it has now.
  ///
  /// - Returns: how many are newly missing.
  public func markGone(
    _ calendar: String, within interval: Range<Timestamp>, except seen: Set<Int64>, at moment: Timestamp
  ) throws(StoreError) -> [Int64] {
    let known = try connection.rows(
      """
      SELECT event.appointment_id FROM calendar_event AS event
      JOIN appointment ON appointment.id = event.appointment_id
      WHERE event.calendar = ? AND event.gone_at IS NULL AND appointment.start_at >= ? AND appointment.start_at < ?
      ORDER BY event.appointment_id
      """, calendar, interval.lowerBound, interval.upperBound, read: { $0.int64(0) })
    let gone = known.filter { !seen.contains($0) }
    for row in gone {
      try connection.execute("UPDATE calendar_event SET gone_at = ? WHERE appointment_id = ?", moment, row)
    }
    return gone
  }

  /// The patient whom somebody, or a sign, has given another event of the same series and title; nil where none or several.
  public func patientOfSeries(_ event: Event, reason: String?) throws(StoreError) -> String? {
    let found = try connection.rows(
      """
      SELECT DISTINCT \(RecordIDs.reference("other.patient_id", .patient)) FROM calendar_event AS event
      JOIN appointment AS other ON other.id = event.appointment_id
      WHERE event.calendar = ? AND event.series = ? AND other.reason IS ? AND other.patient_id IS NOT NULL
      """, event.calendar, event.series, reason, read: { $0.text(0) })
    return found.count == 1 ? found[0] : nil
  }

  /// By calendar.
  public func counts() throws(StoreError) -> [String: Count] {
    var counts: [String: Count] = [:]
    for (calendar, isCase, isGone) in try connection.rows(
      "SELECT calendar, is_case, gone_at IS NOT NULL FROM calendar_event", read: { ($0.text(0), $0.int(1), $0.int(2)) })
    {
      if isGone == 1 {
        counts[calendar, default: Count()].gone += 1
      } else if isCase == 1 {
        counts[calendar, default: Count()].cases += 1
      } else {
        counts[calendar, default: Count()].blocks += 1
      }
    }
    return counts
  }

  /// The rows of the appointments of a calendar that are no longer at their source, by time.
  public func gone(_ calendar: String) throws(StoreError) -> [Int64] {
    try connection.rows(
      """
      SELECT event.appointment_id FROM calendar_event AS event
      JOIN appointment ON appointment.id = event.appointment_id
      WHERE event.calendar = ? AND event.gone_at IS NOT NULL ORDER BY appointment.start_at, appointment.id
      """, calendar, read: { $0.int64(0) })
  }

  private static let selection = "SELECT appointment_id, calendar, series, is_case, gone_at FROM calendar_event"

  private static func read(_ row: Statement) throws(StoreError) -> Event {
    Event(
      appointment: row.int64(0), calendar: row.text(1), series: row.text(2), isCase: row.int(3) == 1,
      goneAt: row.optionalTimestamp(4))
  }
}

extension Connection {
  public var calendars: CalendarStore { CalendarStore(connection: self) }
}
