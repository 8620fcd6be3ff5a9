/// Ids as people and files write them, and the rows they mean.
///
/// A record is shown under the id its source gave it. Where several sources gave the same id to records of one table,
/// it is shown as `source:id`. Reading accepts both forms; an id that fits several records is never guessed.
public struct RecordIDs {
  let connection: Connection

  /// The rows that `id` may mean, in order; several only when sources share it.
  ///
  /// - Complexity: O(sources × log records).
  public func candidates(_ table: RecordTable, _ id: String) throws(StoreError) -> [Int64] {
    let name = table.rawValue
    let found = try connection.rows(
      """
      SELECT id FROM \(name) WHERE external_id = ?1
      UNION
      SELECT record.id FROM source CROSS JOIN \(name) AS record
        ON record.source_id = source.id AND record.external_id = substr(?1, length(source.name) + 2)
      WHERE substr(?1, 1, length(source.name) + 1) = source.name || ':'
      ORDER BY 1
      """, id
    ) { $0.int64(0) }
    // An id that went in a merge finds the record that is left.
    return found.isEmpty && table == .patient ? try connection.merges.rows(id: id) : found
  }

  /// The row that `id` means; nil when there is none. When it was found in the file of a `source`, that source's own
  /// records come first.
  ///
  /// - Throws: ``StoreError/Code/ambiguousID`` when several fit.
  public func row(_ table: RecordTable, _ id: String, preferring source: Int64? = nil) throws(StoreError) -> Int64? {
    if let source, let own = try row(table, externalID: id, source: source)?.rowID { return own }
    let candidates = try candidates(table, id)
    guard candidates.count <= 1 else {
      throw StoreError(.ambiguousID, context: "\(table.rawValue) '\(id)' is in \(candidates.count) sources")
    }
    return candidates.first
  }

  /// The row that `id` means.
  ///
  /// - Throws: ``StoreError/Code/unknownRecord`` when there is none.
  public func required(
    _ table: RecordTable, _ id: String, preferring source: Int64? = nil
  ) throws(StoreError) -> Int64 {
    guard let row = try row(table, id, preferring: source) else {
      throw StoreError(.unknownRecord, context: "\(table.rawValue) '\(id)'")
    }
    return row
  }

  /// ``required(_:_:preferring:)`` for an id that may be missing.
  func required(_ table: RecordTable, _ id: String?, preferring source: Int64?) throws(StoreError) -> Int64? {
    guard let id else { return nil }
    return try required(table, id, preferring: source) as Int64
  }

  /// How many records there are.
  public func count(_ table: RecordTable) throws(StoreError) -> Int {
    Int(try connection.number("SELECT count(*) FROM \(table.rawValue)"))
  }

  /// The id a row is shown under; nil when there is no such row.
  public func shown(_ table: RecordTable, _ rowID: Int64) throws(StoreError) -> String? {
    try connection.first(
      "SELECT \(Self.expression("record", table)) FROM \(table.rawValue) AS record WHERE id = ?", rowID
    ) { $0.text(0) }
  }

  /// An id that no record of the table has or had when it was erased, for one that is written here.
  ///
  /// Use it in the transaction that inserts the record.
  public func unused(_ table: RecordTable) throws(StoreError) -> String {
    var number = try connection.number("SELECT coalesce(max(id), 0) + 1 FROM \(table.rawValue)")
    // A clone's own: no other file of the practice makes the same.
    let replica = try connection.number("SELECT replica FROM sync_self")
    let prefix = replica > 0 ? "\(table.rawValue)-d\(replica)-" : "\(table.rawValue)-"
    while true {
      let id = "\(prefix)\(number)"
      let wasThere = try connection.exists(
        "SELECT 1 FROM sync_record WHERE kind = ? AND external_id = ?", table.rawValue, id)
      if !wasThere, try candidates(table, id).isEmpty, try connection.erased.moment(table, id) == nil { return id }
      number += 1
    }
  }

  /// A record's row with the name it has at its source.
  public struct Identified: Hashable, Sendable {
    public let rowID: Int64
    public let externalID: String
    public let source: String
  }

  /// The next records of a table, in the order they came: at most `limit` after `row`. With a `patient`, only what belongs to it:
  /// its owner, who and what its appointments need, what is about it.
  public func page(
    _ table: RecordTable, of patient: Int64? = nil, after row: Int64, limit: Int
  ) throws(StoreError) -> [Identified] {
    let belongs =
      switch table {
      case .patient: "record.id = ?1"
      case .client: "record.id = (SELECT owner_id FROM patient WHERE id = ?1)"
      case .location:
        """
        record.id IN (
          SELECT room.location_id FROM appointment_resource AS held
          JOIN resource AS room ON room.id = held.resource_id
          JOIN appointment ON appointment.id = held.appointment_id WHERE appointment.patient_id = ?1
          UNION SELECT hours.location_id FROM staff_hours AS hours
          JOIN appointment ON appointment.clinician_id = hours.staff_id WHERE appointment.patient_id = ?1
          UNION SELECT wish.location_id FROM appointment_option AS wish
          JOIN appointment ON appointment.id = wish.appointment_id WHERE appointment.patient_id = ?1)
        """
      case .staff: "record.id IN (SELECT clinician_id FROM appointment WHERE patient_id = ?1)"
      case .resource:
        """
        record.id IN (
          SELECT held.resource_id FROM appointment_resource AS held
          JOIN appointment ON appointment.id = held.appointment_id WHERE appointment.patient_id = ?1)
        """
      case .note, .intake, .appointment: "record.patient_id = ?1"
      }
    return try connection.rows(
      """
      SELECT record.id, record.external_id, source.name
      FROM \(table.rawValue) AS record JOIN source ON source.id = record.source_id
      WHERE (?1 IS NULL OR \(belongs)) AND record.id > ?2 ORDER BY record.id LIMIT ?3
      """, patient, row, limit
    ) { Identified(rowID: $0.int64(0), externalID: $0.text(1), source: $0.text(2)) }
  }

  /// The row with its content hash, by the exact key.
  func row(
    _ table: RecordTable, externalID: String, source: Int64
  ) throws(StoreError) -> (rowID: Int64, hash: ContentHash)? {
    try connection.first(
      "SELECT id, content_hash FROM \(table.rawValue) WHERE external_id = ? AND source_id = ?", externalID, source
    ) { ($0.int64(0), ContentHash(stored: $0.bytes(1))) }
  }

  /// SQL for the id that the record under `alias` is shown with.
  static func expression(_ alias: String, _ table: RecordTable) -> String {
    """
    CASE WHEN EXISTS (
      SELECT 1 FROM \(table.rawValue) AS twin
      WHERE twin.external_id = \(alias).external_id AND twin.source_id <> \(alias).source_id)
    THEN (SELECT source.name FROM source WHERE source.id = \(alias).source_id) || ':' || \(alias).external_id
    ELSE \(alias).external_id END
    """
  }

  /// SQL for the id that the record whose row id is `column` is shown with; NULL without one.
  static func reference(_ column: String, _ table: RecordTable) -> String {
    "(SELECT \(expression("referred", table)) FROM \(table.rawValue) AS referred WHERE referred.id = \(column))"
  }
}

extension Connection {
  public var recordIDs: RecordIDs { RecordIDs(connection: self) }
}
