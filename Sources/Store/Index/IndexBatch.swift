import Clinical

/// Notes on their way into a generation: rows are written as they come, postings gathered and written term by term.
struct IndexBatch {
  let connection: Connection
  let generation: Int64
  /// What a note's chunks and facts take over from it.
  private struct NoteColumns {
    let recordedAt: Int64
    let patientRowID: Int64
    let kind: String
  }

  private var termIDs: [String: Int64]
  /// Facts on their way, written after all chunks.
  private var facts: [(note: IndexedNote, columns: NoteColumns)] = []
  private var postings: [Int64: [Posting]] = [:]
  private var entries: [SegmentEntry] = []
  private var chunkCount = 0
  private var tokenTotal = 0
  private var noteCount = 0
  /// Seconds that a core spent on writing facts.
  private(set) var factSeconds = 0.0

  init(connection: Connection, generation: Int64) throws(StoreError) {
    self.connection = connection
    self.generation = generation
    termIDs = try connection.recentTerms.ids(generation: generation, in: connection)
  }

  /// Writes what belongs to one note; false when it isn't the version in the file, or is indexed already.
  mutating func add(_ note: IndexedNote) throws(StoreError) -> Bool {
    let current = try connection.first(
      """
      SELECT recorded_at, patient_id, kind FROM note AS record
      WHERE id = ?1 AND content_hash = ?2 AND \(NoteStore.isStanding)
        AND NOT EXISTS (SELECT 1 FROM note_state WHERE generation_id = ?3 AND note_id = ?1)
      """, note.noteRowID, note.contentHash.bytes, generation
    ) { NoteColumns(recordedAt: $0.int64(0), patientRowID: $0.int64(1), kind: $0.text(2)) }
    guard let current else { return false }
    for chunk in note.chunks {
      let row = try add(chunk, of: note.noteRowID, current)
      entries.append(
        SegmentEntry(
          chunkID: row, recordedAt: current.recordedAt, patientRowID: current.patientRowID,
          tokenCount: chunk.tokenCount, vector: chunk.vector))
    }
    if !note.facts.isEmpty { facts.append((note, current)) }
    try connection.execute(
      "INSERT INTO note_state (generation_id, note_id, state) VALUES (?, ?, 'indexed')", generation, note.noteRowID)
    noteCount += 1
    return true
  }

  /// Writes a chunk; returns its row.
  private mutating func add(
    _ indexed: IndexedChunk, of note: Int64, _ columns: NoteColumns
  ) throws(StoreError) -> Int64 {
    precondition(
      indexed.vector.count == ChunkStore.dimension, "a vector of \(indexed.vector.count) numbers")
    var terms: [(id: Int64, count: Int)] = []
    terms.reserveCapacity(indexed.terms.count)
    var unknown: [String] = []
    for (text, count) in indexed.terms where count > 0 {
      if let id = try knownTermID(text) { terms.append((id, count)) } else { unknown.append(text) }
    }
    // In the order of the words, so that the same notes always give the same file.
    for text in unknown.sorted() { terms.append((try newTermID(text), indexed.terms[text] ?? 0)) }
    terms.sort { $0.id < $1.id }

    try connection.execute(
      """
      INSERT INTO chunk (
        generation_id, note_id, patient_id, recorded_at, kind, ordinal, start_byte, end_byte, section, token_count,
        terms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, generation, note, columns.patientRowID, columns.recordedAt, columns.kind, indexed.chunk.ordinal,
      indexed.chunk.range.lowerBound, indexed.chunk.range.upperBound, indexed.chunk.section, indexed.tokenCount,
      PairList.encode(terms, base: 0))
    let chunk = connection.lastInsertedRowID
    try connection.withStatement("INSERT INTO chunk_vector (chunk_id, vector) VALUES (?, ?)") {
      statement throws(StoreError) in
      try statement.bind(chunk, at: 1)
      try statement.bind(indexed.vector, at: 2)
      try statement.run()
    }
    for term in terms { postings[term.id, default: []].append(Posting(chunkID: chunk, frequency: term.count)) }
    chunkCount += 1
    tokenTotal += indexed.tokenCount
    return chunk
  }

  private mutating func knownTermID(_ text: String) throws(StoreError) -> Int64? {
    if let known = termIDs[text] { return known }
    let stored = try connection.first(
      "SELECT id FROM term WHERE generation_id = ? AND text = ?", generation, text, read: { $0.int64(0) })
    if let stored { termIDs[text] = stored }
    return stored
  }

  /// The id of a term that the generation lacks; it occurs nowhere until ``finish()`` counts its chunks.
  private mutating func newTermID(_ text: String) throws(StoreError) -> Int64 {
    try connection.execute(
      "INSERT INTO term (generation_id, text, document_frequency) VALUES (?, ?, 0)", generation, text)
    termIDs[text] = connection.lastInsertedRowID
    return connection.lastInsertedRowID
  }

  /// Writes what was gathered.
  mutating func finish() throws(StoreError) {
    for (term, postings) in postings.sorted(by: { $0.key < $1.key }) {
      try PostingBlocks(connection: connection, termID: term).append(postings)
      try connection.execute(
        "UPDATE term SET document_frequency = document_frequency + ? WHERE id = ?", postings.count, term)
    }
    try connection.chunks.append(entries, generation: generation)
    try connection.execute(
      """
      UPDATE generation SET chunk_count = chunk_count + ?, token_total = token_total + ?, note_count = note_count + ?,
        fact_count = fact_count + ?
      WHERE id = ?
      """, chunkCount, tokenTotal, noteCount, facts.reduce(0) { $0 + $1.note.facts.count }, generation)
    if !facts.isEmpty { try writeFacts() }
    connection.recentTerms.keep(termIDs, generation: generation)
    postings = [:]
    entries = []
    facts = []
    chunkCount = 0
    tokenTotal = 0
    noteCount = 0
  }

  private mutating func writeFacts() throws(StoreError) {
    let started = ThreadTime.now
    for (note, columns) in facts {
      try connection.facts.insert(
        note.facts, note: note.noteRowID, patient: columns.patientRowID, recordedAt: columns.recordedAt,
        generation: generation)
    }
    factSeconds += ThreadTime.now - started
  }
}
