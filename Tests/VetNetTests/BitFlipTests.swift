import Clinical
import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Single bits of a practice file, flipped one at a time on a fresh copy. `make bitflips` flips a thousand.
struct BitFlipTests {
  /// What became of the flips.
  private struct Tally: CustomStringConvertible {
    var flips = 0
    /// SQLite refuses to open the copy, or to read one of its tables.
    var unreadable = 0
    var changed: [String: Int] = [:]
    var harmless = 0
    /// Of those that changed something: who found it. One may be found by several.
    var bySQLite = 0
    var byRecordHash = 0
    var byPageSum = 0
    var missed: [Int] = []

    var description: String {
      let tables = changed.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
      return """
        \(flips) flips: \(changed.values.reduce(0, +)) changed stored content (\(tables.joined(separator: ", "))), \
        \(unreadable) made the file unreadable, \(harmless) changed nothing. Found by SQLite's own check \(bySQLite), by record \
        hashes \(byRecordHash), by page sums \(byPageSum); missed \(missed.count).
        """
    }
  }

  /// What the tables hold, by name; the schema too.
  private func contents(of path: String) throws -> [String: ContentHash] {
    let connection = try Connection.open(path, access: .readOnly)
    let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") { $0.text(0) }
    var contents: [String: ContentHash] = [:]
    for table in tables + ["sqlite_schema"] {
      var canonical = CanonicalBytes()
      try connection.withStatement("SELECT * FROM \(table) NOT INDEXED") { statement throws(StoreError) in
        while try statement.step() {
          for column in 0..<statement.columnCount { statement.append(column, to: &canonical) }
        }
      }
      contents[table] = ContentHash(of: canonical)
    }
    return contents
  }

  /// What `vetnet doctor` would print.
  private func examined(_ path: String, _ clinic: SmallClinic) throws -> [DoctorFinding] {
    do {
      return try Practice.open(at: path, models: clinic.models, access: .read).integrity.doctor(
        now: clinic.now, isQuick: false)
    } catch let error as PracticeError {
      return try Practice.Integrity.findings(ofUnopened: path, because: error)
    }
  }

  /// A practice with something in most tables.
  private func practice(_ clinic: SmallClinic) throws -> String {
    let connection = clinic.practice.connection
    let source = try connection.sources.id(named: "test")
    for number in 0..<80 {
      let words = ["limping on the left fore", "vomiting since Friday", "coughs at night", "itching ears"]
      _ = try connection.notes.upsert(
        ClinicalNote(
          id: "N\(number)", patientID: "P\(1 + number % 9)", recordedAt: clinic.now.adding(days: -number),
          author: "Dr V1", kind: .consult,
          text:
            "Seen for \(words[number % 4]), weight \(10 + number % 7).4 kg. Given meloxicam, then \(words[number / 4 % 4])."
        ),
        source: source)
      _ = try connection.intakes.upsert(
        Intake(id: "I\(number)", patientID: "P1", sex: .unknown, text: "he is \(words[number % 4])"), source: source)
    }
    try clinic.book("P1", "2026-11-23T10:00")
    try clinic.book("P2", "2026-11-23T11:00", with: "V2")
    _ = try clinic.practice.index.reindex(ReindexOptions(trains: true), now: clinic.now) { _ in }
    try connection.compact()
    return clinic.folder.file("p.vetnet")
  }

  @Test func `a flipped bit that changes anything stored is found, and none brings doctor down`() throws {
    let environment = ProcessInfo.processInfo.environment
    let flips = environment["VETNET_BITFLIPS"].flatMap { Int($0) } ?? 60
    let clinic = try SmallClinic()
    let path = try environment["VETNET_BITFLIPS_PRACTICE"] ?? practice(clinic)
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let copy = clinic.folder.file("copy.vetnet")
    func write() throws {
      for suffix in ["-wal", "-shm"] { unlink(copy + suffix) }
      try Data(bytes).write(to: URL(filePath: copy))
      chmod(copy, 0o600)
    }
    try write()
    let original = try contents(of: copy)
    #expect(try examined(copy, clinic).filter { $0.severity == .damage }.map(\.message) == [])

    var generator = SplitMix64(seed: 16)
    var tally = Tally()
    let kinds = RecordTable.allCases.map { $0.rawValue + " " }
    for _ in 0..<flips {
      let bit = Int(generator.next() % UInt64(bytes.count * 8))
      bytes[bit / 8] ^= 1 << (bit % 8)
      try write()
      bytes[bit / 8] ^= 1 << (bit % 8)
      tally.flips += 1
      let found = try examined(copy, clinic).filter { $0.severity == .damage }
      var isChange = true
      do {
        let now = try contents(of: copy)
        if let table = now.sorted(by: { $0.key < $1.key }).first(where: { original[$0.key] != $0.value })?.key {
          tally.changed[table, default: 0] += 1
        } else if now.count != original.count {
          tally.changed["sqlite_schema", default: 0] += 1
        } else {
          tally.harmless += 1
          isChange = false
        }
      } catch {
        tally.unreadable += 1
      }
      guard isChange else { continue }
      if found.contains(where: { finding in kinds.contains { finding.subject.hasPrefix($0) } }) {
        tally.byRecordHash += 1
      }
      if found.contains(where: { $0.message.contains("not as written") }) { tally.byPageSum += 1 }
      if found.contains(where: { $0.subject == "file" && !$0.message.contains("not as written") }) {
        tally.bySQLite += 1
      }
      if found.isEmpty { tally.missed.append(bit) }
    }
    print(tally)
    #expect(tally.missed == [], "\(tally)")
    #expect(tally.byPageSum == tally.flips - tally.harmless, "\(tally)")
  }
}
