import Clinical
public import Retrieval
public import Vectorization

/// Measures the search on a test collection.
///
/// The projection is trained on the collection's documents only: queries and judgements are seen by nothing but the
/// search and the metrics.
public struct RetrievalSuite {
  /// Text to terms. The suite leaves it to the caller, so that what is measured is what is shipped.
  public struct Analysis {
    /// The terms of each passage of a document.
    public var passages: (RetrievalCollection.Document) -> [[String]]
    /// The terms of a question as it stands.
    public var question: (String) -> [QueryTerm]
    /// The same with whatever the shipped search adds to it.
    public var widenedQuestion: (String) -> [QueryTerm]
    /// Which analyser this is.
    public var version: String

    public init(
      version: String, passages: @escaping (RetrievalCollection.Document) -> [[String]],
      question: @escaping (String) -> [QueryTerm], widenedQuestion: @escaping (String) -> [QueryTerm]
    ) {
      self.version = version
      self.passages = passages
      self.question = question
      self.widenedQuestion = widenedQuestion
    }

    /// Documents as one passage each, and questions without additions.
    public init(version: String, terms: @escaping (String) -> [String]) {
      let question = { (text: String) in terms(text).map { QueryTerm($0) } }
      self.init(
        version: version, passages: { [terms($0.searchableText)] }, question: question, widenedQuestion: question)
    }
  }

  /// What a run gives: the report, and the rankings it was computed from.
  public struct Outcome: Sendable {
    public let report: SuiteReport
    /// Up to 100 document ids by system, the baselines among them, then by query id.
    public let rankings: [String: [String: [String]]]
  }

  /// One way to search.
  public struct System: Sendable {
    public let name: String
    public let configuration: RetrievalConfiguration
    /// Whether questions are widened.
    public let widens: Bool

    public init(name: String, configuration: RetrievalConfiguration, widens: Bool) {
      self.name = name
      self.configuration = configuration
      self.widens = widens
    }
  }

  /// The systems that are measured; `default` is what is shipped, the others are its parts.
  public static let systems = [
    System(name: "vector", configuration: .vector, widens: false),
    System(name: "lexical", configuration: .lexical, widens: false),
    System(name: "hybrid", configuration: .hybrid, widens: false),
    System(name: "default", configuration: RetrievalConfiguration(), widens: true),
  ]

  /// How many documents of a ranking are kept and judged.
  public static let rankingDepth = 100

  private let collection: RetrievalCollection
  private let analysis: Analysis
  private let source: InMemoryChunkSource
  private let vectorizer: Vectorizer
  /// The document of each chunk, chunk ids being places in this list.
  private let documents: [String]

  /// Trains on the collection and indexes it.
  ///
  /// - Throws: `LinearAlgebraError` when the training fails.
  public init(
    _ collection: RetrievalCollection, analysis: Analysis, training: ProjectionTrainer.Configuration = .init(),
    using generator: inout some RandomNumberGenerator
  ) throws {
    var trainer = ProjectionTrainer(configuration: training)
    var passages: [(document: RetrievalCollection.Document, terms: [String])] = []
    for document in collection.documents {
      for terms in analysis.passages(document) {
        trainer.add(terms)
        passages.append((document, terms))
      }
    }
    let trained = try trainer.train(analyzerVersion: analysis.version, using: &generator)
    let vectorizer = Vectorizer(model: trained.model, projection: trained.projection)
    let vectors = try vectorizer.documentVectors(of: passages.map(\.terms))
    var source = InMemoryChunkSource()
    for (place, passage) in passages.enumerated() {
      // Neither dates nor kinds are part of such a collection, and nothing filters by them.
      let metadata = ChunkMetadata(
        chunkID: Int64(place), noteID: passage.document.id, patientID: passage.document.patientID ?? "",
        range: 0..<passage.document.searchableText.utf8.count, recordedAt: Timestamp(seconds: 0), kind: .consult)
      source.add(metadata, terms: passage.terms, vector: vectors[place])
    }
    self.collection = collection
    self.analysis = analysis
    self.source = source
    self.vectorizer = vectorizer
    documents = passages.map(\.document.id)
  }

