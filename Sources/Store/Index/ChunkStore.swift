import Clinical

/// The searchable passages of notes: their places, vectors and terms.
///
/// Writing is in `ChunkStore+Writing.swift`, the inverted index in `ChunkStore+Terms.swift`.
public struct ChunkStore {
  let connection: Connection

  /// Numbers per vector.
  public static let dimension = 512

  /// The chunks of these rows, in the order asked for; rows that are gone are left out.
  public func chunks(rows: [Int64]) throws(StoreError) -> [StoredChunk] {
    var chunks: [StoredChunk] = []
    chunks.reserveCapacity(rows.count)
    for row in rows {
      if let chunk = try connection.first("\(Self.selection) WHERE id = ?", row, read: Self.read) {
        chunks.append(chunk)
      }
    }
    return chunks
  }

  /// The chunks of a note, in their order.
  public func chunks(note: Int64, generation: Int64) throws(StoreError) -> [StoredChunk] {
    try connection.rows(
      "\(Self.selection) WHERE note_id = ? AND generation_id = ? ORDER BY ordinal", note, generation, read: Self.read)
  }

  /// The chunks that pass a filter, in the order of their ids.
  ///
  /// - Complexity: one run through a covering index: about 30 bytes for each chunk of the patient, or of the generation
  ///   where no patient is named.
  public func candidates(
    generation: Int64, filter: ChunkFilter = ChunkFilter()
  ) throws(StoreError) -> [ChunkCandidate] {
    try connection.withStatement(
      "SELECT id, patient_id, token_count FROM chunk WHERE \(filter.condition) ORDER BY id"
    ) { statement throws(StoreError) in
      try filter.bind(to: statement, generation: generation)
      var candidates: [ChunkCandidate] = []
      while try statement.step() {
        candidates.append(
          ChunkCandidate(
            chunkID: statement.int64(0), patientRowID: statement.int64(1), tokenCount: statement.int(2)))
      }
      return candidates
    }
  }

  private static let selection = """
    SELECT id, generation_id, note_id, patient_id, recorded_at, kind, ordinal, start_byte, end_byte, section,
      token_count
    FROM chunk
    """

  private static func read(_ row: Statement) throws(StoreError) -> StoredChunk {
    guard let kind = NoteKind(rawValue: row.text(5)), row.int(7) <= row.int(8) else {
      throw StoreError(.corrupt, context: "chunk row \(row.int64(0))")
    }
    return StoredChunk(
      rowID: row.int64(0), generationID: row.int64(1), noteRowID: row.int64(2), patientRowID: row.int64(3),
      recordedAt: row.timestamp(4), kind: kind,
      chunk: Chunk(ordinal: row.int(6), range: row.int(7)..<row.int(8), section: row.optionalText(9)),
      tokenCount: row.int(10))
  }
}

extension Connection {
  public var chunks: ChunkStore { ChunkStore(connection: self) }
}
