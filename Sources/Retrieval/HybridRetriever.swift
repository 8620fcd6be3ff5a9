public import Vectorization

/// Finds the chunks that answer a question, by words and by meaning together.
///
///     let retriever = HybridRetriever(source: source, vectorizer: vectorizer)
///     let hits = try retriever.hits(for: terms, filter: RetrievalFilter(patientIDs: ["p-17"]), limit: 10)
public struct HybridRetriever<Source: ChunkSource> {
  public let source: Source
  /// Nil before the first model: then words alone decide.
  public let vectorizer: Vectorizer?
  public let configuration: RetrievalConfiguration

  /// - Parameters:
  ///   - source: the chunks; its vectors were made with `vectorizer`'s model.
  ///   - vectorizer: turns questions into vectors.
  ///   - configuration: which legs, and how they are fused.
  public init(
    source: Source, vectorizer: Vectorizer?, configuration: RetrievalConfiguration = RetrievalConfiguration()
  ) {
    self.source = source
    self.vectorizer = vectorizer
    self.configuration = configuration
  }

  /// The best chunks that the filter admits, best first; of equal scores the lowest chunk id.
  ///
  /// - Parameters:
  ///   - terms: the analysed question, added terms with weights below 1.
  ///   - filter: applied before ranking.
  ///   - limit: at most so many hits; fewer when nothing else has anything in common with the question.
  /// - Returns: hits with their reasons.
  /// - Throws: what the source and the vectorizer throw. Finding nothing is not an error.
  public func hits(
    for terms: [QueryTerm], filter: RetrievalFilter = RetrievalFilter(), limit: Int
  ) throws -> [Hit] {
    let search = try search(for: terms, filter: filter)
    return try search.hits(Array(search.fused.prefix(limit)), from: source)
  }

  /// The same ranking as ``hits(for:filter:limit:)`` without places and reasons: cheaper where only the order counts.
  public func ranking(
    for terms: [QueryTerm], filter: RetrievalFilter = RetrievalFilter(), limit: Int
  ) throws -> [ScoredChunk] {
    try search(for: terms, filter: filter).fused.prefix(limit).map {
      ScoredChunk(chunkID: $0.chunkID, score: $0.score)
    }
  }

  private func search(for terms: [QueryTerm], filter: RetrievalFilter) throws -> Search {
    var search = try Search(terms, in: self, filter: filter, statistics: try source.statistics())
    if let feedback = configuration.feedback { try search.feedBack(feedback, from: self) }
    if let neighbourhood = configuration.neighbourhood { try search.vouch(neighbourhood, from: source) }
    return search
  }
}

/// How a search is carried out.
///
/// The defaults were chosen on Cranfield and CISI together with what was made of them (titles alone; documents asked for by
/// their titles; both in one) and the sample practice: relative scores .391 and .410, reciprocal ranks .385 and .408;
/// vector weights from .3 to .7 lie within .005 of each other on average, so the legs count alike.
public struct RetrievalConfiguration: Sendable {
  public var bm25 = BM25()
  /// How additions to the question are limited, and misspelt words read.
  public var reader = QuestionReader()
  public var fusion: any RankFusion = RelativeScoreFusion()
  /// The weight of the vectors for a question whose words the model all knows; in proportion less otherwise.
  public var vectorWeight = 0.5
  public var lexicalWeight = 0.5
  /// Nil for none.
  public var feedback: PseudoRelevanceFeedback? = PseudoRelevanceFeedback()
  /// How the vectors of the best hits bear on each other's scores; nil for not at all.
  public var neighbourhood: Neighbourhood? = Neighbourhood()
  /// How many chunks each leg hands to the fusion.
  public var depth = 1000

  public init() {}

  /// The vectors alone.
  public static var vector: Self {
    var configuration = hybrid
    configuration.lexicalWeight = 0
    return configuration
  }

  /// The words alone.
  public static var lexical: Self {
    var configuration = hybrid
    configuration.vectorWeight = 0
    return configuration
  }

  /// Both legs, without feedback: for questions with one answer.
  public static var hybrid: Self {
    var configuration = Self()
    configuration.feedback = nil
    return configuration
  }
}
