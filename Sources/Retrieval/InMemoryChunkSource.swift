/// Chunks held in memory: for evaluation, tests, and collections that never reach a practice file.
public struct InMemoryChunkSource: ChunkSource, Sendable {
  private struct Entry {
    let metadata: ChunkMetadata
    let frequencies: [String: Int]
    let length: Int
    let vector: [Float]?
  }

  private var entries: [Entry] = []
  private var places: [Int64: Int] = [:]
  /// A patient's entries, so that a question about one patient touches nobody else's.
  private var patientPlaces: [String: [Int]] = [:]
  private var index = InvertedIndex()

  public init() {}

  /// Adds a chunk.
  ///
  /// - Precondition: chunks come in ascending order of their ids.
  public mutating func add(_ metadata: ChunkMetadata, terms: [String], vector: [Float]?) {
    precondition(
      metadata.chunkID > entries.last?.metadata.chunkID ?? .min, "chunk \(metadata.chunkID) is out of order")
    let frequencies = index.add(metadata.chunkID, terms: terms)
    places[metadata.chunkID] = entries.count
    patientPlaces[metadata.patientID, default: []].append(entries.count)
    entries.append(Entry(metadata: metadata, frequencies: frequencies, length: terms.count, vector: vector))
  }

  public func statistics() -> CollectionStatistics { index.statistics }

  public func documentFrequencies(of terms: [String]) -> [String: Int] {
    Dictionary(terms.map { ($0, index.documentFrequency(of: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  public func terms(beginningWith prefix: String) -> [String: Int] { index.terms(beginningWith: prefix) }

  public func chunkIDs(filter: RetrievalFilter) -> ClosedRange<Int64>? {
    guard filter.patientIDs == nil, let first = entries.first?.metadata.chunkID,
      let last = entries.last?.metadata.chunkID, last - first < 4 * Int64(entries.count)
    else { return nil }
    return first...last
  }

  public func forEachPostingBlock(
    of terms: [String], filter: RetrievalFilter, _ body: (Int, UnsafeBufferPointer<Posting>) throws -> Void
  ) rethrows {
    for (place, term) in terms.enumerated() {
      try postings(of: term, filter: filter).withUnsafeBufferPointer { if !$0.isEmpty { try body(place, $0) } }
    }
  }

  public func postings(of terms: [String], chunkIDs: [Int64]) -> [String: [Posting]] {
    var result: [String: [Posting]] = [:]
    for place in chunkIDs.compactMap({ places[$0] }).sorted() {
      for term in terms {
        if let posting = posting(of: term, at: place) { result[term, default: []].append(posting) }
      }
    }
    return result
  }

  private func postings(of term: String, filter: RetrievalFilter) -> [Posting] {
    if filter.patientIDs != nil { return candidates(filter).compactMap { posting(of: term, at: $0) } }
    return index.postings(of: term).filter { posting in
      places[posting.chunkID].map { filter.admits(entries[$0].metadata) } ?? false
    }
  }

  private func posting(of term: String, at place: Int) -> Posting? {
    let entry = entries[place]
    return entry.frequencies[term].map {
      Posting(chunkID: entry.metadata.chunkID, frequency: $0, length: entry.length)
    }
  }

  public func nearest(to query: [Float], count: Int, filter: RetrievalFilter) -> [ScoredChunk] {
    var best = TopChunks(limit: count)
    forEachVectorBlock(filter: filter) { $0.offer(to: &best, for: query) }
    return best.sorted
  }

  /// Hands over the vectors in blocks, chunk ids ascending throughout.
  private func forEachVectorBlock(filter: RetrievalFilter, _ body: (FlatIndex) -> Void) {
    var ids: [Int64] = []
    var values: [Float] = []
    var dimension = 0
    for place in candidates(filter) {
      guard let vector = entries[place].vector else { continue }
      ids.append(entries[place].metadata.chunkID)
      values.append(contentsOf: vector)
      dimension = vector.count
      if ids.count == 4096 {
        body(FlatIndex(chunkIDs: ids, values: values, dimension: dimension))
        ids.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
      }
    }
    if !ids.isEmpty { body(FlatIndex(chunkIDs: ids, values: values, dimension: dimension)) }
  }

  public func vectors(of chunkIDs: [Int64]) -> [Int64: [Float]] {
    lookUp(chunkIDs) { $0.vector }
  }

  public func termFrequencies(of chunkIDs: [Int64]) -> [Int64: [String: Int]] {
    lookUp(chunkIDs) { $0.frequencies }
  }

  public func metadata(of chunkIDs: [Int64]) -> [Int64: ChunkMetadata] {
    lookUp(chunkIDs) { $0.metadata }
  }

  private func lookUp<Value>(_ chunkIDs: [Int64], _ value: (Entry) -> Value?) -> [Int64: Value] {
    var result: [Int64: Value] = [:]
    for chunkID in chunkIDs {
      if let place = places[chunkID] { result[chunkID] = value(entries[place]) }
    }
    return result
  }

  /// The places of the entries that the filter admits, ascending.
  private func candidates(_ filter: RetrievalFilter) -> [Int] {
    let places = filter.patientIDs.map { ids in ids.flatMap { patientPlaces[$0] ?? [] }.sorted() }
    return (places ?? Array(entries.indices)).filter { filter.admits(entries[$0].metadata) }
  }
}
