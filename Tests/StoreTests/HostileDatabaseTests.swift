import Clinical
import Foundation
@testable import Store
import Testing

/// Database files that somebody made to be opened: what VetNet never makes is refused before a table is read or written, in words, at once,
/// and the file stays as it is.
struct HostileDatabaseTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Words of the reason; nil where the file may as well be opened, at once.
    let says: String?
    /// Done to a practice file.
    var script = ""
    /// Done to its bytes.
    var edit: @Sendable (inout [UInt8]) -> Void = { _ in }
    var code = StoreError.Code.corrupt
  }

  static let cases: [Case] = [
    Case(
      testDescription: "a view in a table's place that never ends", says: "the view 'setting'",
      script: """
        DROP TABLE setting;
        CREATE VIEW setting AS WITH RECURSIVE n (key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM n) SELECT key, key AS value FROM n
        """),
    Case(
      testDescription: "views of views, which double each time", says: "the view 'v",
      script: (1...40).map { "CREATE VIEW v\($0) AS SELECT a.* FROM v\($0 - 1) AS a, v\($0 - 1) AS b;" }
        .joined(separator: "\n").replacingOccurrences(of: "v0", with: "patient")),
    Case(
      testDescription: "a trigger that deletes what is written", says: "the trigger 'tidy'",
      script: "CREATE TRIGGER tidy AFTER INSERT ON note BEGIN DELETE FROM note; END"),
    Case(
      testDescription: "a trigger of ours that does something else", says: "the trigger 'visit_finished'",
      script:
        "DROP TRIGGER visit_finished; CREATE TRIGGER visit_finished AFTER INSERT ON appointment BEGIN DELETE FROM note; END"
    ),
    Case(
      testDescription: "a column that is worked out at each reading", says: "a generated column in 'client'",
      script: "ALTER TABLE client ADD COLUMN more ANY GENERATED ALWAYS AS (hex(zeroblob(100000000))) VIRTUAL"),
    Case(
      testDescription: "a virtual table", says: "the virtual table 'words'",
      script: "CREATE VIRTUAL TABLE words USING fts5 (text)"),
    Case(
      testDescription: "a name that is meant for a terminal", says: "the view '?[31mx'",
      script: "CREATE VIEW \"\u{1B}[31mx\" AS SELECT 1"),
    Case(
      testDescription: "a head that counts four billion pages", says: nil,
      edit: { $0.replaceSubrange(28..<32, with: [255, 255, 255, 254]) }),
    Case(
      testDescription: "pages of three bytes", says: "", edit: { $0.replaceSubrange(16..<18, with: [0, 3]) },
      code: .notAPracticeFile),
    Case(
      testDescription: "a first page of chance", says: nil,
      edit: { bytes in
        for index in 100..<8000 { bytes[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 7) }
      }),
    Case(
      testDescription: "a free list that leads to itself", says: nil,
      edit: { bytes in
        bytes.replaceSubrange(32..<40, with: [0, 0, 0, 2, 0, 0, 255, 255])
      }),
    Case(
      testDescription: "a database of another program", says: "", script: "PRAGMA application_id = 0",
      code: .notAPracticeFile),
  ]

  private func make(_ hostile: Case, in folder: TemporaryFolder) throws {
    do {
      let connection = try Connection.create(folder.file)
      if !hostile.script.isEmpty { try connection.executeScript(hostile.script, context: "") }
      try connection.checkpoint()
    }
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file + suffix) }
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.file)))
    hostile.edit(&bytes)
    try Data(bytes).write(to: URL(filePath: folder.file))
  }

  @Test(arguments: cases)
  func `what VetNet never makes is refused before anything of it is done`(hostile: Case) throws {
    let folder = try TemporaryFolder()
    try make(hostile, in: folder)
    let bytes = try Data(contentsOf: URL(filePath: folder.file))
    let openings: [() throws -> Connection] = [
      { try Connection.open(folder.file, access: .readOnly) }, { try Connection.openStill(folder.file) },
      { try Connection.openAsItIs(folder.file) }, { try Connection.open(folder.file) },
    ]
    for open in openings {
      let took = try ContinuousClock().measure {
        do {
          let connection = try open()
          #expect(hostile.says == nil)
          _ = try? connection.quickCheck()
        } catch let error as StoreError {
          if let says = hostile.says {
            #expect(error.code == hostile.code && (says.isEmpty || error.context.contains(says)), "\(error)")
          }
        }
      }
      #expect(took < .seconds(5))
    }
    if hostile.says != nil { #expect(try Data(contentsOf: URL(filePath: folder.file)) == bytes) }
  }

  @Test func `a file of a newer VetNet is called that, whatever it holds`() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection.create(folder.file)
    try connection.executeScript(
      "INSERT INTO migration VALUES ('m9999_later'); CREATE TRIGGER later AFTER INSERT ON note BEGIN SELECT 1; END",
      context: "")
    for access in [Connection.Access.readOnly, .readWrite] {
      let error = #expect(throws: StoreError.self) { try Connection.open(folder.file, access: access) }
      #expect(error?.code == .supersededSchema)
    }
  }
}
