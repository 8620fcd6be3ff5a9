/// The rows of the table `segment`, which hold what a search over the whole practice reads.
extension ChunkStore {
  /// Goes through the segments of a generation, in the order of chunk ids.
  ///
  /// - Parameters:
  ///   - generation: whose.
  ///   - body: gets each segment where it lies; it must not be kept.
  /// - Throws: ``StoreError``, or what `body` throws.
  /// - Complexity: reads a page of 16384 bytes for each of 29 chunks.
  public func forEachSegment(
    generation: Int64, _ body: (ChunkSegment) throws(StoreError) -> Void
  ) throws(StoreError) {
    try connection.withStatement(
      "SELECT id, chunk_count, earliest, latest, data FROM segment WHERE id BETWEEN ? AND ? ORDER BY id"
    ) { statement throws(StoreError) in
      let keys = Self.segmentKeys(generation)
      try statement.bind(keys.lowerBound, at: 1)
      try statement.bind(keys.upperBound, at: 2)
      while try statement.step() { try Self.withSegment(statement, body) }
    }
  }

  /// The first and the last chunk of a generation; nil when it has none.
  public func chunkIDRange(generation: Int64) throws(StoreError) -> ClosedRange<Int64>? {
    let keys = Self.segmentKeys(generation)
    let first = try connection.first(
      "SELECT min(id) FROM segment WHERE id BETWEEN ? AND ?", keys.lowerBound, keys.upperBound
    ) { $0.optionalInt64(0) }
    guard let key = first ?? nil, let last = try segment(atOrBefore: .max, generation: generation),
      let end = last.entries.last?.chunkID, end >= key - keys.lowerBound
    else { return nil }
    return (key - keys.lowerBound)...end
  }

  /// Adds chunks that are greater than all of the generation's before: to its last segment, then to new ones.
  func append(_ entries: [SegmentEntry], generation: Int64) throws(StoreError) {
    guard let first = entries.first else { return }
    var rest = entries[...]
    if let last = try segment(atOrBefore: .max, generation: generation) {
      precondition(
        last.entries.last.map { $0.chunkID < first.chunkID } ?? true, "chunks come in the order of their ids")
      if last.entries.count < ChunkSegment.capacity {
        let added = rest.prefix(ChunkSegment.capacity - last.entries.count)
        try write(last.entries + added, key: last.key, generation: generation)
        rest = rest.dropFirst(added.count)
      }
    }
    while !rest.isEmpty {
      try write(Array(rest.prefix(ChunkSegment.capacity)), key: nil, generation: generation)
      rest = rest.dropFirst(ChunkSegment.capacity)
    }
  }

  /// Takes chunks out of the segments of a generation.
  func removeFromSegments(_ chunks: Set<Int64>, generation: Int64) throws(StoreError) {
    var rest = chunks
    while let greatest = rest.max(), let segment = try segment(atOrBefore: greatest, generation: generation) {
      let kept = segment.entries.filter { !rest.contains($0.chunkID) }
      if kept.count < segment.entries.count { try write(kept, key: segment.key, generation: generation) }
      // What the segment should have held and didn't isn't there.
      let begin = segment.entries.first?.chunkID ?? greatest
      rest = rest.filter { $0 < begin }
    }
  }

  /// Makes the segments of all generations anew, from chunks and vectors.
  ///
  /// - Complexity: reads every vector once; memory is that of a portion.
  func rebuildSegments() throws(StoreError) {
    try connection.execute("DELETE FROM segment")
    // A migration calls this: columns that later ones add aren't there yet.
    for generation in try connection.rows("SELECT id FROM generation ORDER BY id", read: { $0.int64(0) }) {
      var last: Int64 = 0
      while true {
        let entries = try derivedEntries(generation: generation, after: last, limit: 64 * ChunkSegment.capacity)
        guard let end = entries.last?.chunkID else { break }
        try append(entries, generation: generation)
        last = end
      }
    }
  }

  /// What the segments of a generation should hold, from chunks and vectors: at most `limit` entries after a chunk.
  func derivedEntries(generation: Int64, after chunk: Int64, limit: Int) throws(StoreError) -> [SegmentEntry] {
    try connection.rows(
      """
      SELECT chunk.id, chunk.recorded_at, chunk.patient_id, chunk.token_count, chunk_vector.vector
      FROM chunk CROSS JOIN chunk_vector ON chunk_vector.chunk_id = chunk.id
      WHERE chunk.generation_id = ? AND chunk.id > ? ORDER BY chunk.id LIMIT ?
      """, generation, chunk, limit
    ) { row throws(StoreError) in
      let vector = row.withBlob(4) { [Float](copying: $0) }
      guard vector.count == Self.dimension else {
        throw StoreError(.corrupt, context: "the vector of chunk \(row.int64(0))")
      }
      return SegmentEntry(
        chunkID: row.int64(0), recordedAt: row.int64(1), patientRowID: row.int64(2), tokenCount: row.int(3),
        vector: vector)
    }
  }

  /// The keys that segments of a generation may have.
  static func segmentKeys(_ generation: Int64) -> ClosedRange<Int64> {
    (generation << keyShift)...((generation + 1) << keyShift - 1)
  }

  private static let keyShift: Int64 = 40

  private func segment(
    atOrBefore chunk: Int64, generation: Int64
  ) throws(StoreError) -> (key: Int64, entries: [SegmentEntry])? {
    let keys = Self.segmentKeys(generation)
    return try connection.first(
      """
      SELECT id, chunk_count, earliest, latest, data FROM segment
      WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1
      """, keys.lowerBound, chunk < keys.upperBound - keys.lowerBound ? keys.lowerBound + chunk : keys.upperBound
    ) { row throws(StoreError) in
      var entries: [SegmentEntry] = []
      try Self.withSegment(row) { segment throws(StoreError) in
        for place in 0..<segment.count { entries.append(SegmentEntry(segment, at: place)) }
      }
      return (row.int64(0), entries)
    }
  }

  /// Writes a segment, in place of the one that has `key`; one without chunks is deleted.
  private func write(_ entries: [SegmentEntry], key: Int64?, generation: Int64) throws(StoreError) {
    let newKey = entries.first.map { Self.segmentKeys(generation).lowerBound + $0.chunkID }
    if let key, key != newKey { try connection.execute("DELETE FROM segment WHERE id = ?", key) }
    guard let newKey else { return }
    let moments = entries.map(\.recordedAt)
    try connection.execute(
      """
      INSERT INTO segment (id, generation_id, chunk_count, earliest, latest, data) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET chunk_count = excluded.chunk_count, earliest = excluded.earliest,
        latest = excluded.latest, data = excluded.data
      """, newKey, generation, entries.count, moments.min() ?? 0, moments.max() ?? 0, SegmentEntry.encode(entries))
  }

  private static func withSegment(
    _ row: Statement, _ body: (ChunkSegment) throws(StoreError) -> Void
  ) throws(StoreError) {
    let (bytes, count) = row.withBlob(4) { ($0, row.int(1)) }
    guard
      let segment = ChunkSegment(count: count, earliest: row.timestamp(2), latest: row.timestamp(3), bytes: bytes)
    else { throw StoreError(.corrupt, context: "segment \(row.int64(0))") }
    try body(segment)
  }
}
