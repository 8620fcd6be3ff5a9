package import Chart
package import Clinical

extension Practice.Answers {
  /// The record that a question is answered from.
  ///
  /// - Returns: the record as of `askedAt`; nil for a question to the whole practice and for a name that several share.
  /// - Throws: ``PracticeError`` when no patient is called `reference`.
  package func recordAsked(
    _ question: String, patient reference: String?, askedAt: Timestamp
  ) throws -> PatientRecord? {
    try reading {
      guard case .patient(let patient) = try subject(of: question, reference: reference) else { return nil }
      return try practice.records.record(of: patient, at: askedAt)
    }
  }
}
