import Assessment
import Chart
import Clinical
import Extraction

/// What a patient's record adds to an intake: problems, drugs, weight, and what makes a case complex.
struct CaseHistory {
  let context: PatientContext
  let facts: CaseFacts

  /// For so long a result that was sent for may still come.
  private static let pendingDays = 60
  /// Visits for one problem within so long are visits for the same episode.
  private static let episodeDays = 90
  /// A problem on file over so long is chronic.
  private static let chronicDays = 180

  /// - Parameters:
  ///   - record: as of `moment`.
  ///   - moment: visits for the same problem are counted back from it.
  ///   - zone: the practice's, for the age.
  ///   - today: facts of the message that announces the visit.
  init(_ record: PatientRecord, at moment: Timestamp, zone: PracticeTimeZone, today: [Fact] = []) {
    var weight: Double?
    var isFearful = false
    for note in record.notes {
      for fact in record.facts[note.id] ?? [] where fact.assertion.experiencer == .patient {
        switch fact.kind {
        case .weight
        where fact.assertion.isActive && !fact.isImplausible && fact.amount?.upper == nil:
          weight = fact.value ?? weight
        case .finding where fact.assertion.polarity == .present && fact.assertion.temporality != .hypothetical:
          isFearful = isFearful || fact.name == "aggression" || fact.name == "fear"
        default: break
        }
      }
    }
    let chart = PatientChart(record)
    let problems = chart.problems.active(at: moment)
    let awaitedSince = moment.adding(days: -Self.pendingDays)
    let hasPending = chart.investigations.awaited.contains {
      $0.came == nil && $0.item.fact.assertion.experiencer == .patient && $0.item.note.recordedAt > awaitedSince
    }
    let horizon = moment.adding(days: -Self.episodeDays)
    let recurrence = problems.map { problem in problem.mentions.filter { $0.recordedAt >= horizon }.count }.max() ?? 0
    let chronic = problems.filter { $0.lastAt.seconds - $0.firstAt.seconds > Int64(Self.chronicDays) * 86_400 }
    let names = problems.map(\.name).sorted()
    let drugs = chart.drugs.current(at: moment).map(\.drug)
    var context = PatientContext(record.patient, on: zone.date(of: moment), problems: names, drugs: drugs)
    // A weight that was measured says more than the one that was registered.
    if let weight { context.weightKilograms = weight }
    self.context = context
    var facts = CaseFacts(
      chronicDiagnoses: chronic.map(\.name).sorted(), drugs: drugs, visitsForSameProblem: recurrence,
      hasPendingResults: hasPending, species: record.patient.species, behaviour: isFearful ? .fearful : .easy,
      hasPoorRecord: record.notes.isEmpty)
    facts.load = RecordLoad(record, today: today, at: moment)
    self.facts = facts
  }
}
