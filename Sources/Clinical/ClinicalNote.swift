/// What a note records; the words are the import format's.
public enum NoteKind: String, CaseIterable, Codable, Sendable {
  case consult, phone, lab, nurse, surgery, referral, prescription, intake
}

/// One entry of a patient's record, exactly as it was written.
///
/// Ranges into a note are UTF-8 byte offsets of ``text``, which is never changed after import: a changed note is a new
/// text, and everything derived from the old one goes with it.
public struct ClinicalNote: Hashable, Sendable {
  public var id: String
  public var patientID: String
  public var recordedAt: Timestamp
  /// A staff id or a name from elsewhere.
  public var author: String?
  public var kind: NoteKind
  public var text: String

  public init(
    id: String, patientID: String, recordedAt: Timestamp, author: String? = nil, kind: NoteKind = .consult, text: String
  ) {
    self.id = id
    self.patientID = patientID
    self.recordedAt = recordedAt
    self.author = author
    self.kind = kind
    self.text = text
  }
}
