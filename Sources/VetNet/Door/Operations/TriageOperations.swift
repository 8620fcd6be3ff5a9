public import Assessment
public import Clinical

extension Passage {
  /// The intake with its patient where that one is on file, and who is looked at.
  fileprivate func onFile(_ intake: Intake, _ reference: String?) throws -> Intake {
    var intake = intake
    intake.patientID = try intake.patientID.flatMap { try practice.records.known($0) }
    let patient = try reference.map { try practice.records.patient($0).id } ?? intake.patientID
    touch(.patient, patient)
    isAboutNobody = patient == nil
    return intake
  }
}

/// Assesses an intake: urgency, ABCDE, complexity, minutes, visit type, specialties, each explained.
///
/// An intake whose own patient is not on file is assessed all the same.
public struct AssessIntake: Operation {
  public static let name = "triage.assess"
  public static let permission = Permission.assess
  public static let reads: Set<RecordKind> = [.patient, .note, .appointment]
  public static let changes: Set<RecordKind> = [.assessment]

  public var intake: Intake
  public var patient: String?
  public var protocolName: String
  public var settled: SettledLevel?
  public var saves: Bool

  public init(
    intake: Intake, patient: String? = nil, protocolName: String = Practice.Assessment.defaultTriageProtocol,
    settled: SettledLevel? = nil, saves: Bool = false
  ) {
    self.intake = intake
    self.patient = patient
    self.protocolName = protocolName
    self.settled = settled
    self.saves = saves
  }

  public var changesNothing: Bool { !saves }
  public var subjects: [RecordReference] { patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> CaseAssessment {
    let intake = try passage.onFile(intake, patient)
    return try passage.practice.assessment.triage(
      intake, patient: patient, protocolName: protocolName, now: passage.now, saves: saves, settled: settled)
  }
}

/// Keeps a person's level with its reason, and gives the assessment at that level.
public struct OverrideTriage: Operation {
  public static let name = "triage.override"
  public static let permission = Permission.settle
  public static let reads: Set<RecordKind> = [.patient, .note, .appointment]
  public static let changes: Set<RecordKind> = [.assessment]

  public var intake: Intake
  public var patient: String?
  public var protocolName: String
  public var settled: SettledLevel?
  public var urgency: Urgency
  public var reason: String
  public var isDryRun: Bool

  public init(
    intake: Intake, patient: String? = nil, protocolName: String = Practice.Assessment.defaultTriageProtocol,
    settled: SettledLevel? = nil, urgency: Urgency, reason: String, isDryRun: Bool = false
  ) {
    self.intake = intake
    self.patient = patient
    self.protocolName = protocolName
    self.settled = settled
    self.urgency = urgency
    self.reason = reason
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }
  public var subjects: [RecordReference] { patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> CaseAssessment {
    let intake = try passage.onFile(intake, patient)
    let practice = passage.practice
    let assessment = try practice.assessment.triage(
      intake, patient: patient, protocolName: protocolName, now: passage.now, saves: false, settled: settled)
    passage.details["reason_digest"] = Passage.digest(reason)
    return try practice.assessment.override(
      assessment, of: intake, patient: patient, urgency: urgency, reason: reason, protocolName: protocolName,
      now: passage.now, isDryRun: isDryRun)
  }
}

/// A session of questions about an intake, and how it ends.
public struct GuideTriage: Operation {
  public static let name = "triage.guide"
  public static let permission = Permission.assess
  public static let reads: Set<RecordKind> = [.patient, .note, .appointment]

  public var intake: Intake
  public var patient: String?
  public var protocolName: String

  public init(intake: Intake, patient: String? = nil, protocolName: String = Practice.Assessment.defaultTriageProtocol)
  {
    self.intake = intake
    self.patient = patient
    self.protocolName = protocolName
  }

  public var subjects: [RecordReference] { patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> GuidedTriage {
    let intake = try passage.onFile(intake, patient)
    let practice = passage.practice
    let assessment = try practice.assessment.triage(
      intake, patient: patient, protocolName: protocolName, now: passage.now, saves: false)
    return try practice.assessment.guided(
      assessment, of: intake, patient: patient, protocolName: protocolName, now: passage.now)
  }
}

/// Every override as a labelled case of the triage suite, the oldest first.
public struct ListOverrides: Operation {
  public static let name = "triage.overrides"
  public static let permission = Permission.readRecord
  public static let reads: Set<RecordKind> = [.assessment, .intake]

  public init() {}

  public func run(_ passage: Passage) throws -> [TriageOverride] {
    try passage.practice.assessment.triageOverrides()
  }
}
