import Glibc
import LinearAlgebra

/// Turns terms into vectors of 512 numbers whose inner products measure how alike texts are.
///
/// Terms are hashed, weighted by BM25's saturation and idf, and projected onto the directions a truncated singular value
/// decomposition found in the training collection. The inner product of a document and a query vector is their cosine
/// times the document's norm to the power of `1 - exponent`, so it ranks documents but isn't bounded by 1.
///
///     let vectorizer = Vectorizer(model: trained.model, projection: trained.projection)
///     let note = try vectorizer.documentVector(of: ["cat", "strain", "urin"])
///     let query = try vectorizer.queryVector(of: [QueryTerm("urin")])
public struct Vectorizer {
  public let model: VectorizerModel
  public let projection: any ProjectionSource

  /// - Parameters:
  ///   - model: the settings the projection was trained with.
  ///   - projection: rows of `model.rank` numbers.
  public init(model: VectorizerModel, projection: any ProjectionSource) {
    self.model = model
    self.projection = projection
  }

  /// The vector of one document: ``documentVectors(of:)`` of a single one.
  public func documentVector(of terms: [String]) throws -> [Float] {
    try documentVectors(of: [terms])[0]
  }

  /// 512 numbers per document; all zero where the model knows no term of it.
  ///
  /// - Throws: what the projection's source throws, and ``VectorizationError`` when its rows don't fit the model.
  /// - Complexity: O(distinct terms · rank) per document, on all threads of ``LinearAlgebra/BLAS``.
  public func documentVectors(of documents: [[String]]) throws -> [[Float]] {
    var vectors: [[Float]] = []
    vectors.reserveCapacity(documents.count)
    // In portions, so that the unpadded products of a large batch needn't all stand beside the result.
    for start in stride(from: 0, to: documents.count, by: 4096) {
      try append(documents[start..<min(start + 4096, documents.count)], to: &vectors)
    }
    return vectors
  }

  private func append(_ documents: ArraySlice<[String]>, to vectors: inout [[Float]]) throws {
    let hasher = model.hasher
    let features = documents.map { SparseVector(counting: $0, by: hasher) }
    let table = try table(for: features)
    var weights = SparseRows(columns: table.buckets.count)
    for (terms, features) in zip(documents, features) {
      weights.append(Self.weights(of: features, length: terms.count, model: model, table: table))
    }
    let projected = weights.multiply(table.vectors)
    let padding = [Float](repeating: 0, count: VectorizerModel.dimension - model.rank)
    for index in 0..<projected.rows {
      var row = Array(projected.row(index))
      let norm = BLAS.norm(row)
      if norm > 0 { BLAS.scale(&row, by: 1 / pow(norm, Float(model.exponent))) }
      row.append(contentsOf: padding)
      vectors.append(row)
    }
  }

  /// The rows that `features` need, as one matrix.
  private func table(for features: [SparseVector]) throws -> InMemoryProjection {
    let table: InMemoryProjection
    if let projection = projection as? InMemoryProjection {
      table = projection
    } else {
      var buckets: Set<UInt32> = []
      for vector in features { buckets.formUnion(vector.buckets) }
      let rows = try projection.rows(for: buckets.sorted())
      if let (bucket, row) = rows.min(by: { $0.key < $1.key }), row.vector.count != model.rank {
        throw VectorizationError.wrongRank(row.vector.count, expected: model.rank, bucket: bucket)
      }
      table = InMemoryProjection(rows: rows, rank: model.rank)
    }
    guard table.vectors.columns == model.rank else {
      throw VectorizationError.wrongRank(table.vectors.columns, expected: model.rank, bucket: nil)
    }
    return table
  }

  /// The weights of a document's known buckets, by row of the projection. Training and embedding share it: a document
  /// must be weighted the same way in both.
  static func weights(
    of features: SparseVector, length: Int, model: VectorizerModel, table: InMemoryProjection
  ) -> [(column: Int, value: Float)] {
    let weighting = model.weighting
    var weights: [(column: Int, value: Float)] = []
    weights.reserveCapacity(features.buckets.count)
    for (bucket, count) in zip(features.buckets, features.values) {
      guard let row = table.row(of: bucket) else { continue }
      let saturation = Float(weighting.saturation(count: Double(abs(count)), length: length))
      weights.append((row, (count < 0 ? -saturation : saturation) * table.weights[row]))
    }
    return weights
  }
}
