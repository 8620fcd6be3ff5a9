public import Clinical

/// The record of what was done to the plan: it only grows, and undoing is one more entry.
public struct PlanLog {
  let connection: Connection

  /// The plan's version: that of the latest change; 0 before any.
  public func version() throws(StoreError) -> Int64 {
    try connection.number("SELECT coalesce(max(id), 0) FROM plan_change")
  }

  /// A number that differs whenever an appointment, a member of staff or a room has changed, whoever changed it.
  public func revision() throws(StoreError) -> Int64 {
    try connection.number("SELECT number FROM plan_revision")
  }

  /// Names this file's calendar among others; made with the file.
  public func calendarID() throws(StoreError) -> String {
    guard let id = try connection.first("SELECT calendar_id FROM plan_revision", read: { $0.text(0) }) else {
      throw StoreError(.corrupt, context: "the plan's revision")
    }
    return id
  }

  /// Records a change.
  ///
  /// - Returns: the plan's version from now on.
  @discardableResult
  public func append(
    _ kind: PlanEntry.Kind, at moment: Timestamp, reverts: Int64? = nil, rows: [PlanEntry.Row]
  ) throws(StoreError) -> Int64 {
    try connection.transaction { () throws(StoreError) in
      let version = try self.version() + 1
      try connection.execute(
        "INSERT INTO plan_change (id, changed_at, kind, reverts_id) VALUES (?, ?, ?, ?)", version, moment,
        kind.rawValue, reverts)
      for row in rows {
        if let before = row.before { try write(before, "before", of: row.rowID, change: version) }
        try write(row.after, "after", of: row.rowID, change: version)
      }
      return version
    }
  }

