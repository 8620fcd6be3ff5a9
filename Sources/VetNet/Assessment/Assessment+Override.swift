package import Assessment
package import Clinical
import FoundationEssentials
import Store

// Levels that people gave instead of the program's.

extension Practice.Assessment {
  static let overrideKind = "triage override"

  /// Keeps a person's level with its reason, and gives the assessment at that level.
  ///
  /// - Parameters:
  ///   - assessment: what the program said.
  ///   - intake: of which case.
  ///   - reference: the patient on file, or nil.
  ///   - urgency: the person's level.
  ///   - reason: why.
  ///   - protocolName: the protocol whose levels are used.
  ///   - now: the present moment.
  ///   - isDryRun: checks everything and keeps nothing.
  /// - Returns: the assessment at the person's level.
  /// - Throws: ``PracticeError`` for an empty reason or an unknown patient.
  package func override(
    _ assessment: CaseAssessment, of intake: Intake, patient reference: String?, urgency: Urgency, reason: String,
    protocolName: String = defaultTriageProtocol, now: Timestamp, isDryRun: Bool = false
  ) throws -> CaseAssessment {
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw PracticeError(.invalidArgument, "an override needs a reason", hint: "Give it with --reason.")
    }
    if !isDryRun {
      try keep(assessment, of: intake, patient: reference, urgency: urgency, reason: reason, now: now)
    }
    return try triage(
      intake, patient: reference, protocolName: protocolName, now: now, saves: false,
      settled: SettledLevel(urgency, because: "overridden from \(assessment.triage.urgency.rawValue): \(reason)"))
  }

  private func keep(
    _ assessment: CaseAssessment, of intake: Intake, patient reference: String?, urgency: Urgency, reason: String,
    now: Timestamp
  ) throws {
    let moment = timeZone.iso8601(now)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let versions = String(decoding: try encoder.encode(assessment.modelVersions), as: UTF8.self)
    try writing {
      let patientRow = try (reference ?? intake.patientID).map { try practice.records.stored(patient: $0).rowID }
      let intakeRow = intake.id.isEmpty ? nil : try connection.recordIDs.row(.intake, intake.id)
      let count = try connection.assessments.assessments(kind: Self.overrideKind).count
      practice.door.passage?.details["from"] = assessment.triage.urgency.rawValue
      practice.door.passage?.details["to"] = urgency.rawValue
      practice.door.passage?.details["models"] = versions
      let labelled = TriageOverride(
        intake, id: "override-\(count + 1)", assessment: assessment, urgency: urgency, reason: reason, at: moment)
      try connection.assessments.insert(
        kind: Self.overrideKind, at: now, patient: patientRow, intake: intakeRow, modelVersions: versions,
        result: String(decoding: try encoder.encode(labelled), as: UTF8.self))
    }
  }

  /// Every override as a labelled case of the triage suite, the oldest first.
  package func triageOverrides() throws -> [TriageOverride] {
    try reading {
      try connection.assessments.assessments(kind: Self.overrideKind).map {
        try JSONDecoder().decode(TriageOverride.self, from: Data($0.result.utf8))
      }
    }
  }

  /// A session of questions about an assessed intake, and how it ends.
  package func guided(
    _ assessment: CaseAssessment, of intake: Intake, patient reference: String?,
    protocolName: String = defaultTriageProtocol, now: Timestamp
  ) throws -> GuidedTriage {
    let subject = try reading {
      try (reference ?? intake.patientID).map { try practice.records.stored(patient: $0).value }
    }
    let context = PatientContext(subject, on: timeZone.date(of: now))
    return try pipeline.guided(assessment, of: intake, patient: context, protocol: protocolName)
  }
}
