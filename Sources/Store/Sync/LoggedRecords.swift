public import Clinical

/// What the log last said of each record.
public struct LoggedRecords {
  let connection: Connection

  public struct Entry: Sendable {
    public let name: RecordName
    /// Nil for a record that is gone.
    public let rowID: Int64?
    /// Long texts as their hashes: see ``LoggedRecords/remembered(_:of:)``.
    public let fields: [String: FieldContent]
  }

  public func entry(_ table: RecordTable, row: Int64) throws(StoreError) -> Entry? {
    try connection.first(
      "SELECT kind, source, external_id, row_id, fields FROM sync_record WHERE kind = ? AND row_id = ?", table.rawValue,
      row, read: Self.read)
  }

  public func entry(_ name: RecordName) throws(StoreError) -> Entry? {
    try connection.first(
      "SELECT kind, source, external_id, row_id, fields FROM sync_record WHERE kind = ? AND external_id = ? AND source = ?",
      name.kind, name.id, name.source, read: Self.read)
  }

  /// Keeps what the log says of a record; `row` is nil for one that is gone, of which the fields are kept so that it can come back.
  public func keep(_ name: RecordName, row: Int64?, fields: [String: FieldContent]) throws(StoreError) {
    if let row {
      // A number that another record had before.
      try connection.execute(
        """
        UPDATE sync_record SET row_id = NULL WHERE kind = ? AND row_id = ? AND NOT (external_id = ? AND source = ?)
        """, name.kind, row, name.id, name.source)
    }
    try connection.execute(
      """
      INSERT INTO sync_record (kind, external_id, source, row_id, fields) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (kind, external_id, source) DO UPDATE SET row_id = ?4, fields = ?5
      """, name.kind, name.id, name.source, row, try FieldJSON.encode(fields))
  }

  /// Patients that are gone by the log and stay here as long as something is theirs.
  public func lingering() throws(StoreError) -> [RecordName] {
    try connection.rows(
      """
      SELECT logged.kind, logged.source, logged.external_id FROM sync_record AS logged
      JOIN source ON source.name = logged.source
      JOIN patient ON patient.external_id = logged.external_id AND patient.source_id = source.id
      WHERE logged.kind = 'patient' AND logged.row_id IS NULL ORDER BY 2, 3
      """
    ) { RecordName(kind: $0.text(0), source: $0.text(1), id: $0.text(2)) }
  }

  /// Fields as they are kept here: to tell whether a text changed, its hash will do.
  public static func remembered(_ fields: [String: FieldContent], of kind: String) -> [String: FieldContent] {
    guard [RecordTable.note.rawValue, RecordTable.intake.rawValue].contains(kind), let text = fields["text"] else {
      return fields
    }
    var fields = fields
    fields["text"] = ImportJournal.fingerprint(text)
    return fields
  }

  private static func read(_ row: Statement) throws(StoreError) -> Entry {
    Entry(
      name: RecordName(kind: row.text(0), source: row.text(1), id: row.text(2)), rowID: row.optionalInt64(3),
      fields: try FieldJSON.decode(row.text(4), as: [String: FieldContent].self))
  }
}

extension Connection {
  public var loggedRecords: LoggedRecords { LoggedRecords(connection: self) }
}
