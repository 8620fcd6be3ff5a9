import Clinical
@testable import Store
import Testing

/// What an index says, in words that don't depend on row ids: so that two generations can be compared.
private struct IndexContent: Equatable {
  struct Place: Hashable {
    var note: String
    var ordinal: Int
  }

  var chunkCount: Int
  var tokenTotal: Int
  var vectors: [Place: [Float]] = [:]
  var postings: [String: [Place: Int]] = [:]
  var frequencies: [String: Int] = [:]
  var facts: [String: [FactValue]] = [:]
}

@Suite struct IncrementalIndexTests {
  private func content(_ practice: TestPractice, _ generation: Int64) throws -> IndexContent {
    let connection = practice.connection
    let record = try #require(try connection.generations.generation(row: generation))
    var content = IndexContent(chunkCount: record.chunkCount, tokenTotal: record.tokenTotal)
    var places: [Int64: IndexContent.Place] = [:]
    let block = try connection.chunks.vectors(generation: generation)
    for (index, chunk) in try connection.chunks.chunks(rows: block.chunkIDs).enumerated() {
      let note = try #require(try connection.recordIDs.shown(.note, chunk.noteRowID))
      let place = IndexContent.Place(note: note, ordinal: chunk.chunk.ordinal)
      places[chunk.rowID] = place
      let start = index * ChunkStore.dimension
      content.vectors[place] = Array(block.values[start..<start + ChunkStore.dimension])
      content.facts[note] = try connection.facts.facts(generation: generation, note: chunk.noteRowID).map(\.value)
    }
    let terms = try connection.rows("SELECT text FROM term WHERE generation_id = ?", generation) { $0.text(0) }
    for (text, statistics) in try connection.chunks.statistics(of: terms, generation: generation) {
      content.frequencies[text] = statistics.documentFrequency
      for posting in try connection.chunks.postings(term: statistics.termID) {
        content.postings[text, default: [:]][try #require(places[posting.chunkID])] = posting.frequency
      }
    }
    return content
  }

  /// The same from the texts alone, without a database.
  private func oracle(_ texts: [String: String]) -> IndexContent {
    var content = IndexContent(chunkCount: 0, tokenTotal: 0)
    for (id, text) in texts {
      let note = StoredNote(
        rowID: 1, patientRowID: 1, contentHash: ContentHash(of: []),
        value: ClinicalNote(id: id, patientID: "P1", recordedAt: Timestamp(seconds: 0), text: text))
      let indexed = toyIndexed(note)
      for chunk in indexed.chunks {
        let place = IndexContent.Place(note: id, ordinal: chunk.chunk.ordinal)
        content.chunkCount += 1
        content.tokenTotal += chunk.tokenCount
        content.vectors[place] = chunk.vector
        for (term, count) in chunk.terms {
          content.postings[term, default: [:]][place] = count
          content.frequencies[term, default: 0] += 1
        }
        content.facts[id] = indexed.facts
      }
    }
    return content
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `an index that grew and shrank is the index built at once`(seed: UInt64) throws {
    let practice = try TestPractice()
    let growing = try practice.beginGeneration("growing")
    var generator = SplitMix64(seed: seed)
    let vocabulary = (0..<40).map { "word\($0)" }
    var texts: [String: String] = [:]
    for _ in 0..<30 {
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        let id = "N\(Int.random(in: 0..<50, using: &generator))"
        if let row = try practice.connection.recordIDs.row(.note, id), Bool.random(using: &generator) {
          try practice.connection.notes.delete(row: row)
          texts[id] = nil
        } else {
          // Some words are in nearly every note, others hardly anywhere.
          let words = (0..<Int.random(in: 0...23, using: &generator)).compactMap { _ in
            vocabulary.prefix(Int.random(in: 1...40, using: &generator)).randomElement(using: &generator)
          }
          texts[id] = words.joined(separator: " ")
          try practice.write(id, words.joined(separator: " "))
        }
      }
      if Bool.random(using: &generator) { try practice.index(growing, batch: Int.random(in: 1...9, using: &generator)) }
    }
    try practice.index(growing)
    let rebuilt = try practice.beginGeneration("rebuilt")
    try practice.index(rebuilt)

    let expected = oracle(texts)
    #expect(try content(practice, growing) == expected)
    #expect(try content(practice, rebuilt) == expected)
    for generation in [growing, rebuilt] {
      #expect(try practice.connection.chunks.verify(generation: generation).isEmpty)
    }
    #expect(try practice.connection.integrityCheck().isEmpty)
  }

  @Test func `the same notes make the same bytes`() throws {
    func postings() throws -> [[UInt8]] {
      let practice = try TestPractice()
      let generation = try practice.beginGeneration()
      for number in 0..<30 { try practice.write("N\(number)", "alpha beta gamma delta \(number % 7) epsilon") }
      try practice.index(generation)
      return try practice.connection.rows("SELECT data FROM posting ORDER BY term_id, first_chunk_id") { $0.bytes(0) }
        + practice.connection.rows("SELECT terms FROM chunk ORDER BY id") { $0.bytes(0) }
    }
    #expect(try postings() == postings())
  }
}
