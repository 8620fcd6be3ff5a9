/// Scores of chunks that add up, term by term: in a table where chunk ids lie close together, else in a dictionary.
///
/// A chunk without a score has none; terms only ever add something above zero.
struct ScoreBoard {
  private let ids: ClosedRange<Int64>?
  private var table: [Double] = []
  private var scattered: [Int64: Double] = [:]

  /// - Parameter ids: of the chunks that may be scored, when they lie close together.
  init(ids: ClosedRange<Int64>?) {
    self.ids = ids
    if let ids { table = [Double](repeating: 0, count: Int(ids.upperBound - ids.lowerBound) + 1) }
  }

  /// Adds what `score` says of each posting.
  ///
  /// - Precondition: the postings' chunks lie within the ids that the board was made for.
  mutating func add(_ postings: UnsafeBufferPointer<Posting>, _ score: (Posting) -> Double) {
    guard let ids else {
      for posting in postings { scattered[posting.chunkID, default: 0] += score(posting) }
      return
    }
    table.withUnsafeMutableBufferPointer { table in
      for posting in postings { table[Int(posting.chunkID - ids.lowerBound)] += score(posting) }
    }
  }

  /// The best chunks; of equal scores the lowest id first.
  func best(_ count: Int) -> [ScoredChunk] {
    var best = TopChunks(limit: count)
    if let ids {
      // Most scores are too low to get in: one comparison decides that, without making a chunk of it.
      var floor = 0.0
      for (place, score) in table.enumerated() where score > floor {
        best.offer(ids.lowerBound + Int64(place), score: score)
        floor = best.floor ?? 0
      }
    } else {
      for chunkID in scattered.keys.sorted() { best.offer(chunkID, score: scattered[chunkID] ?? 0) }
    }
    return best.sorted
  }
}
