import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// What somebody does to the audit log who has the practice file, and not the key: each of it is found by the program, which runs
/// in a process of its own.
struct AuditTamperTests {
  /// A practice with nine entries, anchors of the seventh and the last, and what it was at the first of them.
  private struct Recorded {
    let folder: TemporaryFolder
    let earlier: TemporaryFolder
    var path: String { folder.file("p.vetnet") }
    var anchors: String { folder.file("anchors.jsonl") }

    init() throws {
      folder = try TemporaryFolder()
      earlier = try TemporaryFolder()
      let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
      func run(_ arguments: String...) throws {
        let outcome = try vetnet.start(arguments).wait()
        try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
      }
      try run("init", "--time-zone", "Europe/London")
      for name in ["Rex", "Tiggy"] { try run("patient", "add", name, "--species", "dog", "--owner", "Ann \(name)") }
      for number in 1...2 {
        try run("note", "add", "patient-1", "--text", "Vomiting, day \(number).", "--kind", "phone")
      }
      try run("note", "show", "note-1")
      try run("audit", "anchor", "--out", folder.file("anchors.jsonl"))
      // A status opens the file for reading only; a change copies the log into it.
      try FileManager.default.copyItem(atPath: folder.file("p.vetnet"), toPath: earlier.file("p.vetnet"))
      for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: folder.file("p.vetnet" + suffix)) {
        try FileManager.default.copyItem(
          atPath: folder.file("p.vetnet" + suffix), toPath: earlier.file("p.vetnet" + suffix))
      }
      try run("patient", "show", "patient-1")
      try run("note", "retract", "note-2", "--reason", "of another animal")
      try run("audit", "anchor", "--out", folder.file("anchors.jsonl"))
    }

