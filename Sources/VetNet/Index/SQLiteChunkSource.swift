import Clinical
import LinearAlgebra
import Retrieval
import Store

/// One generation of a practice file as retrieval sees it: filters become conditions, so that a patient's question reads that
/// patient's chunks only, and a question to the whole practice reads segments.
final class SQLiteChunkSource: ChunkSource {
  private let connection: Connection
  private let generation: Generation
  /// What the last filter over the whole practice admits: both legs and the feedback ask for the same.
  private var lastTable: (filter: RetrievalFilter, table: ChunkTable)?

  /// What the last search compared: feedback compares most of it again.
  private var recentVectors: [Int64: [Float]] = [:]

  /// Vectors read at once where they are compared one by one: 16 MB.
  private static let blockSize = 8192

  /// What the whole practice's passages are, as another search found them.
  private let memo: ChunkTableMemo?

  init(connection: Connection, generation: Generation, memo: ChunkTableMemo? = nil) {
    self.connection = connection
    self.generation = generation
    self.memo = memo
  }

  func statistics() throws -> CollectionStatistics {
    CollectionStatistics(chunkCount: generation.chunkCount, averageLength: generation.averageTokenCount)
  }

  func documentFrequencies(of terms: [String]) throws -> [String: Int] {
    try connection.chunks.statistics(of: terms, generation: generation.rowID).mapValues(\.documentFrequency)
  }

  func terms(beginningWith prefix: String) throws -> [String: Int] {
    try connection.chunks.terms(beginningWith: prefix, generation: generation.rowID)
  }

  func chunkIDs(filter: RetrievalFilter) throws -> ClosedRange<Int64>? {
    try plan(filter).isForOnePatient ? nil : try table(filter).ids
  }

