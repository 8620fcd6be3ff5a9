public import Clinical

/// What a patient's erasure takes out of the file.
public struct Erasure: Sendable {
  public let patientRow: Int64
  /// Of the owner who goes too; nil for one who stays, or where there is none.
  public let clientRow: Int64?
  /// The rows of what is about the patient.
  public let notes: [Int64]
  public let appointments: [Int64]
  public let intakes: [Int64]
  public let assessmentCount: Int
  /// What was written at its side, signed or not.
  public let encounterCount: Int
  /// How many photos; a picture that another patient has too stays with that one.
  public let photoCount: Int
  /// Of items of the inbox that were filed to it, or wait and can be about no other patient: more than a name says so.
  public let inboxItems: [Int64]
  /// Of items that wait and may be about it or about another; they stay.
  public let sharedItems: [Int64]
  /// Ids as the practice shows them, by kind.
  public let shown: [RecordTable: [String]]
  /// The first and the last moment of care on record.
  public let care: ClosedRange<Timestamp>?

  /// How many records go, by kind.
  public var counts: [(kind: String, count: Int)] {
    [
      ("patients", 1), ("clients", clientRow == nil ? 0 : 1), ("notes", notes.count),
      ("appointments", appointments.count), ("intakes", intakes.count), ("assessments", assessmentCount),
      ("encounters", encounterCount), ("inbox", inboxItems.count), ("photos", photoCount),
    ]
  }
}

/// Something that waits in the inbox and may be about a patient.
private struct Waiting {
  let row: Int64
  let appointment: Int64?
  let certainty: Double
  /// Codes with spaces between them.
  let evidence: String
  /// Whether it may be about another, too.
  let isShared: Bool

  /// Whether it is about this patient and nobody else. A name alone may be another animal's, whom nobody has put on file yet.
  var isOwn: Bool {
    let telling: Set<Substring> = ["microchip", "id", "owner", "email", "phone", "address"]
    return !isShared && (certainty >= 0.75 || evidence.split(separator: " ").contains(where: telling.contains))
  }
}

