import Clinical
import Retrieval
import Testing
import Vectorization
import VetNetTestSupport

struct RetrievalFilterTests {
  /// Passes everything on and checks that nothing comes back which the filter doesn't admit.
  private struct WatchedSource: ChunkSource {
    let source: InMemoryChunkSource
    let expected: RetrievalFilter

    private func check(_ filter: RetrievalFilter, _ chunkIDs: some Sequence<Int64>) {
      #expect(filter == expected)
      for (_, chunk) in source.metadata(of: Array(chunkIDs)) { #expect(filter.admits(chunk)) }
    }

    func statistics() -> CollectionStatistics { source.statistics() }

    func documentFrequencies(of terms: [String]) -> [String: Int] { source.documentFrequencies(of: terms) }

    func terms(beginningWith prefix: String) -> [String: Int] { source.terms(beginningWith: prefix) }

    func chunkIDs(filter: RetrievalFilter) -> ClosedRange<Int64>? { source.chunkIDs(filter: filter) }

    func forEachPostingBlock(
      of terms: [String], filter: RetrievalFilter, _ body: (Int, UnsafeBufferPointer<Posting>) throws -> Void
    ) rethrows {
      try source.forEachPostingBlock(of: terms, filter: filter) { term, postings in
        check(filter, postings.map(\.chunkID))
        #expect(zip(postings, postings.dropFirst()).allSatisfy { $0.chunkID < $1.chunkID })
        try body(term, postings)
      }
    }

    func postings(of terms: [String], chunkIDs: [Int64]) -> [String: [Posting]] {
      check(expected, chunkIDs)
      return source.postings(of: terms, chunkIDs: chunkIDs)
    }

    func nearest(to query: [Float], count: Int, filter: RetrievalFilter) -> [ScoredChunk] {
      let nearest = source.nearest(to: query, count: count, filter: filter)
      check(filter, nearest.map(\.chunkID))
      return nearest
    }

    func vectors(of chunkIDs: [Int64]) -> [Int64: [Float]] {
      check(expected, chunkIDs)
      return source.vectors(of: chunkIDs)
    }

    func termFrequencies(of chunkIDs: [Int64]) -> [Int64: [String: Int]] {
      check(expected, chunkIDs)
      return source.termFrequencies(of: chunkIDs)
    }

    func metadata(of chunkIDs: [Int64]) -> [Int64: ChunkMetadata] { source.metadata(of: chunkIDs) }
  }

  static let filters = [
    RetrievalFilter(), RetrievalFilter(patientIDs: ["p3"]), RetrievalFilter(patientIDs: ["p1", "p8", "unknown"]),
    RetrievalFilter(dates: Timestamp(seconds: 0)..<Timestamp(seconds: 50 * 86_400)),
    RetrievalFilter(kinds: [.consult]), RetrievalFilter(kinds: [.lab]),
    RetrievalFilter(patientIDs: ["p2"], excludedNoteIDs: ["n2", "n12"]), RetrievalFilter(patientIDs: []),
  ]

  @Test(arguments: filters)
  func `no stage sees a chunk that the filter doesn't admit`(filter: RetrievalFilter) throws {
    let sample = try SampleSource(SampleTexts.documents(300))
    let watched = WatchedSource(source: sample.source, expected: filter)
    for configuration in HybridRetrieverTests.configurations {
      let retriever = HybridRetriever(
        source: watched, vectorizer: sample.vectorizer, configuration: configuration)
      let hits = try retriever.hits(for: query("vomit", "dog"), filter: filter, limit: 400)
      #expect(hits.allSatisfy { filter.admits($0.chunk) })
    }
  }

  @Test(arguments: 0..<4)
  func `one patient's weak match is found beside hundreds of others' strong ones`(number: Int) throws {
    var documents = SampleTexts.documents(600)
    for index in documents.indices where index % 4 == 1 { documents[index] += ["vomit", "vomit", "vomit", "maropit"] }
    var sample = try SampleSource(documents)
    try sample.add(["dog", "week", "exam", "owner", "weight", "vomit"] + SampleTexts.topics[2], patientID: "quiet")
    var configuration = HybridRetrieverTests.configurations[number]
    // Far fewer than there are better matches, so that a filter after ranking would lose it.
    configuration.depth = 20
    let retriever = sample.retriever(configuration)
    let everyone = try retriever.hits(for: query("vomit"), limit: 20)
    #expect(!everyone.contains { $0.patientID == "quiet" })
    let hits = try retriever.hits(for: query("vomit"), filter: RetrievalFilter(patientIDs: ["quiet"]), limit: 20)
    #expect(hits.map(\.noteID) == ["n600"])
  }

  @Test func `word rarity is counted over everyone, whoever is asked about`() throws {
    let sample = try SampleSource(SampleTexts.documents(100))
    let retriever = sample.retriever(.lexical)
    let everyone = try retriever.hits(for: query("stifl", "dog"), limit: 100)
    let one = try retriever.hits(for: query("stifl", "dog"), filter: RetrievalFilter(patientIDs: ["p2"]), limit: 100)
    #expect(!one.isEmpty)
    for hit in one {
      let same = try #require(everyone.first { $0.chunkID == hit.chunkID })
      #expect(abs(same.legs[0].score - hit.legs[0].score) < 1e-12)
    }
  }

  @Test func `dates end before the moment of asking`() {
    let filter = RetrievalFilter(dates: Timestamp(seconds: 0)..<Timestamp(seconds: 86_400))
    #expect(filter.admits(SampleSource.metadata(0, patientID: "p")))
    #expect(!filter.admits(SampleSource.metadata(1, patientID: "p")))
  }
}
