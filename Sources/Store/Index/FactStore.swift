public import Clinical

/// Something that a note says, taken out of its words. The words of the axes are those of the evaluation labels.
public struct FactValue: Hashable, Sendable {
  /// Such as `weight`, `drug`, `lab`, `problem`.
  public var kind: String
  public var name: String
  public var value: Double?
  public var unit: String?
  /// UTF-8 bytes of the note's text, end exclusive.
  public var range: Range<Int>
  /// `present`, `absent`, `uncertain`
  public var polarity: String
  /// `current`, `historical`, `hypothetical`
  public var temporality: String
  /// `patient`, `other`
  public var experiencer: String
  /// A JSON object.
  public var attributes: String

  public init(
    kind: String, name: String, value: Double? = nil, unit: String? = nil, range: Range<Int>,
    polarity: String = "present", temporality: String = "current", experiencer: String = "patient",
    attributes: String = "{}"
  ) {
    self.kind = kind
    self.name = name
    self.value = value
    self.unit = unit
    self.range = range
    self.polarity = polarity
    self.temporality = temporality
    self.experiencer = experiencer
    self.attributes = attributes
  }
}

/// A fact as it lies in the file.
public struct StoredFact: Hashable, Sendable {
  public let rowID: Int64
  public let noteRowID: Int64
  public let patientRowID: Int64
  public let recordedAt: Timestamp
  public let value: FactValue

  public init(rowID: Int64, noteRowID: Int64, patientRowID: Int64, recordedAt: Timestamp, value: FactValue) {
    self.rowID = rowID
    self.noteRowID = noteRowID
    self.patientRowID = patientRowID
    self.recordedAt = recordedAt
    self.value = value
  }
}

/// The facts of a generation. They come in with the notes: see ``ChunkStore/insert(_:generation:)``.
public struct FactStore {
  let connection: Connection

  /// Adds a note's facts; `patient` and `recordedAt` are the note's, taken over where they stand.
  func insert(
    _ facts: [FactValue], note: Int64, patient: Int64, recordedAt: Int64, generation: Int64
  ) throws(StoreError) {
    guard !facts.isEmpty else { return }
    try connection.withStatement(
      """
      INSERT INTO fact (
        generation_id, note_id, patient_id, recorded_at, kind, name, value, unit, start_byte, end_byte, polarity,
        temporality, experiencer, attributes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) { statement throws(StoreError) in
      for fact in facts {
        try statement.bind(
          generation, note, patient, recordedAt, fact.kind, fact.name, fact.value, fact.unit, fact.range.lowerBound,
          fact.range.upperBound, fact.polarity, fact.temporality, fact.experiencer, fact.attributes)
        try statement.run()
      }
    }
    if facts.contains(where: { $0.kind == Self.drugKind }) {
      try connection.drugCourses.unfold(patient: patient, generation: generation)
    }
  }

  /// A patient's facts, the oldest first, up to and including `moment`; of one kind, where one is named.
  ///
  /// - Complexity: reads that patient's facts only.
  public func facts(
    generation: Int64, patient: Int64, kind: String? = nil, through moment: Timestamp? = nil
  ) throws(StoreError) -> [StoredFact] {
    let ofKind = kind == nil ? "?3 IS NULL" : "kind = ?3"
    return try connection.rows(
      """
      \(Self.selection) WHERE generation_id = ?1 AND patient_id = ?2 AND \(ofKind) AND recorded_at <= ?4
      ORDER BY recorded_at, note_id, start_byte, id
      """, generation, patient, kind, moment?.seconds ?? .max, read: Self.read)
  }

  /// A note's facts, in the order of its text.
  public func facts(generation: Int64, note: Int64) throws(StoreError) -> [StoredFact] {
    try connection.rows(
      "\(Self.selection) WHERE note_id = ? AND generation_id = ? ORDER BY start_byte, id", note, generation,
      read: Self.read)
  }

  public func count(generation: Int64) throws(StoreError) -> Int {
    Int(try connection.number("SELECT count(*) FROM fact WHERE generation_id = ?", generation))
  }

  /// The kind that ``DrugCourseStore`` is folded from.
  private static let drugKind = "drug"

  static let selection = """
    SELECT id, note_id, patient_id, recorded_at, kind, name, value, unit, start_byte, end_byte, polarity, temporality,
      experiencer, attributes
    FROM fact
    """

  static func read(_ row: Statement) throws(StoreError) -> StoredFact {
    guard row.int(8) <= row.int(9) else { throw StoreError(.corrupt, context: "fact row \(row.int64(0))") }
    return StoredFact(
      rowID: row.int64(0), noteRowID: row.int64(1), patientRowID: row.int64(2), recordedAt: row.timestamp(3),
      value: FactValue(
        kind: row.text(4), name: row.text(5), value: row.optionalDouble(6), unit: row.optionalText(7),
        range: row.int(8)..<row.int(9), polarity: row.text(10), temporality: row.text(11), experiencer: row.text(12),
        attributes: row.text(13)))
  }
}

extension Connection {
  public var facts: FactStore { FactStore(connection: self) }
}
