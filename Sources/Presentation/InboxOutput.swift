public import Clinical
public import VetNet

/// An item of the inbox as JSON; its text only where the whole of it is shown.
public struct InboxItemOutput: Encodable {
  public struct CandidateOutput: Encodable {
    let patient_id: String
    let name: String
    let species: String
    let owner_name: String?
    let certainty: Double
    let evidence: [String]
  }

  public struct FiledOutput: Encodable {
    let patient_id: String
    let kind: String
    let id: String
  }

  public struct DecisionOutput: Encodable {
    let at: String
    let by: String
    let before: String
    let after: String
    let reason: String?
    let undone_at: String?
    let undone_by: String?
  }

  public struct OriginalOutput: Encodable {
    let media_type: String
    let bytes: Int
  }

  let id: String
  let kind: String
  let state: String
  let source: String
  let origin: String
  let received_at: String
  let dated_at: String?
  let title: String?
  let author: String?
  let reason: String
  let urgency: String?
  let candidates: [CandidateOutput]
  let appointment: AppointmentOutput?
  let filed: FiledOutput?
  let text: String?
  let original: OriginalOutput?
  let decisions: [DecisionOutput]?
  /// What an act names as `seen`.
  let revision: Int
  let until: String?
  let asked: String?
  let is_back: Bool
  let level: LevelOutput?
  let readers: [String]
  let booked: AppointmentOutput?
  let contact: String?
  let animal: String?
  let answers: String?
  /// Of the decision that stands, where others were made with it.
  let batch: Int64?

  public struct LevelOutput: Encodable {
    let action: String
    let target_minutes: Int
    let basis: String
    let words: [String]
  }

  public init(_ item: InboxItem, zone: PracticeTimeZone, isWhole: Bool) {
    let content = item.content
    id = item.id
    kind = content.kind.rawValue
    state = item.state.rawValue
    source = content.origin.source
    origin = content.origin.id
    received_at = zone.iso8601(content.origin.receivedAt)
    dated_at = content.details.datedAt.map(zone.iso8601)
    title = content.details.title
    author = content.details.author
    reason = content.reason.rawValue
    urgency = content.urgency?.rawValue
    candidates = item.proposals.map {
      CandidateOutput(
        patient_id: $0.patient.id, name: $0.patient.name, species: $0.patient.species.rawValue,
        owner_name: $0.patient.ownerName, certainty: $0.candidate.certainty,
        evidence: $0.candidate.evidence.map(\.rawValue))
    }
    appointment = item.appointment.map { AppointmentOutput($0, zone: zone) }
    filed = item.filed.map { FiledOutput(patient_id: $0.patient.id, kind: $0.kind, id: $0.id) }
    revision = item.revision
    until = item.until.map(zone.iso8601)
    asked = item.asked
    is_back = item.isBack
    level = item.level.map {
      LevelOutput(action: $0.action, target_minutes: $0.targetMinutes, basis: $0.basis, words: isWhole ? $0.words : [])
    }
    readers = item.readers.map(\.name)
    booked = item.booked.map { AppointmentOutput($0, zone: zone) }
    contact = content.details.contact
    animal = content.details.animal
    answers = content.details.answers
    batch = item.batch
    text = isWhole ? content.text : nil
    original = content.original.map { OriginalOutput(media_type: $0.mediaType, bytes: $0.bytes.count) }
    decisions =
      isWhole
      ? item.decisions.map {
        DecisionOutput(
          at: zone.iso8601($0.at), by: $0.actor, before: $0.before.rawValue, after: $0.after.rawValue,
          reason: $0.reason, undone_at: $0.undoneAt.map(zone.iso8601), undone_by: $0.undoneBy)
      } : nil
  }
}
