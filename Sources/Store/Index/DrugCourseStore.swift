public import Clinical

/// What the facts of one patient and drug come to, as the file keeps it. What the values mean is for whoever folded them.
public struct StoredDrugCourse: Hashable, Sendable {
  public let drug: String
  public let patientRowID: Int64
  /// The note of the latest word on it, when that was written, and its UTF-8 bytes, end exclusive.
  public let noteRowID: Int64
  public let recordedAt: Timestamp
  public let range: Range<Int>
  public let isEnded: Bool
  public let plannedEnd: Timestamp?
  public let noteCount: Int
  /// When the latest word on any drug of the patient was written: the row says nothing of a moment before it.
  public let lastWordAt: Timestamp

  public init(
    drug: String, patientRowID: Int64, noteRowID: Int64, recordedAt: Timestamp, range: Range<Int>, isEnded: Bool,
    plannedEnd: Timestamp?, noteCount: Int, lastWordAt: Timestamp
  ) {
    self.drug = drug
    self.patientRowID = patientRowID
    self.noteRowID = noteRowID
    self.recordedAt = recordedAt
    self.range = range
    self.isEnded = isEnded
    self.plannedEnd = plannedEnd
    self.noteCount = noteCount
    self.lastWordAt = lastWordAt
  }
}

/// The courses that a generation's facts of drugs come to.
///
/// A patient whose facts of drugs come or go has no rows from then on and is one of ``unfolded(generation:limit:)``, until its rows are
/// made again: ``FactStore`` and ``ChunkStore/removeDerived(note:)`` see to that, and a trigger where a note goes.
public struct DrugCourseStore {
  let connection: Connection

  /// The courses of some drugs, of every patient that isn't unfolded; where species are named, only of animals of these.
  ///
  /// - Complexity: reads the rows of these drugs only.
  public func courses(
    generation: Int64, drugs: [String], species: Set<Species>? = nil
  ) throws(StoreError) -> [StoredDrugCourse] {
    // The words of an enum, not of a user.
    let words = species?.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    let ofSpecies = words.map { "AND (SELECT species FROM patient WHERE id = patient_id) IN (\($0))" } ?? ""
    var courses: [StoredDrugCourse] = []
    for drug in drugs {
      courses += try connection.rows(
        "\(Self.selection) WHERE generation_id = ? AND drug = ? \(ofSpecies) ORDER BY patient_id", generation, drug,
        read: Self.read)
    }
    return courses
  }

  /// All courses of the patients in a range of rows, by patient and drug.
  public func courses(generation: Int64, patients: ClosedRange<Int64>) throws(StoreError) -> [StoredDrugCourse] {
    try connection.rows(
      "\(Self.selection) WHERE patient_id BETWEEN ? AND ? AND generation_id = ? ORDER BY patient_id, drug",
      patients.lowerBound, patients.upperBound, generation, read: Self.read)
  }

  /// The patients whose facts of drugs came or went since their rows were made.
  public func unfolded(generation: Int64, limit: Int = .max) throws(StoreError) -> [Int64] {
    try connection.rows(
      "SELECT patient_id FROM unfolded_patient WHERE generation_id = ? ORDER BY patient_id LIMIT ?", generation, limit
    ) { $0.int64(0) }
  }

  /// Notes that facts of drugs of a patient came or went in a generation, or in all, once they have. Of one without any nothing is kept.
  func unfold(patient: Int64, generation: Int64? = nil) throws(StoreError) {
    try connection.execute(
      """
      INSERT OR IGNORE INTO unfolded_patient (generation_id, patient_id)
      SELECT id, ?1 FROM generation WHERE course_version <> 0 AND state <> 'retired' AND id = ifnull(?2, id)
        AND EXISTS (SELECT 1 FROM fact WHERE generation_id = generation.id AND patient_id = ?1 AND kind = 'drug')
      """, patient, generation)
    try connection.execute(
      "DELETE FROM drug_course WHERE patient_id = ?1 AND generation_id = ifnull(?2, generation_id)", patient, generation
    )
  }

  /// Takes all rows of a generation away, and says whose turn it is: who begins after it takes it over. From now on patients whose facts
  /// change are noted; ``end(generation:turn:version:)`` says that those of all others are folded.
  public func begin(generation: Int64) throws(StoreError) -> Int {
    try connection.execute(
      "UPDATE generation SET course_version = min(course_version, 0) - 1 WHERE id = ?", generation)
    try connection.execute("DELETE FROM drug_course WHERE generation_id = ?", generation)
    try connection.execute("DELETE FROM unfolded_patient WHERE generation_id = ?", generation)
    return try connection.generations.generation(row: generation)?.courseVersion ?? 0
  }

  /// Puts the rows of patients in the place of those they have.
  public func replace(
    patients: ClosedRange<Int64>, generation: Int64, with courses: [StoredDrugCourse]
  ) throws(StoreError) {
    try connection.execute(
      "DELETE FROM drug_course WHERE patient_id BETWEEN ? AND ? AND generation_id = ?", patients.lowerBound,
      patients.upperBound, generation)
    try connection.execute(
      "DELETE FROM unfolded_patient WHERE generation_id = ? AND patient_id BETWEEN ? AND ?", generation,
      patients.lowerBound, patients.upperBound)
    try connection.withStatement(
      """
      INSERT INTO drug_course (
        generation_id, drug, patient_id, note_id, recorded_at, start_byte, end_byte, is_ended, planned_end, note_count,
        last_word_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) { statement throws(StoreError) in
      for course in courses {
        try statement.bind(
          generation, course.drug, course.patientRowID, course.noteRowID, course.recordedAt, course.range.lowerBound,
          course.range.upperBound, course.isEnded ? 1 : 0, course.plannedEnd, course.noteCount, course.lastWordAt)
        try statement.run()
      }
    }
  }

  /// Says that every patient of a generation is folded but those that are noted; of no effect where somebody else has begun since the
  /// turn that ``begin(generation:)`` gave. The version is that of the way they were folded, more than 0.
  public func end(generation: Int64, turn: Int, version: Int) throws(StoreError) {
    try connection.execute(
      "UPDATE generation SET course_version = ? WHERE id = ? AND course_version = ?", version, generation, turn)
  }

  /// The rows of the patients that there are; nil without any.
  public func patientRows() throws(StoreError) -> ClosedRange<Int64>? {
    try connection.first("SELECT min(id), max(id) FROM patient") { row in
      row.isNull(0) ? nil : row.int64(0)...row.int64(1)
    } ?? nil
  }

  private static let selection = """
    SELECT drug, patient_id, note_id, recorded_at, start_byte, end_byte, is_ended, planned_end, note_count, last_word_at
    FROM drug_course
    """

  private static func read(_ row: Statement) throws(StoreError) -> StoredDrugCourse {
    guard row.int(4) <= row.int(5) else {
      throw StoreError(.corrupt, context: "a course of patient row \(row.int64(1))")
    }
    return StoredDrugCourse(
      drug: row.text(0), patientRowID: row.int64(1), noteRowID: row.int64(2), recordedAt: row.timestamp(3),
      range: row.int(4)..<row.int(5), isEnded: row.int(6) != 0,
      plannedEnd: row.optionalTimestamp(7), noteCount: row.int(8), lastWordAt: row.timestamp(9))
  }
}

extension Connection {
  public var drugCourses: DrugCourseStore { DrugCourseStore(connection: self) }
}
