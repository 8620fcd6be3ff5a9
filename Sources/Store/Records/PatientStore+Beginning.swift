public import Clinical

extension PatientStore {
  /// Those whose id begins so, in the order of ids.
  ///
  /// - Parameters:
  ///   - prefix: as it is kept, case and all.
  ///   - limit: at most so many.
  /// - Returns: the patients.
  /// - Throws: ``StoreError``.
  public func patients(idPrefix prefix: String, limit: Int) throws(StoreError) -> [Patient] {
    let rows = try connection.rows(
      "SELECT id FROM patient WHERE external_id >= ? AND external_id < ? ORDER BY external_id LIMIT ?", prefix,
      prefix + "\u{10FFFF}", Int64(limit), read: { $0.int64(0) })
    var found: [Patient] = []
    for row in rows { if let patient = try patient(row: row) { found.append(patient.value) } }
    return found
  }
}
