/// What retrieval needs to know about the collection as a whole.
///
/// Always counted over everything, not over what a filter admits: how telling a word is doesn't depend on the patient.
public struct CollectionStatistics: Hashable, Sendable {
  public var chunkCount: Int
  /// Mean number of terms of a chunk.
  public var averageLength: Double

  public init(chunkCount: Int, averageLength: Double) {
    self.chunkCount = chunkCount
    self.averageLength = averageLength
  }
}

/// That a term stands in a chunk.
public struct Posting: Hashable, Sendable {
  public var chunkID: Int64
  /// How often.
  public var frequency: Int
  /// The chunk's number of terms.
  public var length: Int

  public init(chunkID: Int64, frequency: Int, length: Int) {
    self.chunkID = chunkID
    self.frequency = frequency
    self.length = length
  }
}

/// The indexed chunks: in memory for evaluation, in the practice file otherwise.
///
/// Every method that takes a filter returns only what the filter admits, and should read little else: with patients
/// named, only those patients' chunks. All vectors come from one model.
public protocol ChunkSource {
  func statistics() throws -> CollectionStatistics

  /// In how many chunks of the whole collection each term stands; a term that stands in none may be left out.
  func documentFrequencies(of terms: [String]) throws -> [String: Int]

  /// The terms of the collection that begin so, each with the number of chunks it stands in.
  func terms(beginningWith prefix: String) throws -> [String: Int]

  /// The ids between which all chunks lie that the filter admits, when they lie close together: then scores can be added up
  /// in a table. Nil when there are too few to be worth one, or they are scattered.
  func chunkIDs(filter: RetrievalFilter) throws -> ClosedRange<Int64>?

  /// Hands over where the terms stand, term by term in the order given, each term's postings in blocks of any size with ascending
  /// chunk ids, so that the postings of a common word never stand in memory as a whole.
  ///
  /// - Parameters:
  ///   - terms: distinct; those that stand nowhere are passed over.
  ///   - filter: only chunks that it admits.
  ///   - body: gets the term's place in `terms`, and postings that it must not keep.
  /// - Throws: what the source or `body` throws.
  func forEachPostingBlock(
    of terms: [String], filter: RetrievalFilter, _ body: (_ term: Int, UnsafeBufferPointer<Posting>) throws -> Void)
    throws

  /// Where the terms stand among a few chunks, per term in ascending order of chunk id.
  func postings(of terms: [String], chunkIDs: [Int64]) throws -> [String: [Posting]]

  /// The chunks whose vectors have the greatest inner products with `query`, best first; of equal scores the lowest id.
  ///
  /// The scores are those of comparing every vector as floats, however the source finds them.
  func nearest(to query: [Float], count: Int, filter: RetrievalFilter) throws -> [ScoredChunk]

  /// The vectors of those chunks that have one.
  func vectors(of chunkIDs: [Int64]) throws -> [Int64: [Float]]

  /// The terms of a few chunks with their counts, for feedback. A store may analyse their text again.
  func termFrequencies(of chunkIDs: [Int64]) throws -> [Int64: [String: Int]]

  /// Where the chunks stand.
  func metadata(of chunkIDs: [Int64]) throws -> [Int64: ChunkMetadata]
}
