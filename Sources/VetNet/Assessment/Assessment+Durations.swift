import Assessment
import Clinical
import FoundationEssentials
import Store

// How long visits take here is learned from every finished one, in order. What was learned is kept in the practice file, with
// the place it reaches to, so that a question learns only what came after.

extension Practice.Assessment {
  /// Without a state on file so many of the latest visits are learned from on the spot.
  private static let latestVisits = 250
  static let learningKey = "duration_learning"

  /// What the visits that were over at `now` taught.
  ///
  /// - Throws: ``PracticeError`` for a model that can't be used.
  /// - Complexity: O(visits that came after the state on file).
  func durationLearner(at now: Timestamp) throws -> DurationLearner { try taughtDurations(at: now).learner }

  /// The same with its number: what was taught by the same visits is not learned again.
  func taughtDurations(at now: Timestamp) throws -> TaughtDurations {
    let state = try fileState()
    if let known = practice.memos.taughtDurations, known.at == now, known.records == state.records,
      known.learning == state.learning,
      !connection.holdsUnsealedRecords
    {
      return known
    }
    let place = try learnedPlace(state.learning)
    let begins = place.map { $0.start < now } ?? false
    let visits = try connection.appointments.finished(
      after: begins ? place ?? .beginning : .beginning, before: now, latest: begins ? nil : Self.latestVisits)
    if var known = practice.memos.taughtDurations, known.learning == state.learning, known.isFromFile == begins,
      known.visits == visits
    {
      (known.at, known.records) = (now, state.records)
      if !connection.holdsUnsealedRecords { practice.memos.taughtDurations = known }
      return known
    }
    var learner: DurationLearner
    var isFromFile = false
    if begins, let kept = try keptDurations() {
      (learner, isFromFile) = (kept.learner, true)
      learn(visits, by: &learner)
    } else {
      learner = try models.durationLearner()
      let latest =
        try begins
        ? connection.appointments.finished(after: .beginning, before: now, latest: Self.latestVisits) : visits
      learn(latest, by: &learner)
    }
    let taught = TaughtDurations(
      number: (practice.memos.taughtDurations?.number ?? 0) + 1, learner: learner, visits: visits,
      isFromFile: isFromFile,
      learning: state.learning, at: now, records: state.records)
    // What may still be taken back teaches nobody for good.
    if !connection.holdsUnsealedRecords { practice.memos.taughtDurations = taught }
    return taught
  }

  /// How long an appointment without a reason takes, by its type, clinician and patient.
  func usualDuration(of appointment: Appointment, now: Timestamp) throws -> DurationEstimate {
    let learner = try durationLearner(at: now)
    guard learner.isTaught else {
      return try models.durationModel().estimate(visitType: appointment.visitType ?? .standardConsult)
    }
    let patient = try appointment.patientID.map { try practice.records.stored(patient: $0).value }
    var input = DurationLearner.input(appointment, patient: patient, on: timeZone.date(of: appointment.start))
    input.visitType = input.visitType ?? VisitType.standardConsult.rawValue
    return DurationEstimate(learner.forecast(input))
  }

  /// Brings the state on file up to date: after an import, and whenever visits have been finished.
  ///
  /// - Complexity: O(new visits); all of them when an earlier one was changed.
  func keepDurations(at now: Timestamp) throws {
    try writing {
      var kept = try keptDurations() ?? (marker: .beginning, learner: try models.durationLearner())
      let visits = try connection.appointments.finished(after: kept.marker, before: now)
      guard let last = visits.last else { return }
      learn(visits, by: &kept.learner)
      let parts = [
        try durationVersion(), "\(last.appointment.start.seconds)", "\(last.rowID)",
        Data(kept.learner.snapshot).base64EncodedString(),
      ]
      try connection.settings.set(Self.learningKey, to: parts.joined(separator: "\n"))
      try connection.appointments.markLearned()
    }
  }

  /// Has everything be learned anew from the visits that are on file.
  func forgetDurations() throws { try writing { try connection.settings.set(Self.learningKey, to: nil) } }

  /// The place that the state on file reaches to; nil when there is none, or it is of other tables or other visits.
  private func learnedPlace(_ state: LearningState) throws -> VisitMarker? {
    let lines = state.head?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    guard lines.count == 3, lines[0] == (try durationVersion()), let seconds = Int64(lines[1]),
      let row = Int64(lines[2])
    else { return nil }
    let marker = VisitMarker(start: Timestamp(seconds: seconds), rowID: row)
    return try connection.appointments.isUnchanged(through: marker) ? marker : nil
  }

  /// The state on file with the place it reaches to; nil when there is none, or it is of other tables or other visits.
  private func keptDurations() throws -> (marker: VisitMarker, learner: DurationLearner)? {
    guard let text = try connection.settings.value(Self.learningKey) else { return nil }
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

/// What finished visits taught about lengths, and which visits those were.
struct TaughtDurations {
  /// Another one for each learner that differs.
  let number: Int
  let learner: DurationLearner
  /// Those behind the state on file, or, without one, the latest of all.
  let visits: [FinishedVisit]
  let isFromFile: Bool
  let learning: LearningState
  var at: Timestamp
  var records: RecordState
}
