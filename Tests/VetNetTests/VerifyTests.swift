import Clinical
import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// `vetnet verify` looks at everything, and names what it finds by the check that found it.
struct VerifyTests {
  private static func clinic() throws -> SmallClinic {
    let clinic = try SmallClinic()
    try clinic.book("P1", "2026-11-23T10:00")
    let connection = clinic.practice.connection
    for number in 1...6 {
      _ = try connection.notes.upsert(
        ClinicalNote(
          id: "N\(number)", patientID: "P\(number)", recordedAt: clinic.now.adding(days: -number), kind: .consult,
          text:
            "Vomiting since Friday, 12.4 kg. Café au lait. Given maropitant, start meloxicam 0.1 mg/kg SID, recheck \(number)."
        ),
        source: try connection.sources.id(named: "test"))
    }
    _ = try clinic.practice.index.reindex(ReindexOptions(), now: clinic.now) { _ in }
    return clinic
  }

  private struct Row: Sendable, CustomTestStringConvertible {
    let check: String
    let sql: String
    let names: String
    var testDescription: String { "\(check): \(sql)" }
  }

  private static let rows = [
    Row(
      check: "references", sql: "PRAGMA foreign_keys = OFF; UPDATE appointment SET patient_id = 999",
      names: "appointment"),
    Row(
      check: "records", sql: "UPDATE note SET text = text || ' not' WHERE external_id = 'N2'",
      names: "note N2: of 2026-11-18"),
    Row(check: "records", sql: "UPDATE client SET name = 'Other'", names: "client C1"),
    Row(
      check: "ranges", sql: "UPDATE chunk SET end_byte = end_byte + 5000 WHERE note_id = 3",
      names: "note N3 of 2026-11-17"),
    Row(
      check: "ranges",
      sql:
        "UPDATE fact SET start_byte = (SELECT instr(CAST(text AS BLOB), x'A9') - 1 FROM note WHERE note.id = note_id), end_byte = 60 WHERE note_id = 1",
      names: "within a code point"),
    Row(check: "ranges", sql: "UPDATE chunk SET patient_id = 8 WHERE note_id = 4", names: "another patient"),
    Row(
      check: "vectors",
      sql: "UPDATE chunk_vector SET vector = CAST(zeroblob(2044) || x'0000C07F' AS BLOB) WHERE chunk_id = 1",
      names: "note N"),
    Row(
      check: "postings", sql: "UPDATE term SET document_frequency = document_frequency + 1 WHERE id = 1",
      names: "counted wrong"),
    Row(check: "courses", sql: "UPDATE drug_course SET is_ended = 1 - is_ended", names: "courses of drugs"),
    Row(check: "slots", sql: "DELETE FROM clinician_slot", names: "appointment"),
  ]

  @Test func `a sound file is sound, and each check says how much it looked at`() throws {
    let clinic = try Self.clinic()
    try clinic.practice.perform(ShowNote(id: "N1"), by: .local, at: clinic.now)
    let result = try clinic.practice.integrity.verify()
    #expect(result.ok, "\(result.checks.flatMap(\.failed))")
    #expect(
      result.checks.map(\.name)
        == [
          "structure", "references", "pages", "records", "encounters", "photos", "audit", "ranges", "vectors",
          "postings", "courses", "slots",
        ])
    // There is no photo and no encounter here; their own tests have some.
    #expect(
      result.checks.allSatisfy { $0.checked > 0 || ["photos", "encounters"].contains($0.name) },
      "\(result.checks.map(\.checked))")
    #expect(result.checks.first { $0.name == "records" }?.checked == 22)
  }

  @Test func `what was altered is found by its check, named by id and date, and nothing is repaired`() throws {
    let clinic = try Self.clinic()
    let path = clinic.folder.file("p.vetnet")
    try clinic.practice.connection.checkpoint()
    clinic.practice = try Practice.inMemory(models: clinic.models, timeZone: .utc)
    let original = try Data(contentsOf: URL(filePath: path))
    for row in Self.rows {
      for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
      try original.write(to: URL(filePath: path))
      do {
        let connection = try Connection.open(path)
        try connection.executeScript(row.sql, context: "altering")
        connection.writtenRecords.forget()
      }
      let bytes = try FileBytes.digest(of: path).digest
      let outcome = try Practice.open(at: path, models: clinic.models, access: .read).integrity.verify()
      let failed = outcome.checks.filter { !$0.ok }
      #expect(!outcome.ok && failed.contains { $0.name == row.check }, "\(row): \(failed)")
      let words = failed.filter { $0.name == row.check }.flatMap(\.failed).joined(separator: "\n")
      #expect(words.contains(row.names), "\(row): \(words)")
      #expect(!words.contains("omiting") && !words.contains("Café") && !words.contains("Other"))
      #expect(try FileBytes.digest(of: path).digest == bytes)
    }
  }

  @Test func `the program exits with 13 and names the check, also where the file can't be opened`() throws {
    let clinic = try Self.clinic()
    let path = clinic.folder.file("p.vetnet")
    clinic.practice = try Practice.inMemory(models: clinic.models, timeZone: .utc)
    let vetnet = try VetNetProcess(practice: path)
    #expect(try vetnet.run("verify").status == 0)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 16384 - 300)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 200))
    try file.close()
    let outcome = try vetnet.run("verify", "--json")
    #expect(outcome.status == 13, "\(outcome)")
    let result = try outcome.json()
    #expect(result["ok"] as? Bool == false)
    let checks = try #require(result["checks"] as? [[String: Any]])
    #expect(checks.contains { $0["ok"] as? Bool == false && ($0["failed"] as? [String])?.isEmpty == false })
    #expect(try vetnet.run("verify", "--practice", clinic.folder.file("none.vetnet")).status == 10)
  }
}
