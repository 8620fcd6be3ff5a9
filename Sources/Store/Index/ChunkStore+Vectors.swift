/// Vectors side by side, ready for BLAS.
public struct VectorBlock: Sendable {
  /// Ascending.
  public let chunkIDs: [Int64]
  /// Row-major: row *i*, of ``ChunkStore/dimension`` numbers, belongs to chunk *i*.
  public let values: [Float]

  public init(chunkIDs: [Int64], values: [Float]) {
    self.chunkIDs = chunkIDs
    self.values = values
  }
}

extension ChunkStore {
  /// The vectors of the chunks that pass a filter, in the order of chunk ids.
  ///
  /// A large generation is gone through block by block: at most `limit` rows `after` the last chunk of the block before.
  ///
  /// - Complexity: reads 2048 bytes a vector, in pages of 16384 bytes that hold seven: 2.3 KB for each vector of a run,
  ///   a page for one that stands alone. Notes that were imported together lie together. Besides that, the index
  ///   entries of ``candidates(generation:filter:)``, twice: once to count, so that the numbers are copied only once.
  public func vectors(
    generation: Int64, filter: ChunkFilter = ChunkFilter(), after chunk: Int64 = 0, limit: Int = .max
  ) throws(StoreError) -> VectorBlock {
    let condition = "\(filter.condition) AND chunk.id > ?6"
    let count = try connection.withStatement("SELECT count(*) FROM chunk WHERE \(condition)") {
      statement throws(StoreError) in
      try filter.bind(to: statement, generation: generation)
      try statement.bind(chunk, at: 6)
      return try statement.step() ? min(statement.int(0), limit) : 0
    }
    // CROSS JOIN: the chunks choose the vectors, never the other way round.
    return try connection.withStatement(
      """
      SELECT chunk.id, chunk_vector.vector
      FROM chunk CROSS JOIN chunk_vector ON chunk_vector.chunk_id = chunk.id
      WHERE \(condition) ORDER BY chunk.id LIMIT ?7
      """
    ) { statement throws(StoreError) in
      try filter.bind(to: statement, generation: generation)
      try statement.bind(chunk, at: 6)
      try statement.bind(Int64(count), at: 7)
      return try Self.readBlock(statement, capacity: count)
    }
  }

  /// The vector of one chunk; nil when it is gone.
  ///
  /// - Complexity: a page of 16384 bytes.
  public func vector(chunk: Int64) throws(StoreError) -> [Float]? {
    try connection.withStatement("SELECT vector FROM chunk_vector WHERE chunk_id = ?") {
      statement throws(StoreError) in
      try statement.bind(chunk, at: 1)
      guard try statement.step() else { return nil }
      let vector = statement.withBlob(0) { [Float](copying: $0) }
      guard vector.count == Self.dimension else {
        throw StoreError(.corrupt, context: "the vector of chunk \(chunk)")
      }
      return vector
    }
  }

  /// The vectors of some chunks, such as those whose compact codes came first; gone ones are left out.
  ///
  /// - Complexity: a page of 16384 bytes a vector in the worst case.
  public func vectors(chunks: [Int64]) throws(StoreError) -> VectorBlock {
    var ids: [Int64] = []
    var values: [Float] = []
    values.reserveCapacity(chunks.count * Self.dimension)
    for chunk in chunks.sorted() {
      guard let vector = try vector(chunk: chunk) else { continue }
      ids.append(chunk)
      values += vector
    }
    return VectorBlock(chunkIDs: ids, values: values)
  }

  /// Copies the rows of a statement that gives ids and vectors into one array, which is never filled with zeros first.
  private static func readBlock(_ statement: Statement, capacity: Int) throws(StoreError) -> VectorBlock {
    var ids: [Int64] = []
    ids.reserveCapacity(capacity)
    var failure: StoreError?
    let values = [Float](unsafeUninitializedCapacity: capacity * dimension) { buffer, initialized in
      let target = UnsafeMutableRawBufferPointer(buffer)
      var offset = 0
      do throws(StoreError) {
        while ids.count < capacity, try statement.step() {
          let length = statement.withBlob(1) { bytes -> Int in
            guard bytes.count == dimension * 4, let base = bytes.baseAddress else { return 0 }
            target.baseAddress?.advanced(by: offset).copyMemory(from: base, byteCount: bytes.count)
            return bytes.count
          }
          guard length > 0 else {
            throw StoreError(.corrupt, context: "the vector of chunk \(statement.int64(0))")
          }
          ids.append(statement.int64(0))
          offset += length
        }
      } catch {
        failure = error
      }
      initialized = ids.count * dimension
    }
    if let failure { throw failure }
    return VectorBlock(chunkIDs: ids, values: values)
  }
}