  /// The documents that answer a query, best first; a document is as good as its best passage.
  public func ranking(_ query: RetrievalCollection.Query, by system: System) throws -> [String] {
    let retriever = HybridRetriever(source: source, vectorizer: vectorizer, configuration: system.configuration)
    let terms = system.widens ? analysis.widenedQuestion(query.text) : analysis.question(query.text)
    let filter = RetrievalFilter(patientIDs: query.patientID.map { [$0] })
    var seen: Set<String> = []
    var scored: [(id: String, score: Double)] = []
    for chunk in try retriever.ranking(for: terms, filter: filter, limit: system.configuration.depth) {
      let id = documents[Int(chunk.chunkID)]
      if seen.insert(id).inserted { scored.append((id, chunk.score)) }
    }
    return Array(RankingMetrics.order(scored).prefix(Self.rankingDepth))
  }

  /// The rank of the projection that the collection gave.
  public var projectionRank: Int { vectorizer.model.rank }

  /// Ranks every query with every system, and measures the rankings of those that have judgements.
  ///
  /// - Parameters:
  ///   - baselines: rankings of other searches, by their name and query id; a query that is missing found nothing.
  ///   - versions: of models and tables that took part.
  ///   - seed: for intervals and tests; equal seeds give equal reports.
  /// - Returns: the report and its rankings.
  /// - Throws: what searching throws.
  public func run(
    baselines: [String: [String: [String]]] = [:], versions: [String: String] = [:], seed: UInt64
  ) throws -> Outcome {
    var rankings: [String: [String: [String]]] = [:]
    for system in Self.systems {
      rankings[system.name] = try self.rankings(by: system)
    }
    let values = rankings.mapValues { metrics(of: $0) }
    let baselineValues = baselines.mapValues { metrics(of: $0) }
    let report = SuiteReport(
      suite: "retrieval", n: collection.judgedQueries.count, systems: values.mapValues { estimates($0, seed: seed) },
      baselines: baselineValues.mapValues { estimates($0, seed: seed) },
      comparisons: comparisons(values, against: baselineValues, seed: seed),
      versions: versions.merging(["analyzer": analysis.version]) { given, _ in given }, seed: seed)
    return Outcome(report: report, rankings: rankings.merging(baselines) { own, _ in own })
  }

  /// The answers to every query, by query id.
  ///
  /// - Throws: what searching throws.
  public func rankings(by system: System) throws -> [String: [String]] {
    var byQuery: [String: [String]] = [:]
    for query in collection.queries { byQuery[query.id] = try ranking(query, by: system) }
    return byQuery
  }

  /// Per metric one value per judged query.
  private func metrics(of rankings: [String: [String]]) -> [[Double]] {
    let rows = collection.judgedQueries.map { query in
      RankingMetrics(ranking: rankings[query.id] ?? [], judgements: collection.judgements[query.id] ?? [:]).values
    }
    return RankingMetrics.names.indices.map { metric in rows.map { $0[metric] } }
  }

  private func estimates(_ values: [[Double]], seed: UInt64) -> [String: Estimate] {
    var estimates: [String: Estimate] = [:]
    for (name, cases) in zip(RankingMetrics.names, values) {
      var generator = SplitMix64(seed: seed)
      estimates[name] = Estimate(meanOf: cases, using: &generator)
    }
    return estimates
  }

  /// The shipped system against every baseline and against each of its parts.
  private func comparisons(
    _ systems: [String: [[Double]]], against baselines: [String: [[Double]]], seed: UInt64
  ) -> [SuiteReport.Comparison] {
    guard let shipped = systems["default"] else { return [] }
    let others =
      baselines.sorted { $0.key < $1.key } + systems.sorted { $0.key < $1.key }.filter { $0.key != "default" }
    return others.flatMap { other in
      RankingMetrics.names.indices.map { metric in
        var generator = SplitMix64(seed: seed)
        let (ours, theirs) = (shipped[metric], other.value[metric])
        let difference = zip(ours, theirs).reduce(0) { $0 + $1.0 - $1.1 } / Double(max(1, ours.count))
        return SuiteReport.Comparison(
          system: "default", against: other.key, metric: RankingMetrics.names[metric], difference: difference,
          pValue: PairedRandomisation.pValue(ours, theirs, using: &generator))
      }
    }
  }
}
