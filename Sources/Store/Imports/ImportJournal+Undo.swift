public import Clinical

/// What taking an import back did.
public struct UndoneImport: Hashable, Sendable {
  /// Something that stays as it is, because somebody changed it since or builds on it.
  public struct Kept: Hashable, Sendable {
    public let table: RecordTable
    public let id: String
    /// Nil for a record as a whole.
    public let field: String?
    public let reason: String
  }

  /// Records that the import had made and that are gone, by kind.
  public var removed: [RecordTable: Int] = [:]
  /// Records that have their old values again, by kind.
  public var restored: [RecordTable: Int] = [:]
  public var kept: [Kept] = []
}

extension ImportJournal {
  /// What an import changed of the records that were there, in the order in which it did; as far as they are still there.
  public func changes(
    of id: Int64, limit: Int = .max
  ) throws(StoreError) -> [(table: RecordTable, recordID: String, changes: [FieldChange])] {
    var result: [(table: RecordTable, recordID: String, changes: [FieldChange])] = []
    for row in try connection.rows(
      """
      \(Self.changeSelection) WHERE import_id = ? AND before IS NOT NULL ORDER BY id LIMIT ?
      """, id, limit, read: Self.readChange)
    {
      let shown = try connection.recordIDs.shown(row.table, row.row) ?? ""
      var changes: [FieldChange] = []
      for (field, new) in row.after.sorted(by: { $0.key < $1.key }) {
        changes.append(FieldChange(field: field, old: row.before[field] ?? .none, new: new))
      }
      result.append((row.table, shown, changes))
    }
    return result
  }

  /// Takes an import back: what it made goes, what it changed gets its old values again; the value of an earlier import that was
  /// taken back too is none of these, but what was there before that.
  ///
  /// A record that was changed since or that others build on stays, and so does a field that holds something else by now;
  /// each is named, and may be tried again. Everything happens in one transaction.
  ///
  /// - Throws: ``StoreError/Code/unknownRecord`` when there is no such import, or when it was taken back whole.
  public func undo(_ id: Int64, at moment: Timestamp, actor: String) throws(StoreError) -> UndoneImport {
    try connection.transaction { () throws(StoreError) in
      guard let entry = try entry(id), entry.isStanding else {
        throw StoreError(.unknownRecord, context: "import \(id) that could be undone")
      }
      var result = UndoneImport()
      // What refers to others goes before them.
      for table in [RecordTable.appointment, .intake, .note, .patient, .client, .staff, .resource, .location] {
        let changes = try connection.rows(
          """
          \(Self.changeSelection) WHERE import_id = ? AND kind = ? ORDER BY id DESC
          """, id, table.rawValue, read: Self.readChange)
        for change in changes {
          if change.insertedHash != nil {
            try remove(change, &result)
          } else {
            try restore(change, at: moment, actor: actor, &result)
          }
        }
      }
      try connection.execute(
        "UPDATE import SET undone_at = ?, undone_by = ?, undo_kept_count = ? WHERE id = ?", moment, actor,
        result.kept.count, id)
      try connection.markRemovedText()
      return result
    }
  }

  // MARK: Parts

  private struct Change {
    let id: Int64
    let importID: Int64
    let table: RecordTable
    let row: Int64
    let insertedHash: [UInt8]?
    let before: [String: FieldContent]
    let after: [String: FieldContent]
    let version: Int64?
    let saidBefore: [UInt8]?
  }

  private static let changeSelection = """
    SELECT id, kind, row_id, inserted_hash, before, after, version_id, said_before, import_id FROM import_change
    """

  private static func readChange(_ row: Statement) throws(StoreError) -> Change {
    guard let table = RecordTable(rawValue: row.text(1)) else {
      throw StoreError(.corrupt, context: "import change row \(row.int64(0))")
    }
    return Change(
      id: row.int64(0), importID: row.int64(8), table: table, row: row.int64(2),
      insertedHash: row.isNull(3) ? nil : row.bytes(3),
      before: try FieldJSON.decode(row.optionalText(4) ?? "{}", as: [String: FieldContent].self),
      after: try FieldJSON.decode(row.optionalText(5) ?? "{}", as: [String: FieldContent].self),
      version: row.optionalInt64(6), saidBefore: row.isNull(7) ? nil : row.bytes(7))
  }

