public import Clinical

extension AppointmentStore {
  /// The wishes and limits of an appointment; empty where none were set.
  public func options(row: Int64) throws(StoreError) -> AppointmentOptions {
    try connection.first("\(Self.optionSelection) WHERE wish.appointment_id = ?", row, read: Self.readOptions)
      ?? AppointmentOptions()
  }

  /// The options of all appointments that begin within an interval and have any, by the id they are shown with.
  public func options(startingIn interval: Range<Timestamp>) throws(StoreError) -> [String: AppointmentOptions] {
    let rows = try connection.rows(
      """
      \(Self.optionSelection) JOIN appointment AS record ON record.id = wish.appointment_id
      WHERE record.start_at >= ? AND record.start_at < ?
      """, interval.lowerBound, interval.upperBound
    ) { row throws(StoreError) in (id: row.int64(12), options: try Self.readOptions(row)) }
    var options: [String: AppointmentOptions] = [:]
    for row in rows {
      if let id = try connection.recordIDs.shown(.appointment, row.id) { options[id] = row.options }
    }
    return options
  }

  /// Replaces the wishes and limits of an appointment. Travel is the clinician's time: one that is booked takes its
  /// slots anew.
  ///
  /// - Throws: ``SlotTaken`` when the time on the road isn't free, with nothing changed; ``StoreError`` with
  ///   `unknownRecord` for an appointment to come after that isn't there.
  public func setOptions(_ options: AppointmentOptions, row: Int64) throws {
    try connection.mixedTransaction {
      let before = try self.options(row: row)
      let after: Int64? = try connection.recordIDs.required(.appointment, options.afterID, preferring: nil)
      let location: Int64? = try connection.recordIDs.required(.location, options.locationID, preferring: nil)
      try connection.execute(
        """
        INSERT INTO appointment_option (appointment_id, keeps_time, keeps_clinician, keeps_rooms, window_from,
          window_to, after_id, lag_minutes, travel_before_minutes, travel_after_minutes, urgency, received_at,
          location_id)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        ON CONFLICT (appointment_id) DO UPDATE SET keeps_time = ?2, keeps_clinician = ?3, keeps_rooms = ?4,
          window_from = ?5, window_to = ?6, after_id = ?7, lag_minutes = ?8, travel_before_minutes = ?9,
          travel_after_minutes = ?10, urgency = ?11, received_at = ?12, location_id = ?13
        """, row, options.keepsTime ? 1 : 0, options.keepsClinician ? 1 : 0, options.keepsRooms ? 1 : 0,
        options.window?.lowerBound, options.window?.upperBound, after, options.lagMinutes, options.travelBefore,
        options.travelAfter, options.urgency?.rawValue, options.receivedAt, location)
      let travels = (before.travelBefore, before.travelAfter) != (options.travelBefore, options.travelAfter)
      if travels, try appointment(row: row)?.value.status.occupiesTime == true { try change(row: row) { _ in } }
    }
  }

  private static let optionSelection = """
    SELECT wish.keeps_time, wish.keeps_clinician, wish.keeps_rooms, wish.window_from, wish.window_to,
      \(RecordIDs.reference("wish.after_id", .appointment)), wish.lag_minutes, wish.travel_before_minutes,
      wish.travel_after_minutes, wish.urgency, wish.received_at,
      \(RecordIDs.reference("wish.location_id", .location)), wish.appointment_id
    FROM appointment_option AS wish
    """

  static func readOptions(_ row: Statement) throws(StoreError) -> AppointmentOptions {
    var options = AppointmentOptions()
    options.keepsTime = row.int(0) == 1
    options.keepsClinician = row.int(1) == 1
    options.keepsRooms = row.int(2) == 1
    if let from = row.optionalInt64(3), let to = row.optionalInt64(4) {
      guard from < to else { throw StoreError(.corrupt, context: "the window of appointment row \(row.int64(12))") }
      options.window = Timestamp(seconds: from)..<Timestamp(seconds: to)
    }
    options.afterID = row.optionalText(5)
    options.lagMinutes = row.int(6)
    options.travelBefore = row.int(7)
    options.travelAfter = row.int(8)
    options.urgency = row.optionalText(9).flatMap(Urgency.init(rawValue:))
    options.receivedAt = row.optionalInt64(10).map(Timestamp.init(seconds:))
    options.locationID = row.optionalText(11)
    return options
  }
}

extension AppointmentStore {
  /// Those that were asked for and have no slot, by the time wished for.
  public func requested() throws(StoreError) -> [StoredAppointment] {
    var found: [StoredAppointment] = []
    for row in try connection.rows(
      "SELECT id FROM appointment WHERE status = 'requested' ORDER BY start_at, id", read: { $0.int64(0) })
    {
      if let appointment = try appointment(row: row) { found.append(appointment) }
    }
    return found
  }

  /// The visit types that appointments on file have, in alphabetical order.
  public func visitTypes() throws(StoreError) -> [VisitType] {
    try connection.rows(
      "SELECT DISTINCT visit_type FROM appointment WHERE visit_type IS NOT NULL ORDER BY visit_type"
    ) { VisitType(rawValue: $0.text(0)) }
  }
}
