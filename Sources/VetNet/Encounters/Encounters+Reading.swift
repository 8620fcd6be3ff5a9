import Assessment
import Briefing
import Chart
package import Clinical
import Extraction
import FoundationEssentials
import Store

extension Practice.Encounters {
  /// An encounter with its reading.
  func shownEncounter(_ id: String, now: Timestamp) throws -> ShownEncounter {
    try reading {
      let stored = try storedEncounter(id)
      let decisions = try connection.encounters.decisions(row: stored.rowID)
      let reading = stored.value.state.isSigned ? nil : try self.reading(of: stored, now: now).reading
      var decided: [EncounterSection: DecidedSection] = [:]
      for decision in decisions {
        let isStale = reading.map { !Self.isSame($0.proposed(decision.section), decision.proposed) } ?? false
        decided[decision.section] = DecidedSection(decision: decision, isStale: isStale)
      }
      return ShownEncounter(
        encounter: stored.value, patient: try practice.records.stored(patient: stored.value.patientID).value,
        reading: reading,
        decided: decided, decisions: decisions,
        note: try stored.value.signature?.noteID.map(practice.records.noteHistory))
    }
  }

  /// Whether two proposals say the same; where it stands in the text may have moved.
  private static func isSame(_ one: [ProposedLine], _ other: [ProposedLine]) -> Bool {
    one.map { [$0.kind.rawValue, $0.text] } == other.map { [$0.kind.rawValue, $0.text] }
  }

  /// What is proposed for a narrative, and by which tables and models.
  func reading(of stored: Stored<Encounter>, now: Timestamp) throws -> (reading: EncounterReading, versions: String) {
    let encounter = stored.value
    return try reading(
      of: encounter.narrative, id: encounter.id, author: encounter.author,
      patient: practice.records.stored(patient: encounter.patientID), except: nil, now: now)
  }

  private func reading(
    of text: String, id: String, author: String?, patient: Stored<Patient>, except noteID: String?, now: Timestamp
  ) throws -> (reading: EncounterReading, versions: String) {
    let reader = try models.encounterReader()
    var record = try practice.records.record(of: patient, at: now)
    record.notes.removeAll { $0.id == noteID }
    let extractors = try models.extractors()
    let note = ClinicalNote(
      id: id, patientID: patient.value.id, recordedAt: now, author: author, kind: .consult, text: text)
    var narrative = Narrative(
      note: note, findings: extractors.findings.findings(in: text),
      facts: extractors.facts.facts(in: text, kind: .consult), assessment: nil)
    if text.contains(where: { !$0.isWhitespace }) {
      narrative = Narrative(
        note: note, findings: narrative.findings, facts: narrative.facts,
        assessment: try assessment(of: reader.told(in: narrative), narrative, record, now: now))
    }
    let context = EncounterContext(
      now: now, zone: timeZone,
      warningSigns: try models.assessor(protocol: Practice.Assessment.defaultTriageProtocol)
        .warningSigns(in: patient.value.species, sex: patient.value.sex))
    let versions = try versions(of: narrative.assessment)
    return (reader.reading(of: narrative, beside: record, context), versions)
  }

  /// What triage makes of the words that tell of the patient.
  private func assessment(
    of told: String, _ narrative: Narrative, _ record: PatientRecord, now: Timestamp
  ) throws -> CaseAssessment {
    let patient = record.patient
    let intake = Intake(
      id: narrative.note.id, patientID: patient.id, receivedAt: now, species: patient.species, sex: patient.sex,
      text: told)
    var assessment = try pipeline.assessment(
      of: intake, history: CaseHistory(record, at: now, zone: timeZone, today: narrative.facts),
      today: narrative.facts, clinicianID: nil, samples: [], learner: nil,
      protocol: Practice.Assessment.defaultTriageProtocol)
    if let language = try models.languageGuess().foreignLanguage(of: narrative.note.text) {
      assessment.takeAsNotUnderstood(because: "the text seems to be \(language), which VetNet can't read")
    }
    return assessment
  }

  private func versions(of assessment: CaseAssessment?) throws -> String {
    var versions = assessment?.modelVersions ?? [:]
    versions["formulary"] = String(try models.formularyVersion().prefix { $0 != ":" })
    versions["extraction"] = try models.extractionVersion()
    versions["vetnet"] = VetNetVersion.current
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(versions), as: UTF8.self)
  }

  /// What an owner takes home: of what was accepted, or of the note as it is where it is signed.
  func summarizedEncounter(_ id: String, now: Timestamp) throws -> SummarizedEncounter {
    try reading {
      let shown = try shownEncounter(id, now: now)
      let patient = try practice.records.stored(patient: shown.patient.id)
      let extractors = try models.extractors()
      let accepted: [AcceptedText]
      let reading: EncounterReading
      if let note = shown.note?.note {
        reading = try self.reading(
          of: note.text, id: shown.encounter.id, author: note.author, patient: patient, except: note.id,
          now: shown.encounter.beganAt
        ).reading
        accepted = try models.encounterReader().sections(of: narrative(of: note, extractors), by: extractors)
      } else {
        guard let own = shown.reading else {
          throw PracticeError(.notFound, "the note of encounter \(id) is not there any more")
        }
        reading = own
        accepted = EncounterSection.allCases.compactMap { section in
          guard let decision = shown.decided[section]?.decision, decision.verdict != .dropped else { return nil }
          return AcceptedText(section, decision.words, by: extractors)
        }
      }
      guard !accepted.isEmpty else {
        throw PracticeError(
          .invalidArgument, "nothing of encounter \(id) is accepted yet, and a summary holds nothing else",
          hint: "Accept or write its sections first.")
      }
      return SummarizedEncounter(
        encounter: shown.encounter, patient: shown.patient,
        summary: try models.ownerSummaries().summary(of: accepted, reading: reading, encounter: id))
    }
  }

  private func narrative(of note: ClinicalNote, _ extractors: Extractors) -> Narrative {
    Narrative(
      note: note, findings: extractors.findings.findings(in: note.text),
      facts: extractors.facts.facts(in: note.text, kind: .consult), assessment: nil)
  }

  // MARK: Lists

  func encounters(
    patient reference: String?, isOwn: Bool, states: [EncounterState], most: Int
  ) throws -> [ListedEncounter] {
    try reading {
      let patient = try reference.map { try practice.records.stored(patient: $0).rowID }
      return try connection.encounters.list(
        states: states, patient: patient, actor: isOwn ? practice.actorName : nil, limit: most
      ).map {
        ListedEncounter(encounter: $0.value, patient: try practice.records.stored(patient: $0.value.patientID).value)
      }
    }
  }

  /// Every encounter that somebody decided on: what was proposed, what became of it, and the final words.
  func encounterCases() throws -> [EncounterCase] {
    try reading {
      try connection.encounters.list(states: EncounterState.allCases).reversed().compactMap { stored in
        let decisions = try connection.encounters.decisions(row: stored.rowID)
        guard !decisions.isEmpty else { return nil }
        return EncounterCase(
          encounter: stored.value, patient: try practice.records.stored(patient: stored.value.patientID).value,
          decisions: decisions, note: try stored.value.signature?.noteID.map { try practice.records.note($0).text })
      }
    }
  }
}
