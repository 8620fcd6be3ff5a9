/// What a record was when it was last written, in 32 bytes.
public struct RecordHash: Hashable, Sendable {
  public let table: RecordTable
  public let rowID: Int64
  public let hash: ContentHash

  public init(table: RecordTable, rowID: Int64, hash: ContentHash) {
    self.table = table
    self.rowID = rowID
    self.hash = hash
  }
}

/// A record that is not what was written.
public struct AlteredRecord: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// It has other values than were written.
    case changed
    /// Nothing says that it was ever written.
    case unknown
    /// It was written, and is gone.
    case missing
  }

  public let table: RecordTable
  public let rowID: Int64
  public let kind: Kind
  /// As it stands in the row, which may be what was changed.
  public let externalID: String
  /// Seconds since 1970, of a note or an intake.
  public let moment: Int64?
}

/// A record that a transaction has changed: written anew where `before` is nil, taken away where `after` is.
public struct RecordChange: Hashable, Sendable {
  public let table: RecordTable
  public let rowID: Int64
  /// As the practice shows it.
  public let id: String
  public let before: ContentHash?
  public let after: ContentHash?
}

/// The hashes of all records, kept as they are written; see `record_hash` in the schema.
///
/// Nothing has to be told of a new way to write a record: SQLite names each row that a transaction changes, and the hashes of
/// those that are records are taken from the file before the transaction is committed.
public struct RecordHashes {
  let connection: Connection

  /// Goes through all hashes, by table and row.
  public func forEach(_ body: (RecordHash) throws(StoreError) -> Void) throws(StoreError) {
    try connection.withStatement("SELECT kind, row_id, hash FROM record_hash ORDER BY kind, row_id") {
      statement throws(StoreError) in
      while try statement.step() {
        guard let table = RecordTable(rawValue: statement.text(0)) else { continue }
        try body(RecordHash(table: table, rowID: statement.int64(1), hash: ContentHash(stored: statement.bytes(2))))
      }
    }
  }

  /// The hash of a record as it was last written; nil for one that never was.
  public func hash(_ table: RecordTable, _ row: Int64) throws(StoreError) -> ContentHash? {
    try connection.first("SELECT hash FROM record_hash WHERE kind = ? AND row_id = ?", table.rawValue, row) {
      ContentHash(stored: $0.bytes(0))
    }
  }

  /// Whether a record is what was written.
  ///
  /// - Complexity: reads the record, and BLAKE2b of it: some microseconds.
  public func isIntact(_ table: RecordTable, _ row: Int64) throws(StoreError) -> Bool {
    var isIntact = false
    try check(table, where: "record.id = ?", row) { _, problem in isIntact = problem == nil }
    return isIntact
  }

  /// Whether a change of a part of a record leaves it sound: it is what was written, or was written in the open transaction,
  /// whose hashes are taken at its end.
  func isSound(_ table: RecordTable, _ row: Int64) throws(StoreError) -> Bool {
    if connection.writtenRecords.contains(table, row) { return true }
    return try isIntact(table, row)
  }

  /// - Throws: ``StoreError/Code/alteredRecord`` for a record that is not ``isSound(_:_:)``: a part of it written anew would give
  ///   the rest a hash as well.
  func requireSound(_ table: RecordTable, _ row: Int64) throws(StoreError) {
    guard try isSound(table, row) else {
      throw StoreError(.alteredRecord, context: try connection.recordIDs.shown(table, row) ?? "\(table.rawValue)")
    }
  }

  /// Those of a patient's notes that are not what was written.
  ///
  /// - Complexity: reads the patient's notes once.
  public func alteredNotes(patient: Int64) throws(StoreError) -> [AlteredRecord] {
    var altered: [AlteredRecord] = []
    try check(.note, where: "record.patient_id = ?", patient) { row, problem in
      if let problem { altered.append(Self.altered(.note, row, problem)) }
    }
    return altered
  }

