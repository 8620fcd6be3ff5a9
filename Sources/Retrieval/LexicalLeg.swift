import Vectorization

/// The search by words: BM25 over the postings of the question's terms.
struct LexicalLeg {
  static let name = "lexical"

  /// One distinct term of the question.
  private struct Entry {
    var term: QueryTerm
    /// The sum over the term's occurrences in the question.
    var weight: Double
    var documentFrequency = 0
  }

  private let bm25: BM25
  private let statistics: CollectionStatistics
  private let filter: RetrievalFilter
  private var entries: [Entry] = []
  private var places: [String: Int] = [:]
  private var board: ScoreBoard

  /// Reads the postings that the filter admits, and adds up what they are worth.
  ///
  /// - Complexity: O(postings); memory is a number for each chunk, not for each posting.
  init(
    _ terms: [QueryTerm], source: some ChunkSource, filter: RetrievalFilter, statistics: CollectionStatistics,
    bm25: BM25
  ) throws {
    self.bm25 = bm25
    self.statistics = statistics
    self.filter = filter
    board = ScoreBoard(ids: try source.chunkIDs(filter: filter))
    try add(terms, from: source)
  }

  /// Lets more terms join the question. Those that are there already count more; only the new weight is added up.
  mutating func add(_ terms: [QueryTerm], from source: some ChunkSource) throws {
    var added: [String: Double] = [:]
    var order: [String] = []
    for term in terms where term.weight > 0 {
      if added[term.text] == nil { order.append(term.text) }
      added[term.text, default: 0] += term.weight
      if let place = places[term.text] {
        entries[place].weight += term.weight
        if term.weight > entries[place].term.weight { entries[place].term = term }
      } else {
        places[term.text] = entries.count
        entries.append(Entry(term: term, weight: term.weight))
      }
    }
    let frequencies = try source.documentFrequencies(of: order)
    let known = order.filter { (frequencies[$0] ?? 0) > 0 }
    for text in known {
      if let place = places[text] { entries[place].documentFrequency = frequencies[text] ?? 0 }
    }
    let scorers = known.map { text in
      bm25.scorer(
        documentFrequency: frequencies[text] ?? 0, statistics: statistics, weight: added[text] ?? 0)
    }
    try source.forEachPostingBlock(of: known, filter: filter) { term, postings in
      let scorer = scorers[term]
      board.add(postings) { scorer.score($0) }
    }
  }

  /// The best chunks; of equal scores the lowest id first.
  ///
  /// - Complexity: O(chunks + depth · log depth).
  func ranking(depth: Int) -> [ScoredChunk] { board.best(depth) }

  /// What each term contributes to each of a few chunks.
  func contributions(to chunkIDs: Set<Int64>, from source: some ChunkSource) throws -> [Int64: [TermContribution]] {
    let postings = try source.postings(of: entries.map(\.term.text), chunkIDs: chunkIDs.sorted())
    var result: [Int64: [TermContribution]] = [:]
    for entry in entries {
      let scorer = bm25.scorer(
        documentFrequency: entry.documentFrequency, statistics: statistics, weight: entry.weight)
      for posting in postings[entry.term.text] ?? [] {
        result[posting.chunkID, default: []].append(
          TermContribution(
            term: entry.term.text, expandedFrom: entry.term.expandedFrom, score: scorer.score(posting)))
      }
    }
    return result
  }
}
