public import Clinical

/// Everything the program concludes about an intake, with reasons.
public struct CaseAssessment: Sendable {
  public internal(set) var triage: TriageResult
  public let complexity: ComplexityAssessment
  public let duration: DurationEstimate
  public internal(set) var visitType: VisitTypeClassifier.Result
  public let specialties: [SpecialtyScore]
  /// The practice's veterinarians, the one the case suits best first; empty where no practice is known.
  public var staff: [StaffMatch] = []
  /// By model name, for the record.
  public let modelVersions: [String: String]
  /// The text that was read, for offsets in code points.
  public internal(set) var text: String
  /// Each animal of a message about several, the most urgent first, which is the one that this assessment is about; empty for
  /// messages about one.
  public internal(set) var animals: [Animal] = []

  /// One of several animals with what is concluded about it.
  public struct Animal: Sendable {
    public let animal: MessageAnimal
    public let assessment: CaseAssessment
  }

  init(
    triage: TriageResult, complexity: ComplexityAssessment, duration: DurationEstimate,
    visitType: VisitTypeClassifier.Result, specialties: [SpecialtyScore], modelVersions: [String: String], text: String
  ) {
    self.triage = triage
    self.complexity = complexity
    self.duration = duration
    self.visitType = visitType
    self.specialties = specialties
    self.modelVersions = modelVersions
    self.text = text
  }

  /// Adds something that is to be checked before anybody relies on the assessment.
  public mutating func flag(_ doubt: String) { triage.implausible.append(doubt) }

  /// The reasons for everything, as one tree.
  public var explanation: Explanation {
    Explanation(
      "assessment", value: triage.explanation.value,
      details: [
        triage.explanation, complexity.explanation, duration.explanation, visitType.explanation,
      ] + specialties.map(\.explanation))
  }
}

extension CaseAssessment: Encodable {
  private enum CodingKeys: String, CodingKey {
    case urgency
    case targetMinutes = "target_minutes"
    case action, questions, abcde, complexity
    case durationMinutes = "duration_minutes"
    case visitType = "visit_type"
    case specialties, explanation
    case modelVersions = "model_versions"
    case discriminators, suppressed
    case abcdeEvidence = "abcde_evidence"
    case tooLittleInformation = "too_little_information"
    case basis, implausible, disclaimer, probabilities, neighbours, staff, animals
    case label = "animal"
    case species
  }

  private struct ComplexityJSON: Encodable {
    let level: Int
    let points: Int
    let factors: [String: Double]
  }

  private struct DurationJSON: Encodable {
    let p50: Double
    let p80: Double
    let p90: Double
  }

  private struct StaffJSON: Encodable {
    let id: String
    let name: String
    let score: Double
    let reasons: [String]
    /// Left out where nothing is known of them.
    let outcomes: OutcomeJSON?
  }

  private struct OutcomeJSON: Encodable {
    struct Share: Encodable {
      let count: Int
      let of: Int
      let practice: Double
      let counted_as: Double

      init?(_ rate: ShrunkRate?) {
        guard let rate else { return nil }
        count = rate.count
        of = rate.of
        practice = (rate.practice * 1000).rounded() / 1000
        counted_as = (rate.rate * 1000).rounded() / 1000
      }
    }

    let visit_type: String
    let rechecked: Share?
    let overran: Share?

    init(_ outcome: StaffOutcome) {
      visit_type = outcome.kind
      rechecked = Share(outcome.rechecked)
      overran = Share(outcome.overran)
    }
  }

  private struct SpecialtyJSON: Encodable {
    let name: String
    let score: Double
  }

  private struct FindingJSON: Encodable {
    let id: String
    let level: String
    let reason: String?
    let quote: String
    let start: Int
    let end: Int
  }

  private struct NeighbourJSON: Encodable {
    let id: String
    let urgency: String
    let similarity: Double
    let text: String?
  }

  private struct QuoteJSON: Encodable {
    let quote: String
    let start: Int
    let end: Int
  }

  private struct BasisJSON: Encodable {
    let source: String
    let text: String
    let findings: [String]
    let words: [QuoteJSON]
  }

