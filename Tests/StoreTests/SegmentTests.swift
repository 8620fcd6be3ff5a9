import Clinical
@testable import Store
import Testing

@Suite struct SegmentTests {
  private func segments(_ practice: TestPractice, _ generation: Int64) throws -> [[SegmentEntry]] {
    var segments: [[SegmentEntry]] = []
    try practice.connection.chunks.forEachSegment(generation: generation) { segment in
      segments.append((0..<segment.count).map { SegmentEntry(segment, at: $0) })
    }
    return segments
  }

  /// What the chunks and vectors of a generation say.
  private func derived(_ practice: TestPractice, _ generation: Int64) throws -> [SegmentEntry] {
    try practice.connection.chunks.derivedEntries(generation: generation, after: 0, limit: .max)
  }

  @Test(arguments: [1, 2, 5, 100])
  func `segments are full but for the last, whatever the batches were`(batch: Int) throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    for number in 0..<71 { try practice.write("N\(number)", "note number \(number)", at: Int64(number)) }
    try practice.index(generation, batch: batch)
    let segments = try segments(practice, generation)
    #expect(segments.map(\.count) == [29, 29, 13])
    #expect(segments.flatMap { $0 } == (try derived(practice, generation)))
    #expect(try practice.connection.chunks.chunkIDRange(generation: generation) == 1...71)
  }

  @Test func `a segment fits a page, so that it can be read where it lies`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    for number in 0..<29 { try practice.write("N\(number)", "note number \(number)") }
    try practice.index(generation)
    #expect(try practice.connection.number("PRAGMA page_size") == 16384)
    #expect(try practice.connection.number("SELECT max(length(data)) FROM segment") < 16384 - 35 - 60)
  }

  @Test(arguments: [UInt64(1), 2])
  func `segments keep in step with notes that come, change and go, in two generations at once`(seed: UInt64) throws {
    let practice = try TestPractice()
    let generations = [try practice.beginGeneration(), try practice.beginGeneration("other")]
    var generator = SplitMix64(seed: seed)
    for step in 0..<120 {
      let id = "N\(Int.random(in: 0..<60, using: &generator))"
      if let row = try practice.connection.recordIDs.row(.note, id), Int.random(in: 0..<3, using: &generator) == 0 {
        try practice.connection.notes.delete(row: row)
      } else {
        let words = (0..<Int.random(in: 1...20, using: &generator)).map { "word\($0 * step % 17)" }
        try practice.write(id, words.joined(separator: " "), at: Int64.random(in: 0...9, using: &generator))
      }
      if step % 7 == 0 { try practice.index(generations[step % 2], batch: 5) }
    }
    for generation in generations {
      try practice.index(generation)
      let segments = try segments(practice, generation)
      #expect(segments.flatMap { $0 } == (try derived(practice, generation)))
      #expect(segments.allSatisfy { !$0.isEmpty && $0.count <= ChunkSegment.capacity })
      #expect(try practice.connection.chunks.verify(generation: generation).isEmpty)
    }
  }

  @Test func `every chunk of a deleted generation leaves the segments, and of the others none`() throws {
    let practice = try TestPractice()
    let (first, second) = (try practice.beginGeneration(), try practice.beginGeneration("second"))
    for number in 0..<40 { try practice.write("N\(number)", "note number \(number)") }
    try practice.index(first)
    try practice.index(second)
    while try !practice.connection.generations.discard(row: first, atMost: 1) {}
    #expect(try segments(practice, first).isEmpty)
    #expect(try segments(practice, second).joined().count == 40)
    #expect(try practice.connection.chunks.chunkIDRange(generation: first) == nil)
  }

  @Test(arguments: [
    "UPDATE segment SET data = zeroblob(length(data))",
    "UPDATE segment SET earliest = earliest + 1, latest = latest + 1 WHERE id = (SELECT max(id) FROM segment)",
    "UPDATE segment SET latest = latest - 1, earliest = earliest - 1",
    "DELETE FROM segment WHERE id = (SELECT max(id) FROM segment)",
    "DELETE FROM segment WHERE id = (SELECT min(id) FROM segment)",
    "DELETE FROM segment",
    "UPDATE chunk SET token_count = token_count + 1 WHERE id = 3",
    "UPDATE chunk SET patient_id = patient_id + 1 WHERE id = 3",
    "UPDATE chunk_vector SET vector = randomblob(2048) WHERE chunk_id = 3",
  ])
  func `verification finds a segment that is not what its chunks say`(damage: String) throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    for number in 0..<40 { try practice.write("N\(number)", "note number \(number)") }
    try practice.index(generation)
    #expect(try practice.connection.chunks.verify(generation: generation).isEmpty)
    try practice.connection.execute(damage)
    let problems = try practice.connection.chunks.verify(generation: generation)
    #expect(problems.contains { $0.contains("segment") }, "\(problems)")
  }

  @Test func `segments that are made anew are the segments that grew`() throws {
    let practice = try TestPractice()
    let generation = try practice.beginGeneration()
    for number in 0..<70 { try practice.write("N\(number)", "note number \(number)", at: Int64(number % 9)) }
    try practice.index(generation, batch: 3)
    let grown = try segments(practice, generation)
    try practice.connection.chunks.rebuildSegments()
    #expect(try segments(practice, generation) == grown)
  }
}
