import Assessment
import Clinical
import FoundationEssentials
import Store

// How long visits take here is learned from every finished one, in order. What was learned is kept in the practice file, with
// the place it reaches to, so that a question learns only what came after.

extension Practice {
  /// Without a state on file so many of the latest visits are learned from on the spot.
  private static let latestVisits = 250
  private static let stateKey = "duration_learning"

  /// What the visits that were over at `now` taught.
  ///
  /// - Throws: ``PracticeError`` for a model that can't be used.
  /// - Complexity: O(visits that came after the state on file).
  func durationLearner(at now: Timestamp) throws -> DurationLearner {
    if let taughtDurations, taughtDurations.at == now { return taughtDurations.learner }
    let learner = try readDurationLearner(at: now)
    taughtDurations = (now, learner)
    return learner
  }

  private func readDurationLearner(at now: Timestamp) throws -> DurationLearner {
    if var kept = try keptDurations(), kept.marker.start < now {
      learn(try connection.appointments.finished(after: kept.marker, before: now), by: &kept.learner)
      return kept.learner
    }
    var learner = try models.durationLearner()
    learn(
      try connection.appointments.finished(after: .beginning, before: now, latest: Self.latestVisits), by: &learner)
    return learner
  }

  /// How long an appointment without a reason takes, by its type, clinician and patient.
  func usualDuration(of appointment: Appointment, now: Timestamp) throws -> DurationEstimate {
    let learner = try durationLearner(at: now)
    guard learner.isTaught else {
      return try models.durationModel().estimate(visitType: appointment.visitType ?? .standardConsult)
    }
    let patient = try appointment.patientID.map { try stored(patient: $0).value }
    var input = DurationLearner.input(appointment, patient: patient, on: timeZone.date(of: appointment.start))
    input.visitType = input.visitType ?? VisitType.standardConsult.rawValue
    return DurationEstimate(learner.forecast(input))
  }

  /// Brings the state on file up to date: after an import, and whenever visits have been finished.
  ///
  /// - Complexity: O(new visits); all of them when an earlier one was changed.
  func keepDurations(at now: Timestamp) throws {
    taughtDurations = nil
    try writing {
      var kept = try keptDurations() ?? (marker: .beginning, learner: try models.durationLearner())
      let visits = try connection.appointments.finished(after: kept.marker, before: now)
      guard let last = visits.last else { return }
      learn(visits, by: &kept.learner)
      let parts = [
        try durationVersion(), "\(last.appointment.start.seconds)", "\(last.rowID)",
        Data(kept.learner.snapshot).base64EncodedString(),
      ]
      try connection.settings.set(Self.stateKey, to: parts.joined(separator: "\n"))
      try connection.appointments.markLearned()
    }
  }

  /// Has everything be learned anew from the visits that are on file.
  func forgetDurations() throws { try writing { try connection.settings.set(Self.stateKey, to: nil) } }

  /// The state on file with the place it reaches to; nil when there is none, or it is of other tables or other visits.
  private func keptDurations() throws -> (marker: VisitMarker, learner: DurationLearner)? {
    guard let text = try connection.settings.value(Self.stateKey) else { return nil }
    let parts = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == (try durationVersion()), let seconds = Int64(parts[1]),
      let row = Int64(parts[2])
    else { return nil }
    let marker = VisitMarker(start: Timestamp(seconds: seconds), rowID: row)
    guard try connection.appointments.isUnchanged(through: marker), let data = Data(base64Encoded: String(parts[3])),
      let learner = try models.durationLearner(snapshot: [UInt8](data))
    else { return nil }
    return (marker, learner)
  }

  private func durationVersion() throws -> String {
    try models.durationVersions().sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  private func learn(_ visits: [FinishedVisit], by learner: inout DurationLearner) {
    for visit in visits {
      learner.learn(
        DurationLearner.input(
          visit.appointment, patient: visit.patient, on: timeZone.date(of: visit.appointment.start)),
        minutes: visit.minutes)
    }
  }
}
