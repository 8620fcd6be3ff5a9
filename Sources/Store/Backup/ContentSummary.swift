/// What a file holds, table by table, in a form in which two files can be compared.
struct ContentSummary: Hashable, Sendable {
  struct Table: Hashable, Sendable {
    let rowCount: Int
    /// Of all values in the order of their keys; nil where rows are only counted.
    let digest: ContentHash?
  }

  let tables: [String: Table]

  /// The tables that are not the same in another file, by name.
  func differences(from other: Self) -> [String] {
    Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
  }

  var recordCount: Int { RecordTable.allCases.reduce(0) { $0 + (tables[$1.rawValue]?.rowCount ?? 0) } }
}

extension Connection {
  /// Everything that can't be made anew from the notes is compared by its values, all else by the number of its rows: a page of
  /// it that is not what was written has a wrong checksum.
  ///
  /// - Complexity: reads what the practice said and did once, and the keys of the rest.
  func contentSummary() throws(StoreError) -> ContentSummary {
    let names = try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") { $0.text(0) }
    var tables: [String: ContentSummary.Table] = [:]
    for name in names {
      guard !Self.remadeTables.contains(name) else {
        tables[name] = .init(rowCount: Int(try number("SELECT count(*) FROM \"\(name)\"")), digest: nil)
        continue
      }
      var count = 0
      let hash = StreamedHash()
      try withStatement("SELECT * FROM \"\(name)\" NOT INDEXED") { statement throws(StoreError) in
        while try statement.step() {
          var row = CanonicalBytes()
          for column in 0..<statement.columnCount { statement.append(column, to: &row) }
          row.bytes.withUnsafeBytes { hash.append($0) }
          count += 1
        }
      }
      tables[name] = .init(rowCount: count, digest: hash.finish())
    }
    return ContentSummary(tables: tables)
  }

  /// Large, and made from the notes and the shipped models.
  private static let remadeTables: Set<String> = [
    "chunk", "chunk_vector", "term", "posting", "segment", "fact", "note_state", "projection_row",
    "drug_course", "unfolded_patient",
  ]
}
