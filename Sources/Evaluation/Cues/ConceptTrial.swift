import Assessment
import Clinical
import VetNet

/// What the rules make of texts with one table of concepts.
struct ConceptTrial: Sendable {
  /// What is kept of a reading: all that the rules conclude, and whether any words reassure.
  struct Verdict: Hashable, Sendable {
    let urgency: Urgency
    /// What fired, and what is red or orange and doesn't count.
    let findings: [String]
    let letters: [ABCDELetter: ABCDEStatus]
    let complexity: Int
    let visitType: VisitType
    /// The first two.
    let specialties: [Specialty]
    let isReassured: Bool
  }

  let lexicon: ConceptLexicon
  private let assessor: CaseAssessor

  /// - Parameters:
  ///   - models: every other table.
  ///   - text: of `triage/concepts.tsv`.
  /// - Throws: ``PracticeError`` naming the row that can't be used.
  init(models: ModelDirectory, table text: String) throws {
    let table = try models.usable { () throws(DataTableError) in
      try DataTable(name: "triage/concepts.tsv", text: text)
    }
    assessor = try models.ruleAssessor(concepts: table)
    lexicon = assessor.triage.reader.lexicon
  }

  var triageProtocol: TriageProtocol { assessor.triage.triageProtocol }

  /// On all cores.
  func verdicts(of intakes: [Intake]) -> [Verdict] { Concurrent.map(intakes, verdict) }

  func verdict(of intake: Intake) -> Verdict {
    var patient = PatientContext()
    patient.species = intake.species
    let assessment = assessor.assess(intake, patient: patient)
    let triage = assessment.triage
    let findings =
      triage.fired.map { "\($0.id) \($0.level.rawValue) \($0.floor?.rawValue ?? "")" }
      + triage.suppressed.filter { $0.level >= .orange }.map { "\($0.id) \($0.reason.rawValue)" }
    return Verdict(
      urgency: triage.urgency, findings: findings.sorted(), letters: triage.abcde,
      complexity: assessment.complexity.level, visitType: assessment.visitType.visitType,
      specialties: assessment.specialties.prefix(2).map(\.specialty),
      isReassured: lexicon.isReassuring(intake.text))
  }
}
