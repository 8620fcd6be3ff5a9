/// Which buckets get a row of a projection, and what an occurrence of each is worth.
public struct ProjectionVocabulary: Hashable, Sendable {
  /// Ascending.
  public let buckets: [UInt32]
  /// The inverse document frequency of each.
  public let weights: [Float]

  /// The buckets of a collection that stand in enough documents; of too many, those of greatest document frequency × idf.
  public init(_ counts: BucketCounts, _ configuration: ProjectionTrainer.Configuration) {
    var kept: [(bucket: UInt32, frequency: Int, weight: Double)] = []
    for (bucket, frequency) in counts.entries where frequency >= configuration.minimumDocumentFrequency {
      let weight = TermWeighting.inverseDocumentFrequency(
        documentFrequency: frequency, documentCount: counts.documentCount)
      kept.append((bucket, frequency, weight))
    }
    if kept.count > configuration.maximumRows {
      kept.sort { (Double($0.frequency) * $0.weight, $1.bucket) > (Double($1.frequency) * $1.weight, $0.bucket) }
      kept.removeLast(kept.count - configuration.maximumRows)
      kept.sort { $0.bucket < $1.bucket }
    }
    buckets = kept.map(\.bucket)
    weights = kept.map { Float($0.weight) }
  }
}
