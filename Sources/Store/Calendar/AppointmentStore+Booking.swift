public import Clinical

extension AppointmentStore {
  /// Books an appointment, or enters a requested one; from VetNet itself, unless another `source` is named.
  ///
  /// - Throws: ``SlotTaken`` when its clinician or a resource isn't free, with nothing changed; ``StoreError`` with
  ///   `unknownRecord` for ids that aren't there, and with `constraint(.unique)` for an id that is there already.
  public func book(_ appointment: Appointment, source: Int64? = nil) throws -> StoredAppointment {
    try connection.mixedTransaction {
      let source = try source ?? connection.sources.local()
      guard try connection.recordIDs.row(.appointment, externalID: appointment.id, source: source) == nil else {
        throw StoreError(.constraint(.unique), context: "appointment '\(appointment.id)'")
      }
      let written = try write(appointment, source: source)
      if let taken = try occupy(written.upserted.rowID, with: appointment, references: written.references) {
        throw taken
      }
      return try required(written.upserted.rowID)
    }
  }

  /// Inserts or updates an appointment from outside under `appointment.id` of the source.
  ///
  /// When others have its time it is kept all the same, without slots, and listed by ``conflicts()``. A change made
  /// here stays when the source says what it said before, and gives way when the source says something new.
  ///
  /// - Throws: ``StoreError/Code/unknownRecord`` for a patient, clinician or resource that isn't in the file.
  public func upsert(_ appointment: Appointment, source: Int64) throws(StoreError) -> Upserted {
    try connection.transaction { () throws(StoreError) in
      let written = try write(appointment, source: source)
      guard written.upserted.outcome != .unchanged else { return written.upserted }
      try occupyOrList(written.upserted.rowID, with: appointment, references: written.references)
      return written.upserted
    }
  }

  /// Changes an appointment, and the time it occupies with it.
  ///
  ///     try appointments.change(row: row, expecting: version) { $0.start = $0.start.adding(minutes: 30) }
  ///
  /// `version` is the one the change is based on, nil for whatever it is now; `edit` changes anything but the id. Where it is said
  /// what happened, rather than what is wished, time that somebody else has is no obstacle: `listsConflict` keeps the appointment
  /// without slots then, listed by ``conflicts()``.
  ///
  /// - Throws: ``SlotTaken`` when the new time isn't free, with nothing changed; ``StoreError`` with `changedMeanwhile`
  ///   when the version is another by now, and with `unknownRecord`.
  @discardableResult
  public func change(
    row: Int64, expecting version: Int64? = nil, listsConflict: Bool = false, _ edit: (inout Appointment) -> Void
  ) throws -> StoredAppointment {
    try connection.mixedTransaction {
      let current = try required(row)
      guard version == nil || version == current.version else {
        throw StoreError(
          .changedMeanwhile, context: "appointment '\(current.value.id)' is at version \(current.version)")
      }
      var changed = current.value
      edit(&changed)
      precondition(changed.id == current.value.id, "an appointment keeps its id")
      let references = try References(changed, preferring: nil, in: connection)
      try SlotLedger(connection: connection).release(row)
      try connection.execute(
        """
        UPDATE appointment SET patient_id = ?, clinician_id = ?, start_at = ?, duration_minutes = ?,
          actual_minutes = ?, visit_type = ?, reason = ?, status = ?, version = version + 1
        WHERE id = ?
        """, references.patient, references.clinician, changed.start, changed.durationMinutes, changed.actualMinutes,
        changed.visitType?.rawValue, changed.reason, changed.status.rawValue, row)
      if changed.reason != current.value.reason { try connection.markRemovedText() }
      if listsConflict {
        try occupyOrList(row, with: changed, references: references)
      } else if let taken = try occupy(row, with: changed, references: references) {
        throw taken
      }
      return try required(row)
    }
  }

  /// Moves an appointment in time, and to another clinician where one is named.
  ///
  /// - Throws: as ``change(row:expecting:_:)``.
  @discardableResult
  public func move(
    row: Int64, to start: Timestamp, clinicianID: String? = nil, expecting version: Int64? = nil
  ) throws -> StoredAppointment {
    try change(row: row, expecting: version) {
      $0.start = start
      if let clinicianID { $0.clinicianID = clinicianID }
    }
  }

