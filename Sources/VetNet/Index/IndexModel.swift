import Clinical
import FoundationEssentials
import Glibc
import LinearAlgebra
import Store
import TextAnalysis
import Vectorization

/// The projection a generation of the index is made with: where it came from, and how the practice file keeps it.
struct IndexModel {
  let rowID: Int64
  let name: String
  let checksum: ContentHash
  let vectorizer: Vectorizer

  static let kind = "projection"
  static let defaultFile = "vectorizer/default.vnm"

  /// The model of a stored generation.
  init(stored row: Int64, in connection: Connection) throws {
    guard let stored = try connection.models.model(row: row) else {
      throw PracticeError(
        .integrity, "the index names a model that is not in the file", hint: "Maybe run: vetnet reindex --all")
    }
    let model: VectorizerModel
    do {
      model = try JSONDecoder().decode(VectorizerModel.self, from: Data(stored.parameters.utf8))
    } catch {
      throw PracticeError(.integrity, "the settings of model '\(stored.name)' can't be read")
    }
    self.init(
      rowID: row, name: stored.name, checksum: stored.checksum,
      vectorizer: Vectorizer(
        model: model, projection: StoredProjection(store: connection.models, modelRow: row, rank: model.rank)))
  }

  private init(rowID: Int64, name: String, checksum: ContentHash, vectorizer: Vectorizer) {
    self.rowID = rowID
    self.name = name
    self.checksum = checksum
    self.vectorizer = vectorizer
  }

  /// Puts the default model of `Models/` into the file, once; its checksum is verified first.
  static func installDefault(from models: ModelDirectory, into connection: Connection, now: Timestamp) throws
    -> IndexModel
  {
    let file = try ModelFile.verified(models.data(defaultFile), in: models)
    return try install(
      try file.projection(), model: file.model, name: "default", checksum: ContentHash(stored: file.checksum),
      into: connection, now: now)
  }

  /// Puts a model that several practices learned together into the file; its signature was looked at.
  ///
  /// - Throws: ``PracticeError`` with `models` for one that was made for another analyser.
  static func installShared(
    _ file: ModelFile, from models: ModelDirectory, into connection: Connection, now: Timestamp
  ) throws -> IndexModel {
    guard file.model.analyzerVersion == (try models.analyzer().version) else {
      throw PracticeError(
        .models, "the model was made for the analyser \(file.model.analyzerVersion), not this one",
        hint: "Maybe update the program that is older, and train the model again.")
    }
    return try install(
      models.usable { try file.projection() }, model: file.model, name: "shared",
      checksum: ContentHash(stored: file.checksum), into: connection, now: now)
  }

  /// Puts a projection trained on the practice's own notes into the file.
  static func install(_ trained: ProjectionTrainer.Trained, into connection: Connection, now: Timestamp) throws
    -> IndexModel
  {
    var canonical = CanonicalBytes()
    canonical.append(try parameters(trained.model))
    for (row, bucket) in trained.projection.buckets.enumerated() {
      canonical.append(Int64(bucket))
      for value in trained.projection.vectors.row(row) { canonical.append(Double(value)) }
    }
    return try install(
      trained.projection, model: trained.model, name: "trained on this practice", checksum: ContentHash(of: canonical),
      into: connection, now: now)
  }

  private static func install(
    _ projection: InMemoryProjection, model: VectorizerModel, name: String, checksum: ContentHash,
    into connection: Connection, now: Timestamp
  ) throws -> IndexModel {
    let row = try connection.transaction { () throws(StoreError) -> Int64 in
      if let known = try connection.models.model(checksum: checksum) {
        if try isKept(projection, model: known.rowID, in: connection) { return known.rowID }
        // Altered on disk: the rows are written again, from where they came.
        try connection.models.deleteProjection(model: known.rowID)
        try write(projection, rank: model.rank, model: known.rowID, to: connection)
        return known.rowID
      }
      let parameters: String
      do {
        parameters = try Self.parameters(model)
      } catch {
        throw StoreError(.statementFailed, context: "encoding the model's settings")
      }
      let row = try connection.models.register(
        kind: kind, checksum: checksum, name: name, parameters: parameters, createdAt: now)
      try write(projection, rank: model.rank, model: row, to: connection)
      return row
    }
    return try IndexModel(stored: row, in: connection)
  }

  private static func write(
    _ projection: InMemoryProjection, rank: Int, model row: Int64, to connection: Connection
  ) throws(StoreError) {
    let padding = [Float](repeating: 0, count: ChunkStore.dimension - rank)
    var portion: [StoredProjectionRow] = []
    for (index, bucket) in projection.buckets.enumerated() {
      portion.append(
        StoredProjectionRow(
          bucket: bucket, weight: Double(projection.weights[index]),
          vector: Array(projection.vectors.row(index)) + padding))
      if portion.count == 1000 {
        try connection.models.insertProjection(portion, model: row)
        portion.removeAll(keepingCapacity: true)
      }
    }
    try connection.models.insertProjection(portion, model: row)
  }

  /// Whether the file holds a projection as it is.
  private static func isKept(
    _ projection: InMemoryProjection, model row: Int64, in connection: Connection
  ) throws(StoreError) -> Bool {
    var index = 0
    var isSame = try connection.models.projectionRowCount(model: row) == projection.buckets.count
    let order = projection.buckets.indices.sorted { projection.buckets[$0] < projection.buckets[$1] }
    try connection.models.forEachProjectionRow(model: row) { bucket, weight, vector in
      defer { index += 1 }
      guard isSame else { return }
      let place = order[index]
      isSame =
        projection.buckets[place] == bucket && Double(projection.weights[place]) == weight
        && projection.vectors.row(place).withUnsafeBytes { expected in
          guard let kept = vector.baseAddress, let base = expected.baseAddress else { return false }
          return memcmp(base, kept, expected.count) == 0
        }
    }
    return isSame
  }

  /// The whole projection in memory, for embedding many notes.
  ///
  /// - Complexity: 2 KB of memory a row; training keeps 60,000 at most.
  func embedding(from connection: Connection) throws -> NoteReader.Embedding {
    let rank = vectorizer.model.rank
    var buckets: [UInt32] = []
    var weights: [Float] = []
    var values: [Float] = []
    let count = try connection.models.projectionRowCount(model: rowID)
    buckets.reserveCapacity(count)
    weights.reserveCapacity(count)
    values.reserveCapacity(count * rank)
    try connection.models.forEachProjectionRow(model: rowID) { bucket, weight, vector in
      buckets.append(bucket)
      weights.append(Float(weight))
      values.append(contentsOf: vector.prefix(rank))
    }
    return NoteReader.Embedding(
      model: vectorizer.model,
      projection: InMemoryProjection(
        buckets: buckets, weights: weights, vectors: Matrix(rows: buckets.count, columns: rank, values: values)))
  }

  private static func parameters(_ model: VectorizerModel) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(model), as: UTF8.self)
  }
}
