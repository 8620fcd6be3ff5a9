public import Clinical

/// The animals under the practice's care.
public struct PatientStore {
  let connection: Connection

  /// Inserts or updates a patient under `patient.id` of the source.
  ///
  /// An owner's id that isn't known yet is kept: see ``ClientStore``.
  public func upsert(_ patient: Patient, source: Int64) throws(StoreError) -> Upserted {
    try connection.transaction { () throws(StoreError) in
      var owner: Int64?
      if let ownerID = patient.ownerID {
        owner = try connection.clients.rowForOwner(id: ownerID, name: patient.ownerName, source: source)
      }
      return try connection.upsert(
        .patient, source: source, id: patient.id,
        columns: [
          "owner_id", "owner_name", "owner_name_key", "name", "name_key", "species", "breed", "sex", "date_of_birth",
          "deceased_at", "weight_kg", "microchip",
        ],
        values: owner, patient.ownerName, patient.ownerName?.searchKey, patient.name, patient.name.searchKey,
        patient.species.rawValue, patient.breed, patient.sex.rawValue, patient.dateOfBirth, patient.deceasedAt,
        patient.weightKilograms, patient.microchip)
    }
  }

  public func patient(row: Int64) throws(StoreError) -> Stored<Patient>? {
    try connection.first("\(Self.selection) WHERE record.id = ?", row, read: Self.read)
  }

  /// The row of a patient by the very id that its source gave it.
  public func row(id: String, source: Int64) throws(StoreError) -> Int64? {
    try connection.recordIDs.row(.patient, externalID: id, source: source)?.rowID
  }

  /// The other patients of a patient's owner, by name; none where the owner has no entry.
  public func household(of row: Int64) throws(StoreError) -> [Stored<Patient>] {
    try connection.rows(
      """
      \(Self.selection) WHERE record.owner_id = (SELECT owner_id FROM patient WHERE id = ?1) AND record.id <> ?1
      ORDER BY record.name_key, record.id
      """, row, read: Self.read)
  }

  /// All, by name and then in the order they came.
  public func list(limit: Int = .max, offset: Int = 0) throws(StoreError) -> [Stored<Patient>] {
    try connection.rows(
      "\(Self.selection) ORDER BY record.name_key, record.id LIMIT ? OFFSET ?", limit, offset, read: Self.read)
  }

  public func count() throws(StoreError) -> Int { Int(try connection.number("SELECT count(*) FROM patient")) }

  /// Deletes a patient with everything about it: notes and what was derived from them, intakes, appointments and
  /// assessments.
  public func delete(row: Int64) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.execute("DELETE FROM encounter WHERE patient_id = ?", row)
      for note in try connection.rows("SELECT id FROM note WHERE patient_id = ?", row, read: { $0.int64(0) }) {
        try connection.notes.delete(row: note)
      }
      try connection.execute("DELETE FROM assessment WHERE patient_id = ?", row)
      try connection.execute("DELETE FROM appointment WHERE patient_id = ?", row)
      try connection.execute("DELETE FROM intake WHERE patient_id = ?", row)
      try connection.execute("DELETE FROM patient WHERE id = ?", row)
      try connection.markRemovedText()
    }
  }

  static let selection = """
    SELECT record.id, \(RecordIDs.expression("record", .patient)), record.name, record.species, record.breed,
      record.sex, record.date_of_birth, record.deceased_at, record.weight_kg,
      \(RecordIDs.reference("record.owner_id", .client)), coalesce(record.owner_name, owner.name), record.microchip
    FROM patient AS record
    LEFT JOIN client AS owner ON owner.id = record.owner_id
    """

  static func read(_ row: Statement) throws(StoreError) -> Stored<Patient> {
    Stored(
      rowID: row.int64(0), patientRowID: row.int64(0),
      value: Patient(
        id: row.text(1), name: row.text(2), species: Species(rawValue: row.text(3)) ?? .other,
        breed: row.optionalText(4), sex: Sex(rawValue: row.text(5)) ?? .unknown, dateOfBirth: row.optionalDate(6),
        deceasedAt: row.optionalDate(7), weightKilograms: row.optionalDouble(8), ownerID: row.optionalText(9),
        ownerName: row.optionalText(10), microchip: row.optionalText(11)))
  }
}

extension Connection {
  public var patients: PatientStore { PatientStore(connection: self) }
}
