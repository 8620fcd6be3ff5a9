import Clinical
import Foundation
@testable import Store
import Testing

@Suite struct MigratorTests {
  private let first = Migrator.Migration(
    name: "m1",
    sql: """
      CREATE TABLE setting (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;
      CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT;
      """)
  private let second = Migrator.Migration(
    name: "m2", sql: "CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id)) STRICT")

  @Test func `an older file gets what it lacks, once`() throws {
    let folder = try TemporaryFolder()
    _ = try Connection.create(folder.file, migrator: Migrator([first]))
    for _ in 0..<2 {
      let connection = try Connection.open(folder.file, migrator: Migrator([first, second]))
      #expect(try connection.rows("SELECT name FROM migration ORDER BY name") { $0.text(0) } == ["m1", "m2"])
      #expect(try connection.number("SELECT count(*) FROM b") == 0)
      #expect(try connection.number("PRAGMA foreign_keys") == 1)
    }
  }

  @Test func `a newer file is refused, for reading and writing`() throws {
    let folder = try TemporaryFolder()
    _ = try Connection.create(folder.file, migrator: Migrator([first, second]))
    for access in [Connection.Access.readWrite, .readOnly] {
      let error = #expect(throws: StoreError.self) {
        try Connection.open(folder.file, access: access, migrator: Migrator([first]))
      }
      #expect(error?.code == .supersededSchema)
    }
  }

  @Test func `an older file isn't read without being brought up to date`() throws {
    let folder = try TemporaryFolder()
    _ = try Connection.create(folder.file, migrator: Migrator([first]))
    let error = #expect(throws: StoreError.self) {
      try Connection.open(folder.file, access: .readOnly, migrator: Migrator([first, second]))
    }
    #expect(error?.code == .needsMigration)
  }

  @Test(arguments: [
    "CREATE TABLE c (id INTEGER PRIMARY KEY) STRICT; SELECT nonsense FROM nowhere",
    // Rows that refer to nothing are an error, although foreign keys are off while migrating.
    "INSERT INTO b (id, a_id) VALUES (1, 99)",
  ])
  func `a migration that fails leaves the file as it was`(sql: String) throws {
    let folder = try TemporaryFolder()
    _ = try Connection.create(folder.file, migrator: Migrator([first, second]))
    let broken = Migrator.Migration(name: "m3", sql: sql)
    let error = #expect(throws: StoreError.self) {
      try Connection.open(folder.file, migrator: Migrator([first, second, broken]))
    }
    #expect(error?.code == .migrationFailed)
    #expect(error?.context.contains("m3") == true)
    let connection = try Connection.open(folder.file, migrator: Migrator([first, second]))
    #expect(try connection.number("SELECT count(*) FROM b") == 0)
    #expect(try !connection.exists("SELECT 1 FROM sqlite_schema WHERE name = 'c'"))
  }

  @Test func `a creation that fails leaves no file`() throws {
    let folder = try TemporaryFolder()
    let broken = Migrator.Migration(name: "m1", sql: "nonsense")
    #expect(throws: StoreError.self) { try Connection.create(folder.file, migrator: Migrator([broken])) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `two processes may open an old file at once`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file
    _ = try Connection.create(path, migrator: Migrator([first]))
    let all = Migrator([first, second])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { _ = try Connection.open(path, migrator: all) } }
      try await group.waitForAll()
    }
    let connection = try Connection.open(path, migrator: all)
    #expect(try connection.number("SELECT count(*) FROM migration WHERE name = 'm2'") == 1)
    #expect(try connection.number("SELECT count(*) FROM b") == 0)
  }
}
