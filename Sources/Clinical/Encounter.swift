/// How far an encounter is: what a vet writes at the patient's side, until it is signed and one note.
public enum EncounterState: String, CaseIterable, Codable, Comparable, Sendable {
  case draft
  /// Complaint, history and examination are decided on.
  case historyComplete = "history complete"
  /// Everything is decided on.
  case planComplete = "plan complete"
  /// Signed: it is a note.
  case final
  /// Signed, and the note was given another text since.
  case amended

  /// Whether it is a note; what changes from there on is an amendment.
  public var isSigned: Bool { self >= .final }

  /// The state that a step forward leads to; nil where only signing or an amendment goes on.
  public var next: Self? {
    switch self {
    case .draft: .historyComplete
    case .historyComplete: .planComplete
    case .planComplete, .final, .amended: nil
    }
  }

  /// Whether an encounter may go from this state to another. Signing and amending are moves, too; nothing goes back.
  public func mayBecome(_ other: Self) -> Bool {
    switch (self, other) {
    case (.draft, .historyComplete), (.historyComplete, .planComplete), (.planComplete, .final), (.final, .amended),
      (.amended, .amended):
      true
    default: false
    }
  }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    (allCases.firstIndex(of: lhs) ?? 0) < (allCases.firstIndex(of: rhs) ?? 0)
  }
}

/// A part of an encounter that somebody accepts, edits or drops, in the order in which the note has them.
public enum EncounterSection: String, CaseIterable, Codable, Sendable {
  case complaint, history, examination, assessment
  case workUp = "work-up"
  case plan, risk
  case followUp = "follow-up"

  /// The state that asks for a decision on it.
  public var neededFor: EncounterState {
    switch self {
    case .complaint, .history, .examination: .historyComplete
    case .assessment, .workUp, .plan, .risk, .followUp: .planComplete
    }
  }

  /// As a note heads it.
  public var title: String {
    switch self {
    case .complaint: "Presenting complaint"
    case .history: "History"
    case .examination: "Examination"
    case .assessment: "Assessment"
    case .workUp: "Diagnostic plan"
    case .plan: "Plan"
    case .risk: "Risk"
    case .followUp: "Follow-up"
    }
  }
}

/// What somebody did with a section as it was proposed.
public enum EncounterVerdict: String, CaseIterable, Codable, Sendable {
  case accepted, edited, dropped
}

/// A line as it was proposed: kept with what was made of it, so that a proposal can be judged later.
public struct ProposedLine: Hashable, Codable, Sendable {
  public enum Kind: String, CaseIterable, Codable, Sendable {
    /// The vet's own words: they go into the note.
    case words
    /// What the program adds: it goes into the note where it is accepted.
    case proposal
    /// What was checked: it is shown, and doesn't go into the note.
    case check
  }

  /// Some words, in Unicode code points.
  public struct Place: Hashable, Codable, Sendable {
    /// Nil for the narrative.
    public var note: String?
    public var start: Int
    public var end: Int
    public var quote: String

    public init(note: String?, start: Int, end: Int, quote: String) {
      self.note = note
      self.start = start
      self.end = end
      self.quote = quote
    }
  }

  public var kind: Kind
  public var text: String
  public var places: [Place]
  /// Rows of tables and records, as `table formulary/interactions.tsv#nsaid-steroid`.
  public var sources: [String]

  public init(kind: Kind, text: String, places: [Place], sources: [String]) {
    self.kind = kind
    self.text = text
    self.places = places
    self.sources = sources
  }
}

/// What was made of a section: the proposal, the decision and the final words.
public struct EncounterDecision: Hashable, Codable, Sendable {
  public var section: EncounterSection
  public var verdict: EncounterVerdict
  public var proposed: [ProposedLine]
  /// What goes into the note; empty for what was dropped.
  public var words: String
  /// The versions of the tables and models that proposed.
  public var versions: String
  public var at: Timestamp
  public var actor: String

  public init(
    section: EncounterSection, verdict: EncounterVerdict, proposed: [ProposedLine], words: String, versions: String,
    at: Timestamp, actor: String
  ) {
    self.section = section
    self.verdict = verdict
    self.proposed = proposed
    self.words = words
    self.versions = versions
    self.at = at
    self.actor = actor
  }
}

/// What a vet writes about a patient at its side, and how far it is.
public struct Encounter: Hashable, Sendable {
  /// How an encounter became a note.
  public struct Signature: Hashable, Sendable {
    public var at: Timestamp
    /// Who signed.
    public var actor: String
    /// Of the note's text as it was signed, in hexadecimal.
    public var hash: String
    /// Nil where the note is gone.
    public var noteID: String?

    public init(at: Timestamp, actor: String, hash: String, noteID: String?) {
      self.at = at
      self.actor = actor
      self.hash = hash
      self.noteID = noteID
    }
  }

  public var id: String
  public var patientID: String
  /// The visit that it belongs to.
  public var appointmentID: String?
  /// As the note will name them: a staff id or a name.
  public var author: String
  /// Under whose name it was begun.
  public var actor: String
  public var state: EncounterState
  public var narrative: String
  /// Grows with every change; a change names the one that it is based on.
  public var revision: Int
  public var beganAt: Timestamp
  public var changedAt: Timestamp
  public var signature: Signature?

  public init(
    id: String, patientID: String, appointmentID: String? = nil, author: String, actor: String,
    state: EncounterState = .draft, narrative: String, revision: Int = 1, beganAt: Timestamp, changedAt: Timestamp,
    signature: Signature? = nil
  ) {
    self.id = id
    self.patientID = patientID
    self.appointmentID = appointmentID
    self.author = author
    self.actor = actor
    self.state = state
    self.narrative = narrative
    self.revision = revision
    self.beganAt = beganAt
    self.changedAt = changedAt
    self.signature = signature
  }
}
