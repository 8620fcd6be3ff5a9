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
      /// A name that is one slip of the hand from the patient's, or the owner's.
      case misspelt
      /// The owner's only animal.
      case only
      // What speaks against it.
      case otherSpecies = "other-species"
      case otherChip = "other-chip"
      case otherOwner = "other-owner"
      case died

      public var speaksAgainst: Bool { [.otherSpecies, .otherChip, .otherOwner, .died].contains(self) }
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
    // The rest of an intake.
    public var breed: String?
    public var age: String?
    public var sex: Sex?
    public var weightKilograms: Double?
    /// What the animal is called, by whoever wrote.
    public var animal: String?
    /// A number or an address by which whoever wrote can be reached.
    public var contact: String?
    /// The item that it answers, by id.
    public var answers: String?

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
  /// The intake on file that does.
  public var intakeID: String?

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
  public enum State: String, CaseIterable, Codable, Sendable {
    case waiting, later
    /// Its sender was asked something, and it waits for the answer.
    case asked
    case filed, rejected

    /// Those that somebody still has to decide.
    public static let open: [State] = [.waiting, .later, .asked]
  }

  /// What the level of a message rests on, as it was assessed when it came in.
  public struct Level: Codable, Hashable, Sendable {
    /// What to do now.
    public let action: String
    public let targetMinutes: Int
    /// Which part of the program put the level there, in a sentence.
    public let basis: String
    /// The message's own words that weighed most.
    public let words: [String]
    public let hasTooLittleInformation: Bool
  }

  /// Somebody who has it open now.
  public struct Reader: Hashable, Sendable {
    public let name: String
    public let since: Timestamp
  }

  /// What was decided about it.
  public struct Decision: Sendable {
    public let at: Timestamp
    public let actor: String
    public let before: State
    public let after: State
    public let reason: String?
    public let undoneAt: Timestamp?
    public let undoneBy: String?
    /// What was decided as one with it has the same.
    public let batch: Int64?
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
  /// What its level rests on; nil for one without, or from before levels were kept with it.
  public let level: Level?
  /// When it comes back, or came back, of one that was put off or asked about.
  public let until: Timestamp?
  /// What its sender is asked.
  public let asked: String?
  /// Whether its time to come back has come, or its answer.
  public let isBack: Bool
  /// Others who have it open.
  public let readers: [Reader]
  /// The visit that was booked with it.
  public let booked: Appointment?
  /// Grows with every decision about it: an act names the one that it is based on.
  public let revision: Int
  /// The decision that stands; nil where there is none.
  public let standing: Decision?

  /// When it was asked about; nil where it isn't.
  public var askedAt: Timestamp? { state == .asked ? standing?.at : nil }

  /// What was decided as one with it, where it was.
  public var batch: Int64? { standing?.batch }

  /// The one proposal that filing at a stroke may mean: likely, alive, alone with that name, and well ahead of any other. Nothing is
  /// filed by it; it is what a button or a swipe names.
  public var clearProposal: Proposal? {
    guard let first = proposals.first, first.candidate.certainty >= 0.6, first.patient.deceasedAt == nil,
      !namesakes.contains(where: { $0.name.lowercased() == first.patient.name.lowercased() })
    else { return nil }
    let others = proposals.dropFirst()
    guard
      others.allSatisfy({
        $0.patient.name.lowercased() != first.patient.name.lowercased()
          && first.candidate.certainty - $0.candidate.certainty >= 0.1
      })
    else { return nil }
    return first
  }

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
  /// Of those that don't wait, asked about.
  public let asked: Int
  /// Items of which something was decided today that still stands.
  public let decided: Int

  /// `12 of 40, 3 urgent left`
  public var words: String {
    var words = "\(decided) of \(decided + waiting), \(urgent == 0 ? "none" : String(urgent)) urgent left"
    if later > 0 { words += ", \(later) put off" }
    if asked > 0 { words += ", \(asked) asked about" }
    return words
  }
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
