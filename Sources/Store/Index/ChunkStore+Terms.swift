/// What is known of a term in a generation.
public struct TermStatistics: Hashable, Sendable {
  public let termID: Int64
  /// In how many chunks it occurs.
  public let documentFrequency: Int

  public init(termID: Int64, documentFrequency: Int) {
    self.termID = termID
    self.documentFrequency = documentFrequency
  }
}

extension ChunkStore {
  /// The statistics of those of the terms that occur.
  ///
  /// - Complexity: two b-tree descents a term.
  public func statistics(of terms: [String], generation: Int64) throws(StoreError) -> [String: TermStatistics] {
    var found: [String: TermStatistics] = [:]
    for term in Set(terms) {
      found[term] = try connection.first(
        "SELECT id, document_frequency FROM term WHERE generation_id = ? AND text = ?", generation, term
      ) { TermStatistics(termID: $0.int64(0), documentFrequency: $0.int(1)) }
    }
    return found
  }

  /// The terms that begin so, with the number of chunks each occurs in.
  ///
  /// - Complexity: reads the part of the index over terms that begins so.
  public func terms(beginningWith prefix: String, generation: Int64) throws(StoreError) -> [String: Int] {
    let found = try connection.rows(
      "SELECT text, document_frequency FROM term WHERE generation_id = ? AND text >= ? AND text < ?",
      generation, prefix, prefix + "\u{10FFFF}"
    ) { ($0.text(0), $0.int(1)) }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  /// The chunks a term occurs in, in the order of their ids.
  ///
  /// - Complexity: reads about 2 to 3 bytes a posting, in blocks of 1024: a term in 1,000 of 100,000 chunks costs a page
  ///   of 16384 bytes, one in all of them 250 KB. For one patient's chunks ``forwardTerms(chunk:)`` reads less.
  public func postings(term: Int64) throws(StoreError) -> [Posting] {
    var postings: [Posting] = []
    try forEachPostingBlock(term: term) { postings += $0 }
    return postings
  }

  /// Goes through the chunks a term occurs in, a block at a time: a common word's postings need no memory.
  ///
  /// - Complexity: as ``postings(term:)``.
  public func forEachPostingBlock(
    term: Int64, _ body: (UnsafeBufferPointer<Posting>) -> Void
  ) throws(StoreError) {
    var block: [Posting] = []
    block.reserveCapacity(PostingBlocks.capacity)
    try connection.withStatement(
      "SELECT first_chunk_id, data FROM posting WHERE term_id = ? ORDER BY first_chunk_id"
    ) { statement throws(StoreError) in
      try statement.bind(term, at: 1)
      while try statement.step() {
        block.removeAll(keepingCapacity: true)
        try PostingBlocks.decode(statement, key: 0, data: 1) { block.append($0) }
        block.withUnsafeBufferPointer(body)
      }
    }
  }

  /// The terms of a chunk with how often they occur, in the order of term ids.
  ///
  /// - Complexity: reads the chunk's row: about 3 bytes a term.
  public func forwardTerms(chunk: Int64) throws(StoreError) -> [(termID: Int64, frequency: Int)] {
    try connection.first("SELECT terms FROM chunk WHERE id = ?", chunk) { row throws(StoreError) in
      try Self.forwardTerms(row, column: 0)
    } ?? []
  }

  /// Goes through the forward index of the chunks that pass a filter, in the order of chunk ids: BM25 over one patient
  /// without opening a single posting list.
  ///
  /// - Complexity: reads the rows of the chunks: about 150 to 300 bytes each.
  public func forEachForwardTerms(
    generation: Int64, filter: ChunkFilter = ChunkFilter(),
    _ body: (_ chunk: Int64, _ tokenCount: Int, _ terms: [(termID: Int64, frequency: Int)]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try connection.withStatement(
      "SELECT id, token_count, terms FROM chunk WHERE \(filter.condition) ORDER BY id"
    ) { statement throws(StoreError) in
      try filter.bind(to: statement, generation: generation)
      while try statement.step() {
        try body(statement.int64(0), statement.int(1), try Self.forwardTerms(statement, column: 2))
      }
    }
  }

  /// How often each term occurs in the chunks that were indexed last, by its text.
  ///
  /// - Complexity: reads `count` chunks, and looks each distinct term up.
  public func recentTerms(generation: Int64, chunks count: Int) throws(StoreError) -> [String: Int] {
    let lists = try connection.rows(
      "SELECT terms FROM chunk WHERE generation_id = ? ORDER BY id DESC LIMIT ?", generation, count,
      read: { row throws(StoreError) in try Self.forwardTerms(row, column: 0) })
    var frequencies: [Int64: Int] = [:]
    for term in lists.joined() { frequencies[term.termID, default: 0] += term.frequency }
    var terms: [String: Int] = [:]
    for (id, frequency) in frequencies {
      if let text = try text(ofTerm: id) { terms[text, default: 0] += frequency }
    }
    return terms
  }

  static func forwardTerms(
    _ row: Statement, column: Int32
  ) throws(StoreError) -> [(termID: Int64, frequency: Int)] {
    var terms: [(termID: Int64, frequency: Int)] = []
    let isWhole = row.withBlob(column) { bytes in
      PairList.decode(bytes, base: 0) { terms.append((termID: $0, frequency: $1)) }
    }
    guard isWhole else { throw StoreError(.corrupt, context: "the forward index of a chunk") }
    return terms
  }
}