  /// For one patient from the forward index of the patient's chunks; otherwise from the terms' postings.
  func forEachPostingBlock(
    of terms: [String], filter: RetrievalFilter, _ body: (Int, UnsafeBufferPointer<Retrieval.Posting>) throws -> Void
  ) throws {
    let known = try connection.chunks.statistics(of: terms, generation: generation.rowID)
    let plan = try plan(filter)
    if plan.isForOnePatient {
      let postings = try forwardPostings(known, plan)
      for (place, term) in terms.enumerated() {
        try postings[term]?.withUnsafeBufferPointer { try body(place, $0) }
      }
      return
    }
    let table = try table(filter)
    var block: [Retrieval.Posting] = []
    for (place, term) in terms.enumerated() {
      guard let statistics = known[term] else { continue }
      var failure: (any Error)?
      try connection.chunks.forEachPostingBlock(term: statistics.termID) { stored in
        block.removeAll(keepingCapacity: true)
        for posting in stored {
          let length = table.length(of: posting.chunkID)
          if length >= 0 {
            block.append(
              Retrieval.Posting(chunkID: posting.chunkID, frequency: posting.frequency, length: length))
          }
        }
        do {
          try block.withUnsafeBufferPointer { try body(place, $0) }
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
    }
  }

  func postings(of terms: [String], chunkIDs: [Int64]) throws -> [String: [Retrieval.Posting]] {
    let known = try connection.chunks.statistics(of: terms, generation: generation.rowID)
    let texts = Dictionary(known.map { ($0.value.termID, $0.key) }, uniquingKeysWith: { first, _ in first })
    var postings: [String: [Retrieval.Posting]] = [:]
    for chunk in try connection.chunks.chunks(rows: chunkIDs.sorted()) {
      for term in try connection.chunks.forwardTerms(chunk: chunk.rowID) {
        guard let text = texts[term.termID] else { continue }
        postings[text, default: []].append(
          Retrieval.Posting(chunkID: chunk.rowID, frequency: term.frequency, length: chunk.tokenCount))
      }
    }
    return postings
  }

  /// Few vectors are compared one by one; of a practice's, a pass over codes leaves few to be compared.
  func nearest(to query: [Float], count: Int, filter: RetrievalFilter) throws -> [ScoredChunk] {
    let plan = try plan(filter)
    guard count > 0 else { return [] }
    var best = TopChunks(limit: count)
    if plan.isForOnePatient {
      try forEachVectorBlock(plan.filter, admitting: { !plan.excluded.contains($0) }) {
        $0.offer(to: &best, for: query)
      }
      return best.sorted
    }
    let (scan, ids) = try scan(for: query, count: count, filter: filter, plan)
    recentVectors.removeAll()
    guard let candidates = scan.candidates() else {
      // Codes can't tell these chunks apart: all are compared.
      let table = try table(filter)
      try forEachVectorBlock(plan.filter, admitting: { table.length(of: $0) >= 0 }) { block in
        query.withUnsafeBufferPointer { query in
          block.values.withUnsafeBufferPointer { values in
            for (row, id) in block.chunkIDs.enumerated() {
              let vector = values[(row * block.dimension)..<((row + 1) * block.dimension)]
              best.offer(id, score: Double(BLAS.dot(UnsafeBufferPointer(rebasing: vector), query)))
            }
          }
        }
      }
      return best.sorted
    }
    // In the order of their rows, which is that of their positions: neighbours share a page.
    for candidate in candidates {
      // By then most of what is left can't get in.
      if let floor = best.floor, Double(candidate.upperBound) < floor { continue }
      let id = ids[candidate.position]
      guard let vector = try connection.chunks.vector(chunk: id) else { continue }
      if recentVectors.count < Self.blockSize { recentVectors[id] = vector }
      best.offer(id, score: Double(BLAS.dot(vector, query)))
    }
    return best.sorted
  }

  /// The first pass: all segments' codes, and the ids of the chunks by position. What the filter admits is noted on the way
  /// where it isn't known yet: the other leg will ask for it.
  private func scan(
    for query: [Float], count: Int, filter: RetrievalFilter, _ plan: Plan
  ) throws -> (CodeScan, ids: [Int64]) {
    let known = lastTable?.filter == filter || plan.filter.kinds != nil ? try table(filter) : nil
    var table = try known ?? emptyTable()
    var scan = CodeScan([query], count: count, dimension: ChunkStore.dimension)
    var ids: [Int64] = []
    ids.reserveCapacity(generation.chunkCount)
    var bounds: [Float] = []
    try connection.chunks.forEachSegment(generation: generation.rowID) { segment in
      let isWhole = known == nil && table.add(segment, plan)
      let first = ids.count
      for place in 0..<segment.count { ids.append(segment.chunkID(place)) }
      if bounds.count < 3 * segment.count { bounds = [Float](repeating: 0, count: 3 * segment.count) }
      bounds.withUnsafeMutableBytes { $0.copyMemory(from: segment.bounds) }
      bounds.withUnsafeBufferPointer { bounds in
        guard let codes = segment.codes.baseAddress, let bounds = bounds.baseAddress else { return }
        scan.scan(
          CodeBlock(
            count: segment.count, codes: codes.assumingMemoryBound(to: Int8.self), scales: bounds,
            errors: bounds + segment.count, norms: bounds + 2 * segment.count),
          from: first, admitting: isWhole ? nil : { table.length(of: ids[first + $0]) >= 0 })
      }
    }
    lastTable = (filter, table)
    return (scan, ids)
  }

  private func forEachVectorBlock(
    _ filter: ChunkFilter, admitting admits: (Int64) -> Bool, _ body: (FlatIndex) throws -> Void
  ) throws {
    var last: Int64 = 0
    while true {
      let block = try connection.chunks.vectors(
        generation: generation.rowID, filter: filter, after: last, limit: Self.blockSize)
      guard let end = block.chunkIDs.last else { return }
      last = end
      try body(Self.index(block, admitting: admits))
    }
  }

  func vectors(of chunkIDs: [Int64]) throws -> [Int64: [Float]] {
    var vectors: [Int64: [Float]] = [:]
    vectors.reserveCapacity(chunkIDs.count)
    for id in chunkIDs.sorted() {
      vectors[id] = try recentVectors[id] ?? connection.chunks.vector(chunk: id)
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
  struct Plan {
    var filter = ChunkFilter()
    /// Patient rows, when several are admitted; one alone is in the filter.
    var patients: Set<Int64>?
    var excluded: Set<Int64> = []
    var isForOnePatient: Bool { filter.patientRowID != nil }

    func admits(_ chunk: Int64, patient: Int64) -> Bool {
      !excluded.contains(chunk) && patients?.contains(patient) ?? true
    }
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

  /// What a filter over the whole practice admits, with lengths.
  private func table(_ filter: RetrievalFilter) throws -> ChunkTable {
    if let lastTable, lastTable.filter == filter { return lastTable.table }
    // What is being written may yet be taken back.
    var (anyTime, key) = (filter, ChunkTableMemo.Key?.none)
    anyTime.dates = nil
    if anyTime == RetrievalFilter(), connection.access == .readOnly {
      key = ChunkTableMemo.Key(
        generation: generation.rowID, passages: try connection.recordState().passages, dates: filter.dates)
    }
    if let key, let known = memo?.kept, known.key == key {
      lastTable = (filter, known.table)
      return known.table
    }
    let plan = try plan(filter)
    var table: ChunkTable
    if plan.filter.kinds != nil {
      // Segments don't say what kind of note a chunk is of.
      table = ChunkTable(
        try connection.chunks.candidates(generation: generation.rowID, filter: plan.filter).filter {
          plan.admits($0.chunkID, patient: $0.patientRowID)
        })
    } else {
      table = try emptyTable()
      try connection.chunks.forEachSegment(generation: generation.rowID) { segment in
        _ = table.add(segment, plan)
      }
    }
    lastTable = (filter, table)
    if let key { memo?.kept = (key, table) }
    return table
  }

  private func emptyTable() throws -> ChunkTable {
    ChunkTable(
      ids: try connection.chunks.chunkIDRange(generation: generation.rowID), expectedCount: generation.chunkCount)
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
