import Briefing
public import Chart
public import Clinical

extension Practice {
  /// What a patient's record says, folded once.
  ///
  /// - Parameters:
  ///   - reference: an id, a microchip, or a name that fits one patient.
  ///   - now: the moment as of which the record is read.
  /// - Returns: the patient, the chart, and the notes it rests on by id, as of `now`.
  /// - Throws: ``PracticeError`` when no patient or several fit.
  /// - Complexity: O(notes + facts of the patient).
  public func chart(
    of reference: String, now: Timestamp
  ) throws -> (patient: Patient, chart: PatientChart, notes: [String: ClinicalNote]) {
    try reading {
      let record = try record(of: try stored(patient: reference), at: now)
      let notes = Dictionary(record.notes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      return (record.patient, PatientChart(record), notes)
    }
  }
}
