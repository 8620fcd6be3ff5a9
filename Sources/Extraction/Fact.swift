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
/// Values are in VetNet's unit; what was written stays beside them (`original`, and the text under `valueRange`).
/// `attributes` hold what more was written, by kind:
///
/// - drug: `drug` (id), `brand`, `dose` and `dose_rate` (as written), `strength`, `route`, `frequency` (`q24h` …),
///   `duration`, `quantity`, `action` (started, stopped, changed, continued, dispensed, given, declined, not given);
/// - lab: `reference_low`, `reference_high`, `flag` (high, low), `result`, `column` and `date` in a serial table, `previous`
///   (the number it is compared with), `side` of paired organs;
/// - vaccination, parasite control: `action` (given, due, overdue, declined), `due` (as written), `brand`;
/// - problem: `status` (active, resolved, ruled out, suspected), `side`, `system`; finding, procedure: `side`, `system`;
/// - reaction: `event` (a ``ReactionLabel``), `treatment` (drug, drugClass, vaccine, anaesthesia, product), `named` (bytes of
///   its name, as `12-20`), `probability`; the range is the passage;
/// - allergy, owner decision, pending result, notice: `subject`, `amount`;
/// - finding, problem, procedure: `candidates`, what ambiguous shorthand may mean, by concept, where nothing decides;
/// - any: `date`, when its line begins with one; `implausible` = `true` for a value no animal has.
public struct Fact: Hashable, Codable, Sendable {
  public var kind: FactKind
  /// The canonical name: the generic drug, the analyte, the problem.
  public var name: String
  public var value: Double?
  public var unit: String?
  /// The quantity before conversion.
  public var original: Quantity?
  /// UTF-8 bytes of the words that name it.
  public var range: Range<Int>
  /// UTF-8 bytes of its value, when that stands apart.
  public var valueRange: Range<Int>?
  public var assertion: Assertion
  public var attributes: [String: String]

  public init(
    kind: FactKind, name: String, value: Double? = nil, unit: String? = nil, original: Quantity? = nil,
    range: Range<Int>, valueRange: Range<Int>? = nil, assertion: Assertion = Assertion(),
    attributes: [String: String] = [:]
  ) {
    self.kind = kind
    self.name = name
    self.value = value
    self.unit = unit
    self.original = original
    self.range = range
    self.valueRange = valueRange
    self.assertion = assertion
    self.attributes = attributes
  }
}