  private func remove(_ change: Change, _ result: inout UndoneImport) throws(StoreError) {
    let table = change.table
    guard
      let hash = try connection.first(
        "SELECT content_hash FROM \(table.rawValue) WHERE id = ?", change.row, read: { $0.bytes(0) })
    else { return }
    let shown = try connection.recordIDs.shown(table, change.row) ?? ""
    var reason: String?
    if hash != change.insertedHash {
      reason = "was changed since"
    } else {
      for (words, query) in Self.dependents(of: table) where try connection.exists(query, change.row) {
        reason = words
        break
      }
    }
    if let reason {
      result.kept.append(UndoneImport.Kept(table: table, id: shown, field: nil, reason: reason))
      return
    }
    switch table {
    case .note: try connection.notes.delete(row: change.row)
    case .intake: try connection.intakes.delete(row: change.row)
    case .appointment: try connection.appointments.delete(row: change.row)
    case .patient: try connection.patients.delete(row: change.row)
    case .client, .location, .staff, .resource:
      try connection.execute("DELETE FROM \(table.rawValue) WHERE id = ?", change.row)
    }
    result.removed[table, default: 0] += 1
  }

  private static func tagged(_ table: RecordTable) -> String {
    "SELECT 1 FROM tagged WHERE kind = '\(table.rawValue)' AND row_id = ? AND import_id IS NULL"
  }

  /// What may build on a record, and how to find it.
  private static func dependents(of table: RecordTable) -> [(reason: String, query: String)] {
    switch table {
    case .client:
      [
        ("is the owner of a patient that stays", "SELECT 1 FROM patient WHERE owner_id = ?"),
        (
          "is the owner of a record that was merged into another",
          """
          SELECT 1 FROM patient_merge, json_each(patient_merge.parts, '$.rows') AS part,
            json_each(part.value, '$.columns') AS heading
          WHERE json_extract(part.value, '$.table') = 'patient' AND heading.value = 'owner_id'
            AND CAST(json_extract(part.value, '$.values[' || heading.key || ']') AS INTEGER) = ?
          """
        ),
      ]
    case .patient:
      [
        ("has notes that stay", "SELECT 1 FROM note WHERE patient_id = ?"),
        ("has intakes that stay", "SELECT 1 FROM intake WHERE patient_id = ?"),
        ("has appointments that stay", "SELECT 1 FROM appointment WHERE patient_id = ?"),
        ("has an encounter", "SELECT 1 FROM encounter WHERE patient_id = ?"),
        ("has photos", "SELECT 1 FROM photo WHERE patient_id = ?"),
        ("was assessed since", "SELECT 1 FROM assessment WHERE patient_id = ?"),
        (
          // One that was merged before it came in is no record of this file.
          "holds a record that was merged into it",
          "SELECT 1 FROM patient_merge WHERE kept_id = ? AND json_extract(parts, '$.patient') <> 0"
        ),
        ("has a tag", tagged(.patient)),
      ]
    case .location:
      [
        ("is where somebody works who stays", "SELECT 1 FROM staff_hours WHERE location_id = ?"),
        ("has rooms that stay", "SELECT 1 FROM resource WHERE location_id = ?"),
        ("has appointments that stay", "SELECT 1 FROM appointment_option WHERE location_id = ?"),
        ("is where a user has a role", "SELECT 1 FROM user_location_role WHERE location_id = ?"),
      ]
    case .staff:
      [
        ("has appointments that stay", "SELECT 1 FROM appointment WHERE clinician_id = ?"),
        ("stands in the plan's log", "SELECT 1 FROM plan_change_side WHERE clinician_id = ?"),
        ("has an address for invitations", "SELECT 1 FROM staff_address WHERE staff_id = ?"),
        ("has a calendar", "SELECT 1 FROM calendar WHERE clinician_id = ?"),
      ]
    case .resource:
      [
        ("is used by appointments that stay", "SELECT 1 FROM appointment_resource WHERE resource_id = ?"),
        ("stands in the plan's log", "SELECT 1 FROM plan_change_resource WHERE resource_id = ?"),
      ]
    case .appointment:
      [
        ("was changed in the plan since", "SELECT 1 FROM plan_change_side WHERE appointment_id = ?"),
        (
          "another appointment waits for it",
          """
          SELECT 1 FROM appointment_option AS wish WHERE after_id = ?1 AND NOT EXISTS (
            SELECT 1 FROM import_change AS made JOIN import_change AS other ON other.import_id = made.import_id
            WHERE made.kind = 'appointment' AND made.row_id = ?1 AND made.inserted_hash IS NOT NULL
              AND other.kind = 'appointment' AND other.row_id = wish.appointment_id AND other.inserted_hash IS NOT NULL)
          """
        ),
        ("was assessed since", "SELECT 1 FROM assessment WHERE appointment_id = ?"),
        ("has a tag", tagged(.appointment)),
      ]
    case .note:
      [
        ("has a tag", tagged(.note)),
        (
          "was retracted since",
          "SELECT 1 FROM note_retraction WHERE note_id = ?1 AND retracted_at >= \(broughtAt(.note))"
        ),
        (
          "was changed since",
          """
          SELECT 1 FROM note_version
          WHERE note_id = ?1 AND cause IN ('amended', 'moved') AND replaced_at >= \(broughtAt(.note))
          """
        ),
      ]
    case .intake:
      [
        ("was assessed since", "SELECT 1 FROM assessment WHERE intake_id = ?1 AND created_at >= \(broughtAt(.intake))")
      ]
    }
  }

