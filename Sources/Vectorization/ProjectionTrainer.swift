public import LinearAlgebra

/// Learns a projection from a collection of documents, by latent semantic analysis of their weighted terms.
///
///     var trainer = ProjectionTrainer()
///     for terms in documents { trainer.add(terms) }
///     let trained = try trainer.train(analyzerVersion: analyzer.version, using: &generator)
///
/// - Source: S. Deerwester et al., "Indexing by latent semantic analysis", JASIS 41 (1990); weights of
///   ``TermWeighting``.
public struct ProjectionTrainer: Sendable {
  /// Where the directions of the vector space come from. All but ``learnt`` serve to measure what it is worth.
  public enum Directions: String, CaseIterable, Sendable {
    /// Each bucket is one of 512 directions, many sharing one: plain feature hashing.
    case hashed
    /// Each bucket has a direction by chance, nearly at a right angle to any other's.
    case random
    /// The singular vectors of the collection, as they are.
    case undamped
    /// The singular vectors, the weaker held back; see ``SpectrumDamping``.
    case learnt
  }

  /// What training may be asked for.
  public struct Configuration: Hashable, Sendable {
    /// log2 of the number of hash buckets.
    public var bits = 18
    public var k1 = 1.2
    public var b = 0.75
    /// See ``VectorizerModel/exponent``.
    public var exponent = 0.75
    /// At most ``VectorizerModel/dimension``.
    public var rank = VectorizerModel.dimension
    /// Rarer buckets get no row: what stands in one document only has nothing to be similar to.
    public var minimumDocumentFrequency = 2
    /// Beyond it, the buckets of least document frequency × idf are left out.
    public var maximumRows = 60_000
    /// The decomposition sees an even sample of larger collections; document frequencies are always counted in all.
    public var maximumDocuments = 30_000
    /// Passes of the subspace iteration.
    public var iterations = 2
    public var directions = Directions.learnt

    public init() {}
  }

  /// A projection and the settings it belongs to.
  public struct Trained: Sendable {
    public let model: VectorizerModel
    public let projection: InMemoryProjection
    /// The singular values before damping, in descending order.
    public let singularValues: [Float]
  }

  public let configuration: Configuration
  /// Every ``stride``-th document.
  private var sample: [(features: SparseVector, length: Int)] = []
  private var stride = 1
  private var counts: BucketCounts
  private let hasher: FeatureHasher

  public init(configuration: Configuration = Configuration()) {
    precondition((0...VectorizerModel.dimension).contains(configuration.rank), "rank \(configuration.rank)")
    self.configuration = configuration
    hasher = FeatureHasher(bits: configuration.bits)
    counts = BucketCounts(bits: configuration.bits)
  }

  public var documentCount: Int { counts.documentCount }

  /// Adds a document's terms, repetitions included.
  ///
  /// - Complexity: O(terms); memory is that of twice ``Configuration/maximumDocuments`` documents, whatever their number.
  public mutating func add(_ terms: [String]) {
    let features = SparseVector(counting: terms, by: hasher)
    if documentCount.isMultiple(of: stride) { sample.append((features, terms.count)) }
    counts.add(features, length: terms.count)
    if sample.count > 2 * max(1, configuration.maximumDocuments) {
      stride *= 2
      sample = sample.indices.filter { $0.isMultiple(of: 2) }.map { sample[$0] }
    }
  }