    func copy() throws -> TemporaryFolder {
      let copy = try TemporaryFolder()
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
      }
      return copy
    }

    /// Puts the file back to what it was, with its log; the key stays.
    func rollBack(in copy: TemporaryFolder) throws {
      for name in ["p.vetnet", "p.vetnet-wal", "p.vetnet-shm"] {
        try? FileManager.default.removeItem(atPath: copy.file(name))
        if FileManager.default.fileExists(atPath: earlier.file(name)) {
          try FileManager.default.copyItem(atPath: earlier.file(name), toPath: copy.file(name))
        }
      }
    }
  }

  private static let recorded = Result { try Recorded() }

  struct Tampering: Sendable, CustomTestStringConvertible {
    let what: String
    var sql = ""
    /// Whether every hash is made anew, and the head after them.
    var rehashes = false
    /// The first entry that is bad.
    let firstBad: Int
    var testDescription: String { what }
  }

  private static let tamperings = [
    Tampering(what: "another actor", sql: "UPDATE audit_entry SET actor = 'bob' WHERE sequence = 3", firstBad: 3),
    Tampering(what: "another time", sql: "UPDATE audit_entry SET at = at - 60 WHERE sequence = 4", firstBad: 4),
    Tampering(what: "another patient", sql: "UPDATE audit_about SET id = 'patient-2' WHERE sequence = 4", firstBad: 4),
    Tampering(what: "another digest", sql: "UPDATE audit_about SET after = before WHERE sequence = 1", firstBad: 1),
    Tampering(
      what: "a record left out", sql: "DELETE FROM audit_about WHERE sequence = 2 AND ordinal = 0", firstBad: 2),
    Tampering(
      what: "a record put in",
      sql: "INSERT INTO audit_about VALUES (2, 9, 'patient', 'patient-9', NULL, NULL)", firstBad: 2),
    Tampering(
      what: "an entry deleted",
      sql: "DELETE FROM audit_about WHERE sequence = 3; DELETE FROM audit_entry WHERE sequence = 3",
      firstBad: 3),
    Tampering(
      what: "an entry deleted and the rest renumbered",
      sql: """
        DELETE FROM audit_about WHERE sequence = 3; DELETE FROM audit_entry WHERE sequence = 3;
        UPDATE audit_about SET sequence = sequence - 1 WHERE sequence > 3;
        UPDATE audit_entry SET sequence = sequence - 1 WHERE sequence > 3;
        UPDATE audit_head SET sequence = sequence - 1
        """, firstBad: 3),
    Tampering(
      what: "an entry put in",
      sql: """
        INSERT INTO audit_entry SELECT sequence + 1, kind, at, actor, role, operation, version, details, checkpoint, hash,
          digest, hash FROM audit_entry ORDER BY sequence DESC LIMIT 1
        """, firstBad: 10),
    Tampering(
      what: "two entries that change places",
      sql: """
        UPDATE audit_about SET sequence = -sequence WHERE sequence IN (2, 3);
        UPDATE audit_entry SET sequence = -sequence WHERE sequence IN (2, 3);
        UPDATE audit_about SET sequence = 5 + sequence WHERE sequence < 0;
        UPDATE audit_entry SET sequence = 5 + sequence WHERE sequence < 0
        """, firstBad: 2),
    Tampering(
      what: "the last entries cut off",
      sql: "DELETE FROM audit_about WHERE sequence > 6; DELETE FROM audit_entry WHERE sequence > 6", firstBad: 7),
    Tampering(
      what: "the last entries cut off, and the head moved",
      sql: """
        DELETE FROM audit_about WHERE sequence > 6; DELETE FROM audit_entry WHERE sequence > 6;
        UPDATE audit_head SET sequence = 6, hash = (SELECT hash FROM audit_entry WHERE sequence = 6)
        """, firstBad: 6),
    Tampering(
      what: "the log emptied",
      sql: "DELETE FROM audit_about; DELETE FROM audit_entry; DELETE FROM audit_head", firstBad: 0),
    Tampering(
      what: "an access emptied as if it had been compacted",
      sql: """
        DELETE FROM audit_about WHERE sequence = 5;
        UPDATE audit_entry SET at = NULL, actor = NULL, role = NULL, operation = NULL, version = NULL, details = NULL,
          checkpoint = 7 WHERE sequence = 5
        """, firstBad: 5),
    Tampering(
      what: "another actor, and every hash made anew", sql: "UPDATE audit_entry SET actor = 'bob' WHERE sequence = 3",
      rehashes: true, firstBad: 9),
    Tampering(
      what: "another actor, every hash made anew, and no key said to be needed",
      sql: "UPDATE audit_entry SET actor = 'bob' WHERE sequence = 3; UPDATE audit_head SET key_id = NULL, mac = NULL",
      rehashes: true, firstBad: 9),
  ]

  @Test(arguments: tamperings)
  func `what was done to the log with the file alone is found`(_ tampering: Tampering) throws {
    let copy = try Self.recorded.get().copy()
    let vetnet = try VetNetProcess(practice: copy.file("p.vetnet"))
    #expect(try vetnet.run("audit", "verify", "--json").json()["ok"] as? Bool == true)
    try tamper(with: copy.file("p.vetnet"), tampering)
    let outcome = try vetnet.run("audit", "verify", "--json")
    let report = try outcome.json()
    #expect(outcome.status == 13 && report["ok"] as? Bool == false)
    #expect(report["first_bad"] as? Int == tampering.firstBad, "\(report["problem"] ?? "")")
    let verification = try vetnet.run("verify")
    #expect(verification.status == 13 && verification.output.contains("audit log: entry"))
    // Going on doesn't make it good.
    #expect(try vetnet.run("patient", "show", "patient-1").status == 0)
    #expect(try vetnet.run("audit", "verify").status == 13)
  }

  /// With SQLite alone, while no other process has the file open.
  private func tamper(with path: String, _ tampering: Tampering) throws {
    let connection = try Connection.connect(path, access: .readWrite)
    try connection.executeScript(tampering.sql, context: "tampering")
    guard tampering.rehashes else { return }
    let all = try connection.audit.entries()
    let head = try connection.rows("SELECT key_id, mac FROM audit_head") {
      (id: $0.isNull(0) ? nil : $0.bytes(0), mac: $0.isNull(1) ? nil : $0.bytes(1))
    }
    try connection.executeScript(
      "DELETE FROM audit_about; DELETE FROM audit_entry; DELETE FROM audit_head", context: "tampering")
    try connection.transaction { () throws(StoreError) in
      for entry in all.compactMap(\.entry) { try connection.audit.append(entry, key: nil) }
      try connection.execute("UPDATE audit_head SET key_id = ?, mac = ?", head[0].id, head[0].mac)
    }
  }

  @Test func `a file that is put back whole is found by an anchor`() throws {
    let recorded = try Self.recorded.get()
    let copy = try recorded.copy()
    let vetnet = try VetNetProcess(practice: copy.file("p.vetnet"))
    let held = try vetnet.run("audit", "verify", "--anchor", copy.file("anchors.jsonl"), "--json").json()
    #expect(held["ok"] as? Bool == true && held["anchors"] as? Int == 2)
    try recorded.rollBack(in: copy)
    // The chain and its head are sound as they were then: only what was kept elsewhere knows more.
    #expect(try vetnet.run("audit", "verify").status == 0)
    let found = try vetnet.run("audit", "verify", "--anchor", copy.file("anchors.jsonl"), "--json")
    #expect(found.status == 13)
    #expect(try (found.json()["problem"] as? String)?.contains("older file") == true)
    // Other entries in their place don't hide it.
    for _ in 0..<6 { try vetnet.run("patient", "show", "patient-2") }
    #expect(try vetnet.run("audit", "verify").status == 0)
    #expect(try vetnet.run("audit", "verify", "--anchor", copy.file("anchors.jsonl")).status == 13)
  }

  @Test func `entries that are cut off with a head from then are found by an anchor`() throws {
    let recorded = try Self.recorded.get()
    let copy = try recorded.copy()
    let then = try recorded.copy()
    try recorded.rollBack(in: then)
    let old = try Connection.connect(then.file("p.vetnet"), access: .readWrite)
    let head = try #require(
      try old.first("SELECT sequence, hash, mac FROM audit_head") { ($0.int64(0), $0.bytes(1), $0.bytes(2)) })
    do {
      let connection = try Connection.connect(copy.file("p.vetnet"), access: .readWrite)
      try connection.execute("DELETE FROM audit_about WHERE sequence > ?", head.0)
      try connection.execute("DELETE FROM audit_entry WHERE sequence > ?", head.0)
      try connection.execute("UPDATE audit_head SET sequence = ?, hash = ?, mac = ?", head.0, head.1, head.2)
    }
    let vetnet = try VetNetProcess(practice: copy.file("p.vetnet"))
    #expect(try vetnet.run("audit", "verify").status == 0)
    #expect(try vetnet.run("audit", "verify", "--anchor", copy.file("anchors.jsonl")).status == 13)
  }

  @Test func `a copy without its key is verified as far as it goes, and goes on under a key of its own`() throws {
    let copy = try Self.recorded.get().copy()
    try FileManager.default.removeItem(atPath: copy.file("p.vetnet.audit-key"))
    let vetnet = try VetNetProcess(practice: copy.file("p.vetnet"))
    let before = try vetnet.run("audit", "verify", "--anchor", copy.file("anchors.jsonl"), "--json").json()
    #expect(before["ok"] as? Bool == true && before["keyed"] as? Bool == false)
    #expect(try vetnet.run("doctor").output.contains("its key"))
    #expect(try vetnet.run("patient", "show", "patient-1").status == 0)
    let after = try vetnet.run("audit", "verify", "--anchor", copy.file("anchors.jsonl"), "--json").json()
    #expect(after["ok"] as? Bool == true && after["keyed"] as? Bool == true && after["keyed_from"] as? Int == 10)
  }

  @Test func `a key that can't be read is replaced by none, and nothing is written without it`() throws {
    let copy = try Self.recorded.get().copy()
    let key = copy.file("p.vetnet.audit-key")
    try FileManager.default.moveItem(atPath: key, toPath: copy.file("key"))
    // A folder can be opened, and reading it fails.
    try FileManager.default.createDirectory(atPath: key, withIntermediateDirectories: false)
    let vetnet = try VetNetProcess(practice: copy.file("p.vetnet"))
    let refused = try vetnet.run("note", "add", "patient-1", "--text", "Eating.")
    #expect(refused.status == 1 && refused.errors.contains("audit-key' can't be read"), "\(refused)")
    try FileManager.default.removeItem(atPath: key)
    try FileManager.default.moveItem(atPath: copy.file("key"), toPath: key)
    #expect(try !vetnet.run("patient", "timeline", "patient-1").output.contains("Eating"))
    #expect(try vetnet.run("audit", "verify", "--anchor", copy.file("anchors.jsonl")).status == 0)
  }

  @Test func `an anchor of another practice, or that is none, is refused`() throws {
    let copy = try Self.recorded.get().copy()
    let vetnet = try VetNetProcess(practice: copy.file("p.vetnet"))
    let hash = String(repeating: "0", count: 64)
    for line in [
      #"{"practice":"other","sequence":1,"hash":"\#(hash)","at":"2026-11-23"}"#, #"{"sequence":1,"hash":"xy","at":""}"#,
      "hello",
    ] {
      let outcome = try vetnet.run("audit", "verify", "--anchor", try copy.write(line + "\n", to: "other.jsonl"))
      #expect(outcome.status == 64, "\(line)")
    }
  }
}
