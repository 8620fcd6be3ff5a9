public import Clinical

/// An appointment as it lies in the file.
public struct StoredAppointment: Hashable, Sendable {
  public let rowID: Int64
  public let patientRowID: Int64?
  public let clinicianRowID: Int64?
  /// Grows with every change.
  public let version: Int64
  /// Why it holds no slots although it should; nil for nearly all.
  public let conflict: String?
  public let value: Appointment

  public init(
    rowID: Int64, patientRowID: Int64?, clinicianRowID: Int64?, version: Int64, conflict: String?, value: Appointment
  ) {
    self.rowID = rowID
    self.patientRowID = patientRowID
    self.clinicianRowID = clinicianRowID
    self.version = version
    self.conflict = conflict
    self.value = value
  }
}

/// The practice's calendar.
///
/// An appointment that is booked, arrived or in progress occupies its clinician, and a unit of each of its resources
/// until that is clean again; see ``TimeSlots``. Reading is here, booking in `AppointmentStore+Booking.swift`.
public struct AppointmentStore {
  let connection: Connection

  public func appointment(row: Int64) throws(StoreError) -> StoredAppointment? {
    try complete(try connection.first("\(Self.selection) WHERE record.id = ?", row, read: Self.read)).first
  }

  /// Those with this id; several only when sources share it.
  public func appointments(id: String) throws(StoreError) -> [StoredAppointment] {
    var found: [StoredAppointment] = []
    for row in try connection.recordIDs.candidates(.appointment, id) {
      if let appointment = try appointment(row: row) { found.append(appointment) }
    }
    return found
  }

  /// Those that begin within an interval, such as ``PracticeTimeZone/interval(of:)`` of a day; by time and then in the
  /// order they came. Cancelled ones too.
  public func appointments(startingIn interval: Range<Timestamp>) throws(StoreError) -> [StoredAppointment] {
    try complete(
      try connection.rows(
        "\(Self.selection) WHERE record.start_at >= ? AND record.start_at < ? ORDER BY record.start_at, record.id",
        interval.lowerBound, interval.upperBound, read: Self.read))
  }

  /// A patient's, by time.
  public func appointments(patient: Int64) throws(StoreError) -> [StoredAppointment] {
    try complete(
      try connection.rows(
        "\(Self.selection) WHERE record.patient_id = ? ORDER BY record.start_at, record.id", patient, read: Self.read))
  }

  /// Those that should hold slots and don't, because others have them; by time.
  public func conflicts() throws(StoreError) -> [StoredAppointment] {
    try complete(
      try connection.rows(
        "\(Self.selection) WHERE conflict.reason IS NOT NULL ORDER BY record.start_at, record.id", read: Self.read))
  }

  public func count() throws(StoreError) -> Int { Int(try connection.number("SELECT count(*) FROM appointment")) }

  /// The number of a resource's first unit that is free for an appointment and the cleaning after it; nil for none.
  public func freeUnit(of resource: Int64, at start: Timestamp, minutes: Int) throws(StoreError) -> Int? {
    let ledger = SlotLedger(connection: connection)
    let slots = try ledger.slotsWithCleaning(resource, start, minutes)
    return try ledger.freeUnit(of: resource, slots).map { Int($0) }
  }

  /// Who has a clinician's time first; nil when it is free.
  public func taken(clinician: Int64, at start: Timestamp, minutes: Int) throws(StoreError) -> SlotTaken? {
    try SlotLedger(connection: connection).clinicianTaken(
      clinician, TimeSlots.slots(from: start, minutes: minutes))
  }

  /// Appointments whose slots aren't those their times ask for: what `doctor` looks for.
  ///
  /// - Returns: the rows, in order; empty in a sound file.
  public func rowsWithWrongSlots() throws(StoreError) -> [Int64] {
    let heads = try connection.rows("\(Self.selection) ORDER BY record.id", read: Self.read)
    var wrong: [Int64] = []
    for head in heads where try !hasRightSlots(head) { wrong.append(head.rowID) }
    return wrong
  }