extension PatientStore {
  /// What erasing a patient would take out.
  public func erasure(of patient: Int64, client: Int64?) throws(StoreError) -> Erasure {
    func ids(_ sql: String) throws(StoreError) -> [Int64] {
      try connection.rows(sql, patient, read: { $0.int64(0) })
    }
    let notes = try ids("SELECT id FROM note WHERE patient_id = ? ORDER BY id")
    var appointments = try ids("SELECT id FROM appointment WHERE patient_id = ? ORDER BY id")
    let intakes = try ids("SELECT id FROM intake WHERE patient_id = ? ORDER BY id")
    let filed = try ids(
      """
      SELECT id FROM inbox_item WHERE patient_id = ?1
        OR (filed_kind = 'note' AND filed_row IN (SELECT id FROM note WHERE patient_id = ?1))
        OR (filed_kind = 'intake' AND filed_row IN (SELECT id FROM intake WHERE patient_id = ?1))
        OR (filed_kind = 'appointment' AND filed_row IN (SELECT id FROM appointment WHERE patient_id = ?1))
      ORDER BY id
      """)
    let waiting = try connection.rows(
      """
      SELECT id, appointment_id, certainty, evidence,
        EXISTS (SELECT 1 FROM inbox_candidate AS other WHERE other.item_id = item.id AND other.patient_id <> ?1)
      FROM inbox_item AS item JOIN inbox_candidate ON item_id = item.id AND inbox_candidate.patient_id = ?1
      WHERE state <> 'filed' ORDER BY id
      """, patient
    ) {
      Waiting(
        row: $0.int64(0), appointment: $0.optionalInt64(1), certainty: $0.double(2), evidence: $0.text(3),
        isShared: $0.int64(4) != 0)
    }
    let own = waiting.filter(\.isOwn)
    // What stands in the book for them says the same words.
    for item in own {
      guard let appointment = item.appointment else { continue }
      appointments += try connection.rows(
        """
        SELECT id FROM appointment WHERE patient_id IS NULL AND (id = ?1
          OR reason IS (SELECT reason FROM appointment WHERE id = ?1) AND id IN (
            SELECT other.appointment_id FROM calendar_event AS event JOIN calendar_event AS other USING (calendar, series)
            WHERE event.appointment_id = ?1)) ORDER BY id
        """, appointment, read: { $0.int64(0) }
      ).filter { !appointments.contains($0) }
    }
    var shown: [RecordTable: [String]] = [:]
    for (table, rows) in [
      (RecordTable.patient, [patient]), (.client, [client].compactMap(\.self)), (.note, notes),
      (.appointment, appointments), (.intake, intakes),
    ] {
      for row in rows { shown[table, default: []].append(try connection.recordIDs.shown(table, row) ?? "") }
    }
    // Ids that a merge took find it, too.
    shown[.patient, default: []] += try connection.merges.aliases(of: patient)
    let assessments = try connection.number(
      """
      SELECT count(*) FROM assessment
      WHERE patient_id = ?1 OR appointment_id IN (SELECT id FROM appointment WHERE patient_id = ?1)
        OR intake_id IN (SELECT id FROM intake WHERE patient_id = ?1)
        OR id IN (
          SELECT assessment_id FROM assessment_note WHERE note_id IN (SELECT id FROM note WHERE patient_id = ?1))
      """, patient)
    let care = try connection.first(
      """
      SELECT min(at), max(at) FROM (
        SELECT recorded_at AS at FROM note WHERE patient_id = ?1
        UNION ALL SELECT start_at FROM appointment WHERE patient_id = ?1 AND status = 'done'
        UNION ALL SELECT received_at FROM intake WHERE patient_id = ?1)
      """, patient
    ) { ($0.optionalTimestamp(0), $0.optionalTimestamp(1)) }
    var range: ClosedRange<Timestamp>?
    if case (let first?, let last?)? = care { range = first...last }
    return Erasure(
      patientRow: patient, clientRow: client, notes: notes, appointments: appointments, intakes: intakes,
      assessmentCount: Int(assessments),
      encounterCount: Int(try connection.number("SELECT count(*) FROM encounter WHERE patient_id = ?", patient)),
      photoCount: Int(try connection.number("SELECT count(*) FROM photo WHERE patient_id = ?", patient)),
      inboxItems: filed + own.map(\.row),
      sharedItems: waiting.filter { !$0.isOwn }.map(\.row), shown: shown, care: range)
  }

  /// Other patients of an owner, as the practice shows them.
  public func others(ofClient client: Int64, than patient: Int64) throws(StoreError) -> [String] {
    try connection.rows(
      """
      SELECT \(RecordIDs.expression("record", .patient)) FROM patient AS record
      WHERE record.owner_id = ? AND record.id <> ? ORDER BY record.id
      """, client, patient
    ) { $0.text(0) }
  }

  /// Whether a record that went in a merge into another patient is this owner's, to whom it goes back when that is taken back.
  public func isOwnerInMerge(client: Int64, intoOtherThan patient: Int64) throws(StoreError) -> Bool {
    try connection.exists(
      """
      SELECT 1 FROM patient_merge, json_each(patient_merge.parts, '$.rows') AS part,
        json_each(part.value, '$.columns') AS heading
      WHERE json_extract(part.value, '$.table') = 'patient' AND heading.value = 'owner_id'
        AND json_extract(part.value, '$.values[' || heading.key || ']') = ?
        AND patient_merge.kept_id <> ?
      """, String(client), patient)
  }

  /// The row of a patient's owner; nil for one without an entry of their own.
  public func clientRow(of patient: Int64) throws(StoreError) -> Int64? {
    try connection.first("SELECT owner_id FROM patient WHERE id = ?", patient, read: { $0.optionalInt64(0) }) ?? nil
  }

