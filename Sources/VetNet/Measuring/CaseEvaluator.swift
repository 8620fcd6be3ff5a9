public import Assessment
import Chart
public import Clinical
import Extraction

/// The assessment of cases that are in no practice file: an intake, and with it whatever of a record a labelled case brings.
///
/// The same stages as `Practice.Assessment.triage`, for measuring them from outside. It is a value, so
/// cases can be assessed on all cores.
public struct CaseEvaluator: Sendable {
  /// What is known of one case before the visit.
  public struct Case: Sendable {
    public var intake: Intake
    /// Earlier notes about the patient, oldest first.
    public var notes: [ClinicalNote]

    public init(intake: Intake, notes: [ClinicalNote] = []) {
      self.intake = intake
      self.notes = notes
    }
  }

  private let assessor: CaseAssessor
  private let facts: FactExtractor
  private let zone: PracticeTimeZone
  /// Of the program and of every table that took part, by name.
  public let versions: [String: String]

  /// - Parameters:
  ///   - models: rules and tables.
  ///   - protocolName: the triage protocol.
  ///   - zone: the practice's, for ages.
  /// - Throws: ``PracticeError`` for a table that is missing or can't be used.
  public init(
    models: ModelDirectory, protocolName: String = Practice.Assessment.defaultTriageProtocol,
    zone: PracticeTimeZone = .utc
  ) throws {
    assessor = try models.assessor(protocol: protocolName)
    facts = try models.extractors().facts
    self.zone = zone
    versions = assessor.versions.merging(["vetnet": VetNetVersion.current]) { own, _ in own }
  }

  /// The protocol that cases are judged by.
  public var triageProtocol: TriageProtocol { assessor.triage.triageProtocol }

  /// What the program concludes about each case, in their order.
  public func assessments(of cases: [Case]) -> [CaseAssessment] { Concurrent.map(cases, portion: 4, assessment) }

  private func assessment(of item: Case) -> CaseAssessment {
    let today = facts.facts(in: item.intake.text, kind: .intake)
    let history = history(item, today: today)
    var context = history?.context ?? PatientContext()
    // A record that doesn't name the species doesn't make it another one.
    context.species = item.intake.species
    var known = history?.facts ?? CaseFacts()
    if history == nil { known.load = RecordLoad(today: today) }
    return assessor.assess(item.intake, patient: context, facts: known)
  }

  private func history(_ item: Case, today: [Fact]) -> CaseHistory? {
    guard !item.notes.isEmpty else { return nil }
    let intake = item.intake
    let patient = Patient(
      id: intake.patientID ?? intake.id, name: "", species: intake.species ?? .other, breed: intake.breed,
      sex: intake.sex, weightKilograms: intake.weightKilograms)
    let record = PatientRecord(
      patient: patient, notes: item.notes,
      facts: Dictionary(
        item.notes.map { ($0.id, facts.facts(in: $0.text, kind: $0.kind)) }, uniquingKeysWith: { first, _ in first }))
    let last = item.notes.map(\.recordedAt).max() ?? Timestamp(seconds: 0)
    return CaseHistory(record, at: intake.receivedAt ?? last, zone: zone, today: today)
  }
}