  private func hasRightSlots(_ head: StoredAppointment) throws(StoreError) -> Bool {
    let slots = TimeSlots.slots(from: head.value.start, minutes: head.value.durationMinutes)
    let holds = head.value.status.occupiesTime && head.conflict == nil
    let held = try connection.rows(
      "SELECT slot, clinician_id FROM clinician_slot WHERE appointment_id = ? ORDER BY slot", head.rowID,
      read: { (slot: $0.int64(0), clinician: $0.int64(1)) })
    let clinicianSlots = try SlotLedger(connection: connection).slotsWithTravel(
      head.rowID, head.value.start, head.value.durationMinutes)
    let wanted = holds && head.clinicianRowID != nil ? Array(clinicianSlots) : []
    guard held.map(\.slot) == wanted, held.allSatisfy({ $0.clinician == head.clinicianRowID }) else { return false }
    // Cleaning may have been another length when it was booked: a run that begins with the appointment and covers it.
    let runs = try connection.rows(
      """
      SELECT min(slot), max(slot), count(*) FROM resource_slot WHERE appointment_id = ? GROUP BY resource_id, unit
      """, head.rowID, read: { (first: $0.int64(0), last: $0.int64(1), count: $0.int64(2)) })
    let resources = try connection.number(
      "SELECT count(*) FROM appointment_resource WHERE appointment_id = ?", head.rowID)
    guard runs.count == (holds && !slots.isEmpty ? Int(resources) : 0) else { return false }
    return runs.allSatisfy {
      $0.first == slots.lowerBound && $0.last + 1 >= slots.upperBound && $0.count == $0.last - $0.first + 1
    }
  }

  // MARK: Rows

  private static let selection = """
    SELECT record.id, record.patient_id, record.clinician_id, record.version, conflict.reason,
      \(RecordIDs.expression("record", .appointment)), \(RecordIDs.reference("record.patient_id", .patient)),
      \(RecordIDs.reference("record.clinician_id", .staff)), record.start_at, record.duration_minutes,
      record.actual_minutes, record.visit_type, record.reason, record.status
    FROM appointment AS record
    LEFT JOIN appointment_conflict AS conflict ON conflict.appointment_id = record.id
    """

  private static func read(_ row: Statement) throws(StoreError) -> StoredAppointment {
    guard let status = Appointment.Status(rawValue: row.text(13)) else {
      throw StoreError(.corrupt, context: "the status of appointment row \(row.int64(0))")
    }
    return StoredAppointment(
      rowID: row.int64(0), patientRowID: row.optionalInt64(1), clinicianRowID: row.optionalInt64(2),
      version: row.int64(3), conflict: row.optionalText(4),
      value: Appointment(
        id: row.text(5), patientID: row.optionalText(6), clinicianID: row.optionalText(7), start: row.timestamp(8),
        durationMinutes: row.int(9), actualMinutes: row.optionalDouble(10),
        visitType: row.optionalText(11).map { VisitType(rawValue: $0) }, reason: row.optionalText(12), status: status))
  }

  /// Adds the resources, which are rows of their own.
  private func complete(_ heads: some Sequence<StoredAppointment>) throws(StoreError) -> [StoredAppointment] {
    var appointments: [StoredAppointment] = []
    for head in heads {
      var value = head.value
      value.resourceIDs = try connection.rows(
        """
        SELECT \(RecordIDs.reference("held.resource_id", .resource)) FROM appointment_resource AS held
        WHERE held.appointment_id = ? ORDER BY held.resource_id
        """, head.rowID, read: { $0.text(0) })
      appointments.append(
        StoredAppointment(
          rowID: head.rowID, patientRowID: head.patientRowID, clinicianRowID: head.clinicianRowID,
          version: head.version, conflict: head.conflict, value: value))
    }
    return appointments
  }

  private func complete(_ head: StoredAppointment?) throws(StoreError) -> [StoredAppointment] {
    guard let head else { return [] }
    return try complete([head])
  }
}

extension Connection {
  public var appointments: AppointmentStore { AppointmentStore(connection: self) }
}
