import Assessment
import Briefing
import Clinical
import Extraction

/// What a patient's record adds to an intake: problems, drugs, weight, and what makes a case complex.
struct CaseHistory {
  let context: PatientContext
  let facts: CaseFacts

  /// - Parameters:
  ///   - record: as of `moment`.
  ///   - moment: visits for the same problem are counted back from it.
  ///   - zone: the practice's, for the age.
  init(_ record: PatientRecord, at moment: Timestamp, zone: PracticeTimeZone) {
    var status: [String: (note: ClinicalNote, fact: Fact)] = [:]
    var lastMentions: [String: [Timestamp]] = [:]
    var weight: Double?
    var hasPending = false
    var isFearful = false
    for note in record.notes {
      for fact in record.facts[note.id] ?? [] where fact.assertion.experiencer == .patient {
        switch fact.kind {
        case .problem:
          status[fact.name] = (note, fact)
          lastMentions[fact.name, default: []].append(note.recordedAt)
        case .weight:
          if let value = fact.value, fact.assertion.polarity == .present, fact.attributes["implausible"] == nil {
            weight = value
          }
        case .pendingResult:
          hasPending = moment.seconds - note.recordedAt.seconds < 60 * 86_400
        case .finding:
          isFearful = isFearful || fact.name == "aggression" || fact.name == "fear"
        default: break
        }
      }
    }
    let active = status.filter {
      $0.value.fact.assertion.polarity == .present && $0.value.fact.assertion.temporality == .current
    }
    .keys.sorted()
    let horizon = moment.adding(days: -90)
    let recurrence = active.map { name in Set((lastMentions[name] ?? []).filter { $0 >= horizon }).count }.max() ?? 0
    // A problem that was on file in two notes half a year apart is chronic.
    let chronic = active.filter { name in
      guard let first = lastMentions[name]?.first, let last = lastMentions[name]?.last else { return false }
      return last.seconds - first.seconds > 180 * 86_400
    }
    let drugs = MedicationList.current(record, at: moment).map(\.name)
    var context = PatientContext(record.patient, on: zone.date(of: moment), problems: active, drugs: drugs)
    // A weight that was measured says more than the one that was registered.
    if let weight { context.weightKilograms = weight }
    self.context = context
    facts = CaseFacts(
      chronicDiagnoses: chronic, drugs: drugs, visitsForSameProblem: recurrence, hasPendingResults: hasPending,
      species: record.patient.species, behaviour: isFearful ? .fearful : .easy, hasPoorRecord: record.notes.isEmpty)
  }
}
