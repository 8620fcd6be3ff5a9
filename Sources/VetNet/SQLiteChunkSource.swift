import Clinical
import LinearAlgebra
import Retrieval
import Store

/// One generation of a practice file as retrieval sees it: filters become conditions, so that a patient's question reads that
/// patient's chunks only.
final class SQLiteChunkSource: ChunkSource {
  private let connection: Connection
  private let generation: Generation

  /// Vectors read at once in a search over the whole practice: 16 MB.
  private static let blockSize = 8192

  init(connection: Connection, generation: Generation) {
    self.connection = connection
    self.generation = generation
  }

  func statistics() throws -> CollectionStatistics {
    CollectionStatistics(chunkCount: generation.chunkCount, averageLength: generation.averageTokenCount)
  }

  func documentFrequencies(of terms: [String]) throws -> [String: Int] {
    try connection.chunks.statistics(of: terms, generation: generation.rowID).mapValues(\.documentFrequency)
  }

  /// For one patient from the forward index of the patient's chunks; otherwise from the terms' postings.
  func postings(of terms: [String], filter: RetrievalFilter) throws -> [String: [Retrieval.Posting]] {
    let known = try connection.chunks.statistics(of: terms, generation: generation.rowID)
    let plan = try plan(filter)
    if plan.isForOnePatient { return try forwardPostings(known, plan) }
    let lengths = try candidates(plan)
    return try known.mapValues { statistics in
      try connection.chunks.postings(term: statistics.termID).compactMap { posting in
        lengths[posting.chunkID].map {
          Retrieval.Posting(chunkID: posting.chunkID, frequency: posting.frequency, length: $0)
        }
      }
    }
  }

  func forEachVectorBlock(filter: RetrievalFilter, _ body: (FlatIndex) throws -> Void) throws {
    let plan = try plan(filter)
    let admitted = plan.patients == nil ? nil : Set(try candidates(plan).keys)
    var last: Int64 = 0
    while true {
      let block = try connection.chunks.vectors(
        generation: generation.rowID, filter: plan.filter, after: last, limit: Self.blockSize)
      guard let end = block.chunkIDs.last else { return }
      last = end
      try body(Self.index(block, admitting: { !plan.excluded.contains($0) && admitted?.contains($0) ?? true }))
    }
  }

  func vectors(of chunkIDs: [Int64]) throws -> [Int64: [Float]] {
    let block = try connection.chunks.vectors(chunks: chunkIDs)
    let dimension = ChunkStore.dimension
    var vectors: [Int64: [Float]] = [:]
    for (row, id) in block.chunkIDs.enumerated() {
      vectors[id] = Array(block.values[(row * dimension)..<((row + 1) * dimension)])
    }
    return vectors
  }

  func termFrequencies(of chunkIDs: [Int64]) throws -> [Int64: [String: Int]] {
    var frequencies: [Int64: [String: Int]] = [:]
    var texts: [Int64: String] = [:]
    for chunk in chunkIDs {
      for term in try connection.chunks.forwardTerms(chunk: chunk) {
        if texts[term.termID] == nil { texts[term.termID] = try connection.chunks.text(ofTerm: term.termID) ?? "" }
        if let text = texts[term.termID], !text.isEmpty { frequencies[chunk, default: [:]][text] = term.frequency }
      }
    }
    return frequencies
  }

  func metadata(of chunkIDs: [Int64]) throws -> [Int64: ChunkMetadata] {
    var noteIDs: [Int64: String] = [:]
    var patientIDs: [Int64: String] = [:]
    var result: [Int64: ChunkMetadata] = [:]
    for chunk in try connection.chunks.chunks(rows: chunkIDs) {
      if noteIDs[chunk.noteRowID] == nil {
        noteIDs[chunk.noteRowID] = try connection.recordIDs.shown(.note, chunk.noteRowID)
      }
      if patientIDs[chunk.patientRowID] == nil {
        patientIDs[chunk.patientRowID] = try connection.recordIDs.shown(.patient, chunk.patientRowID)
      }
      guard let noteID = noteIDs[chunk.noteRowID], let patientID = patientIDs[chunk.patientRowID] else { continue }
      result[chunk.rowID] = ChunkMetadata(
        chunkID: chunk.rowID, noteID: noteID, patientID: patientID, range: chunk.chunk.range,
        recordedAt: chunk.recordedAt, kind: chunk.kind)
    }
    return result
  }

  /// A filter in the file's terms.
  private struct Plan {
    var filter = ChunkFilter()
    /// Patient rows, when several are admitted; one alone is in the filter.
    var patients: Set<Int64>?
    var excluded: Set<Int64> = []
    var isForOnePatient: Bool { filter.patientRowID != nil }
  }

  private func plan(_ filter: RetrievalFilter) throws -> Plan {
    var plan = Plan()
    plan.filter.kinds = filter.kinds
    plan.filter.from = filter.dates?.lowerBound
    plan.filter.through = filter.dates.map { Timestamp(seconds: $0.upperBound.seconds - 1) }
    if let ids = filter.patientIDs {
      let rows = try ids.sorted().compactMap { try connection.recordIDs.row(.patient, $0) }
      if rows.count == 1 { plan.filter.patientRowID = rows[0] } else { plan.patients = Set(rows) }
    }
    for id in filter.excludedNoteIDs.sorted() {
      guard let row = try connection.recordIDs.row(.note, id) else { continue }
      plan.excluded.formUnion(try connection.chunks.chunks(note: row, generation: generation.rowID).map(\.rowID))
    }
    return plan
  }

  /// The chunks that a plan admits, with their lengths.
  private func candidates(_ plan: Plan) throws -> [Int64: Int] {
    var lengths: [Int64: Int] = [:]
    for candidate in try connection.chunks.candidates(generation: generation.rowID, filter: plan.filter)
    where !plan.excluded.contains(candidate.chunkID) && plan.patients?.contains(candidate.patientRowID) ?? true {
      lengths[candidate.chunkID] = candidate.tokenCount
    }
    return lengths
  }

  private func forwardPostings(
    _ known: [String: TermStatistics], _ plan: Plan
  ) throws -> [String: [Retrieval.Posting]] {
    let texts = Dictionary(known.map { ($0.value.termID, $0.key) }, uniquingKeysWith: { first, _ in first })
    var postings: [String: [Retrieval.Posting]] = [:]
    try connection.chunks.forEachForwardTerms(generation: generation.rowID, filter: plan.filter) {
      chunk, length, terms in
      guard !plan.excluded.contains(chunk) else { return }
      for term in terms {
        guard let text = texts[term.termID] else { continue }
        postings[text, default: []].append(
          Retrieval.Posting(chunkID: chunk, frequency: term.frequency, length: length))
      }
    }
    return postings
  }

  private static func index(_ block: VectorBlock, admitting: (Int64) -> Bool) -> FlatIndex {
    if block.chunkIDs.allSatisfy(admitting) {
      return FlatIndex(chunkIDs: block.chunkIDs, values: block.values, dimension: ChunkStore.dimension)
    }
    var ids: [Int64] = []
    var values: [Float] = []
    for (row, id) in block.chunkIDs.enumerated() where admitting(id) {
      ids.append(id)
      values += block.values[(row * ChunkStore.dimension)..<((row + 1) * ChunkStore.dimension)]
    }
    return FlatIndex(chunkIDs: ids, values: values, dimension: ChunkStore.dimension)
  }
}