  /// Erases a patient for good, with everything about it and what was derived from that, and the owner where `erasure` names
  /// one: only ids and moments stay, in `erased`. Within the open transaction; the words are out of the write-ahead log when it
  /// has ended, unless others still read it (see ``Connection/finishErasure(waitingMilliseconds:)``).
  ///
  /// - Returns: the imports of which nothing is left; the paths of their files, which may be named after an animal, are gone too.
  @discardableResult
  public func erase(_ erasure: Erasure, at moment: Timestamp) throws(StoreError) -> Int {
    precondition(connection.transactionDepth > 0, "a patient is erased whole")
    let patient = erasure.patientRow
    let erased = connection.erased
    try erased.remember(
      .patient, row: patient, at: moment, first: erasure.care?.lowerBound, last: erasure.care?.upperBound)
    for row in erasure.notes { try erased.remember(.note, row: row, at: moment) }
    for row in erasure.appointments { try erased.remember(.appointment, row: row, at: moment) }
    for row in erasure.intakes { try erased.remember(.intake, row: row, at: moment) }
    if let client = erasure.clientRow { try erased.remember(.client, row: client, at: moment) }
    // Who was to wait for one of its appointments waits for nobody.
    for row in erasure.appointments {
      // The log of the plan says the same, or undoing would find that somebody had changed it since.
      for table in ["appointment_option", "plan_change_option"] {
        try connection.execute("UPDATE \(table) SET after_id = NULL, lag_minutes = 0 WHERE after_id = ?", row)
      }
    }
    // An id that a merge took is another source's name for the same animal.
    try connection.execute(
      """
      INSERT INTO erased (kind, external_id, source_id, erased_at)
      SELECT 'patient', external_id, source_id, ?2 FROM patient_merge WHERE kept_id = ?1
      ON CONFLICT DO UPDATE SET erased_at = excluded.erased_at
      """, patient, moment)
    let imports = try imports(of: erasure)
    for item in erasure.inboxItems { try connection.execute("DELETE FROM inbox_item WHERE id = ?", item) }
    for row in erasure.appointments {
      try connection.execute("DELETE FROM appointment WHERE id = ? AND patient_id IS NULL", row)
    }
    try delete(row: patient)
    // A tag that nothing has any more may be words about it.
    try connection.execute("DELETE FROM tag WHERE id NOT IN (SELECT tag_id FROM tagged)")
    if let client = erasure.clientRow { try connection.execute("DELETE FROM client WHERE id = ?", client) }
    // What was answered to requests is kept for a while, and may be about it.
    try connection.execute("DELETE FROM request_answer")
    var emptied = 0
    for id in imports where try !connection.exists("SELECT 1 FROM import_change WHERE import_id = ?", id) {
      try connection.execute("UPDATE import SET paths = '[]' WHERE id = ?", id)
      emptied += 1
    }
    try connection.markRemovedText()
    return emptied
  }

  private func imports(of erasure: Erasure) throws(StoreError) -> [Int64] {
    var imports: Set<Int64> = []
    for (table, rows) in [
      (RecordTable.patient, [erasure.patientRow]), (.client, [erasure.clientRow].compactMap(\.self)),
      (.note, erasure.notes), (.appointment, erasure.appointments), (.intake, erasure.intakes),
    ] {
      for row in rows {
        imports.formUnion(
          try connection.rows(
            "SELECT import_id FROM import_change WHERE kind = ? AND row_id = ?", table.rawValue, row,
            read: { $0.int64(0) }))
      }
    }
    return imports.sorted()
  }
}

extension BackupStore {
  /// Whether a file holds a patient: nil where it can't be read.
  public static func holds(_ file: String, patient id: String, of source: String) -> Bool? {
    // One with a log beside it was in use when it was set aside, and its last changes lie there.
    let isStill = (FileBytes.count(of: file + "-wal") ?? 0) == 0
    guard let connection = try? isStill ? Connection.openStill(file) : .openAsItIs(file) else { return nil }
    return try? connection.exists(
      """
      SELECT 1 FROM patient JOIN source ON source.id = patient.source_id
      WHERE patient.external_id = ? AND source.name = ?
      """, id, source)
  }
}

extension RecordIDs {
  /// The id that its source gave a record, and the source's name.
  public func origin(_ table: RecordTable, _ row: Int64) throws(StoreError) -> (id: String, source: String)? {
    try connection.first(
      """
      SELECT record.external_id, source.name FROM \(table.rawValue) AS record JOIN source ON source.id = record.source_id
      WHERE record.id = ?
      """, row
    ) { ($0.text(0), $0.text(1)) }
  }
}
