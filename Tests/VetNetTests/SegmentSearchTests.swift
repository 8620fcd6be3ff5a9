import Clinical
import LinearAlgebra
import Retrieval
import Store
import Testing
import VetNetTestSupport
@testable import VetNet

/// What a search finds through segments is what comparing everything finds.
struct SegmentSearchTests {
  /// A practice file without text to speak of: patients, notes of one chunk each, vectors of several kinds.
  private final class Fixture {
    let folder: TemporaryFolder
    let connection: Connection
    let generation: Int64
    var notes: [(id: String, patient: String, recordedAt: Int64, kind: NoteKind)] = []

    init(_ count: Int, seed: UInt64) throws {
      folder = try TemporaryFolder()
      connection = try Connection.create(folder.file("practice.vetnet"))
      let source = try connection.sources.id(named: "test")
      for id in ["P1", "P2", "P3"] {
        _ = try connection.patients.upsert(Patient(id: id, name: id, species: .cat), source: source)
      }
      let model = try connection.models.register(
        kind: "vectorizer", checksum: ContentHash(of: [1]), name: "test", parameters: "{}",
        createdAt: Timestamp(seconds: 0))
      generation = try connection.generations.create(
        model: model, rulesVersion: "1", at: Timestamp(seconds: 0)
      ).rowID
      var generator = SplitMix64(seed: seed)
      let notes = (0..<count).map { number in
        (
          id: "N\(number)", patient: "P\(Int.random(in: 1...3, using: &generator))",
          recordedAt: Int64.random(in: 0...99, using: &generator),
          kind: NoteKind.allCases.randomElement(using: &generator) ?? .consult
        )
      }
      try connection.mixedTransaction {
        for (number, note) in notes.enumerated() {
          _ = try connection.notes.upsert(
            ClinicalNote(
              id: note.id, patientID: note.patient, recordedAt: Timestamp(seconds: note.recordedAt), kind: note.kind,
              text: "text \(number)"), source: source)
        }
      }
      while case let lacking = try connection.notes.lacking(in: generation, limit: 500), !lacking.isEmpty {
        let indexed = lacking.map { note in
          IndexedNote(
            noteRowID: note.rowID, contentHash: note.contentHash,
            chunks: [
              IndexedChunk(
                chunk: Chunk(ordinal: 0, range: 0..<4), tokenCount: Int.random(in: 1...40, using: &generator),
                terms: Self.terms(using: &generator), vector: Self.vector(note.rowID, using: &generator))
            ])
        }
        _ = try connection.chunks.insert(indexed, generation: generation)
      }
    }

    private static func terms(using generator: inout SplitMix64) -> [String: Int] {
      var terms: [String: Int] = [:]
      for word in 0..<12 where Int.random(in: 0...word, using: &generator) < 2 {
        terms["word\(word)"] = Int.random(in: 1...3, using: &generator)
      }
      return terms
    }

    /// Some near each other, some copies, some zero.
    private static func vector(_ row: Int64, using generator: inout SplitMix64) -> [Float] {
      switch row % 7 {
      case 0: return [Float](repeating: 0, count: 512)
      case 1: return (0..<512).map { Float($0 % 5) / 100 }
      default: return (0..<512).map { Float(generator.nextUnit() - 0.5) / Float($0 / 8 + 1) }
      }
    }

    func source() throws -> SQLiteChunkSource {
      SQLiteChunkSource(
        connection: connection, generation: try #require(try connection.generations.generation(row: generation)))
    }

    /// The chunks that a filter admits, with vectors and lengths, read without segments.
    func admitted(_ filter: RetrievalFilter) throws -> [(id: Int64, length: Int, vector: [Float])] {
      var admitted: [(id: Int64, length: Int, vector: [Float])] = []
      let all = try connection.chunks.candidates(generation: generation)
      for chunk in try source().metadata(of: all.map(\.chunkID)).values.sorted(by: { $0.chunkID < $1.chunkID })
      where filter.admits(chunk) {
        let length = all.first { $0.chunkID == chunk.chunkID }?.tokenCount ?? 0
        let vector = try #require(try connection.chunks.vector(chunk: chunk.chunkID))
        admitted.append((chunk.chunkID, length, vector))
      }
      return admitted
    }
  }

