public import Clinical

/// What was concluded about a case, with the models that concluded it.
public struct StoredAssessment: Hashable, Sendable {
  public let rowID: Int64
  public let patientRowID: Int64?
  public let appointmentRowID: Int64?
  public let intakeRowID: Int64?
  public let createdAt: Timestamp
  /// Such as `triage` or `brief`.
  public let kind: String
  /// JSON
  public let modelVersions: String
  /// JSON
  public let result: String

  public init(
    rowID: Int64, patientRowID: Int64?, appointmentRowID: Int64?, intakeRowID: Int64?, createdAt: Timestamp,
    kind: String, modelVersions: String, result: String
  ) {
    self.rowID = rowID
    self.patientRowID = patientRowID
    self.appointmentRowID = appointmentRowID
    self.intakeRowID = intakeRowID
    self.createdAt = createdAt
    self.kind = kind
    self.modelVersions = modelVersions
    self.result = result
  }
}

/// The assessments that were kept.
public struct AssessmentStore {
  let connection: Connection

  /// Keeps an assessment. When one of the notes whose words stand in `result` changes or goes, so does this.
  ///
  /// - Returns: its row.
  @discardableResult
  public func insert(
    kind: String, at moment: Timestamp, patient: Int64? = nil, appointment: Int64? = nil, intake: Int64? = nil,
    modelVersions: String, result: String, quotedNotes: [Int64] = []
  ) throws(StoreError) -> Int64 {
    try connection.transaction { () throws(StoreError) in
      try connection.execute(
        """
        INSERT INTO assessment (patient_id, appointment_id, intake_id, created_at, kind, model_versions, result)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """, patient, appointment, intake, moment, kind, modelVersions, result)
      let row = connection.lastInsertedRowID
      for note in Set(quotedNotes).sorted() {
        try connection.execute("INSERT INTO assessment_note (assessment_id, note_id) VALUES (?, ?)", row, note)
      }
      return row
    }
  }

  public func assessment(row: Int64) throws(StoreError) -> StoredAssessment? {
    try connection.first("\(Self.selection) WHERE id = ?", row, read: Self.read)
  }

  /// The newest of a kind for an appointment.
  public func latest(kind: String, appointment: Int64) throws(StoreError) -> StoredAssessment? {
    try connection.first(
      "\(Self.selection) WHERE appointment_id = ? AND kind = ? ORDER BY created_at DESC, id DESC LIMIT 1", appointment,
      kind, read: Self.read)
  }

  /// The newest of a kind for an intake.
  public func latest(kind: String, intake: Int64) throws(StoreError) -> StoredAssessment? {
    try connection.first(
      "\(Self.selection) WHERE intake_id = ? AND kind = ? ORDER BY created_at DESC, id DESC LIMIT 1", intake, kind,
      read: Self.read)
  }

  /// A patient's, the oldest first.
  public func assessments(patient: Int64) throws(StoreError) -> [StoredAssessment] {
    try connection.rows("\(Self.selection) WHERE patient_id = ? ORDER BY created_at, id", patient, read: Self.read)
  }

  /// All of a kind for an intake, the oldest first.
  public func assessments(kind: String, intake: Int64) throws(StoreError) -> [StoredAssessment] {
    try connection.rows(
      "\(Self.selection) WHERE intake_id = ? AND kind = ? ORDER BY created_at, id", intake, kind, read: Self.read)
  }

  /// All of a kind, the oldest first.
  public func assessments(kind: String) throws(StoreError) -> [StoredAssessment] {
    try connection.rows("\(Self.selection) WHERE kind = ? ORDER BY created_at, id", kind, read: Self.read)
  }

  private static let selection = """
    SELECT id, patient_id, appointment_id, intake_id, created_at, kind, model_versions, result FROM assessment
    """

  private static func read(_ row: Statement) throws(StoreError) -> StoredAssessment {
    StoredAssessment(
      rowID: row.int64(0), patientRowID: row.optionalInt64(1), appointmentRowID: row.optionalInt64(2),
      intakeRowID: row.optionalInt64(3), createdAt: row.timestamp(4), kind: row.text(5), modelVersions: row.text(6),
      result: row.text(7))
  }
}

extension Connection {
  public var assessments: AssessmentStore { AssessmentStore(connection: self) }
}
