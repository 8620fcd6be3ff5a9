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
    var postings: [Posting] = []
  }

  private let bm25: BM25
  private let statistics: CollectionStatistics
  private var entries: [Entry] = []

  /// Reads the postings that the filter admits.
  init(
    _ terms: [QueryTerm], source: some ChunkSource, filter: RetrievalFilter, statistics: CollectionStatistics,
    bm25: BM25
  ) throws {
    self.bm25 = bm25
    self.statistics = statistics
    var places: [String: Int] = [:]
    for term in terms where term.weight > 0 {
      if let place = places[term.text] {
        entries[place].weight += term.weight
        if term.weight > entries[place].term.weight { entries[place].term = term }
      } else {
        places[term.text] = entries.count
        entries.append(Entry(term: term, weight: term.weight))
      }
    }
    let texts = entries.map(\.term.text)
    let frequencies = try source.documentFrequencies(of: texts)
    let postings = try source.postings(of: texts.filter { (frequencies[$0] ?? 0) > 0 }, filter: filter)
    for index in entries.indices {
      entries[index].documentFrequency = frequencies[entries[index].term.text] ?? 0
      entries[index].postings = postings[entries[index].term.text] ?? []
    }
  }

  /// The best chunks; of equal scores the lowest id first.
  ///
  /// - Complexity: O(postings + chunks found · log depth).
  func ranking(depth: Int) -> [ScoredChunk] {
    var scores: [Int64: Double] = [:]
    for entry in entries {
      for posting in entry.postings { scores[posting.chunkID, default: 0] += score(posting, entry) }
    }
    var best = TopChunks(limit: depth)
    for chunkID in scores.keys.sorted() { best.offer(chunkID, score: scores[chunkID] ?? 0) }
    return best.sorted
  }

  /// What each term contributes to each of a few chunks.
  func contributions(to chunkIDs: Set<Int64>) -> [Int64: [TermContribution]] {
    var result: [Int64: [TermContribution]] = [:]
    for entry in entries {
      for posting in entry.postings where chunkIDs.contains(posting.chunkID) {
        result[posting.chunkID, default: []].append(
          TermContribution(
            term: entry.term.text, expandedFrom: entry.term.expandedFrom, score: score(posting, entry)))
      }
    }
    return result
  }

  private func score(_ posting: Posting, _ entry: Entry) -> Double {
    bm25.score(
      posting, documentFrequency: entry.documentFrequency, statistics: statistics, weight: entry.weight)
  }
}
