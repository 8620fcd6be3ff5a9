import Clinical
import Foundation
@testable import Store
import Testing

@Suite struct ConnectionTests {
  @Test func `a new file and its companions are readable by nobody else`() throws {
    let practice = try TestPractice()
    for suffix in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: practice.folder.file + suffix)
      #expect((attributes[.posixPermissions] as? Int) == 0o600, "practice.vetnet\(suffix)")
    }
  }

  @Test func `what was committed is there after opening again, for reading too`() throws {
    let folder = try TemporaryFolder()
    try Connection.create(folder.file).settings.set("time_zone", to: "Europe/London")
    #expect(try Connection.open(folder.file).settings.value("time_zone") == "Europe/London")
    #expect(try Connection.open(folder.file, access: .readOnly).settings.value("time_zone") == "Europe/London")
  }

  @Test func `a reader reads beside a writer`() throws {
    let practice = try TestPractice()
    let reader = try Connection.open(practice.folder.file, access: .readOnly)
    try practice.connection.transaction { () throws(StoreError) in
      try practice.connection.settings.set("key", to: "new")
      #expect(try reader.settings.value("key") == nil)
    }
    #expect(try reader.settings.value("key") == "new")
  }

  @Test func `a reader can't write`() throws {
    let practice = try TestPractice()
    let reader = try Connection.open(practice.folder.file, access: .readOnly)
    let error = #expect(throws: StoreError.self) { try reader.settings.set("key", to: "value") }
    #expect(error?.code == .readOnly)
  }

  @Test func `a reader writes while it puts on record that it read, and neither before nor after`() throws {
    let practice = try TestPractice()
    let reader = try Connection.open(practice.folder.file, access: .readOnly)
    try reader.recording(waitingMilliseconds: 0) { () throws(StoreError) in try reader.settings.set("key", to: "seen") }
    #expect(try practice.connection.settings.value("key") == "seen")
    for statement in [
      "UPDATE setting SET value = 'x'", "DELETE FROM setting", "CREATE TABLE t (x)", "DROP TABLE setting", "VACUUM",
      "BEGIN IMMEDIATE", "PRAGMA user_version = 7", "WITH w AS (SELECT 1) INSERT INTO setting SELECT 'a', 'b' FROM w",
    ] {
      // Prepared and run, as all of the store's statements are, and as a script.
      let error = #expect(throws: StoreError.self, "\(statement)") { try reader.execute(statement) }
      #expect(error?.code == .readOnly, "\(statement)")
      #expect(throws: StoreError.self, "\(statement)") { try reader.executeScript(statement, context: "test") }
    }
    #expect(try practice.connection.settings.value("key") == "seen")
    #expect(
      #expect(throws: StoreError.self) {
        try reader.transaction { () throws(StoreError) in try reader.settings.set("key", to: "value") }
      }?.code == .readOnly)
    #expect(try reader.settings.value("key") == "seen")
    // It takes the lock at once, as a writer does, and fails whole where it can't have it.
    try practice.connection.transaction { () throws(StoreError) in
      var hasBegun = false
      let error = #expect(throws: StoreError.self) {
        try reader.recording(waitingMilliseconds: 0) { () throws(StoreError) in
          try reader.transaction { () throws(StoreError) in hasBegun = true }
        }
      }
      #expect(error?.code == .busy && !hasBegun)
    }
  }

  @Test func `a missing file, a text and an empty file are told apart from a practice`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: StoreError(.notFound, context: folder.file)) { try Connection.open(folder.file) }
    #expect(!FileManager.default.fileExists(atPath: folder.file))

    let text = folder.path + "/notes.txt"
    try String(repeating: "Bella, ate well. ", count: 200).write(toFile: text, atomically: true, encoding: .utf8)
    let error = #expect(throws: StoreError.self) { try Connection.open(text) }
    #expect(error?.code == .notAPracticeFile)
    #expect(!("\(String(describing: error))".contains("Bella")))

    let empty = folder.path + "/empty"
    try "".write(toFile: empty, atomically: true, encoding: .utf8)
    #expect(#expect(throws: StoreError.self) { try Connection.open(empty) }?.code == .notAPracticeFile)
    #expect(#expect(throws: StoreError.self) { try Connection.open(folder.path) } != nil)
  }

  @Test func `another program's SQLite file is refused and left alone`() throws {
    let practice = try TestPractice()
    try practice.connection.executeScript("PRAGMA application_id = 7", context: "test")
    try practice.connection.checkpoint()
    let before = try practice.bytes()
    #expect(
      #expect(throws: StoreError.self) { try Connection.open(practice.folder.file) }?.code == .notAPracticeFile)
    #expect(try practice.bytes() == before)
  }

  @Test func `another program's file is left with its log as it is, when it is opened for reading`() throws {
    let practice = try TestPractice()
    try practice.connection.executeScript("PRAGMA application_id = 7", context: "test")
    // As it lies where that program was killed: nobody has it open, and not all is in the file yet.
    let folder = try TemporaryFolder()
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: practice.folder.file + ending, toPath: folder.file + ending)
    }
    func bytes() throws -> [Data] {
      try ["", "-wal"].map { try Data(contentsOf: URL(filePath: folder.file + $0)) }
    }
    let before = try bytes()
    #expect(before[1].count > 0)
    let error = #expect(throws: StoreError.self) { try Connection.open(folder.file, access: .readOnly) }
    #expect(error?.code == .notAPracticeFile)
    #expect(try bytes() == before)
  }

  @Test func `a file is created once, and never over another`() throws {
    let practice = try TestPractice()
    #expect(
      #expect(throws: StoreError.self) { try Connection.create(practice.folder.file) }?.code == .alreadyExists)
    #expect(try practice.connection.patients.count() == 1)
    #expect(
      #expect(throws: StoreError.self) { try Connection.create(practice.folder.path + "/no/such/folder") }?.code
        == .cannotOpen)
  }

  @Test func `what a killed creation leaves can be created again`() throws {
    let folder = try TemporaryFolder()
    try "".write(toFile: folder.file, atomically: true, encoding: .utf8)
    #expect(try Connection.create(folder.file).quickCheck().isEmpty)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
  }

  @Test func `a folder named like a URI is a folder`() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    let before = manager.currentDirectoryPath
    #expect(manager.changeCurrentDirectoryPath(folder.path))
    defer { _ = manager.changeCurrentDirectoryPath(before) }
    _ = try Connection.create("file:practice?mode=memory")
    #expect(try manager.contentsOfDirectory(atPath: folder.path).contains("file:practice?mode=memory"))
  }

  @Test func `the settings that protect the file are in force`() throws {
    let practice = try TestPractice()
    let reopened = try Connection.open(practice.folder.file)
    for connection in [practice.connection, reopened] {
      #expect(try connection.number("PRAGMA foreign_keys") == 1)
      #expect(try connection.number("PRAGMA secure_delete") == 1)
      #expect(try connection.number("PRAGMA cell_size_check") == 1)
      #expect(try connection.number("PRAGMA trusted_schema") == 0)
      #expect(try connection.number("PRAGMA synchronous") == 2)
      #expect(try connection.number("PRAGMA page_size") == 16384)
      #expect(try connection.rows("PRAGMA journal_mode") { $0.text(0) } == ["wal"])
      // Defensive mode.
      #expect(throws: StoreError.self) {
        try connection.executeScript("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema", context: "test")
      }
    }
  }

  @Test func `a batch doesn't wait for the disk, and what comes after it does again`() throws {
    struct Stopped: Error {}
    let connection = try TestPractice().connection
    for fails in [false, true] {
      do {
        try connection.withoutWaitingForDisk {
          #expect(try connection.number("PRAGMA synchronous") == 1)
          if fails { throw Stopped() }
        }
        #expect(!fails)
      } catch is Stopped {
        #expect(fails)
      }
      #expect(try connection.number("PRAGMA synchronous") == 2)
      #expect(try connection.number("PRAGMA wal_autocheckpoint") == 1000)
    }
  }

  @Test func `a damaged file is found out`() throws {
    let practice = try TestPractice()
    for number in 0..<200 { try practice.write("N\(number)", String(repeating: "word\(number) ", count: 100)) }
    #expect(try practice.connection.quickCheck().isEmpty)
    #expect(try practice.connection.integrityCheck().isEmpty)
    #expect(try practice.connection.foreignKeyCheck().isEmpty)
    try practice.connection.checkpoint()
    var bytes = try practice.bytes()
    for offset in stride(from: bytes.count / 2, to: bytes.count - 64, by: 509) { bytes[offset] ^= 0x5A }
    let damaged = practice.folder.path + "/damaged.vetnet"
    try Data(bytes).write(to: URL(filePath: damaged))
    let problems: [String]
    do {
      problems = try Connection.open(damaged).integrityCheck()
    } catch let error as StoreError {
      problems = error.code == .corrupt ? ["corrupt"] : []
    }
    #expect(!problems.isEmpty)
  }

  @Test func `compacting keeps everything and gives room back`() throws {
    let practice = try TestPractice()
    try practice.connection.checkpoint()
    let empty = try practice.bytes().count
    for number in 0..<100 { try practice.write("N\(number)", String(repeating: "word\(number) ", count: 5000)) }
    try practice.connection.checkpoint()
    let before = try practice.bytes().count
    for note in try practice.connection.notes.notes(patient: 1).dropFirst(10) {
      try practice.connection.notes.delete(row: note.rowID)
    }
    try practice.connection.compact()
    #expect(try practice.bytes().count - empty < (before - empty) / 2)
    #expect(try practice.connection.notes.count() == 10)
    #expect(try practice.connection.integrityCheck().isEmpty)
  }

  @Test func `a practice in memory has the same schema`() throws {
    let practice = try TestPractice()
    let query = "SELECT name || coalesce(sql, '') FROM sqlite_schema ORDER BY 1"
    #expect(
      try Connection.inMemory().rows(query) { $0.text(0) } == practice.connection.rows(query) { $0.text(0) })
  }
}
