import Assessment
import Briefing
import Chart
import Clinical
import Extraction

extension RecordLoad {
  /// Notes that are older say little about today's visit.
  private static let recentDays = 400

  /// How much there is to a patient, counted from the facts of the recent notes and of today's words.
  ///
  /// What is denied, hypothetical or another animal's counts for nothing; a drug whose last word is that it was stopped is a
  /// treatment that ended, a problem whose last word is that it is gone is none.
  ///
  /// - Parameters:
  ///   - record: as of `moment`.
  ///   - today: facts of the message that announces the visit.
  ///   - moment: notes are counted back from it.
  /// - Complexity: O(facts of the record).
  init(_ record: PatientRecord, today: [Fact], at moment: Timestamp) {
    let horizon = moment.adding(days: -Self.recentDays)
    let recent = record.notes.filter { $0.recordedAt >= horizon && $0.recordedAt <= moment }
    self.init(today: recent.flatMap { record.facts[$0.id] ?? [] } + today)
    notes = recent.count
    referrals = recent.count { $0.kind == .referral }
  }

  /// What some facts come to, in the order in which they were written.
  init(today facts: [Fact]) {
    self.init()
    var drugs: [String: Bool] = [:]
    var problems: [String: Bool] = [:]
    var systems: [String: String] = [:]
    var chronic: Set<String> = []
    var signs: Set<String> = []
    var labs: Set<String> = []
    for fact in facts where fact.assertion.experiencer == .patient {
      let assertion = fact.assertion
      guard assertion.temporality != .hypothetical else { continue }
      switch fact.kind {
      case .drug:
        let ends = fact.hasAction(in: TreatmentAction.ends) || assertion.polarity == .absent
        if ends, drugs[fact.name] == true { endedTreatments += 1 }
        drugs[fact.name] = !ends && assertion.temporality == .current
      case .problem:
        problems[fact.name] = assertion.polarity != .absent && assertion.temporality == .current
        systems[fact.name] = fact.finding?.system
        if fact.finding?.isChronic == true { chronic.insert(fact.name) }
      case .finding where assertion.polarity == .present && assertion.temporality == .current:
        signs.insert(fact.name)
        systems[fact.name] = fact.finding?.system
      case .lab:
        if fact.lab?.flag != nil { labs.insert(fact.name) }
        labValues += 1
      case .pendingResult: pendingResults += 1
      case .ownerDecision: ownerDecisions += 1
      case .allergy where assertion.polarity != .absent: allergies += 1
      default: break
      }
    }
    self.drugs = drugs.filter(\.value).keys.sorted()
    self.problems = problems.filter(\.value).keys.sorted()
    self.signs = signs.sorted()
    chronicProblems = chronic.filter { problems[$0] == true }.sorted()
    let named = (self.problems + self.signs).compactMap { systems[$0] }
    self.systems = Set(named).subtracting(["systemic", "imaging"]).sorted()
    abnormalLabs = labs.count
  }
}
