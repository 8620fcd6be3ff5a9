import LinearAlgebra

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
  private var frequencies: [Int32]
  private var totalLength = 0
  private let hasher: FeatureHasher

  public init(configuration: Configuration = Configuration()) {
    precondition((0...VectorizerModel.dimension).contains(configuration.rank), "rank \(configuration.rank)")
    self.configuration = configuration
    hasher = FeatureHasher(bits: configuration.bits)
    frequencies = [Int32](repeating: 0, count: hasher.bucketCount)
  }

  public private(set) var documentCount = 0

  /// Adds a document's terms, repetitions included.
  ///
  /// - Complexity: O(terms); memory is that of twice ``Configuration/maximumDocuments`` documents, whatever their number.
  public mutating func add(_ terms: [String]) {
    let features = SparseVector(counting: terms, by: hasher)
    for bucket in features.buckets { frequencies[Int(bucket)] += 1 }
    totalLength += terms.count
    if documentCount.isMultiple(of: stride) { sample.append((features, terms.count)) }
    documentCount += 1
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
    let averageLength = documentCount == 0 ? 1 : max(1, Double(totalLength) / Double(documentCount))
    var model = VectorizerModel(
      bits: configuration.bits, k1: configuration.k1, b: configuration.b, averageLength: averageLength,
      documentCount: documentCount, exponent: configuration.exponent, rank: 0, analyzerVersion: analyzerVersion)
    let (buckets, weights) = vocabulary()
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
    // Directions at the level of rounding errors are noise that division by norms would bring to life.
    let threshold = (decomposition.values.first ?? 0) * 1e-4
    let singularValues = decomposition.values.prefix { $0 > threshold }
    model.rank = singularValues.count
    var vectors = decomposition.right.prefix(columns: model.rank)
    if configuration.directions == .learnt {
      vectors.scaleColumns(by: SpectrumDamping.factors(for: Array(singularValues), documentCount: documentCount))
    }
    return Trained(
      model: model, projection: InMemoryProjection(buckets: buckets, weights: weights, vectors: vectors),
      singularValues: Array(singularValues))
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

  /// The buckets that get a row, ascending, and their idf.
  private func vocabulary() -> (buckets: [UInt32], weights: [Float]) {
    var kept: [(bucket: UInt32, frequency: Int, weight: Double)] = []
    for (bucket, frequency) in frequencies.enumerated() where frequency >= configuration.minimumDocumentFrequency {
      let weight = TermWeighting.inverseDocumentFrequency(
        documentFrequency: Int(frequency), documentCount: documentCount)
      kept.append((UInt32(bucket), Int(frequency), weight))
    }
    if kept.count > configuration.maximumRows {
      kept.sort { (Double($0.frequency) * $0.weight, $1.bucket) > (Double($1.frequency) * $1.weight, $0.bucket) }
      kept.removeLast(kept.count - configuration.maximumRows)
      kept.sort { $0.bucket < $1.bucket }
    }
    return (kept.map(\.bucket), kept.map { Float($0.weight) })
  }
}
