public import Clinical

/// Ids of records that were erased for good.
public struct ErasedRecords {
  let connection: Connection

  /// When a record was erased; nil for an id that is not of an erased one.
  ///
  /// The id is as its source gave it, or with the source's name and a colon before it; a `source` of nil is any.
  ///
  /// - Complexity: O(sources × log erased records).
  public func moment(_ table: RecordTable, _ id: String, source: Int64? = nil) throws(StoreError) -> Timestamp? {
    try connection.first(
      """
      SELECT erased.erased_at FROM erased JOIN source ON source.id = erased.source_id
      WHERE erased.kind = ?1
        AND (erased.external_id = ?2 AND (?3 IS NULL OR erased.source_id = ?3)
          OR source.name || ':' || erased.external_id = ?2)
      ORDER BY erased.erased_at DESC LIMIT 1
      """, table.rawValue, id, source
    ) { $0.timestamp(0) }
  }

  /// Whether anything was ever erased.
  public var isEmpty: Bool { get throws(StoreError) { try !connection.exists("SELECT 1 FROM erased") } }

  /// The ids of the patients that were erased, with their sources' names, in order.
  public func patients() throws(StoreError) -> [(source: String, id: String)] {
    try connection.rows(
      """
      SELECT source.name, erased.external_id FROM erased JOIN source ON source.id = erased.source_id
      WHERE erased.kind = 'patient' ORDER BY source.name, erased.external_id
      """
    ) { ($0.text(0), $0.text(1)) }
  }

  /// Keeps the id of a record that is about to be erased.
  func remember(
    _ table: RecordTable, row: Int64, at moment: Timestamp, first: Timestamp? = nil, last: Timestamp? = nil
  ) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO erased (kind, external_id, source_id, erased_at, first_at, last_at)
      SELECT ?1, external_id, source_id, ?3, ?4, ?5 FROM \(table.rawValue) WHERE id = ?2
      ON CONFLICT DO UPDATE SET erased_at = excluded.erased_at, first_at = excluded.first_at, last_at = excluded.last_at
      """, table.rawValue, row, moment, first, last)
  }
}

extension Connection {
  public var erased: ErasedRecords { ErasedRecords(connection: self) }
}
