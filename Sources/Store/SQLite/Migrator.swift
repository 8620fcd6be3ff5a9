/// Brings a file's schema up to date: numbered SQL scripts, each in a transaction with the row that records it.
///
/// A script is never changed after it has shipped: files out there have run it.
public struct Migrator: Sendable {
  public struct Migration: Sendable {
    public let name: String
    public let sql: String
    /// What SQL can't do, after it and in the same transaction; nil for most.
    let completion: (@Sendable (Connection) throws(StoreError) -> Void)?

    public init(name: String, sql: String) {
      self.init(name: name, sql: sql, completion: nil)
    }

    init(name: String, sql: String, completion: (@Sendable (Connection) throws(StoreError) -> Void)?) {
      self.name = name
      self.sql = sql
      self.completion = completion
    }
  }

  public let migrations: [Migration]

  public init(_ migrations: [Migration]) {
    self.migrations = migrations
  }

  /// The practice file's schema.
  public static let practice = Migrator([
    Migration(name: "m0001_practice", bytes: PackageResources.m0001_practice_sql),
    Migration(name: "m0002_record", bytes: PackageResources.m0002_record_sql),
    Migration(name: "m0003_calendar", bytes: PackageResources.m0003_calendar_sql),
    Migration(name: "m0004_model", bytes: PackageResources.m0004_model_sql),
    Migration(name: "m0005_index", bytes: PackageResources.m0005_index_sql),
    Migration(name: "m0006_findings", bytes: PackageResources.m0006_findings_sql),
    Migration(name: "m0007_work", bytes: PackageResources.m0007_work_sql),
    Migration(name: "m0008_segments", bytes: PackageResources.m0008_segments_sql) { connection throws(StoreError) in
      try connection.chunks.rebuildSegments()
    },
    Migration(name: "m0009_plan", bytes: PackageResources.m0009_plan_sql),
    Migration(name: "m0010_learning", bytes: PackageResources.m0010_learning_sql),
    Migration(name: "m0011_limits", bytes: PackageResources.m0011_limits_sql),
    Migration(name: "m0012_fact_names", bytes: PackageResources.m0012_fact_names_sql),
    Migration(name: "m0013_imports", bytes: PackageResources.m0013_imports_sql),
    Migration(name: "m0014_name_keys", bytes: PackageResources.m0014_name_keys_sql) { connection throws(StoreError) in
      try connection.refreshNameKeys()
    },
    Migration(name: "m0015_record_hash", bytes: PackageResources.m0015_record_hash_sql) {
      connection throws(StoreError) in
      try connection.recordHashes.sealAll()
    },
    Migration(name: "m0016_import_undo", bytes: PackageResources.m0016_import_undo_sql),
    Migration(name: "m0017_backups", bytes: PackageResources.m0017_backups_sql),
    Migration(name: "m0018_audit_chain", bytes: PackageResources.m0018_audit_chain_sql) {
      connection throws(StoreError) in
      try connection.audit.adoptEarlier()
    },
    Migration(name: "m0019_people", bytes: PackageResources.m0019_people_sql),
    Migration(name: "m0020_erased", bytes: PackageResources.m0020_erased_sql),
    Migration(name: "m0021_inbox", bytes: PackageResources.m0021_inbox_sql),
    Migration(name: "m0022_request_answers", bytes: PackageResources.m0022_request_answers_sql),
    Migration(name: "m0023_calendars", bytes: PackageResources.m0023_calendars_sql),
    Migration(name: "m0024_locations", bytes: PackageResources.m0024_locations_sql),
    Migration(name: "m0025_staff_terms", bytes: PackageResources.m0025_staff_terms_sql),
    Migration(name: "m0026_numbers_and_tags", bytes: PackageResources.m0026_numbers_and_tags_sql),
    Migration(name: "m0027_visit_steps", bytes: PackageResources.m0027_visit_steps_sql),
    Migration(name: "m0028_calendar_feeds", bytes: PackageResources.m0028_calendar_feeds_sql),
    Migration(name: "m0029_job_report", bytes: PackageResources.m0029_job_report_sql),
    Migration(name: "m0030_passkeys", bytes: PackageResources.m0030_passkeys_sql),
    Migration(name: "m0031_encounters", bytes: PackageResources.m0031_encounters_sql),
    Migration(name: "m0032_photos", bytes: PackageResources.m0032_photos_sql),
    Migration(name: "m0033_review_queue", bytes: PackageResources.m0033_review_queue_sql),
    Migration(name: "m0034_devices", bytes: PackageResources.m0034_devices_sql),
    Migration(name: "m0035_sync", bytes: PackageResources.m0035_sync_sql),
    Migration(name: "m0036_browser_keys", bytes: PackageResources.m0036_browser_keys_sql),
    Migration(name: "m0037_replica_user", bytes: PackageResources.m0037_replica_user_sql),
    Migration(name: "m0038_counts", bytes: PackageResources.m0038_counts_sql),
    Migration(name: "m0039_drug_courses", bytes: PackageResources.m0039_drug_courses_sql),
  ])

