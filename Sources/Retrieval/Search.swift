import Clinical
import Vectorization

/// One question on its way through the legs: ranked, fed back, fused, explained.
struct Search {
  private let statistics: CollectionStatistics
  private var vectorLeg: VectorLeg?
  private var lexicalLeg: LexicalLeg?
  private var vectorRanking: [ScoredChunk] = []
  private var lexicalRanking: [ScoredChunk] = []
  /// The legs' rankings as one.
  private(set) var fused: [FusedChunk] = []
  /// What the neighbours of the best hits say, by chunk.
  private var vouched: [Int64: (rank: Int, mean: Double, share: Double)] = [:]

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
    fuse(by: configuration)
  }

  private mutating func fuse(by configuration: RetrievalConfiguration) {
    let known = vectorLeg?.query.knownWeightShare ?? 0
    fused = configuration.fusion.fuse([
      RankedLeg(name: VectorLeg.name, weight: configuration.vectorWeight * known, chunks: vectorRanking),
      RankedLeg(name: LexicalLeg.name, weight: configuration.lexicalWeight, chunks: lexicalRanking),
    ])
  }

  /// Ranks once more, with what the first hits have in common.
  mutating func feedBack(
    _ feedback: PseudoRelevanceFeedback, from retriever: HybridRetriever<some ChunkSource>
  ) throws {
    let (source, configuration) = (retriever.source, retriever.configuration)
    guard fused.count >= feedback.minimumCandidates else { return }
    let best = fused.prefix(feedback.chunks)
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
    fuse(by: configuration)
  }

  /// Ranks the best hits anew, by their own scores and their neighbours'.
  mutating func vouch(_ neighbourhood: Neighbourhood, from source: some ChunkSource) throws {
    guard vectorLeg != nil, fused.count >= neighbourhood.minimumCandidates else { return }
    let best = fused.prefix(neighbourhood.hits)
    let vectors = try source.vectors(of: best.map(\.chunkID))
    let means = neighbourhood.means(of: best.map(\.score), vectors: best.map { vectors[$0.chunkID] })
    let places = means.indices.sorted { (means[$0], $1) > (means[$1], $0) }
    for (rank, place) in places.enumerated() {
      vouched[best[place].chunkID] = (rank + 1, means[place], neighbourhood.weight * means[place])
    }
    // No mean is below the least of the best scores, so none of the best falls behind the others.
    let weighed = zip(best, means).map { chunk, mean in
      let own = 1 - neighbourhood.weight
      return FusedChunk(
        chunkID: chunk.chunkID, score: own * chunk.score + neighbourhood.weight * mean,
        shares: chunk.shares.map { own * $0 })
    }
    fused.replaceSubrange(
      ..<best.count, with: weighed.sorted { ($0.score, $1.chunkID) > ($1.score, $0.chunkID) })
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
      if let (rank, mean, share) = vouched[chunk.chunkID] {
        legs.append(
          LegScore(
            name: Neighbourhood.name, rank: rank, score: mean, share: share,
            terms: [TermContribution(term: "hits that read alike", score: mean)]))
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
