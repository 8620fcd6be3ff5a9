extension Connection {
  /// For an UPDATE by which people here change what came from outside: the content is no import's any more, so that none is taken
  /// for unchanged, or takes it away when it is undone.
  static let changedHere = "content_hash = zeroblob(32)"

  /// Inserts a record from outside, updates it when its values changed, or leaves it alone when they didn't.
  ///
  /// `children` is what rows of other tables say about the record, for the content hash; `willUpdate` gets the row
  /// before it changes.
  func upsert<each Value: Bindable>(
    _ table: RecordTable, source: Int64, id: String, columns: [String], children: CanonicalBytes = CanonicalBytes(),
    values: repeat each Value, willUpdate: (Int64) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> Upserted {
    precondition(transactionDepth > 0, "an upsert reads and then writes: it needs a transaction")
    var canonical = children
    for value in repeat each values { value.append(to: &canonical) }
    let hash = ContentHash(of: canonical)

    guard let existing = try recordIDs.row(table, externalID: id, source: source) else {
      let names = columns.joined(separator: ", ")
      let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
      try execute(
        "INSERT INTO \(table.rawValue) (source_id, external_id, content_hash, \(names)) VALUES (?, ?, ?, \(places))",
        source, id, hash.bytes, repeat each values)
      return Upserted(rowID: lastInsertedRowID, outcome: .inserted)
    }
    // What the same import wrote and something else altered since is written again. An appointment may have been changed here.
    var isAsWritten = existing.hash == hash
    let wasChangedHere = try table == .appointment ? changeCount(ofAppointment: existing.rowID) > 1 : false
    if isAsWritten, !wasChangedHere {
      isAsWritten = try recordHashes.isIntact(table, existing.rowID)
    }
    guard !isAsWritten else { return Upserted(rowID: existing.rowID, outcome: .unchanged) }
    try willUpdate(existing.rowID)
    let assignments = columns.map { "\($0) = ?" }.joined(separator: ", ")
    try execute(
      "UPDATE \(table.rawValue) SET content_hash = ?, \(assignments) WHERE id = ?",
      hash.bytes, repeat each values, existing.rowID)
    try markRemovedText()
    return Upserted(rowID: existing.rowID, outcome: .updated)
  }

  /// An appointment's version: 1 as it came, and one more for each change.
  private func changeCount(ofAppointment row: Int64) throws(StoreError) -> Int64 {
    try number("SELECT version FROM appointment WHERE id = ?", row)
  }
}
