public import Clinical

/// A model as the file knows it.
public struct StoredModel: Hashable, Sendable {
  public let rowID: Int64
  public let kind: String
  public let checksum: ContentHash
  public let name: String
  /// JSON
  public let parameters: String
  public let createdAt: Timestamp

  public init(
    rowID: Int64, kind: String, checksum: ContentHash, name: String, parameters: String, createdAt: Timestamp
  ) {
    self.rowID = rowID
    self.kind = kind
    self.checksum = checksum
    self.name = name
    self.parameters = parameters
    self.createdAt = createdAt
  }
}

/// The row of a projection that a bucket of the feature hasher is multiplied with.
public struct StoredProjectionRow: Hashable, Sendable {
  public let bucket: UInt32
  public let weight: Double
  /// ``ChunkStore/dimension`` numbers.
  public let vector: [Float]

  public init(bucket: UInt32, weight: Double, vector: [Float]) {
    self.bucket = bucket
    self.weight = weight
    self.vector = vector
  }
}

/// The models that made what is in the file, and the projections among them that were trained on it.
public struct ModelStore {
  let connection: Connection

  /// The model's row, made when its checksum is new: the same model is entered once.
  public func register(
    kind: String, checksum: ContentHash, name: String, parameters: String, createdAt: Timestamp
  ) throws(StoreError) -> Int64 {
    try connection.transaction { () throws(StoreError) in
      if let known = try model(checksum: checksum) { return known.rowID }
      try connection.execute(
        "INSERT INTO model (kind, checksum, name, parameters, created_at) VALUES (?, ?, ?, ?, ?)",
        kind, checksum.bytes, name, parameters, createdAt)
      return connection.lastInsertedRowID
    }
  }

  public func model(row: Int64) throws(StoreError) -> StoredModel? {
    try connection.first("\(Self.selection) WHERE id = ?", row, read: Self.read)
  }

  public func model(checksum: ContentHash) throws(StoreError) -> StoredModel? {
    try connection.first("\(Self.selection) WHERE checksum = ?", checksum.bytes, read: Self.read)
  }

  /// All, in the order they came.
  public func list() throws(StoreError) -> [StoredModel] {
    try connection.rows("\(Self.selection) ORDER BY id", read: Self.read)
  }

  /// Deletes a model that no generation uses any more, with its projection.
  ///
  /// - Throws: ``StoreError`` with `constraint(.foreignKey)` while one does.
  public func delete(row: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM model WHERE id = ?", row)
  }

  /// Deletes a model's projection and keeps the model.
  public func deleteProjection(model: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM projection_row WHERE model_id = ?", model)
  }

  /// Adds rows to a model's projection.
  public func insertProjection(_ rows: [StoredProjectionRow], model: Int64) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.withStatement(
        "INSERT INTO projection_row (model_id, bucket, weight, vector) VALUES (?, ?, ?, ?)"
      ) { statement throws(StoreError) in
        for row in rows {
          precondition(row.vector.count == ChunkStore.dimension, "a row of \(row.vector.count) numbers")
          try statement.bind(model, at: 1)
          try statement.bind(Int64(row.bucket), at: 2)
          try statement.bind(row.weight, at: 3)
          try statement.bind(row.vector, at: 4)
          try statement.run()
        }
      }
    }
  }

  /// The rows of those of the buckets that the projection has.
  ///
  /// - Complexity: a page of 16384 bytes a bucket, besides the inner pages: a question of ten words reads 160 KB of a
  ///   projection of 120 MB.
  public func projectionRows(
    model: Int64, buckets: [UInt32]
  ) throws(StoreError) -> [UInt32: StoredProjectionRow] {
    var found: [UInt32: StoredProjectionRow] = [:]
    for bucket in Set(buckets) {
      found[bucket] = try connection.first(
        "SELECT weight, vector FROM projection_row WHERE model_id = ? AND bucket = ?", model, Int64(bucket)
      ) { row throws(StoreError) in
        let vector = row.withBlob(1) { [Float](copying: $0) }
        guard vector.count == ChunkStore.dimension else {
          throw StoreError(.corrupt, context: "bucket \(bucket) of model \(model)")
        }
        return StoredProjectionRow(bucket: bucket, weight: row.double(0), vector: vector)
      }
    }
    return found
  }

  /// Goes through a projection in the order of its buckets; `body` gets ``ChunkStore/dimension`` numbers that are gone after it.
  ///
  /// - Complexity: reads the whole projection once.
  public func forEachProjectionRow(
    model: Int64, _ body: (_ bucket: UInt32, _ weight: Double, _ vector: UnsafeBufferPointer<Float>) -> Void
  ) throws(StoreError) {
    try connection.withStatement(
      "SELECT bucket, weight, vector FROM projection_row WHERE model_id = ? ORDER BY bucket"
    ) { statement throws(StoreError) in
      try statement.bind(model, at: 1)
      while try statement.step() {
        let bucket = UInt32(truncatingIfNeeded: statement.int64(0))
        // Copied, because SQLite doesn't align blobs.
        let vector = statement.withBlob(2) { [Float](copying: $0) }
        guard vector.count == ChunkStore.dimension else {
          throw StoreError(.corrupt, context: "bucket \(bucket) of model \(model)")
        }
        vector.withUnsafeBufferPointer { body(bucket, statement.double(1), $0) }
      }
    }
  }

  public func projectionRowCount(model: Int64) throws(StoreError) -> Int {
    Int(try connection.number("SELECT count(*) FROM projection_row WHERE model_id = ?", model))
  }

  private static let selection = "SELECT id, kind, checksum, name, parameters, created_at FROM model"

  private static func read(_ row: Statement) throws(StoreError) -> StoredModel {
    StoredModel(
      rowID: row.int64(0), kind: row.text(1), checksum: ContentHash(stored: row.bytes(2)), name: row.text(3),
      parameters: row.text(4), createdAt: row.timestamp(5))
  }
}

extension [Float] {
  /// The numbers that lie in `bytes`, which need not be aligned.
  init(copying bytes: UnsafeRawBufferPointer) {
    let count = bytes.count / 4
    self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
      if let source = bytes.baseAddress, let target = buffer.baseAddress {
        UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: count * 4)
      }
      initialized = count
    }
  }
}

extension Connection {
  public var models: ModelStore { ModelStore(connection: self) }
}
