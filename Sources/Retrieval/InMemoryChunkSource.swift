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

  public func postings(of terms: [String], filter: RetrievalFilter) -> [String: [Posting]] {
    var result: [String: [Posting]] = [:]
    if filter.patientIDs != nil {
      for place in candidates(filter) {
        let entry = entries[place]
        for term in terms {
          guard let frequency = entry.frequencies[term] else { continue }
          result[term, default: []].append(
            Posting(chunkID: entry.metadata.chunkID, frequency: frequency, length: entry.length))
        }
      }
      return result
    }
    for term in terms {
      result[term] = index.postings(of: term).filter { posting in
        places[posting.chunkID].map { filter.admits(entries[$0].metadata) } ?? false
      }
    }
    return result
  }

  public func forEachVectorBlock(filter: RetrievalFilter, _ body: (FlatIndex) throws -> Void) rethrows {
    var ids: [Int64] = []
    var values: [Float] = []
    var dimension = 0
    for place in candidates(filter) {
      guard let vector = entries[place].vector else { continue }
      ids.append(entries[place].metadata.chunkID)
      values.append(contentsOf: vector)
      dimension = vector.count
      if ids.count == 4096 {
        try body(FlatIndex(chunkIDs: ids, values: values, dimension: dimension))
        ids.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
      }
    }
    if !ids.isEmpty { try body(FlatIndex(chunkIDs: ids, values: values, dimension: dimension)) }
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
