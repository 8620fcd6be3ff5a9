/// What a fact holds beside its name, value, unit, range and assertion, as words by key: the form in which files keep it.
///
/// The only place that knows the keys. By kind, each only where there is something to say:
///
/// - drug, vaccination, parasite control: `drug` (id), `brand`, `dose` and `dose_rate` and `strength` (as written), `route`,
///   `frequency`, `side`, `duration` (as written), `quantity`, `action`; the latter two also `due` (as written);
/// - measurement, lab: `comparison`, `implausible` = `true`; measurement: `upper`;
/// - lab: `reference_low`, `reference_high`, `flag`, `result`, `column`, `previous` (as written), `side`;
/// - finding, procedure, problem: `concept`, `system`, `side`, `course` = `chronic`, `candidates` joined by `|`; problem: `status`;
/// - allergy: `subject`, `reaction`, `status` = `past`; owner decision: `subject`, `amount`; pending result, notice: `subject`;
/// - reaction: `event`, `treatment`, `named` (bytes, as `12-20`), `probability`;
/// - any: `date`, as written.
public struct StoredAttributes: Hashable, Sendable {
  /// In the order of their keys.
  public private(set) var pairs: [Pair] = []

  public struct Pair: Hashable, Sendable {
    public let key: String
    public let value: String

    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// - Parameter pairs: in any order; of a key that stands twice the first counts.
  public init(_ pairs: [Pair]) {
    let areSorted = zip(pairs, pairs.dropFirst()).allSatisfy { $0.key <= $1.key }
    self.pairs = areSorted ? pairs : pairs.sorted { $0.key < $1.key }
  }

  /// What a fact comes to.
  public init(_ fact: Fact) {
    let date = fact.writtenDate
    switch fact.content {
    case .drug(let event): add(event, due: nil, date: date)
    case .vaccination(let prevention), .parasiteControl(let prevention):
      add(prevention.event, due: prevention.due, date: date)
    case .measurement(let measurement): add(measurement.amount, date: date)
    case .lab(let result): add(result, date: date)
    case .finding(let detail), .procedure(let detail), .problem(let detail):
      add(detail, status: fact.problemStatus, date: date)
    case .allergy(let allergy):
      add("date", date)
      add("reaction", allergy.reaction)
      // A drug stopped because of its effect: the warning stays.
      if allergy.reaction != nil, fact.assertion.temporality == .historical { add("status", "past") }
      add("subject", allergy.subject)
    case .reaction(let mention):
      add("date", date)
      add("event", mention.label.rawValue)
      add("named", mention.named.map { "\($0.lowerBound)-\($0.upperBound)" })
      add("probability", String(mention.probability))
      add("treatment", mention.treatment.code)
    case .ownerDecision(let decision):
      add("amount", decision.amount)
      add("date", date)
      add("subject", decision.subject)
    case .pendingResult(let subject), .notice(let subject):
      add("date", date)
      add("subject", subject)
    }
  }

  /// Nil where there is nothing under the key.
  subscript(_ key: String) -> String? {
    for pair in pairs where pair.key == key { return pair.value }
    return nil
  }
}

// MARK: - Out

extension StoredAttributes {
  private mutating func add(_ key: String, _ value: String?) {
    if let value { pairs.append(Pair(key: key, value: value)) }
  }

  private mutating func add(_ event: DrugEvent, due: String?, date: String?) {
    let dosage = event.dosage
    add("action", event.action?.rawValue)
    add("brand", event.brand)
    add("date", date)
    add("dose", dosage.dose?.text)
    add("dose_rate", dosage.rate?.text)
    add("drug", event.drugID)
    add("due", due)
    add("duration", dosage.duration?.text)
    add("frequency", dosage.frequency?.rawValue)
    add("quantity", event.quantity.map { String($0) })
    add("route", dosage.route?.rawValue)
    add("side", dosage.side?.rawValue)
    add("strength", event.strength?.text)
  }

  private mutating func add(_ amount: Amount, date: String?) {
    add("comparison", amount.comparison?.rawValue)
    add("date", date)
    add("implausible", amount.isImplausible ? "true" : nil)
    add("upper", amount.upper.map { String($0) })
  }

  private mutating func add(_ lab: LabResult, date: String?) {
    add("column", lab.column.map { String($0) })
    add("comparison", lab.amount?.comparison?.rawValue)
    add("date", date)
    add("flag", lab.flag?.rawValue)
    add("implausible", lab.amount?.isImplausible == true ? "true" : nil)
    add("previous", lab.previous)
    add("reference_high", lab.reference?.high.map(Self.text))
    add("reference_low", lab.reference?.low.map(Self.text))
    add("result", lab.result?.rawValue)
    add("side", lab.side?.rawValue)
  }

