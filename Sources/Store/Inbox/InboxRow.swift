public import Clinical

/// What came in and waits to be filed, as it lies in the file. Words that are codes are the practice's: see `InboxItem` there.
public struct InboxRow: Hashable, Sendable {
  /// Where it came from.
  public struct Origin: Hashable, Sendable {
    /// The source's name.
    public var source: String
    /// A file's path, a message's id, an event's UID.
    public var externalID: String
    public var kind: String
    public var receivedAt: Timestamp

    public init(source: String, externalID: String, kind: String, receivedAt: Timestamp) {
      self.source = source
      self.externalID = externalID
      self.kind = kind
      self.receivedAt = receivedAt
    }
  }

  /// What it says.
  public struct Content: Hashable, Sendable {
    /// JSON of what was read beside the text.
    public var details: String
    public var text: String
    /// Its bytes as they came; nil where they are the text.
    public var original: [UInt8]?
    public var mediaType: String?

    public init(details: String, text: String, original: [UInt8]? = nil, mediaType: String? = nil) {
      self.details = details
      self.text = text
      self.original = original
      self.mediaType = mediaType
    }
  }

  /// Somebody it may be about.
  public struct Candidate: Hashable, Sendable {
    /// As the practice shows it.
    public var patientID: String
    /// 0 to 1.
    public var certainty: Double
    public var evidence: [String]

    public init(patientID: String, certainty: Double, evidence: [String]) {
      self.patientID = patientID
      self.certainty = certainty
      self.evidence = evidence
    }
  }

  /// What has become of it.
  public struct Standing: Hashable, Sendable {
    public var state: String
    /// Why it couldn't be filed.
    public var reason: String
    public var urgency: String?
    /// The row of the appointment that waits for its patient.
    public var appointment: Int64?
    /// The row of the intake that does.
    public var intake: Int64?
    public var filed: Filed?
    /// JSON of what the level rests on.
    public var assessed: String?
    /// When it comes back.
    public var until: Timestamp?
    /// What its sender is asked.
    public var asked: String?
    /// Whether its time to come back has come.
    public var isBack = false
    /// Grows with every decision, and every one that is taken back.
    public var revision = 0

    public init(
      state: String, reason: String, urgency: String? = nil, appointment: Int64? = nil, intake: Int64? = nil,
      assessed: String? = nil
    ) {
      self.state = state
      self.reason = reason
      self.urgency = urgency
      self.appointment = appointment
      self.intake = intake
      self.assessed = assessed
    }
  }

  /// What is decided about it.
  public struct Deed: Hashable, Sendable {
    public var state: String
    public var filed: Filed?
    public var reason: String?
    public var until: Timestamp?
    public var asked: String?
    /// The row of the visit that is booked with it, and its version then.
    public var booked: Int64?
    public var bookedVersion: Int64?
    /// The first decision of those that are made as one.
    public var batch: Int64?

    public init(_ state: String, reason: String? = nil) {
      self.state = state
      self.reason = reason
    }
  }

  /// The record that it became.
  public struct Filed: Hashable, Sendable {
    public var patient: Int64
    public var table: RecordTable
    public var row: Int64

    public init(patient: Int64, table: RecordTable, row: Int64) {
      self.patient = patient
      self.table = table
      self.row = row
    }
  }

  /// A step from one state to another.
  public struct Decision: Hashable, Sendable {
    public var rowID: Int64
    public var item: Int64
    public var at: Timestamp
    public var actor: String
    public var before: String
    public var after: String
    public var reason: String?
    public var undone: Undone?
    public var batch: Int64?
    /// The row of the visit that was booked with it, and its version then.
    public var booked: Int64?
    public var bookedVersion: Int64?
  }

  /// Where somebody is in the queue.
  public struct Place: Hashable, Sendable {
    public var actor: String
    public var item: Int64?
    public var chosen: [Int64]
    public var at: Timestamp

    public init(actor: String, item: Int64?, chosen: [Int64], at: Timestamp) {
      self.actor = actor
      self.item = item
      self.chosen = chosen
      self.at = at
    }
  }

  public struct Undone: Hashable, Sendable {
    public var at: Timestamp
    public var actor: String
  }

  /// How much there is to do.
  public struct Tally: Hashable, Sendable {
    public var waiting: Int
    /// Of those that wait, red or orange.
    public var urgent: Int
    public var later: Int
    /// Of those that don't wait, asked about.
    public var asked: Int
    public var decided: Int
  }

  /// 0 for one that is in no file yet.
  public var rowID: Int64
  public var origin: Origin
  public var content: Content
  public var standing: Standing
  /// The likeliest first.
  public var candidates: [Candidate]

  public init(rowID: Int64 = 0, origin: Origin, content: Content, standing: Standing, candidates: [Candidate]) {
    self.rowID = rowID
    self.origin = origin
    self.content = content
    self.standing = standing
    self.candidates = candidates
  }
}