  /// Calls an appointment off; its time is free again.
  ///
  /// - Throws: as ``change(row:expecting:_:)``, but never ``SlotTaken``.
  @discardableResult
  public func cancel(row: Int64, expecting version: Int64? = nil) throws -> StoredAppointment {
    try change(row: row, expecting: version) { $0.status = .cancelled }
  }

  /// Gives those in conflict their slots where the others have gone by now.
  ///
  /// - Returns: the rows that hold slots now.
  public func retryConflicts() throws(StoreError) -> [Int64] {
    try connection.transaction { () throws(StoreError) in
      var settled: [Int64] = []
      for stored in try conflicts() {
        let references = try References(stored.value, preferring: nil, in: connection)
        try occupyOrList(stored.rowID, with: stored.value, references: references)
        if try appointment(row: stored.rowID)?.conflict == nil { settled.append(stored.rowID) }
      }
      return settled
    }
  }

  /// Deletes an appointment and what was concluded for it.
  public func delete(row: Int64) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.execute("DELETE FROM appointment WHERE id = ?", row)
      try connection.markRemovedText()
    }
  }

  // MARK: Parts

  /// The rows that an appointment's ids mean.
  private struct References {
    var patient: Int64?
    var clinician: Int64?
    var resources: [Int64] = []

    init(_ appointment: Appointment, preferring source: Int64?, in connection: Connection) throws(StoreError) {
      let ids = connection.recordIDs
      patient = try ids.required(.patient, appointment.patientID, preferring: source)
      clinician = try ids.required(.staff, appointment.clinicianID, preferring: source)
      for id in appointment.resourceIDs {
        let resource: Int64 = try ids.required(.resource, id, preferring: source)
        if !resources.contains(resource) { resources.append(resource) }
      }
    }
  }

  private func write(
    _ appointment: Appointment, source: Int64
  ) throws(StoreError) -> (upserted: Upserted, references: References) {
    let references = try References(appointment, preferring: source, in: connection)
    var children = CanonicalBytes()
    for resource in references.resources { children.append(resource) }
    let upserted = try connection.upsert(
      .appointment, source: source, id: appointment.id,
      columns: [
        "patient_id", "clinician_id", "start_at", "duration_minutes", "actual_minutes", "visit_type", "reason",
        "status",
      ],
      children: children,
      values: references.patient, references.clinician, appointment.start, appointment.durationMinutes,
      appointment.actualMinutes, appointment.visitType?.rawValue, appointment.reason, appointment.status.rawValue
    ) { row throws(StoreError) in
      try SlotLedger(connection: connection).release(row)
      try connection.execute("UPDATE appointment SET version = version + 1 WHERE id = ?", row)
    }
    return (upserted, references)
  }

  /// Gives an appointment that holds nothing what it needs.
  ///
  /// - Returns: what is in the way, if anything; it then holds nothing still.
  private func occupy(
    _ row: Int64, with appointment: Appointment, references: References
  ) throws(StoreError) -> SlotTaken? {
    let ledger = SlotLedger(connection: connection)
    guard appointment.status.occupiesTime else {
      try ledger.list(references.resources, for: row)
      return nil
    }
    return try ledger.take(
      SlotLedger.Claim(
        appointment: row, clinician: references.clinician, resources: references.resources, start: appointment.start,
        minutes: appointment.durationMinutes))
  }

  private func occupyOrList(
    _ row: Int64, with appointment: Appointment, references: References
  ) throws(StoreError) {
    let ledger = SlotLedger(connection: connection)
    try ledger.release(row)
    guard let taken = try occupy(row, with: appointment, references: references) else { return }
    try ledger.list(references.resources, for: row)
    try connection.execute(
      "INSERT INTO appointment_conflict (appointment_id, reason) VALUES (?, ?)", row, taken.description)
  }

  private func required(_ row: Int64) throws(StoreError) -> StoredAppointment {
    guard let appointment = try appointment(row: row) else {
      throw StoreError(.unknownRecord, context: "appointment row \(row)")
    }
    return appointment
  }
}