  /// SQL for the moment at which the import that made the record ?1 began: what a record brought with it is older.
  private static func broughtAt(_ table: RecordTable) -> String {
    """
    coalesce((SELECT max(import.started_at) FROM import_change AS made JOIN import ON import.id = made.import_id
      WHERE made.kind = '\(table.rawValue)' AND made.row_id = ?1 AND made.inserted_hash IS NOT NULL), 0)
    """
  }

  private func restore(
    _ change: Change, at moment: Timestamp, actor: String, _ result: inout UndoneImport
  ) throws(StoreError) {
    switch change.table {
    case .client: try restore(Client.self, change, moment, actor, &result)
    case .patient: try restore(Patient.self, change, moment, actor, &result)
    case .location: try restore(Location.self, change, moment, actor, &result)
    case .staff: try restore(StaffMember.self, change, moment, actor, &result)
    case .resource: try restore(Resource.self, change, moment, actor, &result)
    case .appointment: try restore(Appointment.self, change, moment, actor, &result)
    case .note: try restore(ClinicalNote.self, change, moment, actor, &result)
    case .intake: try restore(Intake.self, change, moment, actor, &result)
    }
  }

  private func restore<Record: StoredFields>(
    _: Record.Type, _ change: Change, _ moment: Timestamp, _ actor: String, _ result: inout UndoneImport
  ) throws(StoreError) {
    guard let current = try Record.recorded(row: change.row, in: connection),
      let identity = try identity(change.table, change.row)
    else { return }
    let shown = current.id
    guard try connection.recordHashes.isSound(change.table, change.row) else {
      result.kept.append(
        UndoneImport.Kept(
          table: change.table, id: shown, field: nil, reason: "is not as it was written; see vetnet doctor"))
      return
    }
    var old = current
    old.id = identity.externalID
    var restored: [String] = []
    /// Per field what the source had said before; the row of the import that is taken back with it.
    var said: [(field: String, before: [UInt8]?)] = []
    var followed: [Int64] = []
    for (name, after) in change.after.sorted(by: { $0.key < $1.key }) {
      func keep(_ reason: String) {
        result.kept.append(UndoneImport.Kept(table: change.table, id: shown, field: name, reason: reason))
      }
      if name == "id" {
        if change.before[name] == .text(identity.externalID) { continue }
        guard .text(identity.externalID) == after, case .text(let former)? = change.before[name] else {
          keep("was changed since")
          continue
        }
        old.id = former
        restored.append(name)
        said.append((name, change.saidBefore))
        continue
      }
      guard let field = Record.field(name) else { continue }
      let now = field.read(current)
      let origin = try self.origin(of: name, in: change)
      // It was taken back already, or has that value for another reason.
      if now == origin.before { continue }
      guard now == after || Self.fingerprint(now) == after else {
        keep("was changed since")
        continue
      }
      if let later = try laterImport(of: name, than: change) {
        keep("was changed since, by import \(later)")
        continue
      }
      guard field.write(&old, origin.before) else {
        keep("has no old value")
        continue
      }
      restored.append(name)
      said.append((name, origin.saidBefore))
      followed += origin.undone
    }
    guard !restored.isEmpty else { return }
    do {
      try connection.transaction { () throws(StoreError) in
        if change.version != nil {
          try connection.notes.keepVersion(
            row: change.row, cause: .importUndone, reason: nil, at: moment, actor: actor)
        }
        if old.id != identity.externalID {
          try connection.execute(
            "UPDATE \(change.table.rawValue) SET external_id = ? WHERE id = ?", old.id, change.row)
        }
        _ = try old.write(source: identity.source, to: connection)
        var memory = SaidFields(
          stored: try connection.first(
            "SELECT said FROM \(change.table.rawValue) WHERE id = ?", change.row, read: { $0.bytes(0) }))
        // What the source said is forgotten too: the same import run again has news again.
        for (field, before) in said {
          let fields = [field] + (field == "phone" ? Self.phoneFields(change) : [])
          memory.restore(fields, from: SaidFields(stored: before))
        }
        try connection.execute(
          "UPDATE \(change.table.rawValue) SET said = ? WHERE id = ?", memory.bytes, change.row)
        // What these had to leave as it was is done now.
        for id in followed {
          try connection.execute(
            "UPDATE import SET undo_kept_count = max(0, undo_kept_count - 1) WHERE id = ?", id)
        }
      }
      result.restored[change.table, default: 0] += 1
    } catch  where error.code == .unknownRecord || error.code == .ambiguousID || error.code == .constraint(.unique) {
      for name in restored {
        result.kept.append(
          UndoneImport.Kept(
            table: change.table, id: shown, field: name, reason: "what it referred to is no longer on file"))
      }
    }
  }

