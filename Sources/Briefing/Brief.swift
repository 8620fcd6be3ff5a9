public import Assessment
public import Chart
public import Clinical

/// What a vet wants to know before a patient comes in: facts of the chart, each cited, and apart from them what VetNet infers.
public struct Brief: Sendable {
  public struct Line: Hashable, Sendable {
    public var text: String
    /// Positions in ``Brief/citations``; empty for what rests on no note.
    public var citations: [Int]
    /// What else the line rests on: the registration, the appointment, a message, rows of tables. Every line has a citation
    /// or a reference.
    public var references: [SourceReference]

    public init(_ text: String, citations: [Int] = [], references: [SourceReference] = []) {
      self.text = text
      self.citations = citations
      self.references = references
    }
  }

  public struct Section: Hashable, Sendable {
    public enum Kind: String, Encodable, Sendable {
      /// From the registration, the appointment book or the inbox.
      case registration
      /// From notes; every line is cited.
      case chart
      /// Inferred by VetNet; marked as such wherever it is shown.
      case suggestion
    }

    public var title: String
    public var kind: Kind
    public var lines: [Line]

    public init(_ title: String, _ kind: Kind, _ lines: [Line]) {
      self.title = title
      self.kind = kind
      self.lines = lines
    }
  }

  public var patient: Patient
  public var appointment: Appointment?
  /// Of the appointment's clinician, where the staff list has one.
  public var clinicianName: String?
  public var preparedAt: Timestamp
  public var sections: [Section]
  public var citations: [Citation]
  /// Nil when there is no reason for the visit to assess.
  public var assessment: CaseAssessment?
  /// For small charts; each point is cited.
  public var trends: [Trend] = []
  /// A suggestion; nil where nothing is known of why the patient comes.
  public var risk: RiskLevel?
  /// Names the tables that the drug alerts rest on; nil where there was none to name.
  public var formularyVersion: String?

  public init(
    patient: Patient, appointment: Appointment?, clinicianName: String? = nil, preparedAt: Timestamp,
    sections: [Section],
    citations: [Citation], assessment: CaseAssessment?
  ) {
    self.patient = patient
    self.appointment = appointment
    self.clinicianName = clinicianName
    self.preparedAt = preparedAt
    self.sections = sections
    self.citations = citations
    self.assessment = assessment
  }

  /// The brief without the lines that rest on a citation for which `holds` is false, and without sections that are left empty.
  ///
  /// - Parameter holds: one value a citation: whether its note still says what is quoted.
  /// - Returns: the same brief when all hold.
  /// - Precondition: `holds.count == citations.count`.
  public func keepingLines(where holds: [Bool]) -> Brief {
    precondition(holds.count == citations.count, "\(holds.count) verdicts for \(citations.count) citations")
    guard holds.contains(false) else { return self }
    var brief = self
    for index in brief.sections.indices {
      brief.sections[index].lines.removeAll { line in line.citations.contains { !holds[$0] } }
    }
    brief.sections.removeAll(where: \.lines.isEmpty)
    for index in brief.trends.indices { brief.trends[index].points.removeAll { !holds[$0.citation] } }
    brief.trends.removeAll { $0.points.count < 2 }
    return brief
  }
}

extension Brief {
  /// A weight or laboratory value over time.
  public struct Trend: Hashable, Sendable {
    public struct Point: Hashable, Sendable {
      public let date: CalendarDate
      /// In ``Trend/unit``.
      public let value: Double
      /// A position in ``Brief/citations``.
      public let citation: Int
    }

    public let name: String
    /// Empty for values without one.
    public let unit: String
    /// In time order, two at the least.
    public internal(set) var points: [Point]
  }
}

/// What a brief is made from beside the patient's record.
public struct BriefContext: Sendable {
  public var visit: Visit
  /// Names the tables of the formulary.
  public var formularyVersion: String?
  /// Other living patients with the same name.
  public var namesakes: [Patient] = []
  /// The records of the owner's other living animals.
  public var household: [PatientRecord] = []
  /// By staff id.
  public var staffNames: [String: String] = [:]
  /// The moment of preparation.
  public var now: Timestamp
  /// For dates.
  public var zone: PracticeTimeZone

  public init(appointment: Appointment?, now: Timestamp, zone: PracticeTimeZone) {
    visit = Visit(appointment: appointment)
    self.now = now
    self.zone = zone
  }
}

extension BriefContext {
  /// Why the patient comes, and what the program makes of it.
  public struct Visit: Sendable {
    /// Nil for a brief on the patient alone.
    public var appointment: Appointment?
    /// What the owner or a colleague sent in lately, in time order.
    public var messages: [AssessedMessage] = []
    /// Of the reason; nil when there is none to assess.
    public var assessment: CaseAssessment?
    /// Cases that came for the same.
    public var similar: [SimilarLine] = []
    /// The reason and the messages, with what they name; the reason first.
    public var presented: [PresentedText] = []

    init(appointment: Appointment?) { self.appointment = appointment }

    /// The appointment as a source; none for a brief on the patient alone.
    var reference: [SourceReference] { appointment.map { [SourceReference(.appointment, $0.id)] } ?? [] }

    /// Of the reason, then of the last messages.
    func assessments(ofLast count: Int = .max) -> [CaseAssessment] {
      [assessment].compactMap(\.self) + messages.suffix(count).map(\.assessment)
    }
  }
}

/// An intake on file with what triage makes of it.
public struct AssessedMessage: Sendable {
  public let intake: Intake
  public let assessment: CaseAssessment

  public init(intake: Intake, assessment: CaseAssessment) {
    self.intake = intake
    self.assessment = assessment
  }
}

/// A similar past case: what it shares with this one, and the words of the note that say so.
public struct SimilarLine: Sendable {
  public let text: String
  public let note: ClinicalNote
  public let range: Range<Int>

  public init(text: String, note: ClinicalNote, range: Range<Int>) {
    self.text = text
    self.note = note
    self.range = range
  }
}
