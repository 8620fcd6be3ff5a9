public import Clinical

/// A visit that is over, as what it can teach about lengths.
public struct FinishedVisit: Hashable, Sendable {
  public let rowID: Int64
  public let appointment: Appointment
  /// Nil where the visit has no patient on file.
  public let patient: Patient?
  public let minutes: Double
}

/// A place in the finished visits, by time and then in the order they came.
public struct VisitMarker: Hashable, Sendable {
  public let start: Timestamp
  public let rowID: Int64

  /// Before all visits.
  public static let beginning = VisitMarker(start: Timestamp(seconds: .min / 2), rowID: 0)

  public init(start: Timestamp, rowID: Int64) {
    self.start = start
    self.rowID = rowID
  }
}

extension AppointmentStore {
  private static let finished = "record.status = 'done' AND record.actual_minutes > 0"

  /// Finished visits after a place and before a moment, in order.
  ///
  /// - Parameters:
  ///   - marker: those up to it are left out.
  ///   - end: those from it on are left out.
  ///   - latest: at most so many, the latest ones; nil for all.
  /// - Returns: visits by time and then in the order they came.
  /// - Throws: ``StoreError`` when the file can't be read.
  /// - Complexity: O(visits after the marker).
  public func finished(after marker: VisitMarker, before end: Timestamp, latest: Int? = nil) throws(StoreError)
    -> [FinishedVisit]
  {
    let rows = try connection.rows(
      """
      SELECT record.id, \(RecordIDs.reference("record.clinician_id", .staff)), record.start_at, record.actual_minutes,
        record.visit_type, record.reason, patient.external_id, patient.species, patient.date_of_birth
      FROM appointment AS record LEFT JOIN patient ON patient.id = record.patient_id
      WHERE \(Self.finished) AND (record.start_at, record.id) > (?, ?) AND record.start_at < ?
      ORDER BY record.start_at DESC, record.id DESC LIMIT ?
      """, marker.start, marker.rowID, end, Int64(latest ?? -1), read: Self.readFinished)
    return rows.reversed()
  }

  /// What became of the finished visits of a type, by clinician: whether the animal came again for a recheck or as an emergency
  /// within some days, and whether the visit took clearly longer than planned.
  ///
  /// - Parameters:
  ///   - type: the type of visit.
  ///   - interval: when the visits began; its end lies at least `days` before the present.
  ///   - days: in which a further visit belongs to the one before.
  ///   - factor: so many times the planned minutes are clearly longer.
  /// - Returns: counts by clinician, in the order of the staff.
  /// - Throws: ``StoreError`` when the file can't be read.
  /// - Complexity: O(visits in the interval × log visits).
  public func outcomes(
    of type: VisitType, startingIn interval: Range<Timestamp>, days: Int, factor: Double
  ) throws(StoreError) -> [(clinicianID: String, visits: Int, rechecked: Int, timed: Int, overran: Int)] {
    try connection.rows(
      """
      SELECT \(RecordIDs.reference("record.clinician_id", .staff)), count(*),
        sum(EXISTS (
          SELECT 1 FROM appointment AS again WHERE again.patient_id = record.patient_id
            AND again.start_at > record.start_at AND again.start_at <= record.start_at + ?4
            AND again.visit_type IN ('recheck', 'emergency') AND again.status NOT IN ('cancelled', 'no_show'))),
        sum(record.actual_minutes > 0 AND record.duration_minutes > 0),
        sum(record.actual_minutes > record.duration_minutes * ?5 AND record.duration_minutes > 0)
      FROM appointment AS record
      WHERE record.status = 'done' AND record.visit_type = ?1 AND record.clinician_id IS NOT NULL
        AND record.start_at >= ?2 AND record.start_at < ?3
      GROUP BY record.clinician_id ORDER BY record.clinician_id
      """, type.rawValue, interval.lowerBound, interval.upperBound, Int64(days) * 86_400, factor
    ) { ($0.text(0), $0.int(1), $0.int(2), $0.int(3), $0.int(4)) }
  }

  /// By type of visit, appointments before a moment that were kept, and those to which nobody came.
  ///
  /// - Complexity: one pass over the appointments.
  public func attendance(before end: Timestamp) throws(StoreError) -> [(visitType: String, kept: Int, missed: Int)] {
    try connection.rows(
      """
      SELECT visit_type, sum(status = 'done'), sum(status = 'no_show') FROM appointment
      WHERE start_at < ? AND visit_type IS NOT NULL AND status IN ('done', 'no_show')
      GROUP BY visit_type ORDER BY visit_type
      """, end
    ) { ($0.text(0), $0.int(1), $0.int(2)) }
  }

  /// The patients with the most finished visits to a clinician, the most visits first, then whoever came last.
  ///
  /// - Complexity: O(the clinician's visits in the interval × log visits).
  public func regulars(
    ofClinician clinician: Int64, in interval: Range<Timestamp>, limit: Int
  ) throws(StoreError) -> [(patient: Int64, visits: Int, last: Timestamp)] {
    try connection.rows(
      """
      SELECT patient_id, count(*) AS visits, max(start_at) AS last FROM appointment
      WHERE clinician_id = ?1 AND start_at >= ?2 AND start_at < ?3 AND status = 'done' AND patient_id IS NOT NULL
      GROUP BY patient_id ORDER BY visits DESC, last DESC LIMIT ?4
      """, clinician, interval.lowerBound, interval.upperBound, limit
    ) { ($0.int64(0), $0.int(1), $0.timestamp(2)) }
  }

  /// Whether the finished visits up to a place are what they were at ``markLearned()``; false also for a change at the very
  /// moment of the place.
  ///
  /// - Complexity: O(1): triggers note what changes.
  public func isUnchanged(through marker: VisitMarker) throws(StoreError) -> Bool {
    try connection.exists(
      "SELECT 1 FROM visit_learning WHERE changed_from IS NULL OR changed_from > ?", marker.start)
  }

  /// Notes that all finished visits have been learned from, in the transaction that keeps what was learned.
  public func markLearned() throws(StoreError) {
    try connection.execute("UPDATE visit_learning SET changed_from = NULL")
  }

  private static func readFinished(_ row: Statement) throws(StoreError) -> FinishedVisit {
    let patient = row.optionalText(6).map { id in
      Patient(
        id: id, name: "", species: Species(rawValue: row.text(7)) ?? .other,
        dateOfBirth: row.optionalDate(8))
    }
    let minutes = row.optionalDouble(3) ?? 0
    return FinishedVisit(
      rowID: row.int64(0),
      appointment: Appointment(
        id: "", patientID: patient?.id, clinicianID: row.optionalText(1), start: row.timestamp(2), durationMinutes: 0,
        actualMinutes: minutes, visitType: row.optionalText(4).map { VisitType(rawValue: $0) },
        reason: row.optionalText(5), status: .done), patient: patient, minutes: minutes)
  }
}