  /// Runs what the file lacks.
  ///
  /// - Throws: ``StoreError`` with `supersededSchema` when the file has migrations that aren't known here, and
  ///   `migrationFailed` naming the one that failed; the file is then as the last successful one left it.
  public func migrate(_ connection: Connection) throws(StoreError) {
    if try !applied(in: connection).isSuperset(of: migrations.map(\.name)) {
      // A script that rebuilds a table must be able to drop the old one without its children going too. The pragma
      // does nothing within a transaction, so it stands around them all; each is checked before it is committed.
      try connection.executeScript("PRAGMA foreign_keys = OFF", context: "migrating")
      defer { _ = try? connection.executeScript("PRAGMA foreign_keys = ON", context: "migrating") }
      for migration in migrations { try run(migration, in: connection) }
    }
    try refuseUnknown(try applied(in: connection))
  }

  /// - Throws: ``StoreError`` with `supersededSchema` or `needsMigration`.
  public func checkUpToDate(_ connection: Connection) throws(StoreError) {
    let applied = try applied(in: connection)
    try refuseUnknown(applied)
    guard applied.isSuperset(of: migrations.map(\.name)) else {
      throw StoreError(.needsMigration, context: connection.path)
    }
  }

  private func run(_ migration: Migration, in connection: Connection) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      // Read again under the write lock: two processes may open an old file at the same moment.
      let applied = try applied(in: connection)
      try refuseUnknown(applied)
      guard !applied.contains(migration.name) else { return }
      do throws(StoreError) {
        try connection.executeScript(
          Self.tableSQL.replacing("TABLE ", with: "TABLE IF NOT EXISTS "), context: migration.name)
        try connection.executeScript(migration.sql, context: migration.name)
        try migration.completion?(connection)
        try connection.execute("INSERT INTO migration (name) VALUES (?)", migration.name)
      } catch {
        guard error.code != .busy, error.code != .diskFull else { throw error }
        throw StoreError(.migrationFailed, resultCode: error.resultCode, context: migration.name)
      }
      guard try connection.foreignKeyCheck().isEmpty else {
        throw StoreError(.migrationFailed, context: "\(migration.name) leaves rows that refer to missing ones")
      }
    }
  }

  private func applied(in connection: Connection) throws(StoreError) -> Set<String> {
    guard try connection.exists("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'") else {
      return []
    }
    return Set(try connection.rows("SELECT name FROM migration") { $0.text(0) })
  }

  /// - Throws: ``StoreError`` with `supersededSchema` where the file has a migration that isn't known here.
  func refuseNewer(_ connection: Connection) throws(StoreError) { try refuseUnknown(try applied(in: connection)) }

  private func refuseUnknown(_ applied: Set<String>) throws(StoreError) {
    guard let unknown = applied.subtracting(migrations.map(\.name)).sorted().first else { return }
    throw StoreError(.supersededSchema, context: "the file has the migration \(unknown)")
  }
}

extension Migrator.Migration {
  init(name: String, bytes: [UInt8], completion: (@Sendable (Connection) throws(StoreError) -> Void)? = nil) {
    self.init(name: name, sql: String(decoding: bytes, as: UTF8.self), completion: completion)
  }
}