  static let filters = [
    RetrievalFilter(), RetrievalFilter(patientIDs: ["P2"]), RetrievalFilter(patientIDs: ["P1", "P3"]),
    RetrievalFilter(patientIDs: []), RetrievalFilter(patientIDs: ["unknown"]),
    RetrievalFilter(dates: Timestamp(seconds: 10)..<Timestamp(seconds: 60)),
    RetrievalFilter(dates: Timestamp(seconds: .min / 2)..<Timestamp(seconds: 100)),
    RetrievalFilter(dates: Timestamp(seconds: 200)..<Timestamp(seconds: 300)),
    RetrievalFilter(kinds: [.consult, .lab]), RetrievalFilter(excludedNoteIDs: ["N3", "N4", "N70"]),
    RetrievalFilter(
      patientIDs: ["P1", "P2"], dates: Timestamp(seconds: 5)..<Timestamp(seconds: 90), kinds: [.consult, .phone],
      excludedNoteIDs: ["N1", "N2"]),
  ]

  @Test(arguments: filters)
  func `the nearest are those that comparing every vector finds`(filter: RetrievalFilter) throws {
    let fixture = try Fixture(150, seed: 5)
    let admitted = try fixture.admitted(filter)
    var generator = SplitMix64(seed: 6)
    let random = (0..<512).map { _ in Float(generator.nextUnit() - 0.5) }
    for query in [random, [Float](repeating: 0.5, count: 512), [Float](repeating: 0, count: 512)] {
      for count in [1, 5, 40, 500] {
        let found = try fixture.source().nearest(to: query, count: count, filter: filter)
        let scores = admitted.map { BLAS.dot($0.vector, query) }
        let order = scores.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }.prefix(count)
        if filter.patientIDs?.count == 1 {
          // These are compared by a product of matrices, whose sums are in another order.
          #expect(Set(found.map(\.chunkID)).isSubset(of: Set(admitted.map(\.id))) && found.count == order.count)
        } else {
          #expect(found == order.map { ScoredChunk(chunkID: admitted[$0].id, score: Double(scores[$0])) })
        }
      }
    }
  }

  @Test(arguments: filters)
  func `postings come with lengths, and only of what the filter admits`(filter: RetrievalFilter) throws {
    let fixture = try Fixture(150, seed: 9)
    let lengths = Dictionary(uniqueKeysWithValues: try fixture.admitted(filter).map { ($0.id, $0.length) })
    let terms = (0..<13).map { "word\($0)" }
    let source = try fixture.source()
    var found: [String: [Retrieval.Posting]] = [:]
    try source.forEachPostingBlock(of: terms, filter: filter) { found[terms[$0], default: []] += $1 }
    found = found.filter { !$0.value.isEmpty }
    #expect(found == (try source.postings(of: terms, chunkIDs: lengths.keys.sorted())))
    for postings in found.values { #expect(postings.allSatisfy { lengths[$0.chunkID] == $0.length }) }
    #expect(found["word12"] == nil)
    if let ids = try source.chunkIDs(filter: filter) { #expect(lengths.keys.allSatisfy(ids.contains)) }
  }

  @Test func `chunks that codes can't tell apart come in their order`() throws {
    let fixture = try Fixture(8300, seed: 4)
    let filter = RetrievalFilter(dates: Timestamp(seconds: 50)..<Timestamp(seconds: 100))
    let zero = [Float](repeating: 0, count: 512)
    let first = try fixture.connection.chunks.candidates(
      generation: fixture.generation, filter: ChunkFilter(from: Timestamp(seconds: 50)))
    #expect(try fixture.source().nearest(to: zero, count: 7, filter: RetrievalFilter()).map(\.chunkID) == Array(1...7))
    let found = try fixture.source().nearest(to: zero, count: 7, filter: filter)
    #expect(found.map(\.chunkID) == first.prefix(7).map(\.chunkID))
  }

  @Test func `ids that lie far apart are found too`() throws {
    let fixture = try Fixture(1200, seed: 2)
    // Most notes go, the first and the last stay: too sparse for a table.
    try fixture.connection.mixedTransaction {
      for number in 5..<1195 {
        let row = try #require(try fixture.connection.recordIDs.row(.note, "N\(number)"))
        try fixture.connection.notes.delete(row: row)
      }
    }
    let source = try fixture.source()
    #expect(try source.chunkIDs(filter: RetrievalFilter()) == nil)
    let admitted = try fixture.admitted(RetrievalFilter())
    let query = (0..<512).map { Float($0 % 3) }
    let found = try source.nearest(to: query, count: 4, filter: RetrievalFilter())
    let scores = admitted.map { BLAS.dot($0.vector, query) }
    let order = scores.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }.prefix(4)
    #expect(found.map(\.chunkID) == order.map { admitted[$0].id })
  }
}
