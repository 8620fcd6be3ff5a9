import Clinical
import Vectorization

/// One question on its way through the legs: ranked, fed back, fused, explained.
struct Search {
  private let statistics: CollectionStatistics
  private var vectorLeg: VectorLeg?
  private var lexicalLeg: LexicalLeg?
  private var vectorRanking: [ScoredChunk] = []
  private var lexicalRanking: [ScoredChunk] = []

  init(
    _ asked: [QueryTerm], in retriever: HybridRetriever<some ChunkSource>, filter: RetrievalFilter,
    statistics: CollectionStatistics
  ) throws {
    self.statistics = statistics
    let configuration = retriever.configuration
    let terms = try configuration.reader.terms(asked, in: retriever.source, statistics: statistics)
    if configuration.vectorWeight > 0, let vectorizer = retriever.vectorizer {
      let query = try vectorizer.queryVector(of: terms)
      // A question of unknown words has no direction; reading every vector would find nothing.
      if query.knownWeightShare > 0 {
        let leg = VectorLeg(query)
        vectorRanking = try leg.ranking(source: retriever.source, filter: filter, depth: configuration.depth)
        vectorLeg = leg
      }
    }
    if configuration.lexicalWeight > 0 {
      let leg = try LexicalLeg(
        terms, source: retriever.source, filter: filter, statistics: statistics, bm25: configuration.bm25)
      lexicalRanking = leg.ranking(depth: configuration.depth)
      lexicalLeg = leg
    }
  }

  /// The legs' rankings as one.
  func fused(by configuration: RetrievalConfiguration) -> [FusedChunk] {
    let known = vectorLeg?.query.knownWeightShare ?? 0
    return configuration.fusion.fuse([
      RankedLeg(name: VectorLeg.name, weight: configuration.vectorWeight * known, chunks: vectorRanking),
      RankedLeg(name: LexicalLeg.name, weight: configuration.lexicalWeight, chunks: lexicalRanking),
    ])
  }

  /// Ranks once more, with what the first hits have in common.
  mutating func feedBack(
    _ feedback: PseudoRelevanceFeedback, from retriever: HybridRetriever<some ChunkSource>
  ) throws {
    let (source, configuration) = (retriever.source, retriever.configuration)
    let first = fused(by: configuration)
    guard first.count >= feedback.minimumCandidates else { return }
    let best = first.prefix(feedback.chunks)
    let total = best.reduce(0) { $0 + $1.score }
    let ids = best.map(\.chunkID)

    if var leg = lexicalLeg {
      let frequencies = try source.termFrequencies(of: ids)
      let distinct = Set(frequencies.values.flatMap(\.keys)).sorted()
      let added = feedback.expansions(
        best.map { (frequencies[$0.chunkID] ?? [:], $0.score / total) },
        documentFrequencies: try source.documentFrequencies(of: distinct), statistics: statistics,
        bm25: configuration.bm25)
      try leg.add(added, from: source)
      lexicalRanking = leg.ranking(depth: configuration.depth)
      lexicalLeg = leg
    }
    if var leg = vectorLeg {
      let vectors = try source.vectors(of: ids)
      leg.direction = feedback.move(
        leg.direction, towards: best.compactMap { hit in vectors[hit.chunkID].map { ($0, hit.score / total) } })
      // What neither leg ranks can't be far up: reading all vectors a second time would double the cost for nothing.
      let candidates = Set(vectorRanking.map(\.chunkID)).union(lexicalRanking.map(\.chunkID))
      vectorRanking = leg.ranking(of: try source.vectors(of: candidates.sorted()), depth: configuration.depth)
      vectorLeg = leg
    }
  }

  /// Looks up where the chunks stand and why they were found.
  func hits(_ chunks: [FusedChunk], from source: some ChunkSource) throws -> [Hit] {
    let ids = chunks.map(\.chunkID)
    let metadata = try source.metadata(of: ids)
    let lexical = try lexicalLeg?.contributions(to: Set(ids), from: source) ?? [:]
    let vectors = vectorLeg == nil ? [:] : try source.vectors(of: ids)
    let vectorPlaces = places(vectorRanking, of: Set(ids))
    let lexicalPlaces = places(lexicalRanking, of: Set(ids))
    return chunks.compactMap { chunk in
      guard let place = metadata[chunk.chunkID] else { return nil }
      var legs: [LegScore] = []
      if let leg = vectorLeg, let rank = vectorPlaces[chunk.chunkID], let vector = vectors[chunk.chunkID] {
        legs.append(
          Self.leg(
            VectorLeg.name, rank, vectorRanking, share: chunk.shares[0], leg.contributions(to: vector)))
      }
      if let rank = lexicalPlaces[chunk.chunkID] {
        legs.append(
          Self.leg(
            LexicalLeg.name, rank, lexicalRanking, share: chunk.shares[1], lexical[chunk.chunkID] ?? []))
      }
      return Hit(chunk: place, score: chunk.score, legs: legs)
    }
  }

  private static func leg(
    _ name: String, _ place: Int, _ ranking: [ScoredChunk], share: Double, _ terms: [TermContribution]
  ) -> LegScore {
    LegScore(
      name: name, rank: place + 1, score: ranking[place].score, share: share,
      terms: terms.sorted { (abs($0.score), $1.term) > (abs($1.score), $0.term) })
  }

  private func places(_ ranking: [ScoredChunk], of ids: Set<Int64>) -> [Int64: Int] {
    var places: [Int64: Int] = [:]
    for (place, chunk) in ranking.enumerated() where ids.contains(chunk.chunkID) { places[chunk.chunkID] = place }
    return places
  }
}
