/// From terms to the chunks they stand in, in memory.
public struct InvertedIndex: Sendable {
  private var postings: [String: [Posting]] = [:]
  private var chunkCount = 0
  private var totalLength = 0

  public init() {}

  /// Adds a chunk.
  ///
  /// - Precondition: chunks come in ascending order of their ids.
  /// - Complexity: O(terms) on average.
  /// - Returns: how often each term stands in the chunk.
  @discardableResult
  public mutating func add(_ chunkID: Int64, terms: [String]) -> [String: Int] {
    var frequencies: [String: Int] = [:]
    for term in terms { frequencies[term, default: 0] += 1 }
    for (term, frequency) in frequencies {
      postings[term, default: []].append(Posting(chunkID: chunkID, frequency: frequency, length: terms.count))
    }
    chunkCount += 1
    totalLength += terms.count
    return frequencies
  }

  public var statistics: CollectionStatistics {
    CollectionStatistics(
      chunkCount: chunkCount, averageLength: chunkCount == 0 ? 0 : Double(totalLength) / Double(chunkCount))
  }

  /// In ascending order of chunk id.
  public func postings(of term: String) -> [Posting] { postings[term] ?? [] }

  /// The terms that begin so, with their document frequencies.
  ///
  /// - Complexity: O(terms of the index).
  public func terms(beginningWith prefix: String) -> [String: Int] {
    postings.filter { $0.key.utf8.starts(with: prefix.utf8) }.mapValues(\.count)
  }

  public func documentFrequency(of term: String) -> Int { postings[term]?.count ?? 0 }
}
