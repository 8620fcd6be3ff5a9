import CSQLite
import Glibc

/// The records that the open transaction has written, as SQLite names them.
final class WrittenRecords {
  private var rows: [RecordTable: Set<Int64>] = [:]
  /// Of which something was written that is no part of the record's own rows: a tag, a retraction.
  private var touched: [RecordTable: Set<Int64>] = [:]
  /// Whether the file has a place for hashes; one that is being brought up to date may not yet.
  private var keepsHashes = false
  private var keepsCount = false
  /// Whether anything that the practice said or did was written.
  private(set) var isChange = false
  /// Whether passages of the index were.
  private var isPassage = false

  /// Has SQLite name each row of a table that a connection inserts, changes or deletes, by cascades and triggers too.
  ///
  /// Rows of tables without a rowid go unnamed: those that belong to a record are written together with it.
  func watch(_ database: OpaquePointer) {
    sqlite3_update_hook(
      database,
      { context, _, _, table, row in
        guard let context, let table else { return }
        if let record = RecordTable(writtenIn: table) {
          let written = Unmanaged<WrittenRecords>.fromOpaque(context).takeUnretainedValue()
          written.rows[record, default: []].insert(row)
          written.isChange = true
        } else if WrittenRecords.isDeed(table) {
          Unmanaged<WrittenRecords>.fromOpaque(context).takeUnretainedValue().isChange = true
        } else if strcmp(table, "chunk") == 0 {
          Unmanaged<WrittenRecords>.fromOpaque(context).takeUnretainedValue().isPassage = true
        }
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Takes the hashes of what was written, in the order of tables and rows, so that the same work gives the same file, and has
  /// what changed put on record.
  func seal(in connection: Connection) throws(StoreError) {
    let tell = connection.isWriting ? connection.beforeCommit : nil
    var changes: [RecordChange] = []
    if !rows.isEmpty {
      if !keepsHashes {
        keepsHashes = try connection.exists(
          "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'record_hash'")
      }
      if keepsHashes {
        for table in RecordTable.allCases {
          for row in (rows[table] ?? []).sorted() {
            if tell == nil {
              try connection.recordHashes.seal(table, row)
            } else if let change = try connection.recordHashes.sealTelling(table, row) {
              changes.append(change)
            }
          }
        }
      }
    }
    if connection.isWriting, let log = connection.logChanges, !rows.isEmpty || !touched.isEmpty {
      let written = RecordTable.allCases.flatMap { table in
        (rows[table] ?? []).union(touched[table] ?? []).sorted().map { WrittenRecord(table: table, rowID: $0) }
      }
      try log(written)
    }
    if let tell, try tell(changes) { isChange = true }
    try count(in: connection)
    forget()
  }

  /// Counts the transaction, if it changed what the practice said or did.
  private func count(in connection: Connection) throws(StoreError) {
    guard isChange || isPassage else { return }
    if !keepsCount {
      keepsCount = try connection.exists("SELECT 1 FROM pragma_table_info('change_count') WHERE name = 'passages'")
    }
    guard keepsCount else {
      // A file that is being brought up to date counts as its schema can.
      let isThere = try connection.exists(
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'change_count'")
      if isThere, isChange { try connection.execute("UPDATE change_count SET number = number + 1") }
      return
    }
    try connection.execute(
      "UPDATE change_count SET number = number + ?, passages = passages + ?", isChange ? 1 : 0, isPassage ? 1 : 0)
  }

  /// Whether a table without records says what was done: `import`, `assessment`, `plan_change`; or what another program's
  /// calendar says of a visit.
  private static func isDeed(_ table: UnsafePointer<CChar>) -> Bool {
    func isNamed(_ name: StaticString) -> Bool {
      strcmp(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self), table) == 0
    }
    switch table[0] {
    case 0x61: return isNamed("assessment")
    case 0x63: return isNamed("calendar_event")
    case 0x69: return isNamed("import")
    case 0x70: return isNamed("plan_change")
    default: return false
    }
  }

  func contains(_ table: RecordTable, _ row: Int64) -> Bool { rows[table]?.contains(row) == true }

  /// Says that something was written which belongs to a record and lies elsewhere.
  func touch(_ table: RecordTable, _ row: Int64) { touched[table, default: []].insert(row) }

  /// Takes back that a record was written: what wrote it was undone within the open transaction.
  func forget(_ table: RecordTable, _ row: Int64) { rows[table]?.remove(row) }

  /// After a transaction that was undone.
  func forget() {
    rows.removeAll(keepingCapacity: true)
    touched.removeAll(keepingCapacity: true)
    isChange = false
    isPassage = false
  }
}

/// A record that the open transaction wrote, or something that belongs to it, be it other than before or not.
public struct WrittenRecord: Hashable, Sendable {
  public let table: RecordTable
  public let rowID: Int64
}

extension RecordTable {
  /// The record that a row of a table is, or belongs to under the same number; nil for tables without records.
  fileprivate init?(writtenIn table: UnsafePointer<CChar>) {
    // Called for every row of every table: most are told apart by a letter or two.
    func isNamed(_ name: StaticString) -> Bool {
      strcmp(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self), table) == 0
    }
    let length = strlen(table)
    switch (table[0], length) {
    case (0x6E, 4) where isNamed("note"): self = .note
    case (0x69, 6) where isNamed("intake"): self = .intake
    case (0x63, 6) where isNamed("client"): self = .client
    case (0x70, 7) where isNamed("patient"): self = .patient
    case (0x6C, 8) where isNamed("location"): self = .location
    case (0x73, 5) where isNamed("staff"): self = .staff
    case (0x72, 8) where isNamed("resource"): self = .resource
    case (0x61, 11) where isNamed("appointment"): self = .appointment
    case (0x61, 18) where isNamed("appointment_option"): self = .appointment
    default: return nil
    }
  }
}
