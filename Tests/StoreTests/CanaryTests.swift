import Clinical
import Foundation
import Glibc
@testable import Store
import Testing

/// Deleted and replaced text has to be gone from the bytes of the file and of its companions.
@Suite struct CanaryTests {
  private let canary = "qxzvcanary"

  private func found(_ practice: TestPractice, _ word: String) throws -> [String] {
    try ["", "-wal", "-shm"].filter { try !positions(of: word, in: practice.bytes($0)).isEmpty }
  }

  @Test(arguments: [1, 300, 20_000])
  func `a deleted note is nowhere`(repetitions: Int) throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    try practice.write("N1", String(repeating: "ordinary words ", count: 50))
    try practice.write("N2", String(repeating: "\(canary) \(canary)term ", count: repetitions))
    try practice.write("N3", "more ordinary words")
    try practice.index(generation)
    #expect(try !found(practice, canary).isEmpty)
    try practice.connection.notes.delete(row: 2)
    #expect(try found(practice, canary) == [])
    #expect(try !practice.connection.isErasurePending)
    #expect(try practice.connection.chunks.verify(generation: generation).isEmpty)
  }

  @Test func `a replaced note is nowhere, and neither is a patient's old name`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    try practice.write("N1", "\(canary) was said here")
    _ = try practice.connection.patients.upsert(
      Patient(id: "P7", name: "\(canary)name", species: .dog, ownerName: "\(canary) owner"), source: practice.source)
    try practice.index(generation)
    try practice.write("N1", "something else was said here")
    _ = try practice.connection.patients.upsert(
      Patient(id: "P7", name: "Rex", species: .dog), source: practice.source)
    #expect(try found(practice, canary) == [])
  }

  @Test func `an erased patient takes superseded versions and the old values of imports along`() throws {
    let practice = try TestPractice()
    let journal = practice.connection.imports
    let moment = Timestamp(seconds: 0)
    let id = try journal.begin(source: practice.source, at: moment, actor: "ann", paths: [])
    let context = ImportContext(
      importID: id, source: practice.source, at: moment, actor: "ann", clearsEmpty: false)
    for text in ["\(canary) was said here", "something else"] {
      let note = ClinicalNote(id: "N1", patientID: "P1", recordedAt: moment, text: text)
      let intake = Intake(id: "I1", patientID: "P1", text: text)
      let patient = Patient(id: "P1", name: "Bella", species: .dog, breed: text)
      let records: [(any ImportedRecord, Set<String>)] = [
        (note, ["id", "patient_id", "recorded_at", "text"]), (intake, ["patient_id", "text"]), (patient, ["breed"]),
      ]
      for (record, given) in records { _ = try journal.keep(record, stated: StatedFields(given: given), context) }
    }
    #expect(try !found(practice, canary).isEmpty)
    #expect(try practice.connection.notes.versions(row: 1).count == 1)
    try practice.connection.patients.delete(row: 1)
    #expect(try found(practice, canary) == [])
    #expect(try practice.connection.number("SELECT count(*) FROM import_change") == 0)
  }

  @Test func `a discarded generation takes its words along`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    try practice.write("N1", "some note")
    let note = try #require(try practice.connection.notes.note(row: 1))
    // A term that isn't in the text: an analyser's expansion.
    var indexed = toyIndexed(note)
    indexed.chunks[0].terms[canary] = 1
    _ = try practice.connection.chunks.insert([indexed], generation: generation)
    while try !practice.connection.generations.discard(row: generation) {}
    #expect(try found(practice, canary) == [])
  }

  @Test func `a reader holds the erasure up, and the next opening makes up for it`() throws {
    let practice = try TestPractice()
    try practice.write("N1", "\(canary) was said here")
    do {
      let reader = try Connection.open(practice.folder.file, access: .readOnly)
      try reader.transaction(.deferred) { () throws(StoreError) in
        #expect(try reader.notes.count() == 1)
        try practice.connection.notes.delete(row: 1)
      }
      #expect(try practice.connection.isErasurePending)
      #expect(try found(practice, canary) != [])
      // Nor does it keep a second connection from opening while a third writes.
      try practice.connection.transaction { () throws(StoreError) in
        _ = try Connection.open(practice.folder.file)
      }
    }
    _ = try Connection.open(practice.folder.file)
    #expect(try !practice.connection.isErasurePending)
    #expect(try found(practice, canary) == [])
  }

  @Test(arguments: [UInt64(1), 2])
  func `random writing leaves no word that isn't in the record`(seed: UInt64) throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    var generator = SplitMix64(seed: seed)
    var counter = 0
    var live: [String: String] = [:]
    for _ in 0..<40 {
      try practice.connection.mixedTransaction {
        for _ in 0..<12 {
          counter += 1
          let id = "N\(Int.random(in: 0..<150, using: &generator))"
          if let row = try practice.connection.recordIDs.row(.note, id), Int.random(in: 0..<3, using: &generator) == 0 {
            try practice.connection.notes.delete(row: row)
            live[id] = nil
          } else {
            let word = "qx\(1_000_000 + counter)zv"
            let length = [1, 10, 100, 900, 3000].randomElement(using: &generator) ?? 1
            try practice.write(id, String(repeating: "\(word) lorem ipsum ", count: length))
            live[id] = word
          }
        }
        try practice.index(generation)
      }
    }
    #expect(try practice.connection.chunks.verify(generation: generation).isEmpty)
    try practice.connection.checkpoint()
    let words = Set(live.values)
    let bytes = try practice.bytes() + practice.bytes("-wal") + practice.bytes("-shm")
    var present: Set<String> = []
    for start in positions(of: "qx1", in: bytes) {
      let candidate = String(decoding: bytes[start...].prefix(11), as: UTF8.self)
      if candidate.hasSuffix("zv") { present.insert(candidate) }
    }
    #expect(present.subtracting(words).sorted() == [])
    #expect(words.subtracting(present).sorted() == [])
    // Not only these words: nothing at all lies where no cell is.
    let pages = try practice.bytes()
    let zeros = [UInt8](repeating: 0, count: 16384)
    var littered: [Int] = []
    for start in stride(from: 0, to: pages.count, by: 16384) {
      pages[start..<start + 16384].withUnsafeBytes { page in
        guard let unused = PageScrubber.unusedRange(of: page, isFirst: start == 0), let base = page.baseAddress else {
          return
        }
        if memcmp(base + unused.lowerBound, zeros, unused.count) != 0 { littered.append(start / 16384 + 1) }
      }
    }
    #expect(littered == [])
  }
}
