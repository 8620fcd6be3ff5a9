/// What a ``Fact`` is about.
public enum FactKind: String, CaseIterable, Codable, Sendable {
  case drug
  case weight
  case bodyCondition = "body_condition"
  case temperature
  case heartRate = "heart_rate"
  case respiratoryRate = "respiratory_rate"
  /// Refill time, blood pressure, oxygen saturation.
  case vital
  case lab
  case vaccination
  case parasiteControl = "parasite_control"
  case procedure
  case problem
  case allergy
  /// What a passage says of how a treatment was borne.
  case reaction
  case ownerDecision = "owner_decision"
  case pendingResult = "pending_result"
  case finding
  /// What a note says about itself: that it belongs to another patient, or that it was copied.
  case notice
}

/// One thing a note records, with its place and what the note says about it.
///
/// What every fact has stands here; what is recorded stands in its ``Content``, a value of its own for each kind.
/// Values are in VetNet's unit, with what was written beside them. How a fact is stored is the matter of ``StoredAttributes``.
public struct Fact: Hashable, Sendable {
  /// What is recorded.
  ///
  /// Kept aside, so that sorting and filtering facts moves few bytes.
  public indirect enum Content: Hashable, Sendable {
    case drug(DrugEvent)
    case measurement(Measurement)
    case lab(LabResult)
    case vaccination(Prevention)
    case parasiteControl(Prevention)
    case procedure(FindingDetail)
    case problem(FindingDetail)
    case finding(FindingDetail)
    case allergy(Allergy)
    case reaction(ReactionMention)
    case ownerDecision(OwnerDecision)
    /// A result still to come; the words around.
    case pendingResult(subject: String?)
    /// What a note says about itself; the words around.
    case notice(subject: String?)
  }

  public var content: Content
  /// The canonical name: the generic drug, the analyte, the problem.
  public var name: String
  /// UTF-8 bytes of the words that name it.
  public var range: Range<Int>
  /// UTF-8 bytes of its value, when that stands apart.
  public var valueRange: Range<Int>?
  public var assertion: Assertion
  /// The date that its line begins with or its column has, as written: which day that is depends on the day of the note.
  public var writtenDate: String?

  public init(
    _ content: Content, name: String, range: Range<Int>, valueRange: Range<Int>? = nil,
    assertion: Assertion = Assertion(), writtenDate: String? = nil
  ) {
    self.content = content
    self.name = name
    self.range = range
    self.valueRange = valueRange
    self.assertion = assertion
    self.writtenDate = writtenDate
  }
}

extension Fact {
  public var kind: FactKind {
    switch content {
    case .drug: .drug
    case .measurement(let measurement): measurement.measure.kind
    case .lab: .lab
    case .vaccination: .vaccination
    case .parasiteControl: .parasiteControl
    case .procedure: .procedure
    case .problem: .problem
    case .finding: .finding
    case .allergy: .allergy
    case .reaction: .reaction
    case .ownerDecision: .ownerDecision
    case .pendingResult: .pendingResult
    case .notice: .notice
    }
  }

  /// Of a drug, a vaccine or a parasite treatment: what was given and what was done with it.
  public var drugEvent: DrugEvent? {
    switch content {
    case .drug(let event): event
    case .vaccination(let prevention), .parasiteControl(let prevention): prevention.event
    default: nil
    }
  }

  /// How much of a drug, how often, by which route.
  public var dosage: Dosage? { drugEvent?.dosage }

  /// What was done with a drug, a vaccine or a parasite treatment.
  public var action: TreatmentAction? { drugEvent?.action }

  /// Whether one of some things was done with it.
  public func hasAction(in actions: [TreatmentAction]) -> Bool { action.map(actions.contains) ?? false }

  public var lab: LabResult? {
    if case .lab(let result) = content { result } else { nil }
  }

  public var prevention: Prevention? {
    switch content {
    case .vaccination(let prevention), .parasiteControl(let prevention): prevention
    default: nil
    }
  }

  /// Of a finding, a problem or a procedure.
  public var finding: FindingDetail? {
    switch content {
    case .finding(let detail), .problem(let detail), .procedure(let detail): detail
    default: nil
    }
  }

  public var allergy: Allergy? {
    if case .allergy(let allergy) = content { allergy } else { nil }
  }

  public var reaction: ReactionMention? {
    if case .reaction(let mention) = content { mention } else { nil }
  }

  public var ownerDecision: OwnerDecision? {
    if case .ownerDecision(let decision) = content { decision } else { nil }
  }

  /// What was measured or given, in VetNet's unit.
  public var amount: Amount? {
    switch content {
    case .measurement(let measurement): measurement.amount
    case .lab(let result): result.amount
    default: dosage?.amount
    }
  }

  public var value: Double? { amount?.value }
  public var unit: String? { amount?.unit }
  /// The quantity before conversion; nil in facts that were read from a file.
  public var original: Quantity? { amount?.original }
  /// A value that no animal has.
  public var isImplausible: Bool { amount?.isImplausible ?? false }

  /// Whether it holds a measured value, a dose or a date.
  public var hasValue: Bool {
    value != nil || dosage?.dose != nil || dosage?.rate != nil || prevention?.due != nil || writtenDate != nil
      || lab?.result != nil
  }

  /// Of a problem, by what is said of it.
  public var problemStatus: ProblemStatus? {
    guard case .problem = content else { return nil }
    return ProblemStatus(assertion)
  }
}
