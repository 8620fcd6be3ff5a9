import Foundation

/// Words that people give to records to find them by.
public struct TagStore {
  let connection: Connection

  /// A tag with how many records have it, by kind.
  public struct Use: Hashable, Sendable {
    public let name: String
    public let counts: [String: Int]
  }

  /// A record, by its table and the id it is shown with.
  public struct Record: Hashable, Sendable {
    public let table: RecordTable
    public let rowID: Int64
    public let id: String
  }

  /// Gives a record a tag, made when it is new.
  ///
  /// - Parameters:
  ///   - name: the tag's words.
  ///   - table: of the record.
  ///   - row: of the record.
  ///   - importID: the import that brings it; nil where somebody here gives it.
  /// - Returns: false when it has it already.
  /// - Throws: ``StoreError`` where the file can't be written.
  @discardableResult
  public func add(
    _ name: String, to table: RecordTable, row: Int64, importID: Int64? = nil
  ) throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      let key = Self.key(name)
      if try !connection.exists("SELECT 1 FROM tag WHERE name_key = ?", key) {
        try connection.execute("INSERT INTO tag (name, name_key) VALUES (?, ?)", name, key)
      }
      let has = try connection.exists(
        "SELECT 1 FROM tagged JOIN tag ON tag.id = tag_id WHERE name_key = ? AND kind = ? AND row_id = ?", key,
        table.rawValue, row)
      guard !has else { return false }
      try connection.execute(
        "INSERT INTO tagged (tag_id, kind, row_id, import_id) SELECT id, ?, ?, ? FROM tag WHERE name_key = ?",
        table.rawValue, row, importID, key)
      connection.writtenRecords.touch(table, row)
      return true
    }
  }

  /// Takes a tag from a record.
  ///
  /// - Returns: false when it doesn't have it.
  public func remove(_ name: String, from table: RecordTable, row: Int64) throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      try connection.execute(
        "DELETE FROM tagged WHERE tag_id = (SELECT id FROM tag WHERE name_key = ?) AND kind = ? AND row_id = ?",
        Self.key(name), table.rawValue, row)
      connection.writtenRecords.touch(table, row)
      return connection.changedRowCount > 0
    }
  }

  /// The tags of a record, by name.
  public func tags(of table: RecordTable, row: Int64) throws(StoreError) -> [String] {
    try connection.rows(
      "SELECT name FROM tagged JOIN tag ON tag.id = tag_id WHERE kind = ? AND row_id = ? ORDER BY name_key",
      table.rawValue, row, read: { $0.text(0) })
  }

  /// Every tag that some record has, by name.
  public func all() throws(StoreError) -> [Use] {
    var counts: [String: [String: Int]] = [:]
    var names: [String] = []
    for (name, kind, count) in try connection.rows(
      """
      SELECT name, kind, count(*) FROM tagged JOIN tag ON tag.id = tag_id GROUP BY tag.id, kind ORDER BY name_key, kind
      """, read: { ($0.text(0), $0.text(1), $0.int(2)) })
    {
      if names.last != name { names.append(name) }
      counts[name, default: [:]][kind] = count
    }
    return names.map { Use(name: $0, counts: counts[$0] ?? [:]) }
  }

  /// The records with a tag, by kind and in the order they came.
  public func records(_ name: String) throws(StoreError) -> [Record] {
    var found: [Record] = []
    for (kind, row) in try connection.rows(
      """
      SELECT kind, row_id FROM tagged JOIN tag ON tag.id = tag_id WHERE name_key = ?
      ORDER BY kind = 'appointment', kind = 'note', row_id
      """, Self.key(name), read: { ($0.text(0), $0.int64(1)) })
    {
      guard let table = RecordTable(rawValue: kind), let id = try connection.recordIDs.shown(table, row) else {
        continue
      }
      found.append(Record(table: table, rowID: row, id: id))
    }
    return found
  }

  /// How tags are compared.
  private static func key(_ name: String) -> String { name.precomposedStringWithCanonicalMapping.lowercased() }
}

extension Connection {
  public var tags: TagStore { TagStore(connection: self) }
}
