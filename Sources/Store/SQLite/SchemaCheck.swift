import Glibc

/// A practice file may come from anybody. SQLite already keeps its schema from calling what has side effects; what VetNet never makes,
/// and what could have a reading run for ever or a writing change something else, is refused before a table is read.
extension Connection {
  /// - Throws: ``StoreError`` with `corrupt`, naming what VetNet never makes: a view, a virtual table, a generated column, or a trigger
  ///   that is in none of its migrations; `supersededSchema` where a newer VetNet may have.
  /// - Complexity: O(tables + triggers), some 0.3 ms.
  func checkSchema(_ migrator: Migrator = .practice) throws(StoreError) {
    guard let stranger = try strangeObject() else { return }
    // Its migrations are read only where their table is what it should be.
    let isPlain = try first("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'migration'") { $0.text(0) }
    if isPlain == Migrator.tableSQL { try migrator.refuseNewer(self) }
    throw StoreError(.corrupt, context: "it holds \(stranger), which VetNet never makes")
  }

  private func strangeObject() throws(StoreError) -> String? {
    // Tables and indexes as SQLite writes them down have pages of their own; nothing else has.
    let objects = try rows(
      """
      SELECT type, name, sql FROM sqlite_schema
      WHERE rootpage IS NULL OR rootpage < 1
        OR NOT (type = 'table' AND sql LIKE 'CREATE TABLE %'
          OR type = 'index' AND (sql IS NULL OR sql LIKE 'CREATE INDEX %' OR sql LIKE 'CREATE UNIQUE INDEX %'))
      """
    ) { (type: $0.text(0), name: $0.text(1), sql: $0.optionalText(2) ?? "") }
    for object in objects where object.type != "trigger" || !Migrator.makes(object.sql) {
      let type = object.type == "table" ? "virtual table" : Self.shortened(object.type)
      return "the \(type) '\(Self.shortened(object.name))'"
    }
    // After views and virtual tables are known to be none: to list the columns of one is to work it out.
    let table = try first(
      """
      SELECT list.name FROM pragma_table_list AS list JOIN pragma_table_xinfo(list.name) AS info
      WHERE list.schema = 'main' AND (list.type <> 'table' OR info.hidden <> 0) LIMIT 1
      """
    ) { $0.text(0) }
    return table.map { "a generated column in '\(Self.shortened($0))'" }
  }

  /// A name that somebody else gave: no more of it than tells which is meant.
  private static func shortened(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(40).map { $0.isASCII && $0.value > 31 ? $0 : "?" }))
  }
}

extension Migrator {
  /// As ``migrate(_:)`` makes it.
  static let tableSQL = "CREATE TABLE migration (name TEXT PRIMARY KEY NOT NULL) STRICT"

  /// Whether a migration of the practice file has this statement, letter for letter.
  static func makes(_ sql: String) -> Bool {
    guard !sql.isEmpty, !sql.utf8.contains(0) else { return false }
    return strstr(scripts, sql) != nil
  }

  private static let scripts = Array(practice.migrations.map(\.sql).joined(separator: "\n").utf8CString)
}
