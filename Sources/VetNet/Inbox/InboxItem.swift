public import Clinical
import FoundationEssentials
import Store

/// Something that came in and could not be filed for certain, on its way into the inbox.
public struct IncomingItem: Codable, Sendable {
  /// What it is, and so what it becomes when somebody says whose it is.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    /// Becomes a note, a referral unless it says otherwise.
    case letter
    /// Becomes a note of its own kind.
    case note
    /// Becomes an intake.
    case intake
    /// An event of a calendar, which is in the book and gets its patient.
    case event
  }

  /// Why it could not be filed.
  public enum Reason: String, CaseIterable, Codable, Sendable {
    case noPatient = "no patient"
    case unknownPatient = "unknown patient"
    case severalPatients = "several patients"
    case unsurePatient = "unsure patient"
    case noDate = "no date"
    case unreadable

    /// For a person.
    public var words: String {
      switch self {
      case .noPatient: "says of no patient that it is about them"
      case .unknownPatient: "is about a patient who is not on file"
      case .severalPatients: "fits several patients"
      case .unsurePatient: "is probably about a patient, which somebody has to confirm"
      case .noDate: "says nothing of its date"
      case .unreadable: "can't be read"
      }
    }
  }

  /// Somebody it may be about.
  public struct Candidate: Hashable, Codable, Sendable {
    /// What speaks for it.
    public enum Evidence: String, CaseIterable, Codable, Sendable {
      case microchip, id, name, owner, species, breed, email, phone, address
      /// Booked, or seen, at about that time.
      case visit
    }

    public var patientID: String
    /// 0 (none) to 1; never so sure that it is filed unasked.
    public var certainty: Double
    public var evidence: [Evidence]

    public init(patientID: String, certainty: Double, evidence: [Evidence]) {
      self.patientID = patientID
      self.certainty = certainty
      self.evidence = evidence
    }
  }

  /// What was read of it beside its text; all of it may be missing.
  public struct Details: Hashable, Codable, Sendable {
    /// A subject, a summary.
    public var title: String?
    /// A staff id or a name.
    public var author: String?
    /// When it was written, or is about.
    public var datedAt: Timestamp?
    /// Of a note.
    public var noteKind: NoteKind?
    /// Of an intake: `phone`, `web`, …
    public var channel: String?
    public var species: Species?

    public init(
      title: String? = nil, author: String? = nil, datedAt: Timestamp? = nil, noteKind: NoteKind? = nil,
      channel: String? = nil, species: Species? = nil
    ) {
      self.title = title
      self.author = author
      self.datedAt = datedAt
      self.noteKind = noteKind
      self.channel = channel
      self.species = species
    }
  }

  /// Bytes as they came, where the text was read out of them.
  public struct Original: Hashable, Codable, Sendable {
    /// `application/pdf`, …
    public var mediaType: String
    public var bytes: [UInt8]

    public init(mediaType: String, bytes: [UInt8]) {
      self.mediaType = mediaType
      self.bytes = bytes
    }
  }

  /// Where it came from.
  public struct Origin: Hashable, Codable, Sendable {
    /// Ids are unique within a source.
    public var source: String
    /// A file's path, a message's id, an event's UID: the same again is no news.
    public var id: String
    public var receivedAt: Timestamp

    public init(source: String, id: String, receivedAt: Timestamp) {
      self.source = source
      self.id = id
      self.receivedAt = receivedAt
    }
  }

  public var kind: Kind
  public var origin: Origin
  public var text: String
  public var original: Original?
  public var details: Details
  public var reason: Reason
  /// The likeliest first.
  public var candidates: [Candidate]
  /// Where it is assessed; an intake is when it comes in.
  public var urgency: Urgency?
  /// The appointment that waits for its patient, of an event.
  public var appointmentID: String?

  public init(
    _ kind: Kind, from origin: Origin, text: String, reason: Reason, details: Details = Details(),
    candidates: [Candidate] = []
  ) {
    self.kind = kind
    self.origin = origin
    self.text = text
    self.reason = reason
    self.details = details
    self.candidates = candidates
  }
}

/// Something that came in, as it stands in the inbox.
public struct InboxItem: Sendable {
  public enum State: String, CaseIterable, Codable, Sendable { case waiting, later, filed, rejected }

  /// What was decided about it.
  public struct Decision: Sendable {
    public let at: Timestamp
    public let actor: String
    public let before: State
    public let after: State
    public let reason: String?
    public let undoneAt: Timestamp?
    public let undoneBy: String?
  }

  /// The record that it became.
  public struct Filed: Sendable {
    public let patient: Patient
    /// `note`, `intake` or `appointment`.
    public let kind: String
    public let id: String
  }

  /// Somebody it may be about, with what tells them from others.
  public struct Proposal: Sendable {
    public let patient: Patient
    public let candidate: IncomingItem.Candidate
  }

  /// `inbox-12`
  public let id: String
  public let content: IncomingItem
  public let state: State
  public let proposals: [Proposal]
  /// Others alive on file who have a proposed patient's name.
  public let namesakes: [Patient]
  /// Nil for one that isn't filed.
  public let filed: Filed?
  /// The oldest first; none in a list.
  public let decisions: [Decision]
  /// How many bytes came, where the text was read out of them.
  public let originalCount: Int?
  /// The appointment that waits for its patient.
  public let appointment: Appointment?

  static func id(_ row: Int64) -> String { "inbox-\(row)" }

  /// The row that an id names: `inbox-12`, or `12`.
  static func row(_ id: String) -> Int64? {
    Int64(id.hasPrefix("inbox-") ? id.dropFirst("inbox-".count) : id[...]).flatMap { $0 > 0 ? $0 : nil }
  }
}

/// How much of the inbox there is to do.
public struct InboxTally: Encodable, Hashable, Sendable {
  public let waiting: Int
  /// Of those that wait, red or orange.
  public let urgent: Int
  public let later: Int
  /// Items of which something was decided today that still stands.
  public let decided: Int
}

/// An item with the last decision about it that stands.
public struct DecidedInboxItem: Sendable {
  public let item: InboxItem
  public let decision: InboxItem.Decision
}

/// What was new of what came in.
public struct InboxReceipt: Encodable, Sendable {
  public internal(set) var added = 0
  /// Known, with another content: they wait again.
  public internal(set) var updated = 0
  public internal(set) var unchanged = 0
  /// In the order in which they came.
  public internal(set) var ids: [String] = []
}
