public import Assessment
public import Clinical
public import Extraction

/// What somebody dictated or typed at the patient's side, with what it names.
public struct Narrative: Sendable {
  /// The narrative as a note that nobody signed yet: its words are cited as a note's are.
  public let note: ClinicalNote
  public let findings: [Finding]
  public let facts: [Fact]
  /// What triage makes of what was told and found; nil for an empty narrative.
  public let assessment: CaseAssessment?

  public init(note: ClinicalNote, findings: [Finding], facts: [Fact], assessment: CaseAssessment?) {
    self.note = note
    self.findings = findings
    self.facts = facts
    self.assessment = assessment
  }

  var text: String { note.text }
}

/// A narrative read into sections: each line with the words, the note or the row of a table that it rests on.
///
/// What rests on nothing is no line. What the narrative does not say is unknown, and asked for where a safe decision needs it.
public struct EncounterReading: Sendable {
  public struct Line: Hashable, Sendable {
    public let kind: ProposedLine.Kind
    public let text: String
    /// What it adds to the note where the section is accepted; nil where it adds nothing.
    public let noted: String?
    /// Positions in ``EncounterReading/citations``.
    public let citations: [Int]
    public let references: [SourceReference]
    /// Whether it warns: drawn so that nobody overlooks it.
    public let isWarning: Bool

    init(
      _ kind: ProposedLine.Kind, _ text: String, noted: String? = nil, citations: [Int],
      references: [SourceReference] = [], isWarning: Bool = false
    ) {
      self.kind = kind
      self.text = text
      self.noted = noted
      self.citations = citations
      self.references = references
      self.isWarning = isWarning
    }
  }

  public struct Section: Hashable, Sendable {
    public let section: EncounterSection
    public let lines: [Line]
    /// What goes into the note where the section is accepted as it is; may be empty.
    public let words: String
  }

  /// An appointment that the narrative asks for.
  public struct FollowUp: Hashable, Sendable {
    /// The words that ask for it.
    public let text: String
    /// Nil where no length of time is written.
    public let due: ClosedRange<CalendarDate>?
    /// Whether the words name a drug, so that they may hold a dose.
    public let namesDrug: Bool
    public let citation: Int
  }

  /// The id that citations of the narrative have.
  public let narrativeID: String
  /// In the order of the note; those without a line are left out.
  public let sections: [Section]
  /// What is missing for a safe decision.
  public let questions: [Line]
  public let citations: [Citation]
  public let risk: RiskLevel?
  public let followUps: [FollowUp]
  /// What an owner is told to watch for.
  public let warnings: [Warning]

  public subscript(section: EncounterSection) -> Section? { sections.first { $0.section == section } }

  /// A line as it is kept with what was made of it.
  public func proposed(_ line: Line) -> ProposedLine {
    ProposedLine(
      kind: line.kind, text: line.text,
      places: line.citations.map { citations[$0] }.map { citation in
        ProposedLine.Place(
          note: citation.noteID == narrativeID ? nil : citation.noteID, start: citation.codePoints.lowerBound,
          end: citation.codePoints.upperBound, quote: citation.quote)
      },
      sources: line.references.map { "\($0.kind.rawValue) \($0.id)" })
  }

  /// The lines of a section as they are kept.
  public func proposed(_ section: EncounterSection) -> [ProposedLine] { (self[section]?.lines ?? []).map(proposed) }
}

/// What a reading of a narrative knows beside the patient's record.
public struct EncounterContext: Sendable {
  public var now: Timestamp
  public var zone: PracticeTimeZone
  /// What makes an animal of the species urgent, the gravest first.
  public var warningSigns: [WarningSign]

  public init(now: Timestamp, zone: PracticeTimeZone, warningSigns: [WarningSign] = []) {
    self.now = now
    self.zone = zone
    self.warningSigns = warningSigns
  }
}
