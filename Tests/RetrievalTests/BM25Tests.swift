import Clinical
import Retrieval
import Testing
import Vectorization

struct BM25Tests {
  /// Three chunks of 4, 2 and 6 terms: 12 terms, 4 on average.
  private static let chunks = [
    ["dog", "vomit", "vomit", "week"],
    ["cat", "vomit"],
    ["dog", "dog", "lame", "hind", "leg", "week"],
  ]

  private static func source() -> InMemoryChunkSource {
    var source = InMemoryChunkSource()
    for (number, terms) in chunks.enumerated() {
      source.add(SampleSource.metadata(number, patientID: "p\(number)"), terms: terms, vector: nil)
    }
    return source
  }

  @Test func `scores are those worked out by hand`() throws {
    // "vomit" stands in 2 of 3: idf = ln(1 + 1.5 / 2.5) = ln 1.6 = 0.470004.
    // chunk 0: f 2, length 4, so 2 · 2.2 / (2 + 1.2 · (0.25 + 0.75 · 1)) = 4.4 / 3.2 = 1.375; score 0.646255.
    // chunk 1: f 1, length 2, so 2.2 / (1 + 1.2 · (0.25 + 0.75 · 0.5)) = 2.2 / 1.75 = 1.257143; score 0.590862.
    let retriever = HybridRetriever(source: Self.source(), vectorizer: nil, configuration: .lexical)
    let hits = try retriever.hits(for: query("vomit"), limit: 10)
    #expect(hits.map(\.chunkID) == [0, 1])
    #expect(abs(hits[0].legs[0].score - 0.646255) < 1e-6)
    #expect(abs(hits[1].legs[0].score - 0.590862) < 1e-6)

    // "dog" (2 of 3) and "lame" (1 of 3, idf = ln(1 + 2.5 / 1.5) = ln 2.666667 = 0.980829) in chunk 2 of length 6,
    // whose length factor is 1.2 · (0.25 + 0.75 · 1.5) = 1.65:
    // dog 0.470004 · 2 · 2.2 / 3.65 = 0.566580; lame 0.980829 · 2.2 / 2.65 = 0.814273; together 1.380853.
    let both = try retriever.hits(for: query("dog", "lame"), limit: 1)
    #expect(both.map(\.chunkID) == [2])
    #expect(abs(both[0].legs[0].score - 1.380853) < 1e-5)
    #expect(both[0].legs[0].terms.map(\.term) == ["lame", "dog"])
    #expect(abs(both[0].legs[0].terms[0].score - 0.814273) < 1e-5)
  }

  @Test func `an added term counts by its weight, a repeated one as often as it stands`() throws {
    let retriever = HybridRetriever(source: Self.source(), vectorizer: nil, configuration: .lexical)
    func score(_ terms: [QueryTerm]) throws -> Double {
      try #require(retriever.hits(for: terms, limit: 1).first?.legs.first?.score)
    }
    let once = try score(query("lame"))
    #expect(abs(try score(query("lame", "lame")) - 2 * once) < 1e-12)
    #expect(abs(try score([QueryTerm("lame", weight: 0.4, expandedFrom: "limping")]) - 0.4 * once) < 1e-12)
  }

  @Test func `an explanation's factors multiply to the score`() {
    let statistics = CollectionStatistics(chunkCount: 50, averageLength: 9)
    let posting = Posting(chunkID: 1, frequency: 3, length: 14)
    let score = BM25().score(posting, documentFrequency: 7, statistics: statistics, weight: 0.5)
    let explanation = BM25().explanation(
      of: "vomit", posting, documentFrequency: 7, statistics: statistics, weight: 0.5)
    #expect(abs(explanation.value - score) < 1e-12)
    #expect(explanation.details.count == 3)
  }

  @Test func `the inverted index counts terms, chunks and lengths`() {
    var index = InvertedIndex()
    for (number, terms) in Self.chunks.enumerated() { index.add(Int64(number), terms: terms) }
    #expect(index.statistics == CollectionStatistics(chunkCount: 3, averageLength: 4))
    #expect(index.documentFrequency(of: "week") == 2)
    #expect(index.documentFrequency(of: "pyometra") == 0)
    #expect(
      index.postings(of: "dog") == [
        Posting(chunkID: 0, frequency: 1, length: 4), Posting(chunkID: 2, frequency: 2, length: 6),
      ])
    #expect(InvertedIndex().statistics == CollectionStatistics(chunkCount: 0, averageLength: 0))
  }
}
