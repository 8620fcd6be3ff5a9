import Clinical

extension ChunkStore {
  /// Compares the inverted index of a generation with the forward index it was built from, and the counters with what
  /// they count.
  ///
  /// - Returns: what doesn't agree, in words of ours; empty when all does.
  /// - Complexity: reads the generation once; keeps a few numbers per term in memory, not the
  ///   postings: each side of a term is summed up in a fingerprint.
  public func verify(generation: Int64) throws(StoreError) -> [String] {
    var problems: [String] = []
    var expected: [Int64: TermSummary] = [:]
    var chunkCount = 0
    var tokenTotal = 0
    try forEachForwardTerms(generation: generation) { chunk, tokenCount, terms throws(StoreError) in
      chunkCount += 1
      // Wrapping: what was altered may be any number.
      tokenTotal &+= tokenCount
      for term in terms {
        expected[term.termID, default: TermSummary()].add(Posting(chunkID: chunk, frequency: term.frequency))
      }
    }
    try connection.withStatement("SELECT id, document_frequency FROM term WHERE generation_id = ? ORDER BY id") {
      statement throws(StoreError) in
      try statement.bind(generation, at: 1)
      while try statement.step() {
        let term = statement.int64(0)
        var stored = TermSummary()
        for posting in try postings(term: term) { stored.add(posting) }
        if let summary = expected.removeValue(forKey: term) {
          if summary != stored { problems.append("the postings of term row \(term) are not those of its chunks") }
        } else {
          problems.append("term row \(term) occurs in no chunk")
        }
        if stored.count != statement.int(1) { problems.append("term row \(term) is counted wrong") }
        if !stored.isAscending { problems.append("the postings of term row \(term) are out of order") }
      }
    }
    for term in expected.keys.sorted() { problems.append("term row \(term) is used by chunks and missing") }
    if let record = try connection.generations.generation(row: generation) {
      if record.chunkCount != chunkCount || record.tokenTotal != tokenTotal {
        problems.append("generation \(generation) counts its chunks or their tokens wrong")
      }
      let notes = try connection.number("SELECT count(*) FROM note_state WHERE generation_id = ?", generation)
      let facts = try connection.facts.count(generation: generation)
      if record.noteCount != notes || record.factCount != facts {
        problems.append("generation \(generation) counts its notes or their facts wrong")
      }
    }
    let withoutVector = try connection.number(
      """
      SELECT count(*) FROM chunk
      WHERE generation_id = ? AND NOT EXISTS (SELECT 1 FROM chunk_vector WHERE chunk_id = chunk.id)
      """, generation)
    if withoutVector > 0 { problems.append("\(withoutVector) chunks have no vector") }
    problems += try segmentProblems(generation: generation)
    return problems
  }

  /// Compares the segments of a generation with the chunks and vectors that they repeat.
  private func segmentProblems(generation: Int64) throws(StoreError) -> [String] {
    var problems: [String] = []
    var expected: ArraySlice<SegmentEntry> = []
    var last: Int64 = 0
    var isInStep = true
    /// The next entry that should come.
    func next() throws(StoreError) -> SegmentEntry? {
      if expected.isEmpty {
        expected = try derivedEntries(generation: generation, after: last, limit: 64 * ChunkSegment.capacity)[...]
      }
      guard let entry = expected.popFirst() else { return nil }
      last = entry.chunkID
      return entry
    }
    try forEachSegment(generation: generation) { segment throws(StoreError) in
      for place in 0..<segment.count where isInStep {
        let entry = SegmentEntry(segment, at: place)
        let derived = try next()
        if derived?.chunkID != entry.chunkID {
          // From here on everything is off; once is enough.
          problems.append("the segment that holds chunk \(entry.chunkID) doesn't hold the chunks that it should")
          isInStep = false
        } else if derived != entry {
          problems.append("the segment's copy of chunk \(entry.chunkID) is not what the chunk says")
        }
        if entry.recordedAt < segment.earliest.seconds || entry.recordedAt > segment.latest.seconds {
          problems.append("the segment that holds chunk \(entry.chunkID) states its time wrong")
        }
      }
    }
    if isInStep, let missing = try next() { problems.append("chunk \(missing.chunkID) is in no segment") }
    return problems
  }
}

/// A set of postings in four numbers.
private struct TermSummary: Equatable {
  var count = 0
  var fingerprint: UInt64 = 0
  var isAscending = true
  private var last: Int64 = .min

  mutating func add(_ posting: Posting) {
    count += 1
    // A sum, so that the order doesn't matter, of numbers mixed as SplitMix64 mixes its state.
    var mixed = UInt64(bitPattern: posting.chunkID) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(posting.frequency)
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    fingerprint &+= mixed ^ (mixed >> 31)
    if posting.chunkID <= last { isAscending = false }
    last = posting.chunkID
  }
}
