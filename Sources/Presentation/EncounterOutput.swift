import Briefing
public import Clinical
public import VetNet

/// Words that a line of an encounter rests on, as JSON: of the narrative where no note is named. Offsets are code points.
public struct PlaceOutput: Encodable {
  let note_id: String?
  let start: Int
  let end: Int
  let quote: String

  init(_ place: ProposedLine.Place) {
    note_id = place.note
    start = place.start
    end = place.end
    quote = place.quote
  }
}

/// A line of a section as JSON.
public struct EncounterLineOutput: Encodable {
  let kind: String
  let text: String
  let warning: Bool?
  let places: [PlaceOutput]
  let sources: [String]

  init(_ line: ProposedLine, isWarning: Bool = false) {
    kind = line.kind.rawValue
    text = line.text
    warning = isWarning ? true : nil
    places = line.places.map(PlaceOutput.init)
    sources = line.sources
  }
}

/// A decision about a section as JSON.
public struct EncounterDecisionOutput: Encodable {
  let section: String
  let verdict: String
  let words: String
  let at: String
  let by: String
  /// Only of the last decision about a section, while the encounter isn't signed.
  let stale: Bool?
  /// Only in cases.
  let proposed: [EncounterLineOutput]?
  let versions: String?

  init(_ decision: EncounterDecision, isStale: Bool? = nil, isWhole: Bool = false, zone: PracticeTimeZone) {
    section = decision.section.rawValue
    verdict = decision.verdict.rawValue
    words = decision.words
    at = zone.iso8601(decision.at)
    by = decision.actor
    stale = isStale
    proposed = isWhole ? decision.proposed.map { EncounterLineOutput($0) } : nil
    versions = isWhole ? decision.versions : nil
  }
}

/// An encounter as JSON, without its reading.
public struct EncounterOutput: Encodable, Sendable {
  let id: String
  let patient_id: String
  let appointment_id: String?
  let author: String
  let begun_by: String
  let state: String
  let revision: Int
  let began_at: String
  let changed_at: String
  let text: String
  let note_id: String?
  let signed_at: String?
  let signed_by: String?
  let signed_hash: String?

  public init(_ encounter: Encounter, zone: PracticeTimeZone) {
    id = encounter.id
    patient_id = encounter.patientID
    appointment_id = encounter.appointmentID
    author = encounter.author
    begun_by = encounter.actor
    state = encounter.state.rawValue
    revision = encounter.revision
    began_at = zone.iso8601(encounter.beganAt)
    changed_at = zone.iso8601(encounter.changedAt)
    text = encounter.narrative
    note_id = encounter.signature?.noteID
    signed_at = encounter.signature.map { zone.iso8601($0.at) }
    signed_by = encounter.signature?.actor
    signed_hash = encounter.signature?.hash
  }
}

/// What a save answers: enough to go on from, and small, for it is kept to be given again.
public struct SavedEncounterOutput: Encodable {
  let id: String
  let state: String
  let revision: Int
  let saved_at: String
  let note_id: String?

  public init(_ encounter: Encounter, zone: PracticeTimeZone) {
    id = encounter.id
    state = encounter.state.rawValue
    revision = encounter.revision
    saved_at = zone.iso8601(encounter.changedAt)
    note_id = encounter.signature?.noteID
  }
}

/// An encounter with its reading as JSON.
public struct ShownEncounterOutput: Encodable {
  public struct SectionOutput: Encodable {
    let section: String
    let title: String
    let words: String
    let lines: [EncounterLineOutput]
  }

  public struct FollowUpOutput: Encodable {
    let text: String
    let from: String?
    let to: String?
  }

  let encounter: EncounterOutput
  let patient: PatientOutput
  let risk: RiskLevel?
  let sections: [SectionOutput]
  let questions: [EncounterLineOutput]
  let follow_ups: [FollowUpOutput]
  let decisions: [EncounterDecisionOutput]
  /// What is not decided on yet of what the next step needs.
  let open: [String]
  let note_text: String

  public init(_ shown: ShownEncounter, now: Timestamp, zone: PracticeTimeZone) {
    encounter = EncounterOutput(shown.encounter, zone: zone)
    patient = PatientOutput(shown.patient, on: zone.date(of: now))
    let reading = shown.reading
    risk = reading?.risk
    func output(_ line: EncounterReading.Line) -> EncounterLineOutput? {
      reading.map { EncounterLineOutput($0.proposed(line), isWarning: line.isWarning) }
    }
    sections = (reading?.sections ?? []).map {
      SectionOutput(
        section: $0.section.rawValue, title: $0.section.title, words: $0.words, lines: $0.lines.compactMap(output))
    }
    questions = (reading?.questions ?? []).compactMap(output)
    follow_ups = (reading?.followUps ?? []).map {
      FollowUpOutput(
        text: $0.text, from: $0.due.map { "\($0.lowerBound)" }, to: $0.due.map { "\($0.upperBound)" })
    }
    decisions = EncounterSection.allCases.compactMap { shown.decided[$0] }.map {
      EncounterDecisionOutput($0.decision, isStale: $0.isStale, zone: zone)
    }
    open = shown.open(for: shown.encounter.state.next ?? .planComplete).map(\.rawValue)
    note_text = shown.note?.note.text ?? shown.noteText
  }
}

/// A labelled case: what was proposed, what became of it, and the final words.
public struct EncounterCaseOutput: Encodable {
  let encounter: EncounterOutput
  let species: String
  let decisions: [EncounterDecisionOutput]
  let note_text: String?

  public init(_ one: EncounterCase, zone: PracticeTimeZone) {
    encounter = EncounterOutput(one.encounter, zone: zone)
    species = one.patient.species.rawValue
    decisions = one.decisions.map { EncounterDecisionOutput($0, isWhole: true, zone: zone) }
    note_text = one.note
  }
}

/// A summary for an owner as JSON.
public struct OwnerSummaryOutput: Encodable {
  public struct LineOutput: Encodable {
    let text: String
    let references: [SourceReference]
  }

  public struct PartOutput: Encodable {
    let part: String
    let title: String
    let lines: [LineOutput]
  }

  let encounter_id: String
  let patient: PatientOutput
  let parts: [PartOutput]

  public init(_ summarized: SummarizedEncounter, now: Timestamp, zone: PracticeTimeZone) {
    encounter_id = summarized.encounter.id
    patient = PatientOutput(summarized.patient, on: zone.date(of: now))
    parts = summarized.summary.parts.map { part in
      PartOutput(
        part: part.kind.rawValue, title: part.title,
        lines: part.lines.map { LineOutput(text: $0.text, references: $0.references) })
    }
  }
}