  private mutating func add(_ detail: FindingDetail, status: ProblemStatus?, date: String?) {
    add("candidates", detail.candidates.isEmpty ? nil : detail.candidates.joined(separator: "|"))
    add("concept", detail.concept)
    add("course", detail.isChronic ? "chronic" : nil)
    add("date", date)
    add("side", detail.side?.rawValue)
    add("status", status?.rawValue)
    add("system", detail.system)
  }

  private static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
  }
}

// MARK: - In

extension Fact {
  /// A fact as a file kept it. What is coded in a way that this VetNet does not know is left out.
  ///
  /// - Returns: nil for a measurement without its value or of something unknown.
  public init?(
    kind: FactKind, name: String, value: Double? = nil, unit: String? = nil, range: Range<Int>,
    assertion: Assertion = Assertion(), attributes: StoredAttributes = StoredAttributes([])
  ) {
    let amount = value.map { value in
      Amount(
        value: value, unit: unit ?? "", upper: attributes["upper"].flatMap(Double.init),
        comparison: attributes.coded("comparison"), isImplausible: attributes["implausible"] != nil)
    }
    guard let content = Content(kind: kind, name: name, amount: amount, attributes: attributes) else { return nil }
    self.init(content, name: name, range: range, assertion: assertion, writtenDate: attributes["date"])
  }
}

extension Fact.Content {
  fileprivate init?(kind: FactKind, name: String, amount: Amount?, attributes: StoredAttributes) {
    switch kind {
    case .drug: self = .drug(attributes.drugEvent(amount))
    case .vaccination: self = .vaccination(Prevention(event: attributes.drugEvent(amount), due: attributes["due"]))
    case .parasiteControl:
      self = .parasiteControl(Prevention(event: attributes.drugEvent(amount), due: attributes["due"]))
    case .weight, .bodyCondition, .temperature, .heartRate, .respiratoryRate, .vital:
      let measure = VitalMeasure.allCases.first { $0.kind == kind && (kind != .vital || $0.rawValue == name) }
      guard let measure, let amount else { return nil }
      self = .measurement(Measurement(measure, amount))
    case .lab: self = .lab(attributes.labResult(amount))
    case .procedure: self = .procedure(attributes.findingDetail)
    case .problem: self = .problem(attributes.findingDetail)
    case .finding: self = .finding(attributes.findingDetail)
    case .allergy: self = .allergy(Allergy(subject: attributes["subject"], reaction: attributes["reaction"]))
    case .reaction: self = .reaction(attributes.reaction)
    case .ownerDecision:
      self = .ownerDecision(OwnerDecision(subject: attributes["subject"], amount: attributes["amount"]))
    case .pendingResult: self = .pendingResult(subject: attributes["subject"])
    case .notice: self = .notice(subject: attributes["subject"])
    }
  }
}

extension StoredAttributes {
  fileprivate func coded<Code: RawRepresentable<String>>(_ key: String) -> Code? {
    self[key].flatMap { Code(rawValue: $0) }
  }

  fileprivate func drugEvent(_ amount: Amount?) -> DrugEvent {
    var event = DrugEvent(drugID: self["drug"], brand: self["brand"], action: coded("action"))
    event.strength = self["strength"].map { WrittenAmount($0) }
    event.quantity = self["quantity"].flatMap { Int($0) }
    event.dosage.dose = self["dose"].map { WrittenAmount($0) }
    event.dosage.amount = amount
    event.dosage.rate = self["dose_rate"].map { WrittenAmount($0) }
    event.dosage.frequency = coded("frequency")
    event.dosage.route = coded("route")
    event.dosage.side = coded("side")
    event.dosage.duration = self["duration"].map { WrittenDuration($0) }
    return event
  }

  fileprivate func labResult(_ amount: Amount?) -> LabResult {
    var result = LabResult(amount: amount, result: coded("result"))
    result.flag = coded("flag")
    result.side = coded("side")
    result.column = self["column"].flatMap { Int($0) }
    result.reference = ReferenceRange(
      low: self["reference_low"].flatMap(Double.init), high: self["reference_high"].flatMap(Double.init))
    result.previous = self["previous"]
    return result
  }

  fileprivate var findingDetail: FindingDetail {
    FindingDetail(
      concept: self["concept"], system: self["system"], side: coded("side"), isChronic: self["course"] == "chronic",
      candidates: self["candidates"]?.split(separator: "|").map(String.init) ?? [])
  }

  fileprivate var reaction: ReactionMention {
    let ends = (self["named"] ?? "").split(separator: "-").compactMap { Int($0) }
    return ReactionMention(
      coded("event") ?? .none, of: self["treatment"].flatMap(Treatment.Kind.init(code:)) ?? .drug,
      named: ends.count == 2 && ends[0] <= ends[1] ? ends[0]..<ends[1] : nil,
      probability: self["probability"].flatMap(Double.init) ?? 1)
  }
}
