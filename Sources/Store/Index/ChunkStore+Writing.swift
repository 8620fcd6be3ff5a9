/// What became of a batch.
public struct IndexingResult: Hashable, Sendable {
  public var indexedCount: Int
  /// Notes that were changed or deleted since they were read, and were left for the next batch.
  public var outdatedCount: Int
  /// Seconds that a core spent on writing facts.
  public var factSeconds = 0.0

  public init(indexedCount: Int, outdatedCount: Int) {
    self.indexedCount = indexedCount
    self.outdatedCount = outdatedCount
  }
}

extension ChunkStore {
  /// Adds notes to a generation: chunks, vectors, forward and inverted index, facts and counters, all or none.
  ///
  /// Notes that the generation has already, and notes that are no longer the version they were derived from, are left
  /// out: another process may have written meanwhile.
  ///
  /// - Complexity: writes each chunk once, and for each distinct term of the batch its last block of postings (at most
  ///   3 KB). Batches of some hundred notes spread that over many chunks.
  public func insert(_ notes: [IndexedNote], generation: Int64) throws(StoreError) -> IndexingResult {
    try connection.transaction { () throws(StoreError) in
      guard try connection.exists("SELECT 1 FROM generation WHERE id = ?", generation) else {
        throw StoreError(.unknownRecord, context: "generation \(generation)")
      }
      var result = IndexingResult(indexedCount: 0, outdatedCount: 0)
      var batch = try IndexBatch(connection: connection, generation: generation)
      for note in notes.sorted(by: { $0.noteRowID < $1.noteRowID }) {
        if try batch.add(note) { result.indexedCount += 1 } else { result.outdatedCount += 1 }
      }
      try batch.finish()
      result.factSeconds = batch.factSeconds
      return result
    }
  }

  /// Notes that a note could not be indexed in a generation, so that it isn't tried for ever. The reason must do without
  /// words of the note.
  public func markFailed(note: Int64, generation: Int64, reason: String) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.execute(
        """
        INSERT INTO note_state (generation_id, note_id, state, reason) VALUES (?, ?, 'failed', ?)
        ON CONFLICT (generation_id, note_id) DO NOTHING
        """, generation, note, reason)
      guard connection.changedRowCount > 0 else { return }
      try connection.execute("UPDATE generation SET note_count = note_count + 1 WHERE id = ?", generation)
    }
  }

  /// The notes that could not be indexed in a generation, and why.
  public func failures(generation: Int64) throws(StoreError) -> [(noteRowID: Int64, reason: String)] {
    try connection.rows(
      "SELECT note_id, reason FROM note_state WHERE generation_id = ? AND state = 'failed' ORDER BY note_id", generation
    ) { ($0.int64(0), $0.text(1)) }
  }

  /// Takes everything that was derived from a note out of every generation: chunks, vectors, postings, terms that occur
  /// nowhere else, facts, and assessments that quote it. The note is then one that all generations lack.
  ///
  /// - Complexity: reads and writes a block of postings for each distinct term of the note and generation.
  public func removeDerived(note: Int64) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      var chunksByTerm: [Int64: Set<Int64>] = [:]
      var chunksByGeneration: [Int64: Set<Int64>] = [:]
      for (chunk, generation, terms) in try connection.rows(
        "SELECT id, generation_id, terms FROM chunk WHERE note_id = ?", note,
        read: { row throws(StoreError) in (row.int64(0), row.int64(1), try Self.forwardTerms(row, column: 2)) })
      {
        chunksByGeneration[generation, default: []].insert(chunk)
        for term in terms { chunksByTerm[term.termID, default: []].insert(chunk) }
      }
      for (term, chunks) in chunksByTerm.sorted(by: { $0.key < $1.key }) { try removeTerm(term, from: chunks) }
      for (generation, chunks) in chunksByGeneration.sorted(by: { $0.key < $1.key }) {
        try removeFromSegments(chunks, generation: generation)
      }
      try connection.execute(
        """
        UPDATE generation SET chunk_count = chunk_count - gone.chunks, token_total = token_total - gone.tokens
        FROM (
          SELECT generation_id, count(*) AS chunks, sum(token_count) AS tokens
          FROM chunk WHERE note_id = ? GROUP BY generation_id) AS gone
        WHERE gone.generation_id = generation.id
        """, note)
      try connection.execute(
        """
        UPDATE generation SET note_count = note_count - 1, fact_count = fact_count - (
          SELECT count(*) FROM fact WHERE note_id = ?1 AND generation_id = generation.id)
        WHERE id IN (SELECT generation_id FROM note_state WHERE note_id = ?1)
        """, note)
      try connection.execute("DELETE FROM chunk WHERE note_id = ?", note)
      let patients = try connection.rows("SELECT DISTINCT patient_id FROM fact WHERE note_id = ?", note) { $0.int64(0) }
      try connection.execute("DELETE FROM fact WHERE note_id = ?", note)
      for patient in patients { try connection.drugCourses.unfold(patient: patient) }
      try connection.execute("DELETE FROM note_state WHERE note_id = ?", note)
      try connection.execute(
        "DELETE FROM assessment WHERE id IN (SELECT assessment_id FROM assessment_note WHERE note_id = ?)", note)
      try connection.markRemovedText()
    }
  }

  private func removeTerm(_ term: Int64, from chunks: Set<Int64>) throws(StoreError) {
    let frequency = try connection.number("SELECT document_frequency FROM term WHERE id = ?", term)
    if frequency <= Int64(chunks.count) {
      // Its postings go with it.
      connection.recentTerms.forget()
      try connection.execute("DELETE FROM term WHERE id = ?", term)
    } else {
      try PostingBlocks(connection: connection, termID: term).remove(chunks)
      try connection.execute(
        "UPDATE term SET document_frequency = document_frequency - ? WHERE id = ?", chunks.count, term)
    }
  }
}