  /// What the program says about itself wherever it says anything.
  public static let disclaimer =
    "Decision support, not a diagnosis. A veterinary professional confirms urgency. If worse, call."

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try encodeConclusions(to: &container)
    if let first = animals.first {
      try container.encode(first.animal.label, forKey: .label)
      var list = container.nestedUnkeyedContainer(forKey: .animals)
      for item in animals {
        var entry = list.nestedContainer(keyedBy: CodingKeys.self)
        try entry.encode(item.animal.label, forKey: .label)
        try entry.encodeIfPresent(item.animal.species?.rawValue, forKey: .species)
        try item.assessment.encodeConclusions(to: &entry)
        try item.assessment.encodeFindings(to: &entry)
      }
    }
    try container.encode(explanation, forKey: .explanation)
    try container.encode(modelVersions, forKey: .modelVersions)
    try encodeFindings(to: &container)
    try container.encode(triage.hasTooLittleInformation, forKey: .tooLittleInformation)
    if !triage.implausible.isEmpty { try container.encode(triage.implausible, forKey: .implausible) }
    if !triage.probabilities.isEmpty {
      try container.encode(
        Dictionary(
          uniqueKeysWithValues: triage.probabilities.map { ($0.key.rawValue, ($0.value * 1000).rounded() / 1000) }),
        forKey: .probabilities)
      try container.encode(
        triage.neighbours.map {
          NeighbourJSON(
            id: $0.id, urgency: $0.urgency.rawValue, similarity: ($0.similarity * 1000).rounded() / 1000, text: $0.text)
        }, forKey: .neighbours)
    }
    if !staff.isEmpty {
      try container.encode(
        staff.map {
          StaffJSON(
            id: $0.staffID, name: $0.name, score: ($0.score * 1000).rounded() / 1000,
            reasons: $0.explanation.details.map(\.description), outcomes: $0.outcome.map(OutcomeJSON.init))
        }, forKey: .staff)
    }
    try container.encode(Self.disclaimer, forKey: .disclaimer)
  }

  private func encodeConclusions(to container: inout KeyedEncodingContainer<CodingKeys>) throws {
    try container.encode(triage.urgency.rawValue, forKey: .urgency)
    try container.encode(triage.targetMinutes, forKey: .targetMinutes)
    try container.encode(triage.action, forKey: .action)
    try container.encode(
      BasisJSON(
        source: triage.basis.source.rawValue, text: triage.basis.text, findings: triage.basis.findings,
        words: quotes(triage.basis.words)), forKey: .basis)
    try container.encode(triage.questions, forKey: .questions)
    try container.encode(
      Dictionary(uniqueKeysWithValues: triage.abcde.map { ($0.key.rawValue, $0.value.rawValue) }), forKey: .abcde)
    try container.encode(
      ComplexityJSON(level: complexity.level, points: complexity.points, factors: complexity.factors),
      forKey: .complexity)
    try container.encode(
      DurationJSON(p50: rounded(duration.p50), p80: rounded(duration.p80), p90: rounded(duration.p90)),
      forKey: .durationMinutes)
    try container.encode(visitType.visitType.rawValue, forKey: .visitType)
    try container.encode(
      specialties.map { SpecialtyJSON(name: $0.specialty.rawValue, score: ($0.score * 1000).rounded() / 1000) },
      forKey: .specialties)
  }

  private func encodeFindings(to container: inout KeyedEncodingContainer<CodingKeys>) throws {
    try container.encode(
      triage.fired.flatMap { findings($0.id, $0.level, $0.reason, $0.evidence) }, forKey: .discriminators)
    try container.encode(
      triage.suppressed.flatMap { findings($0.id, $0.level, $0.reason.rawValue, $0.evidence) }, forKey: .suppressed)
    try container.encode(
      Dictionary(uniqueKeysWithValues: triage.abcdeEvidence.map { ($0.key.rawValue, quotes($0.value)) }),
      forKey: .abcdeEvidence)
  }

  private func rounded(_ minutes: Double) -> Double { (minutes * 10).rounded() / 10 }

  private func findings(_ id: String, _ level: Urgency, _ reason: String?, _ evidence: [Evidence]) -> [FindingJSON] {
    quotes(evidence).map {
      FindingJSON(
        id: id, level: level.rawValue, reason: reason, quote: $0.quote, start: $0.start, end: $0.end)
    }
  }

  private func quotes(_ evidence: [Evidence]) -> [QuoteJSON] {
    evidence.compactMap { item in
      guard let range = text.codePoints(utf8: item.range) else { return nil }
      return QuoteJSON(quote: item.quote, start: range.lowerBound, end: range.upperBound)
    }
  }
}
