import Clinical
import Retrieval
import Testing
import Vectorization
import VetNetTestSupport

struct NeighbourhoodTests {
  private let sample: SampleSource

  init() throws { sample = try SampleSource(SampleTexts.documents(240)) }

  private func hits(_ neighbourhood: Neighbourhood?, _ terms: [QueryTerm], limit: Int = 240) throws -> [Hit] {
    var configuration = RetrievalConfiguration.hybrid
    configuration.neighbourhood = neighbourhood
    return try sample.retriever(configuration).hits(for: terms, limit: limit)
  }

  /// The formula, word for word.
  private func expected(_ hits: [Hit], _ neighbourhood: Neighbourhood) throws -> [Int64: Double] {
    let best = Array(hits.prefix(neighbourhood.hits))
    let vectors = sample.source.vectors(of: best.map(\.chunkID)).mapValues { $0.map(Double.init) }
    func product(_ left: [Double], _ right: [Double]) -> Double { zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } }
    let squares = vectors.mapValues { product($0, $0) }
    func cosine(_ left: Hit, _ right: Hit) -> Double {
      let norms = ((squares[left.chunkID] ?? 0) * (squares[right.chunkID] ?? 0)).squareRoot()
      return norms > 0 ? product(vectors[left.chunkID] ?? [], vectors[right.chunkID] ?? []) / norms : 0
    }
    var scores: [Int64: Double] = [:]
    for hit in hits { scores[hit.chunkID] = hit.score }
    for hit in best {
      let near = best.filter { $0.chunkID != hit.chunkID }.map { (cosine: cosine(hit, $0), score: $0.score) }
        .filter { $0.cosine > 0 }.sorted { $0.cosine > $1.cosine }.prefix(neighbourhood.neighbours)
      let total = near.reduce(0) { $0 + $1.cosine }
      let mean = total > 0 ? near.reduce(0) { $0 + $1.cosine * $1.score } / total : hit.score
      scores[hit.chunkID] = (1 - neighbourhood.weight) * hit.score + neighbourhood.weight * mean
    }
    return scores
  }

  @Test(arguments: [(100, 10, 0.3), (12, 3, 0.5), (30, 50, 1.0), (60, 1, 0.1)])
  func `the best hits' scores are mixed with their neighbours'`(count: Int, neighbours: Int, weight: Double) throws {
    var neighbourhood = Neighbourhood()
    neighbourhood.hits = count
    neighbourhood.neighbours = neighbours
    neighbourhood.weight = weight
    let terms = query("seizur", "postict", "dog")
    let before = try hits(nil, terms)
    let after = try hits(neighbourhood, terms)
    let expected = try expected(before, neighbourhood)
    for hit in after { #expect(abs(hit.score - (expected[hit.chunkID] ?? -1)) < 1e-5) }
    #expect(Set(after.prefix(count).map(\.chunkID)) == Set(before.prefix(count).map(\.chunkID)))
    #expect(after.dropFirst(count).map(\.chunkID) == before.dropFirst(count).map(\.chunkID))
    #expect(zip(after, after.dropFirst()).allSatisfy { $0.score >= $1.score })
  }

  @Test func `what neighbours say is shown as a leg of its own`() throws {
    let hits = try hits(Neighbourhood(), query("seizur", "dog"), limit: 5)
    for hit in hits {
      let leg = try #require(hit.legs.last)
      #expect(leg.name == "neighbours")
      #expect(abs(leg.share - 0.3 * leg.score) < 1e-12)
      #expect(abs(hit.explanation.value - hit.score) < 1e-9)
    }
    #expect(hits.contains { $0.legs.last?.rank == 1 })
  }

  @Test func `among few candidates nothing changes`() throws {
    var small = Neighbourhood()
    small.minimumCandidates = 1000
    let terms = query("seizur", "dog")
    #expect(try hits(small, terms) == hits(nil, terms))
  }
}
