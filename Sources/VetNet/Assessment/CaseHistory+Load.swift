import Assessment
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
    let items = recent.flatMap { note in (record.facts[note.id] ?? []).map { RecordedFact(note: note, fact: $0) } }
    self.init(items + Self.unfiled(today, at: moment))
    counts.notes = recent.count
    counts.referrals = recent.count { $0.kind == .referral }
  }

  /// What the facts of a message come to, without a record.
  init(today facts: [Fact]) { self.init(Self.unfiled(facts, at: Timestamp(seconds: 0))) }

  /// Today's words as an entry that nobody has written yet.
  private static func unfiled(_ facts: [Fact], at moment: Timestamp) -> [RecordedFact] {
    let note = ClinicalNote(id: "", patientID: "", recordedAt: moment, kind: .intake, text: "")
    return facts.map { RecordedFact(note: note, fact: $0) }
  }

  /// What some facts come to, in the order in which they were written.
  private init(_ items: [RecordedFact]) {
    self.init()
    let courses = ProblemCourses(items).all.filter { [.suspected, .confirmed].contains($0.state) }
    var drugs: [String: Bool] = [:]
    var systems: [String: String] = [:]
    var signs: Set<String> = []
    var labs: Set<String> = []
    for fact in items.map(\.fact) where fact.assertion.experiencer == .patient {
      let assertion = fact.assertion
      guard assertion.temporality != .hypothetical else { continue }
      switch fact.kind {
      case .drug:
        let ends = fact.hasAction(in: TreatmentAction.ends) || assertion.polarity == .absent
        if ends, drugs[fact.name] == true { counts.endedTreatments += 1 }
        drugs[fact.name] = !ends && assertion.temporality == .current
      case .problem: systems[fact.name] = fact.finding?.system
      case .finding where assertion.polarity == .present && assertion.temporality == .current:
        signs.insert(fact.name)
        systems[fact.name] = fact.finding?.system
      case .lab:
        if fact.lab?.flag != nil { labs.insert(fact.name) }
        counts.labValues += 1
      case .pendingResult: counts.pendingResults += 1
      case .ownerDecision: counts.ownerDecisions += 1
      case .allergy where assertion.polarity != .absent: counts.allergies += 1
      default: break
      }
    }
    self.drugs = drugs.filter(\.value).keys.sorted()
    problems = courses.map(\.name).sorted()
    self.signs = signs.sorted()
    chronicProblems = courses.filter(\.isChronic).map(\.name).sorted()
    let named = (problems + self.signs).compactMap { systems[$0] }
    self.systems = Set(named).subtracting(["systemic", "imaging"]).sorted()
    counts.abnormalLabs = labs.count
  }
}