  /// What a field held before a change, and before those that it followed upon where they were taken back too.
  private func origin(
    of field: String, in change: Change
  ) throws(StoreError) -> (before: FieldContent, saidBefore: [UInt8]?, undone: [Int64]) {
    var before = try content(before: change, field)
    var said = change.saidBefore
    var undone: [Int64] = []
    let earlier = try connection.rows(
      """
      \(Self.changeSelection) WHERE kind = ? AND row_id = ? AND id < ? AND before IS NOT NULL ORDER BY id DESC
      """, change.table.rawValue, change.row, change.id, read: Self.readChange)
    for other in earlier {
      guard let after = other.after[field] else { continue }
      guard after == before || after == Self.fingerprint(before), try entry(other.importID)?.undoneAt != nil else {
        break
      }
      before = try content(before: other, field)
      said = other.saidBefore
      undone.append(other.importID)
    }
    return (before, said, undone)
  }

  /// What a field held before a change; a note's text is in the version that was kept.
  private func content(before change: Change, _ field: String) throws(StoreError) -> FieldContent {
    if let before = change.before[field] { return before }
    guard let version = change.version else { return .none }
    let text = try connection.first("SELECT text FROM note_version WHERE id = ?", version, read: { $0.text(0) })
    return text.map { .text($0) } ?? .none
  }

  /// The latest import that stands and wrote a field after a change did.
  private func laterImport(of field: String, than change: Change) throws(StoreError) -> Int64? {
    let later = try connection.rows(
      """
      \(Self.changeSelection) WHERE kind = ? AND row_id = ? AND id > ? AND import_id <> ? AND before IS NOT NULL
      ORDER BY id DESC
      """, change.table.rawValue, change.row, change.id, change.importID, read: Self.readChange)
    for other in later where other.after[field] != nil {
      if try entry(other.importID)?.undoneAt == nil { return other.importID }
    }
    return nil
  }

  /// The fields that telephone numbers were stated as.
  private static func phoneFields(_ change: Change) -> [String] {
    [change.before["phone"], change.after["phone"]].flatMap { content -> [String] in
      guard case .list(let phones)? = content else { return [] }
      return phones.map { StatedFields.phone(labelled: $0["label"].text) }
    }
  }
}
