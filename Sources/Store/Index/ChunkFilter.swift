public import Clinical

/// Which chunks may be found. What is left out doesn't restrict.
public struct ChunkFilter: Hashable, Sendable {
  /// Only this patient's.
  public var patientRowID: Int64?
  /// All but this patient's: similar cases are other cases.
  public var excludedPatientRowID: Int64?
  /// Recorded at this moment or later.
  public var from: Timestamp?
  /// Recorded at this moment or earlier.
  public var through: Timestamp?
  /// Of notes of these kinds.
  public var kinds: Set<NoteKind>?

  public init(
    patientRowID: Int64? = nil, excludedPatientRowID: Int64? = nil, from: Timestamp? = nil, through: Timestamp? = nil,
    kinds: Set<NoteKind>? = nil
  ) {
    self.patientRowID = patientRowID
    self.excludedPatientRowID = excludedPatientRowID
    self.from = from
    self.through = through
    self.kinds = kinds
  }

  /// SQL for the rows of `chunk` that pass, with the values that ``bind(to:generation:)`` gives to `?1` … `?5`.
  ///
  /// Both forms are answered by an index that holds all the columns named here, in the order of chunk ids.
  var condition: String {
    var condition = "chunk.generation_id = ?1"
    condition += patientRowID == nil ? " AND ?2 IS NULL" : " AND chunk.patient_id = ?2"
    condition += " AND (?3 IS NULL OR chunk.patient_id <> ?3) AND chunk.recorded_at BETWEEN ?4 AND ?5"
    if let kinds {
      // The words of an enum, not of a user.
      let words = kinds.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
      condition += " AND chunk.kind IN (\(words))"
    }
    return condition
  }

  func bind(to statement: Statement, generation: Int64) throws(StoreError) {
    try statement.bind(generation, at: 1)
    try patientRowID.bind(to: statement, at: 2)
    try excludedPatientRowID.bind(to: statement, at: 3)
    try statement.bind(from?.seconds ?? .min, at: 4)
    try statement.bind(through?.seconds ?? .max, at: 5)
  }
}

/// A chunk that passes a filter.
public struct ChunkCandidate: Hashable, Sendable {
  public let chunkID: Int64
  public let patientRowID: Int64
  /// Its length, as BM25 counts it.
  public let tokenCount: Int

  public init(chunkID: Int64, patientRowID: Int64, tokenCount: Int) {
    self.chunkID = chunkID
    self.patientRowID = patientRowID
    self.tokenCount = tokenCount
  }
}
