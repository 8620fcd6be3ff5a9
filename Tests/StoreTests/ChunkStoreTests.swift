import Clinical
@testable import Store
import Testing

@Suite struct ChunkStoreTests {
  @Test func `chunks keep their place, section and length`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    try practice.write("N1", "één twee drie vier vijf zes zeven", at: 77)
    try practice.index(generation)
    let chunks = try practice.connection.chunks.chunks(note: 1, generation: generation)
    #expect(
      chunks.map(\.chunk) == [
        Chunk(ordinal: 0, range: 0..<25, section: "body"), Chunk(ordinal: 1, range: 26..<35),
      ])
    #expect(chunks.map(\.tokenCount) == [5, 2])
    #expect(
      chunks.allSatisfy { $0.recordedAt == Timestamp(seconds: 77) && $0.kind == .consult && $0.patientRowID == 1 })
    #expect(try practice.connection.chunks.chunks(rows: [chunks[1].rowID, 99]).map(\.rowID) == [chunks[1].rowID])
    let text = try #require(try practice.connection.notes.note(row: 1)).value.text
    #expect(text.slice(utf8: chunks[1].chunk.range) == "zes zeven")
  }

  @Test func `a note that changed since it was read is not indexed`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    try practice.write("N1", "as it was read")
    try practice.write("N2", "deleted meanwhile")
    let read = try practice.connection.notes.lacking(in: generation, limit: 9).map(toyIndexed)
    try practice.write("N1", "as it is now")
    try practice.connection.notes.delete(row: 2)
    #expect(
      try practice.connection.chunks.insert(read, generation: generation)
        == IndexingResult(indexedCount: 0, outdatedCount: 2))
    try practice.index(generation)
    #expect(try practice.connection.chunks.insert(read, generation: generation).indexedCount == 0)
    #expect(try practice.connection.chunks.verify(generation: generation).isEmpty)
    #expect(try practice.connection.generations.generation(row: generation)?.chunkCount == 1)
  }

  @Test func `a filter lets through what it names`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    let other = try practice.beginGeneration("other")
    let source = practice.source
    for id in ["P2", "P3"] {
      _ = try practice.connection.patients.upsert(Patient(id: id, name: id, species: .cat), source: source)
    }
    var generator = SplitMix64(seed: 3)
    for number in 0..<60 {
      _ = try practice.connection.notes.upsert(
        ClinicalNote(
          id: "N\(number)", patientID: "P\(Int.random(in: 1...3, using: &generator))",
          recordedAt: Timestamp(seconds: Int64.random(in: 0...9, using: &generator)),
          kind: NoteKind.allCases.randomElement(using: &generator) ?? .consult, text: "note number \(number)"),
        source: source)
    }
    try practice.index(generation)
    try practice.index(other)
    let store = practice.connection.chunks
    let all = try store.chunks(rows: try store.candidates(generation: generation).map(\.chunkID))
    #expect(all.count == 60)
    var filters: [ChunkFilter] = []
    for patient in [nil, 1, 2, 99] as [Int64?] {
      for excluded in [nil, 1] as [Int64?] {
        for (from, through) in [(nil, nil), (3, nil), (nil, 5), (4, 4), (7, 2)] as [(Int64?, Int64?)] {
          for kinds in [nil, [], [.lab], [.consult, .phone, .nurse]] as [Set<NoteKind>?] {
            filters.append(
              ChunkFilter(
                patientRowID: patient, excludedPatientRowID: excluded, from: from.map(Timestamp.init(seconds:)),
                through: through.map(Timestamp.init(seconds:)), kinds: kinds))
          }
        }
      }
    }
    for filter in filters {
      let expected = all.filter {
        (filter.patientRowID ?? $0.patientRowID) == $0.patientRowID && filter.excludedPatientRowID != $0.patientRowID
          && (filter.from ?? $0.recordedAt) <= $0.recordedAt && $0.recordedAt <= (filter.through ?? $0.recordedAt)
          && (filter.kinds?.contains($0.kind) ?? true)
      }
      #expect(
        try store.candidates(generation: generation, filter: filter)
          == expected.map {
            ChunkCandidate(chunkID: $0.rowID, patientRowID: $0.patientRowID, tokenCount: $0.tokenCount)
          })
      #expect(try store.vectors(generation: generation, filter: filter).chunkIDs == expected.map(\.rowID))
      var walked: [Int64] = []
      try store.forEachForwardTerms(generation: generation, filter: filter) { chunk, tokens, terms throws(StoreError) in
        walked.append(chunk)
        #expect(tokens == terms.reduce(0) { $0 + $1.frequency })
      }
      #expect(walked == expected.map(\.rowID))
    }
  }

  @Test func `vectors come back bit by bit, whole or in blocks`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    for number in 0..<40 { try practice.write("N\(number)", "text \(number)") }
    try practice.index(generation)
    let store = practice.connection.chunks
    let whole = try store.vectors(generation: generation)
    #expect(whole.chunkIDs.count == 40)
    #expect(whole.values == (0..<40).flatMap { toyVector("text \($0)") })
    var ids: [Int64] = []
    var values: [Float] = []
    while case let block = try store.vectors(generation: generation, after: ids.last ?? 0, limit: 7),
      !block.chunkIDs.isEmpty
    {
      #expect(block.chunkIDs.count <= 7)
      ids += block.chunkIDs
      values += block.values
    }
    #expect(ids == whole.chunkIDs)
    #expect(values == whole.values)
    #expect(try store.vector(chunk: ids[3]) == toyVector("text 3"))
    #expect(try store.vector(chunk: 9999) == nil)
    let some = try store.vectors(chunks: [ids[5], 9999, ids[2]])
    #expect(some.chunkIDs == [ids[2], ids[5]])
    #expect(some.values == toyVector("text 2") + toyVector("text 5"))
  }

  @Test func `a vector of another length is damage`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    try practice.write("N1", "text")
    try practice.index(generation)
    #expect(throws: StoreError.self) { try practice.connection.execute("UPDATE chunk_vector SET vector = x'00'") }
    try practice.connection.executeScript(
      "PRAGMA ignore_check_constraints = ON; UPDATE chunk_vector SET vector = x'00'", context: "test")
    let error = #expect(throws: StoreError.self) { try practice.connection.chunks.vectors(generation: generation) }
    #expect(error?.code == .corrupt)
  }

  @Test func `verification notices what doesn't agree`() throws {
    let damages = [
      "UPDATE term SET document_frequency = document_frequency + 1 WHERE id = 1",
      "DELETE FROM posting WHERE term_id = 1",
      "UPDATE posting SET data = x'0009' WHERE term_id = 1",
      "DELETE FROM term WHERE id = 2",
      "DELETE FROM chunk_vector WHERE chunk_id = 1",
      "UPDATE generation SET chunk_count = chunk_count + 1",
      "INSERT INTO term (generation_id, text, document_frequency) VALUES (1, 'idle', 0)",
      "DELETE FROM chunk WHERE id = 1",
    ]
    for damage in damages {
      let practice = try TestPractice()
      let generation = try practice.beginGeneration()
      try practice.write("N1", "one two")
      try practice.write("N2", "two three")
      try practice.index(generation)
      #expect(try practice.connection.chunks.verify(generation: generation).isEmpty)
      try practice.connection.execute(damage)
      #expect(try !practice.connection.chunks.verify(generation: generation).isEmpty, "\(damage)")
    }
  }
}
