public import Clinical

/// Requests for care in the words they arrived in.
public struct IntakeStore {
  let connection: Connection

  /// Inserts or updates an intake under `intake.id` of the source; what was concluded from an older text goes.
  ///
  /// - Throws: ``StoreError/Code/unknownRecord`` when it names a patient that isn't in the file.
  public func upsert(_ intake: Intake, source: Int64) throws(StoreError) -> Upserted {
    try connection.transaction { () throws(StoreError) in
      let patient: Int64? = try connection.recordIDs.required(.patient, intake.patientID, preferring: source)
      return try connection.upsert(
        .intake, source: source, id: intake.id,
        columns: [
          "patient_id", "received_at", "channel", "species", "breed", "age", "sex", "weight_kg", "text",
        ],
        values: patient, intake.receivedAt, intake.channel, intake.species?.rawValue, intake.breed, intake.age,
        intake.sex.rawValue, intake.weightKilograms, intake.text
      ) { row throws(StoreError) in
        try connection.execute("DELETE FROM assessment WHERE intake_id = ?", row)
      }
    }
  }

  /// Says whose an intake is, or that nobody knows; what was concluded of it without its patient goes.
  ///
  /// - Throws: ``StoreError/Code/alteredRecord`` for one that is not what was written.
  public func setPatient(_ patient: Int64?, row: Int64) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.recordHashes.requireSound(.intake, row)
      try connection.execute(
        "UPDATE intake SET patient_id = ?1, \(Connection.changedHere) WHERE id = ?2 AND patient_id IS NOT ?1", patient,
        row)
    }
  }

  public func delete(row: Int64) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.execute("DELETE FROM intake WHERE id = ?", row)
      try connection.markRemovedText()
    }
  }

  public func intake(row: Int64) throws(StoreError) -> Stored<Intake>? {
    try connection.first("\(Self.selection) WHERE record.id = ?", row, read: Self.read)
  }

  /// Those with this id; several only when sources share it.
  public func intakes(id: String) throws(StoreError) -> [Stored<Intake>] {
    var found: [Stored<Intake>] = []
    for row in try connection.recordIDs.candidates(.intake, id) {
      if let intake = try intake(row: row) { found.append(intake) }
    }
    return found
  }

  /// The rows of the intakes of a source that say the same as `intake`, of the same patient at the same moment, in the order
  /// they came.
  public func twins(of intake: Intake, source: Int64) throws(StoreError) -> [(rowID: Int64, id: String)] {
    let patient = try intake.patientID.flatMap { id throws(StoreError) in
      try connection.recordIDs.row(.patient, id, preferring: source)
    }
    return try connection.rows(
      """
      SELECT id, external_id FROM intake
      WHERE received_at IS ? AND source_id = ? AND patient_id IS ? AND text = ? ORDER BY id
      """, intake.receivedAt, source, patient, intake.text, read: { ($0.int64(0), $0.text(1)) })
  }

  /// The row of an intake by the very id that its source gave it, or that was made for it.
  public func row(id: String, source: Int64) throws(StoreError) -> Int64? {
    try connection.recordIDs.row(.intake, externalID: id, source: source)?.rowID
  }

  /// A patient's, the oldest first, those without a date before all.
  public func intakes(patient: Int64) throws(StoreError) -> [Stored<Intake>] {
    try connection.rows(
      "\(Self.selection) WHERE record.patient_id = ? ORDER BY record.received_at, record.id", patient, read: Self.read)
  }

  /// All, in the order they came.
  public func list() throws(StoreError) -> [Stored<Intake>] {
    try connection.rows("\(Self.selection) ORDER BY record.id", read: Self.read)
  }

  public func count() throws(StoreError) -> Int { Int(try connection.number("SELECT count(*) FROM intake")) }

  private static let selection = """
    SELECT record.id, record.patient_id, \(RecordIDs.expression("record", .intake)),
      \(RecordIDs.reference("record.patient_id", .patient)), record.received_at, record.channel, record.species,
      record.breed, record.age, record.sex, record.weight_kg, record.text
    FROM intake AS record
    """

  private static func read(_ row: Statement) throws(StoreError) -> Stored<Intake> {
    Stored(
      rowID: row.int64(0), patientRowID: row.optionalInt64(1),
      value: Intake(
        id: row.text(2), patientID: row.optionalText(3), receivedAt: row.optionalTimestamp(4),
        channel: row.optionalText(5), species: row.optionalText(6).flatMap { Species(rawValue: $0) },
        breed: row.optionalText(7), age: row.optionalText(8), sex: Sex(rawValue: row.text(9)) ?? .unknown,
        weightKilograms: row.optionalDouble(10), text: row.text(11)))
  }
}

extension Connection {
  public var intakes: IntakeStore { IntakeStore(connection: self) }
}
