public import Assessment
public import Clinical

/// What a vet wants to know before a patient comes in: facts of the chart, each cited, and apart from them what VetNet infers.
public struct Brief: Sendable {
  public struct Line: Hashable, Sendable {
    public var text: String
    /// Positions in ``Brief/citations``; empty for what the registration says and for suggestions.
    public var citations: [Int]

    public init(_ text: String, citations: [Int] = []) {
      self.text = text
      self.citations = citations
    }
  }

  public struct Section: Hashable, Sendable {
    public enum Kind: String, Encodable, Sendable {
      /// From the registration or the appointment book.
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
  public var preparedAt: Timestamp
  public var sections: [Section]
  public var citations: [Citation]
  /// Nil when there is no reason for the visit to assess.
  public var assessment: CaseAssessment?

  public init(
    patient: Patient, appointment: Appointment?, preparedAt: Timestamp, sections: [Section], citations: [Citation],
    assessment: CaseAssessment?
  ) {
    self.patient = patient
    self.appointment = appointment
    self.preparedAt = preparedAt
    self.sections = sections
    self.citations = citations
    self.assessment = assessment
  }
}
