import Clinical
import TextAnalysis
public import VetNet

/// The suite `retrieval` as a command runs it: a folder in, VetNet's own reading of text, the baseline beside it.
public struct RetrievalEvaluation {
  /// The name of SQLite's full-text search among the baselines.
  public static let baseline = "fts5"

  public let collection: RetrievalCollection
  private let text: SearchText

  /// - Parameters:
  ///   - collection: what is searched and asked.
  ///   - models: the lexicons that text is read with.
  /// - Throws: ``PracticeError`` for a table that can't be used.
  public init(_ collection: RetrievalCollection, models: ModelDirectory) throws {
    self.collection = collection
    text = try SearchText(models: models)
  }

  /// Trains, searches and measures.
  ///
  /// The projection is trained with the seed that `reindex --train` uses, whatever `seed` is: what is measured is what a
  /// practice gets.
  ///
  /// - Parameters:
  ///   - seed: for intervals and tests.
  ///   - ablates: whether the search is also run with one part after the other left out or replaced; see
  ///     ``RetrievalAblation``. These stand among the baselines.
  /// - Returns: the report and all rankings, the baselines' among them.
  /// - Throws: what training and searching throw.
  public func run(seed: UInt64, ablates: Bool = false) throws -> RetrievalSuite.Outcome {
    // Within a patient's record `ask` searches, over all of them `similar`.
    let describesCases = collection.queries.allSatisfy { $0.patientID == nil }
    let analysis = RetrievalSuite.Analysis(
      version: text.analyzer.version, passages: { text.passages(of: $0.searchableText) },
      question: { text.plainTerms(of: $0) },
      widenedQuestion: { text.terms(of: $0, describesCase: describesCases) })
    var generator = SplitMix64(seed: 1)
    let suite = try RetrievalSuite(collection, analysis: analysis, using: &generator)
    var versions = text.versions
    versions["projection"] = "trained on this collection, rank \(suite.projectionRank)"
    var baselines = [Self.baseline: try fullTextRankings()]
    if ablates {
      let parts = try RetrievalAblation.rankings(collection, analysis: analysis, shipped: suite)
      baselines.merge(parts) { own, _ in own }
    }
    return try suite.run(baselines: baselines, versions: versions, seed: seed)
  }

  /// What SQLite's full-text search finds, by query id; whole documents, the titles in them.
  private func fullTextRankings() throws -> [String: [String]] {
    let search = try FullTextBaseline()
    try search.insert(
      collection.documents.map { FullTextBaseline.Row(id: $0.id, patientID: $0.patientID, text: $0.searchableText) })
    var rankings: [String: [String]] = [:]
    for query in collection.queries {
      // More than are kept, so that equal scores at the end are ordered as everywhere else.
      let matches = try search.matches(
        for: query.text, patientID: query.patientID, limit: 2 * RetrievalSuite.rankingDepth)
      rankings[query.id] = Array(
        RankingMetrics.order(matches.map { ($0.id, $0.score) }).prefix(RetrievalSuite.rankingDepth))
    }
    return rankings
  }
}

extension RetrievalSuite.Outcome {
  /// One system's answer to one query.
  public struct Prediction: Hashable, Codable, Sendable {
    public let id: String
    public let system: String
    /// Up to 100 document ids, best first.
    public let ranking: [String]
  }

  /// Every ranking of the run, in the order of the queries, then of the systems' names.
  public func predictions(for queries: [RetrievalCollection.Query]) -> [Prediction] {
    queries.flatMap { query in
      rankings.sorted { $0.key < $1.key }.map { system, byQuery in
        Prediction(id: query.id, system: system, ranking: byQuery[query.id] ?? [])
      }
    }
  }
}
