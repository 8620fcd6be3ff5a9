import Clinical
import Retrieval
import Testing
import Vectorization
import VetNetTestSupport

struct HybridRetrieverTests {
  static let configurations: [RetrievalConfiguration] = [.vector, .lexical, .hybrid, RetrievalConfiguration()]

  @Test(arguments: 0..<4)
  func `a score is the sum of its legs' shares, and a leg's the sum of its terms`(number: Int) throws {
    let sample = try SampleSource(SampleTexts.documents(240))
    let hits = try sample.retriever(Self.configurations[number]).hits(for: query("seizur", "postict", "dog"), limit: 12)
    #expect(hits.count == 12)
    for hit in hits {
      #expect(abs(hit.explanation.value - hit.score) < 1e-9)
      for leg in hit.legs {
        #expect(abs(leg.terms.reduce(0) { $0 + $1.score } - leg.score) < 1e-4)
        #expect(abs(leg.explanation.details.reduce(0) { $0 + $1.value } - leg.share) < 1e-4)
        #expect(leg.rank >= 1)
      }
    }
    #expect(zip(hits, hits.dropFirst()).allSatisfy { $0.score >= $1.score })
  }

  @Test(arguments: 0..<4)
  func `hits are about the question's topic, and the same every time`(number: Int) throws {
    let sample = try SampleSource(SampleTexts.documents(240))
    let retriever = sample.retriever(Self.configurations[number])
    for (topic, word) in ["epilepsi", "vomit", "cruciat", "flea"].enumerated() {
      let hits = try retriever.hits(for: query(word), limit: 10)
      #expect(hits.allSatisfy { Int($0.chunkID) % 4 == topic })
      #expect(try retriever.hits(for: query(word), limit: 10) == hits)
      let ranking = try retriever.ranking(for: query(word), limit: 10)
      #expect(ranking.map(\.chunkID) == hits.map(\.chunkID))
    }
  }

  @Test func `a word the model never saw is found by the word alone`() throws {
    var sample = try SampleSource(SampleTexts.documents(100))
    try sample.add(["pyometra", "dog"])
    let hits = try sample.retriever().hits(for: query("pyometra"), limit: 5)
    #expect(hits.map(\.chunkID) == [100])
    #expect(hits[0].legs.map(\.name) == ["lexical"])
    #expect(abs(hits[0].score - 1) < 1e-12)
  }

  @Test func `the vectors count in proportion to the words they know`() throws {
    var sample = try SampleSource(SampleTexts.documents(100))
    try sample.add(["pyometra", "dog"])
    func vectorShare(_ terms: [QueryTerm]) throws -> Double {
      let hits = try sample.retriever().hits(for: terms, limit: 30)
      return hits.flatMap(\.legs).filter { $0.name == "vector" }.map(\.share).max() ?? 0
    }
    // The best of the vectors has a share of w·s / (w·s + w), s being the known share.
    let known = try sample.vectorizer.queryVector(of: query("lame", "pyometra")).knownWeightShare
    #expect(abs(try vectorShare(query("lame")) - 0.5) < 1e-9)
    #expect(abs(try vectorShare(query("lame", "pyometra")) - known / (known + 1)) < 1e-9)
  }

  @Test func `without a model, words alone decide`() throws {
    let sample = try SampleSource(SampleTexts.documents(40))
    let retriever = HybridRetriever(source: sample.source, vectorizer: nil, configuration: .hybrid)
    let hits = try retriever.hits(for: query("itch"), limit: 40)
    #expect(!hits.isEmpty)
    #expect(hits.allSatisfy { sample.documents[Int($0.chunkID)].contains("itch") })
  }

  @Test(arguments: 0..<4)
  func `nothing is found for nothing, or in nothing`(number: Int) throws {
    let sample = try SampleSource(SampleTexts.documents(40))
    let configuration = Self.configurations[number]
    #expect(try sample.retriever(configuration).hits(for: [], limit: 10).isEmpty)
    #expect(try sample.retriever(configuration).hits(for: query("pyometra"), limit: 10).isEmpty)
    #expect(try sample.retriever(configuration).hits(for: query("dog"), limit: 0).isEmpty)
    let empty = HybridRetriever(
      source: InMemoryChunkSource(), vectorizer: sample.vectorizer, configuration: configuration)
    #expect(try empty.hits(for: query("dog"), limit: 10).isEmpty)
  }

  @Test(arguments: 0..<10)
  func `an unrelated chunk of usual length doesn't change the order of the others`(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    var sample = try SampleSource(SampleTexts.documents(60, seed: UInt64(seed)))
    let word = SampleTexts.topics[seed % 4][Int.random(in: 0..<7, using: &generator)]
    for configuration in [RetrievalConfiguration.vector, .lexical, .hybrid] {
      let before = try sample.retriever(configuration).hits(for: query(word), limit: 20).map(\.chunkID)
      let length = Int(sample.source.statistics().averageLength.rounded())
      // The average has to stay where it was, or lengths would be judged anew.
      for extra in 0..<3 { try sample.add((0..<length).map { "unrelated\(extra)x\($0)" }) }
      let after = try sample.retriever(configuration).hits(for: query(word), limit: 20).map(\.chunkID)
      #expect(before == after)
    }
  }
}
