public import Clinical
import FoundationEssentials
public import VetNet

/// An item of the inbox on its way to another practice file: a line of JSON, whole.
public struct InboxLine: Codable, Sendable {
  private struct Candidate: Codable {
    var patient_id: String
    var certainty: Double
    var evidence: [IncomingItem.Candidate.Evidence]
  }

  private var source: String
  private var origin: String
  private var kind: IncomingItem.Kind
  private var received_at: String
  private var reason: IncomingItem.Reason
  private var text: String
  private var title: String?
  private var author: String?
  private var dated_at: String?
  private var note_kind: NoteKind?
  private var channel: String?
  private var species: Species?
  private var urgency: Urgency?
  private var candidates: [Candidate]
  private var appointment_id: String?
  private var media_type: String?
  /// In base 64.
  private var original: Data?
  /// Where it waits no more.
  public private(set) var state: InboxItem.State
  /// Why it was put off or rejected.
  public private(set) var decision: String?
  private var until: String?
  /// What its sender is asked.
  public private(set) var asked: String?
  private var animal: String?
  private var contact: String?
  private var breed: String?
  private var age: String?
  private var sex: Sex?
  private var weight_kg: Double?
  /// The intake on file that waits for its patient.
  private var intake_id: String?

  public init(_ item: InboxItem, zone: PracticeTimeZone) {
    let content = item.content
    source = content.origin.source
    origin = content.origin.id
    kind = content.kind
    received_at = zone.iso8601(content.origin.receivedAt)
    reason = content.reason
    text = content.text
    title = content.details.title
    author = content.details.author
    dated_at = content.details.datedAt.map(zone.iso8601)
    note_kind = content.details.noteKind
    channel = content.details.channel
    species = content.details.species
    urgency = content.urgency
    candidates = content.candidates.map {
      Candidate(patient_id: $0.patientID, certainty: $0.certainty, evidence: $0.evidence)
    }
    appointment_id = content.appointmentID
    media_type = content.original?.mediaType
    original = content.original.map { Data($0.bytes) }
    state = item.state
    decision = item.decisions.last { $0.undoneAt == nil }?.reason
    until = item.until.map(zone.iso8601)
    asked = item.asked
    animal = content.details.animal
    contact = content.details.contact
    breed = content.details.breed
    age = content.details.age
    sex = content.details.sex
    weight_kg = content.details.weightKilograms
    intake_id = content.intakeID
  }

  /// When it comes back, where that is to come.
  ///
  /// - Throws: the field, where it is no time.
  public func until(in zone: PracticeTimeZone, now: Timestamp) throws(UnreadableField) -> Timestamp? {
    guard let until else { return nil }
    guard let moment = ISODateTime(until).map(zone.timestamp(of:)) else { throw UnreadableField(name: "until") }
    return moment > now ? moment : nil
  }

  /// What comes in by it.
  ///
  /// - Throws: the field that is no time.
  public func item(in zone: PracticeTimeZone) throws(UnreadableField) -> IncomingItem {
    func moment(_ text: String, _ field: String) throws(UnreadableField) -> Timestamp {
      guard let moment = ISODateTime(text).map(zone.timestamp(of:)) else { throw UnreadableField(name: field) }
      return moment
    }
    var details = IncomingItem.Details(
      title: title, author: author, noteKind: note_kind, channel: channel, species: species)
    if let dated_at { details.datedAt = try moment(dated_at, "dated_at") }
    details.animal = animal
    details.contact = contact
    details.breed = breed
    details.age = age
    details.sex = sex
    details.weightKilograms = weight_kg
    var item = IncomingItem(
      kind, from: .init(source: source, id: origin, receivedAt: try moment(received_at, "received_at")), text: text,
      reason: reason, details: details,
      candidates: candidates.map {
        .init(patientID: $0.patient_id, certainty: $0.certainty, evidence: $0.evidence)
      })
    item.urgency = urgency
    item.appointmentID = appointment_id
    item.intakeID = intake_id
    if let original {
      item.original = .init(mediaType: media_type ?? "application/octet-stream", bytes: [UInt8](original))
    }
    return item
  }

  public struct UnreadableField: Error {
    public let name: String
  }
}