  /// The records of a table that are not what was written, and those that are gone.
  ///
  /// - Complexity: reads the table once.
  public func altered(_ table: RecordTable) throws(StoreError) -> [AlteredRecord] {
    var altered: [AlteredRecord] = []
    try check(table, where: "? = 0", Int64(0)) { row, problem in
      if let problem { altered.append(Self.altered(table, row, problem)) }
    }
    altered += try connection.rows(
      // One that was imported again has another row.
      """
      SELECT row_id, external_id FROM record_hash AS sealed
      WHERE kind = ? AND NOT EXISTS (SELECT 1 FROM \(table.rawValue) AS record WHERE record.id = row_id)
        AND NOT EXISTS (
          SELECT 1 FROM \(table.rawValue) AS record
          WHERE record.external_id = sealed.external_id AND record.source_id = sealed.source_id)
      ORDER BY row_id
      """, table.rawValue
    ) { AlteredRecord(table: table, rowID: $0.int64(0), kind: .missing, externalID: $0.text(1), moment: nil) }
    return altered
  }

  /// Takes the hash of a record as it stands in the open transaction, or takes it away with the record.
  func seal(_ table: RecordTable, _ row: Int64, isFirst: Bool = false) throws(StoreError) {
    guard let hash = try current(table, row, isFirst: isFirst) else {
      try connection.execute("DELETE FROM record_hash WHERE kind = ? AND row_id = ?", table.rawValue, row)
      return
    }
    try connection.execute(
      """
      INSERT INTO record_hash (kind, row_id, source_id, external_id, hash)
      SELECT ?1, id, source_id, external_id, ?3 FROM \(table.rawValue) WHERE id = ?2
      ON CONFLICT (kind, row_id) DO UPDATE SET
        source_id = excluded.source_id, external_id = excluded.external_id, hash = excluded.hash
      """, table.rawValue, row, hash.bytes)
  }

  /// ``seal(_:_:)``, saying what the record was before; nil for one that is as it was.
  func sealTelling(_ table: RecordTable, _ row: Int64) throws(StoreError) -> RecordChange? {
    let before = try connection.first(
      "SELECT hash, external_id FROM record_hash WHERE kind = ? AND row_id = ?", table.rawValue, row
    ) { (hash: ContentHash(stored: $0.bytes(0)), id: $0.text(1)) }
    try seal(table, row)
    let after = try hash(table, row)
    guard before?.hash != after else { return nil }
    let id = try connection.recordIDs.shown(table, row) ?? before?.id ?? ""
    return RecordChange(table: table, rowID: row, id: id, before: before?.hash, after: after)
  }

  /// Takes the hashes of all records as they are: for a file from before there were any, which has nothing of
  /// ``RecordTable/laterChildren`` yet.
  func sealAll() throws(StoreError) {
    for table in RecordTable.allCases {
      // Kinds of record that a later migration brings.
      guard
        try connection.exists("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", table.rawValue)
      else { continue }
      for row in try connection.rows("SELECT id FROM \(table.rawValue) ORDER BY id", read: { $0.int64(0) }) {
        try seal(table, row, isFirst: true)
      }
    }
  }

  // MARK: Hashing

  private func current(_ table: RecordTable, _ row: Int64, isFirst: Bool) throws(StoreError) -> ContentHash? {
    var canonical = CanonicalBytes()
    let found = try connection.first(
      "SELECT * FROM \(table.rawValue) WHERE id = ?", row,
      read: { statement throws(StoreError) -> Bool in
        statement.append(columns: statement.columnCount, to: &canonical)
        return true
      })
    guard found != nil else { return nil }
    try appendChildren(of: table, row, isFirst: isFirst, to: &canonical)
    return ContentHash(of: canonical)
  }

  /// Compares records with their hashes; `body` gets each row, and what is wrong with it.
  private func check(
    _ table: RecordTable, where condition: String, _ value: Int64,
    _ body: (_ row: Statement, _ problem: AlteredRecord.Kind?) -> Void
  ) throws(StoreError) {
    try connection.withStatement(
      """
      SELECT sealed.hash, record.id, record.external_id, \(table.moment ?? "NULL"), record.*
      FROM \(table.rawValue) AS record
      LEFT JOIN record_hash AS sealed ON sealed.kind = '\(table.rawValue)' AND sealed.row_id = record.id
      WHERE \(condition) ORDER BY record.id
      """
    ) { statement throws(StoreError) in
      try statement.bind(value, at: 1)
      while try statement.step() {
        guard !statement.isNull(0) else {
          body(statement, .unknown)
          continue
        }
        var canonical = CanonicalBytes()
        statement.append(columns: statement.columnCount, from: 4, to: &canonical)
        try appendChildren(of: table, statement.int64(1), to: &canonical)
        body(statement, ContentHash(of: canonical).bytes == statement.bytes(0) ? nil : .changed)
      }
    }
  }

