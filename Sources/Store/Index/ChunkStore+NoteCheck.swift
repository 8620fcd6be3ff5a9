public import Clinical

/// Something derived from a note that doesn't fit it.
public struct MisfitOfNote: Hashable, Sendable {
  public let noteID: String
  public let recordedAt: Timestamp
  /// In words of ours, such as `a chunk reaches beyond its end`.
  public let problem: String
}

extension ChunkStore {
  /// The chunks and facts of a generation whose ranges don't lie in their notes on code point borders, or whose copies of the
  /// note's patient, time or kind are others.
  ///
  /// - Complexity: reads every chunk and fact, and its note.
  public func misfitRanges(generation: Int64) throws(StoreError) -> [MisfitOfNote] {
    var found: [MisfitOfNote] = []
    for (table, what, kind) in [("chunk", "chunk", "OR derived.kind <> note.kind"), ("fact", "fact", "")] {
      // A byte of 80 to BF goes on with a code point that began before it.
      func isWithin(_ column: String) -> String {
        "substr(CAST(note.text AS BLOB), derived.\(column) + 1, 1) BETWEEN x'80' AND x'BF'"
      }
      found += try connection.rows(
        """
        SELECT coalesce(note.external_id, derived.note_id), coalesce(note.recorded_at, 0),
          CASE
            WHEN note.id IS NULL THEN 'belongs to no note'
            WHEN derived.end_byte > length(CAST(note.text AS BLOB)) THEN 'reaches beyond its end'
            WHEN derived.start_byte > derived.end_byte THEN 'ends before it begins'
            WHEN \(isWithin("start_byte")) OR \(isWithin("end_byte")) THEN 'begins or ends within a code point'
            ELSE 'has another patient, time or kind'
          END
        FROM \(table) AS derived LEFT JOIN note ON note.id = derived.note_id
        WHERE derived.generation_id = ? AND (
          note.id IS NULL OR derived.end_byte > length(CAST(note.text AS BLOB)) OR derived.start_byte > derived.end_byte
          OR \(isWithin("start_byte")) OR \(isWithin("end_byte"))
          OR derived.patient_id <> note.patient_id OR derived.recorded_at <> note.recorded_at \(kind))
        ORDER BY derived.id
        """, generation
      ) { row in
        MisfitOfNote(noteID: row.text(0), recordedAt: row.timestamp(1), problem: "a \(what) \(row.text(2))")
      }
    }
    return found
  }

  /// The vectors of a generation that its model can't have made.
  ///
  /// Numbers behind the first `rank` are zero; with `isUnit` every vector has the length one, or zero where the model knows no
  /// term of the passage.
  ///
  /// - Complexity: reads every vector.
  public func misfitVectors(generation: Int64, rank: Int, isUnit: Bool) throws(StoreError) -> [MisfitOfNote] {
    try connection.withStatement(
      """
      SELECT note.external_id, note.recorded_at, chunk_vector.vector
      FROM chunk CROSS JOIN chunk_vector ON chunk_vector.chunk_id = chunk.id CROSS JOIN note ON note.id = chunk.note_id
      WHERE chunk.generation_id = ? ORDER BY chunk.id
      """
    ) { statement throws(StoreError) in
      try statement.bind(generation, at: 1)
      var found: [MisfitOfNote] = []
      while try statement.step() {
        guard let problem = statement.withBlob(2, { Self.problem(ofVector: $0, rank: rank, isUnit: isUnit) }) else {
          continue
        }
        found.append(
          MisfitOfNote(noteID: statement.text(0), recordedAt: statement.timestamp(1), problem: "a vector \(problem)"))
      }
      return found
    }
  }

  private static func problem(ofVector bytes: UnsafeRawBufferPointer, rank: Int, isUnit: Bool) -> String? {
    guard bytes.count == dimension * 4 else { return "has \(bytes.count / 4) numbers instead of \(dimension)" }
    var squares: Float = 0
    for place in 0..<dimension {
      let value = bytes.loadUnaligned(fromByteOffset: place * 4, as: Float.self)
      guard value.isFinite else { return "holds what is no number" }
      guard place < rank || value == 0 else { return "has more than the \(rank) numbers of its model" }
      squares += value * value
    }
    guard isUnit, squares != 0, abs(squares.squareRoot() - 1) > 1e-3 else { return nil }
    return "has another length than one"
  }

  /// How many chunks a generation has, as they are counted now.
  public func rowCount(generation: Int64) throws(StoreError) -> Int {
    Int(try connection.number("SELECT count(*) FROM chunk WHERE generation_id = ?", generation))
  }

  /// How many terms a generation's inverted index has.
  public func termCount(generation: Int64) throws(StoreError) -> Int {
    Int(try connection.number("SELECT count(*) FROM term WHERE generation_id = ?", generation))
  }
}

extension RecordHashes {
  /// How many records of a kind are in the file.
  public func recordCount(_ table: RecordTable) throws(StoreError) -> Int {
    Int(try connection.number("SELECT count(*) FROM \(table.rawValue)"))
  }
}

extension Connection {
  /// How many tables the file has.
  public var tableCount: Int {
    get throws(StoreError) { Int(try number("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")) }
  }

  /// How many pages the file has, those in the log included.
  public var pageCount: Int {
    get throws(StoreError) { Int(try number("PRAGMA page_count")) }
  }
}
