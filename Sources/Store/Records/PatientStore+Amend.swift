public import Clinical

extension PatientStore {
  /// Gives a registration other values; its owner and death stay as they are.
  ///
  /// - Throws: ``StoreError/Code/alteredRecord`` for a record that is not what was written.
  public func amend(_ patient: Patient, row: Int64) throws(StoreError) {
    try connection.recordHashes.requireSound(.patient, row)
    try connection.execute(
      """
      UPDATE patient SET name = ?, name_key = ?, species = ?, breed = ?, sex = ?, date_of_birth = ?, weight_kg = ?,
        microchip = ?, \(Connection.changedHere)
      WHERE id = ?
      """, patient.name, patient.name.searchKey, patient.species.rawValue, patient.breed, patient.sex.rawValue,
      patient.dateOfBirth, patient.weightKilograms, patient.microchip, row)
  }
}