  private func appendChildren(
    of table: RecordTable, _ row: Int64, isFirst: Bool = false, to canonical: inout CanonicalBytes
  ) throws(StoreError) {
    for sql in isFirst ? table.children : table.children + table.laterChildren {
      try connection.withStatement(sql) { statement throws(StoreError) in
        try statement.bind(row, at: 1)
        while try statement.step() { statement.append(columns: statement.columnCount, to: &canonical) }
      }
    }
  }

  private static func altered(_ table: RecordTable, _ row: Statement, _ kind: AlteredRecord.Kind) -> AlteredRecord {
    AlteredRecord(
      table: table, rowID: row.int64(1), kind: kind, externalID: row.text(2),
      moment: row.isNull(3) ? nil : row.int64(3))
  }
}

extension RecordTable {
  /// What rows of other tables say of a record: they are part of it. Each is written in the same transaction as its record, or
  /// in a table of ``init(writtenIn:)``.
  fileprivate var children: [String] {
    switch self {
    case .staff:
      [
        "SELECT specialty, competence FROM staff_skill WHERE staff_id = ? ORDER BY specialty",
        "SELECT weekday, start_minute, end_minute FROM staff_hours WHERE staff_id = ? ORDER BY ordinal",
        """
        SELECT weekday, earliest_minute, latest_minute, duration_minutes FROM staff_break
        WHERE staff_id = ? ORDER BY ordinal
        """,
        "SELECT first_day, last_day FROM staff_leave WHERE staff_id = ? ORDER BY ordinal",
      ]
    case .appointment:
      [
        "SELECT resource_id FROM appointment_resource WHERE appointment_id = ? ORDER BY resource_id",
        "SELECT * FROM appointment_option WHERE appointment_id = ?",
      ]
    case .client: ["SELECT label, number FROM client_phone WHERE client_id = ? ORDER BY ordinal"]
    case .location:
      [
        "SELECT weekday, start_minute, end_minute FROM location_hours WHERE location_id = ? ORDER BY ordinal",
        """
        SELECT first_day, last_day, is_open, reason FROM location_closure WHERE location_id = ? ORDER BY ordinal
        """,
      ]
    case .patient, .resource, .note, .intake: []
    }
  }

  /// The same of tables and columns that came after there were hashes: a record without such rows keeps the hash that it had.
  fileprivate var laterChildren: [String] {
    switch self {
    case .staff:
      [
        "SELECT ordinal, location_id FROM staff_hours WHERE staff_id = ? AND location_id IS NOT NULL ORDER BY ordinal",
        "SELECT name, expires_on FROM staff_credential WHERE staff_id = ? ORDER BY ordinal",
        "SELECT visit_type, most_per_day FROM staff_load WHERE staff_id = ? ORDER BY visit_type",
        "SELECT latest_minute, long_minutes FROM staff_long_visits WHERE staff_id = ?",
      ]
    case .client, .patient, .location, .resource, .appointment, .note, .intake: []
    }
  }

  /// SQL for the moment a record is known by; nil for those that have none.
  fileprivate var moment: String? {
    switch self {
    case .note: "record.recorded_at"
    case .intake: "record.received_at"
    case .appointment: "record.start_at"
    case .client, .patient, .location, .staff, .resource: nil
    }
  }
}

extension Statement {
  /// Adds columns of the current row, as they are stored: names and values, without those that are NULL, so that a column that
  /// a later schema adds changes nothing while it is empty.
  fileprivate func append(columns count: Int32, from first: Int32 = 0, to canonical: inout CanonicalBytes) {
    for column in first..<max(first, count) {
      guard !isNull(column) else { continue }
      canonical.append(name(ofColumn: column))
      append(column, to: &canonical)
    }
  }
}

extension Connection {
  public var recordHashes: RecordHashes { RecordHashes(connection: self) }
}