  /// Trains on what was added.
  ///
  /// The rank is what the collection gives: with fewer documents than dimensions, or documents that repeat each other,
  /// it is lower, and with none it is 0.
  ///
  /// - Parameters:
  ///   - analyzerVersion: which analyser made the terms.
  ///   - generator: the source of chance; an equal state and equal documents give an equal projection.
  /// - Returns: the projection, with the settings to use it.
  /// - Throws: ``LinearAlgebra/LinearAlgebraError`` when the decomposition fails.
  public func train(
    analyzerVersion: String, using generator: inout some RandomNumberGenerator
  ) throws -> Trained {
    var model = configuration.model(of: counts, analyzerVersion: analyzerVersion)
    let vocabulary = ProjectionVocabulary(counts, configuration)
    let (buckets, weights) = (vocabulary.buckets, vocabulary.weights)
    if let vectors = unlearnt(buckets, using: &generator) {
      model.rank = vectors.columns
      return Trained(
        model: model, projection: InMemoryProjection(buckets: buckets, weights: weights, vectors: vectors),
        singularValues: [])
    }
    // Without directions yet: it serves to find the weights of a document's buckets.
    let table = InMemoryProjection(
      buckets: buckets, weights: weights, vectors: Matrix(rows: buckets.count, columns: 0))
    var collection = SparseRows(columns: buckets.count)
    let sampled = min(sample.count, configuration.maximumDocuments)
    for index in 0..<sampled {
      let document = sample[index * sample.count / sampled]
      collection.append(
        Vectorizer.weights(of: document.features, length: document.length, model: model, table: table))
    }
    let decomposition = try collection.truncatedSVD(
      rank: configuration.rank, iterations: configuration.iterations, using: &generator)
    return configuration.trained(
      model, vocabulary, singularValues: decomposition.values, directions: decomposition.right)
  }

  /// Directions that owe nothing to the collection; nil where they are to be learnt from it.
  private func unlearnt(_ buckets: [UInt32], using generator: inout some RandomNumberGenerator) -> Matrix? {
    let dimension = VectorizerModel.dimension
    var values: [Float] = []
    switch configuration.directions {
    case .hashed:
      values = [Float](repeating: 0, count: buckets.count * dimension)
      for (row, bucket) in buckets.enumerated() { values[row * dimension + Int(bucket) % dimension] = 1 }
    case .random:
      values.reserveCapacity(buckets.count * dimension)
      let entry = 1 / Float(dimension).squareRoot()
      for _ in 0..<(buckets.count * dimension / 64) {
        let bits: UInt64 = generator.next()
        for place in 0..<64 { values.append(bits >> UInt64(place) & 1 == 0 ? entry : -entry) }
      }
    case .undamped, .learnt: return nil
    }
    return Matrix(rows: buckets.count, columns: dimension, values: values)
  }
}

extension ProjectionTrainer.Configuration {
  /// The settings of a model of a collection, without directions yet.
  public func model(of counts: BucketCounts, analyzerVersion: String) -> VectorizerModel {
    VectorizerModel(
      bits: bits, k1: k1, b: b, averageLength: counts.averageLength, documentCount: counts.documentCount,
      exponent: exponent, rank: 0, analyzerVersion: analyzerVersion)
  }

  /// The projection that a decomposition comes to.
  ///
  /// - Parameters:
  ///   - model: see ``model(of:analyzerVersion:)``.
  ///   - vocabulary: whose buckets the directions' rows are of.
  ///   - values: singular values, descending.
  ///   - directions: a column for each.
  /// - Returns: the projection of those directions that are more than rounding errors.
  public func trained(
    _ model: VectorizerModel, _ vocabulary: ProjectionVocabulary, singularValues values: [Float], directions: Matrix
  ) -> ProjectionTrainer.Trained {
    // Directions at the level of rounding errors are noise that division by norms would bring to life.
    let threshold = (values.first ?? 0) * 1e-4
    let kept = Array(values.prefix(rank).prefix { $0 > threshold })
    var model = model
    model.rank = kept.count
    var vectors = directions.prefix(columns: model.rank)
    if self.directions == .learnt {
      vectors.scaleColumns(by: SpectrumDamping.factors(for: kept, documentCount: model.documentCount))
    }
    return ProjectionTrainer.Trained(
      model: model,
      projection: InMemoryProjection(buckets: vocabulary.buckets, weights: vocabulary.weights, vectors: vectors),
      singularValues: kept)
  }
}
