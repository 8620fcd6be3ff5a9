public import Clinical

/// The learned part of triage: what labelled exemplars and fitted weights make of a case beside the rules.
///
/// The rules' findings are among its features and may only raise, for their weights are never negative. It decides between
/// the levels by expected cost; a finding of the rules keeps the case within one level of its own, and a trusted one on it.
public struct LearnedTriage: Sendable {
  /// What the learned part says of a case.
  public struct Opinion: Sendable {
    public let probabilities: [Urgency: Double]
    public let neighbours: [ExemplarHit]
    /// The level of least expected cost, before the bounds that the rules set.
    public let level: Urgency
    let features: [CaseFeature]
    let similarities: [Double]
  }

  let features: FeatureReader
  let weights: LinearScores
  let calibration: LevelCalibration
  let index: ExemplarIndex
  let trust: RuleTrust
  /// The protocol whose findings the weights know.
  public let protocolID: String

  static let shownNeighbours = 5
  /// A text with fewer words that the weights know says too little, unless something in it is clear.
  private static let leastKnownWords = 4

  public init(
    features: FeatureReader, weights: LinearScores, calibration: LevelCalibration, index: ExemplarIndex,
    trust: RuleTrust
  ) {
    self.features = features
    self.weights = weights
    self.calibration = calibration
    self.index = index
    self.trust = trust
    protocolID = weights.metadata["protocol"] ?? ""
  }

  public var version: String { weights.metadata["version"] ?? "" }

  /// What a case shows, on the scale of the weights.
  func scaled(_ features: [CaseFeature]) -> [CaseFeature] { weights.scale.scaled(features) }

  /// - Complexity: O(features + postings of the text's letters).
  func opinion(_ found: [CaseFeature], text: String) -> Opinion {
    let similarities = index.letters.similarities(text)
    let scores = zip(weights.scores(found), index.scores(similarities)).map { $0 + $1 }
    let reaching = calibration.reaching(scores: scores, votes: index.votes(similarities))
    return Opinion(
      probabilities: LevelCalibration.probabilities(reaching: reaching),
      neighbours: index.nearest(similarities, limit: Self.shownNeighbours),
      level: calibration.choice(reaching: reaching), features: found, similarities: similarities)
  }

  /// The rules' result with the learned opinion taken into account.
  func judge(_ triage: TriageResult, _ reading: IntakeReading, features: [CaseFeature], levels: TriageProtocol)
    -> TriageResult
  {
    guard triage.protocolID == protocolID else { return triage }
    let opinion = opinion(features, text: reading.text)
    let isVague = triage.hasTooLittleInformation && isVague(opinion, reading)
    var level = opinion.level
    var bound: String?
    if let rules = triage.fired.map(\.level).max(), level.rank < rules.rank - 1 {
      level = Urgency(rank: rules.rank - 1)
      bound = "kept within one level of what the rules found"
    }
    if let trusted = trust.bound(triage.findings), level < trusted {
      level = trusted
      bound = "a finding that was nearly always right about its level"
    }
    if isVague, level < levels.defaultUrgency {
      level = levels.defaultUrgency
      bound = levels.defaultReason
    }
    if level == .blue, !hasReassurance(reading, triage, opinion) {
      level = .green
      bound = "nothing said that the animal is well"
    }
    return triage.settled(
      at: level, opinion: opinion, levels: levels, isVague: isVague,
      explanation: explanation(level, bound, triage, opinion, reading))
  }

  private func isVague(_ opinion: Opinion, _ reading: IntakeReading) -> Bool {
    let known = opinion.features.count {
      ($0.name.hasPrefix("word:") || $0.name.hasPrefix("sign:")) && weights.isKnown($0.name)
    }
    return known < Self.leastKnownWords
  }

  /// Blue is for what is known to be well or is asked for by appointment: somebody has to have said so.
  private func hasReassurance(_ reading: IntakeReading, _ triage: TriageResult, _ opinion: Opinion) -> Bool {
    if triage.fired.contains(where: { $0.level == .blue }) { return true }
    if triage.abcde.values.contains(.normal) { return true }
    let isSaid = reading.byConcept.keys.sorted().contains { concept in
      (lexicon.kinds[concept] == .state || lexicon.kinds[concept] == .request)
        && reading.occurrences(of: concept).contains { reading.standing(of: [$0]).counts }
    }
    return isSaid || (opinion.neighbours.first.map { $0.urgency == .blue && $0.similarity > 0.3 } ?? false)
  }

  private var lexicon: ConceptLexicon { features.lexicon }

  private func explanation(
    _ level: Urgency, _ bound: String?, _ triage: TriageResult, _ opinion: Opinion, _ reading: IntakeReading
  ) -> Explanation {
    var parts: [Explanation] = []
    if let bound { parts.append(Explanation(bound, value: Double(level.rank))) }
    parts.append(
      Explanation(
        "probability of each level", value: opinion.probabilities[level] ?? 0,
        details: Urgency.allCases.map { Explanation($0.rawValue, value: rounded(opinion.probabilities[$0] ?? 0)) }))
    // The step that was hardest to take or to leave: what spoke for and against it.
    let outcome = max(0, min(3, level.rank - 1))
    parts.append(
      Explanation(
        "what spoke for and against \(Urgency(rank: outcome + 1).rawValue) or more",
        value: rounded(weights.scores(opinion.features)[outcome]),
        details: weights.contributions(opinion.features, outcome: outcome, limit: Self.shownContributions).map {
          Explanation(
            $0.feature.name, value: rounded($0.amount), evidence: $0.feature.words.map { [reading.evidence($0)] } ?? [])
        }))
    parts.append(
      Explanation(
        "nearest exemplars", value: rounded(opinion.neighbours.first?.similarity ?? 0),
        details: opinion.neighbours.map {
          Explanation("\($0.id) \($0.urgency.rawValue): \($0.text)", value: rounded($0.similarity))
        }))
    if !triage.suppressed.isEmpty {
      parts.append(
        Explanation(
          "named but not counted", value: 0,
          details: triage.suppressed.map {
            Explanation("\($0.id): \($0.reason.rawValue)", value: 0, evidence: $0.evidence)
          }))
    }
    return Explanation(
      "urgency: \(level.rawValue), the level of least expected cost", value: Double(level.rank),
      details: parts + [triage.explanation])
  }

  private static let shownContributions = 10

  private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

extension TriageResult {
  /// The same findings at the level that the whole of the evidence gives.
  func settled(
    at level: Urgency, opinion: LearnedTriage.Opinion, levels: TriageProtocol, isVague: Bool, explanation: Explanation
  ) -> TriageResult {
    var result = self
    result.urgency = level
    result.targetMinutes = levels.levels[level]?.targetMinutes ?? level.targetMinutes
    result.action = levels.levels[level]?.action ?? ""
    result.hasTooLittleInformation = isVague
    result.probabilities = opinion.probabilities
    result.neighbours = opinion.neighbours
    result.explanation = explanation
    return result
  }
}