  private func write(
    _ state: PlanState, _ side: String, of appointment: Int64, change: Int64
  ) throws(StoreError) {
    let clinician: Int64? = try connection.recordIDs.required(.staff, state.clinicianID, preferring: nil)
    try connection.execute(
      """
      INSERT INTO plan_change_side
        (change_id, appointment_id, side, status, start_at, duration_minutes, clinician_id, visit_type)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, change, appointment, side, state.status.rawValue, state.start, state.minutes, clinician,
      state.visitType?.rawValue)
    let row = try connection.number("SELECT last_insert_rowid()")
    for id in state.resourceIDs {
      let resource: Int64 = try connection.recordIDs.required(.resource, id)
      try connection.execute(
        "INSERT OR IGNORE INTO plan_change_resource (side_id, resource_id) VALUES (?, ?)", row, resource)
    }
    if let options = state.options { try write(options, side: row) }
  }

  private func write(_ options: AppointmentOptions, side: Int64) throws(StoreError) {
    let after: Int64? = try connection.recordIDs.required(.appointment, options.afterID, preferring: nil)
    let location: Int64? = try connection.recordIDs.required(.location, options.locationID, preferring: nil)
    try connection.execute(
      """
      INSERT INTO plan_change_option (side_id, keeps_time, keeps_clinician, keeps_rooms, window_from, window_to,
        after_id, lag_minutes, travel_before_minutes, travel_after_minutes, urgency, received_at, location_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, side, options.keepsTime ? 1 : 0, options.keepsClinician ? 1 : 0, options.keepsRooms ? 1 : 0,
      options.window?.lowerBound, options.window?.upperBound, after, options.lagMinutes, options.travelBefore,
      options.travelAfter, options.urgency?.rawValue, options.receivedAt, location)
  }

  private func options(side: Int64) throws(StoreError) -> AppointmentOptions? {
    try connection.first(
      """
      SELECT wish.keeps_time, wish.keeps_clinician, wish.keeps_rooms, wish.window_from, wish.window_to,
        \(RecordIDs.reference("wish.after_id", .appointment)), wish.lag_minutes, wish.travel_before_minutes,
        wish.travel_after_minutes, wish.urgency, wish.received_at,
        \(RecordIDs.reference("wish.location_id", .location)), side.appointment_id
      FROM plan_change_option AS wish JOIN plan_change_side AS side ON side.id = wish.side_id WHERE wish.side_id = ?
      """, side, read: AppointmentStore.readOptions)
  }

  /// The change that made the plan's version; nil when there is none.
  public func entry(version: Int64) throws(StoreError) -> PlanEntry? {
    try entries(after: version - 1, through: version).first
  }

  /// The changes after one version up to another, the oldest first; those of appointments deleted since are left out.
  public func entries(after first: Int64 = 0, through last: Int64 = .max) throws(StoreError) -> [PlanEntry] {
    let heads = try heads(after: first, through: last)
    var entries: [PlanEntry] = []
    for head in heads { entries.append(try complete(head)) }
    return entries
  }

  /// Version, kind and what it reverts of every change, the oldest first: all that undo and redo ask for.
  public func outline() throws(StoreError) -> [(version: Int64, kind: PlanEntry.Kind, reverts: Int64?)] {
    var outline: [(version: Int64, kind: PlanEntry.Kind, reverts: Int64?)] = []
    for head in try heads(after: 0, through: .max) { outline.append((head.version, head.kind, head.reverts)) }
    return outline
  }

  private func heads(after first: Int64, through last: Int64) throws(StoreError) -> [PlanEntry] {
    try connection.rows(
      "SELECT id, changed_at, kind, reverts_id FROM plan_change WHERE id > ? AND id <= ? ORDER BY id", first, last
    ) { row throws(StoreError) in
      guard let kind = PlanEntry.Kind(rawValue: row.text(2)) else {
        throw StoreError(.corrupt, context: "the kind of plan change \(row.int64(0))")
      }
      return PlanEntry(
        version: row.int64(0), at: row.timestamp(1), kind: kind, reverts: row.optionalInt64(3), rows: [])
    }
  }

  private func complete(_ head: PlanEntry) throws(StoreError) -> PlanEntry {
    let sides = try connection.rows(
      """
      SELECT side.id, side.appointment_id, side.side, side.status, side.start_at, side.duration_minutes,
        \(RecordIDs.reference("side.clinician_id", .staff)), side.visit_type
      FROM plan_change_side AS side WHERE side.change_id = ? ORDER BY side.appointment_id, side.side DESC
      """, head.version
    ) { row throws(StoreError) in
      guard let status = Appointment.Status(rawValue: row.text(3)) else {
        throw StoreError(.corrupt, context: "plan change \(head.version)")
      }
      return (
        row: row.int64(0), appointment: row.int64(1), isBefore: row.text(2) == "before", status: status,
        start: row.timestamp(4), minutes: row.int(5), clinician: row.optionalText(6),
        visitType: row.optionalText(7).map { VisitType(rawValue: $0) }
      )
    }
    var rows: [PlanEntry.Row] = []
    var before: (appointment: Int64, state: PlanState)?
    for side in sides {
      let resources = try connection.rows(
        """
        SELECT \(RecordIDs.reference("held.resource_id", .resource)) FROM plan_change_resource AS held
        WHERE held.side_id = ? ORDER BY held.resource_id
        """, side.row, read: { $0.text(0) })
      let state = PlanState(
        status: side.status, start: side.start, minutes: side.minutes, clinicianID: side.clinician,
        resourceIDs: resources, visitType: side.visitType, options: try options(side: side.row))
      if side.isBefore {
        before = (side.appointment, state)
      } else if let id = try connection.recordIDs.shown(.appointment, side.appointment) {
        rows.append(
          PlanEntry.Row(
            rowID: side.appointment, appointmentID: id,
            before: before?.appointment == side.appointment ? before?.state : nil, after: state))
        before = nil
      }
    }
    return PlanEntry(version: head.version, at: head.at, kind: head.kind, reverts: head.reverts, rows: rows)
  }
}

extension Connection {
  public var plan: PlanLog { PlanLog(connection: self) }
}
