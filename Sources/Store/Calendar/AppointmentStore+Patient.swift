extension AppointmentStore {
  /// Says whose an appointment is, or that nobody knows; its time stays as it is, with or without slots.
  ///
  /// - Throws: ``StoreError/Code/alteredRecord`` for one that is not what was written.
  public func setPatient(_ patient: Int64?, row: Int64) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.recordHashes.requireSound(.appointment, row)
      try connection.execute(
        """
        UPDATE appointment SET patient_id = ?1, version = version + 1, \(Connection.changedHere)
        WHERE id = ?2 AND patient_id IS NOT ?1
        """, patient, row)
    }
  }
}
