public import Clinical

/// The index as one model and one set of rules made it.
public struct Generation: Hashable, Sendable {
  public enum State: String, CaseIterable, Sendable {
    /// Being filled; searches don't see it.
    case building
    /// What searches read. There is at most one.
    case live
    /// Replaced, and waiting to be discarded.
    case retired
  }

  public let rowID: Int64
  public let modelRowID: Int64
  public let rulesVersion: String
  public let state: State
  public let createdAt: Timestamp
  public let chunkCount: Int
  public let tokenTotal: Int
  /// Notes that were indexed or failed.
  public let noteCount: Int
  public let factCount: Int
  /// Which way of folding its ``DrugCourseStore`` is from; 0 for none, less than 0 while it is being made.
  public let courseVersion: Int

  public init(
    rowID: Int64, modelRowID: Int64, rulesVersion: String, state: State, createdAt: Timestamp, chunkCount: Int = 0,
    tokenTotal: Int = 0, noteCount: Int = 0, factCount: Int = 0, courseVersion: Int = 0
  ) {
    self.rowID = rowID
    self.modelRowID = modelRowID
    self.rulesVersion = rulesVersion
    self.state = state
    self.createdAt = createdAt
    self.chunkCount = chunkCount
    self.tokenTotal = tokenTotal
    self.noteCount = noteCount
    self.factCount = factCount
    self.courseVersion = courseVersion
  }

  /// Tokens per chunk, BM25's average length; 0 without chunks.
  public var averageTokenCount: Double { chunkCount == 0 ? 0 : Double(tokenTotal) / Double(chunkCount) }
}

/// The generations of the index: a new one grows beside the one in use, and takes its place in one step.
public struct GenerationStore {
  let connection: Connection

  /// Begins a generation.
  public func create(model: Int64, rulesVersion: String, at moment: Timestamp) throws(StoreError) -> Generation {
    try connection.execute(
      "INSERT INTO generation (model_id, rules_version, state, created_at) VALUES (?, ?, 'building', ?)",
      model, rulesVersion, moment)
    return Generation(
      rowID: connection.lastInsertedRowID, modelRowID: model, rulesVersion: rulesVersion, state: .building,
      createdAt: moment)
  }

  public func generation(row: Int64) throws(StoreError) -> Generation? {
    try connection.first("\(Self.selection) WHERE id = ?", row, read: Self.read)
  }

  public func live() throws(StoreError) -> Generation? {
    try connection.first("\(Self.selection) WHERE state = 'live'", read: Self.read)
  }

  /// The generation that an interrupted job was building with the same model and rules, to go on with.
  public func building(model: Int64, rulesVersion: String) throws(StoreError) -> Generation? {
    try connection.first(
      "\(Self.selection) WHERE state = 'building' AND model_id = ? AND rules_version = ? ORDER BY id DESC LIMIT 1",
      model, rulesVersion, read: Self.read)
  }

  /// All, the oldest first.
  public func list() throws(StoreError) -> [Generation] {
    try connection.rows("\(Self.selection) ORDER BY id", read: Self.read)
  }

  /// Makes a generation the one that searches read, and retires the one before.
  ///
  /// - Throws: ``StoreError/Code/incomplete`` while notes are still to be indexed in it.
  public func activate(row: Int64) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      guard try generation(row: row) != nil else {
        throw StoreError(.unknownRecord, context: "generation \(row)")
      }
      let lacking = try connection.notes.lackingCount(in: row)
      guard lacking == 0 else {
        throw StoreError(.incomplete, context: "\(lacking) notes are still to be indexed in generation \(row)")
      }
      try connection.execute("UPDATE generation SET state = 'retired' WHERE state = 'live' AND id <> ?", row)
      try connection.execute("UPDATE generation SET state = 'live' WHERE id = ?", row)
    }
  }

  /// Deletes a part of a generation that isn't live; call it until it returns true.
  ///
  /// In steps, because one transaction would hold a whole generation in the write-ahead log, and everybody else up. Rows go
  /// in the order in which they came, which is that of their pages. The log is emptied after the last step.
  /// Killed in between, it goes on where it was. Chunks go before their terms: a note that changes meanwhile finds
  /// the terms of those that are left. What is derived from chunks goes before them.
  ///
  /// - Returns: whether nothing is left.
  /// - Precondition: the generation isn't live.
  public func discard(row: Int64, atMost limit: Int = 16384) throws(StoreError) -> Bool {
    try connection.transaction { () throws(StoreError) in
      guard let record = try generation(row: row) else { return true }
      precondition(record.state != .live, "generation \(row) is in use")
      if record.state == .building {
        try connection.execute("UPDATE generation SET state = 'retired' WHERE id = ?", row)
      }
      try connection.announceErasure()
      connection.recentTerms.forget()
      // Facts and terms are indexed in another order than they came in: their tables are gone through instead, where the
      // oldest generation's rows are the first.
      // Small rows go in larger portions: each portion rewrites most of the pages of an index in another order.
      for (table, order, rowsAtOnce) in [
        ("segment", "", 1), ("chunk", "INDEXED BY chunk_of_generation", 1), ("fact", "NOT INDEXED", 4),
        ("term", "NOT INDEXED", 1),
      ] where try connection.exists("SELECT 1 FROM \(table) WHERE generation_id = ?", row) {
        try connection.execute(
          "DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) \(order) WHERE generation_id = ? LIMIT ?)", row,
          limit * rowsAtOnce)
        return false
      }
      try connection.markRemovedText()
      try connection.execute("DELETE FROM generation WHERE id = ?", row)
      return true
    }
  }

  private static let selection = """
    SELECT id, model_id, rules_version, state, created_at, chunk_count, token_total, note_count, fact_count, course_version
    FROM generation
    """

  private static func read(_ row: Statement) throws(StoreError) -> Generation {
    guard let state = Generation.State(rawValue: row.text(3)) else {
      throw StoreError(.corrupt, context: "the state of generation \(row.int64(0))")
    }
    return Generation(
      rowID: row.int64(0), modelRowID: row.int64(1), rulesVersion: row.text(2), state: state,
      createdAt: row.timestamp(4), chunkCount: row.int(5), tokenTotal: row.int(6), noteCount: row.int(7),
      factCount: row.int(8), courseVersion: row.int(9))
  }
}

extension Connection {
  public var generations: GenerationStore { GenerationStore(connection: self) }
}
