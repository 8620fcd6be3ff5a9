import Clinical
@testable import Store
import Testing

@Suite struct NoteStoreTests {
  @Test func `a note comes back as it was written`() throws {
    let practice = try TestPractice()
    let note = ClinicalNote(
      id: "N1", patientID: "P1", recordedAt: Timestamp(seconds: 1_700_000_000), author: "Dr Lee", kind: .lab,
      text: "Creat 210 µmol/L\r\n\t— recheck ✓\u{0}")
    let row = try practice.connection.notes.upsert(note, source: practice.source).rowID
    #expect(try practice.connection.notes.note(row: row)?.value == note)
    #expect(try practice.connection.notes.notes(id: "N1").map(\.value) == [note])
  }

  @Test func `a second import is a no-op, and equal texts are still two notes`() throws {
    let practice = try TestPractice()
    #expect(try practice.write("N1", "well").outcome == .inserted)
    #expect(try practice.write("N2", "well").outcome == .inserted)
    #expect(try practice.write("N1", "well").outcome == .unchanged)
    #expect(try practice.write("N1", "unwell").outcome == .updated)
    #expect(try practice.connection.notes.count() == 2)
  }

  @Test func `a note of an unknown patient is refused by name`() throws {
    let practice = try TestPractice()
    #expect(throws: StoreError(.unknownRecord, context: "patient 'P404'")) {
      try practice.write("N1", "secret", patient: "P404")
    }
    #expect(try practice.connection.notes.count() == 0)
  }

  @Test func `a patient's notes come in the order of time, up to a moment`() throws {
    let practice = try TestPractice()
    _ = try practice.connection.patients.upsert(Patient(id: "P2", name: "Max", species: .cat), source: practice.source)
    for (id, patient, seconds) in [("N1", "P1", 30), ("N2", "P2", 10), ("N3", "P1", 10), ("N4", "P1", 20)] {
      try practice.write(id, "text", patient: patient, at: Int64(seconds))
    }
    let notes = practice.connection.notes
    #expect(try notes.notes(patient: 1).map(\.value.id) == ["N3", "N4", "N1"])
    #expect(try notes.notes(patient: 1, through: Timestamp(seconds: 20)).map(\.value.id) == ["N3", "N4"])
    #expect(try notes.notes(rows: [4, 99, 2]).map(\.value.id) == ["N4", "N2"])
  }

  @Test func `what a generation lacks comes in batches, each note once`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    for number in 0..<10 { try practice.write("N\(number)", "text") }
    try practice.connection.chunks.markFailed(note: 4, generation: generation, reason: "no words")
    var seen: [Int64] = []
    while case let batch = try practice.connection.notes.lacking(in: generation, after: seen.last ?? 0, limit: 3),
      !batch.isEmpty
    {
      seen += batch.map(\.rowID)
    }
    #expect(seen == [1, 2, 3, 5, 6, 7, 8, 9, 10])
    #expect(try practice.connection.notes.lackingCount(in: generation) == 9)
    #expect(try practice.connection.chunks.failures(generation: generation).map(\.noteRowID) == [4])
    // A failed note that changes gets another chance.
    try practice.write("N3", "words")
    #expect(try practice.connection.notes.lackingCount(in: generation) == 10)
  }

  @Test func `what a generation lacks follows from counters, whatever happens to its notes`() throws {
    let practice = try TestPractice()
    let connection = practice.connection
    let generation = try practice.beginGeneration()
    func check(_ lacking: Int) throws {
      let live = try #require(try connection.generations.generation(row: generation))
      #expect(try connection.notes.standingCount() - live.noteCount == lacking)
      #expect(try connection.notes.lackingCount(in: generation) == lacking)
      #expect(try connection.chunks.verify(generation: generation) == [])
    }
    for number in 0..<6 { try practice.write("N\(number)", "cough for two days") }
    try check(6)
    try connection.chunks.markFailed(note: 4, generation: generation, reason: "no words")
    try connection.chunks.markFailed(note: 4, generation: generation, reason: "again no words")
    try check(5)
    try practice.index(generation)
    try check(0)
    try practice.write("N1", "cough for three days")
    try practice.write("N3", "the failed one, with words")
    try check(2)
    let retraction = NoteRetraction(at: Timestamp(seconds: 9), actor: "S1", reason: "another animal's")
    for row in [1, 2] as [Int64] { #expect(try connection.notes.retract(row: row, retraction)) }
    try check(1)
    #expect(try connection.notes.reinstate(row: 1))
    try check(2)
    try practice.index(generation)
    try check(0)
    try connection.notes.delete(row: 5)
    try check(0)
  }

  @Test func `a changed note takes everything derived from it along, in every generation`() throws {
    let practice = try TestPractice()
    let connection = practice.connection
    let generations = [try practice.beginGeneration("first"), try practice.beginGeneration("second")]
    try practice.write("N1", "common rare common words of the first note here")
    try practice.write("N2", "common words")
    for generation in generations { try practice.index(generation) }
    let quoting = try connection.assessments.insert(
      kind: "brief", at: Timestamp(seconds: 1), patient: 1, modelVersions: "{}", result: "{}", quotedNotes: [1, 2])
    let other = try connection.assessments.insert(
      kind: "brief", at: Timestamp(seconds: 1), patient: 1, modelVersions: "{}", result: "{}", quotedNotes: [2])

    #expect(try practice.write("N1", "other").outcome == .updated)

    for generation in generations {
      #expect(try connection.chunks.chunks(note: 1, generation: generation).isEmpty)
      #expect(try connection.facts.facts(generation: generation, note: 1).isEmpty)
      #expect(try connection.chunks.vectors(generation: generation).chunkIDs.count == 1)
      let terms = try connection.chunks.statistics(of: ["common", "rare", "words"], generation: generation)
      #expect(terms.mapValues(\.documentFrequency) == ["common": 1, "words": 1])
      #expect(try connection.notes.lacking(in: generation, limit: 9).map(\.rowID) == [1])
      #expect(try connection.generations.generation(row: generation)?.tokenTotal == 2)
      #expect(try connection.chunks.verify(generation: generation).isEmpty)
    }
    #expect(try connection.assessments.assessment(row: quoting) == nil)
    #expect(try connection.assessments.assessment(row: other) != nil)
  }

  @Test func `an import that fails invalidates nothing`() throws {
    struct Refusal: Error {}
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    try practice.write("N1", "one two three")
    try practice.index(generation)
    #expect(throws: Refusal.self) {
      try practice.connection.mixedTransaction {
        try practice.write("N1", "changed")
        throw Refusal()
      }
    }
    #expect(try practice.connection.notes.note(row: 1)?.value.text == "one two three")
    #expect(try practice.connection.chunks.verify(generation: generation).isEmpty)
    #expect(try practice.connection.chunks.vectors(generation: generation).chunkIDs.count == 1)
    #expect(try !practice.connection.isErasurePending)
  }

  @Test func `a note moved to another patient is indexed anew`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    let second = try practice.connection.patients.upsert(
      Patient(id: "P2", name: "Max", species: .cat), source: practice.source)
    try practice.write("N1", "one two")
    try practice.index(generation)
    try practice.write("N1", "one two", patient: "P2")
    try practice.index(generation)
    let chunks = practice.connection.chunks
    #expect(try chunks.candidates(generation: generation, filter: ChunkFilter(patientRowID: 1)).isEmpty)
    #expect(try chunks.candidates(generation: generation, filter: ChunkFilter(patientRowID: second.rowID)).count == 1)
  }

  @Test func `a deleted patient leaves nothing behind`() throws {
    let practice = try TestPractice()
    let connection = practice.connection
    let generation = try practice.beginGeneration()
    try practice.write("N1", "one two three")
    try practice.index(generation)
    let source = practice.source
    _ = try connection.intakes.upsert(Intake(id: "I1", patientID: "P1", text: "limping"), source: source)
    _ = try connection.appointments.upsert(
      Appointment(id: "A1", patientID: "P1", start: Timestamp(seconds: 0), durationMinutes: 15), source: source)
    _ = try connection.assessments.insert(
      kind: "triage", at: Timestamp(seconds: 0), patient: 1, modelVersions: "{}", result: "{}")
    try connection.patients.delete(row: 1)
    for table in [
      "patient", "note", "chunk", "chunk_vector", "term", "posting", "fact", "intake", "appointment",
      "assessment", "note_state",
    ] {
      #expect(try connection.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
    }
  }
}
