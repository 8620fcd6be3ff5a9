public import Clinical

/// The learned part of triage: what labelled exemplars make of a case beside the rules.
///
/// The rules' findings are among its features. It decides between the levels by expected cost, and stops at the floor of every red and
/// orange finding (``TriageFloor``); a finding that was nearly always right keeps the case on its own level (``RuleTrust``). A finding
/// whose own sentences are no report of a sign counts for nothing (``OwnReading``).
public struct LearnedTriage: Sendable {
  /// A case on the scale of the model.
  struct Case {
    let features: [CaseFeature]
    let vector: CaseVector
  }

  /// What the learned part says of a case.
  struct Opinion {
    let probabilities: [Urgency: Double]
    let neighbours: [ExemplarHit]
    /// The level of least expected cost, before the bounds that the rules set.
    let level: Urgency
  }

  let features: FeatureReader
  let model: CaseModel
  let calibration: LevelCalibration
  let trust: RuleTrust
  private let exemplars: DataTable?

  static let shownNeighbours = 5
  static let shownContributions = 10
  private static let shownWords = 4
  /// A text with fewer words that the model knows says too little, unless something in it is clear.
  static let leastKnownWords = 4

  /// - Parameters:
  ///   - features: with the lexicon that the model was fitted with.
  ///   - model: fitted to `exemplars`.
  ///   - calibration: of the model's scores.
  ///   - exemplars: `triage/exemplars.tsv`, to show the texts of what resembles a case; nil where they are not installed.
  ///   - trust: how often each finding of the rules was right.
  /// - Throws: ``DataTableError`` when the model was fitted to other exemplars.
  public init(
    features: FeatureReader, model: CaseModel, calibration: LevelCalibration, exemplars: DataTable? = nil,
    trust: RuleTrust
  ) throws(DataTableError) {
    if let table = exemplars,
      model.header.exemplars != table.rows.count || model.header.version != table.metadata["version"] ?? ""
    {
      throw DataTableError(
        table: table.name, line: 0, column: "id",
        problem: "has other exemplars than the model was fitted to; run 'vetnet evaluate fit-triage'")
    }
    self.features = features
    self.model = model
    self.calibration = calibration
    self.exemplars = exemplars
    self.trust = trust
  }

  public var version: String { model.header.version }
  /// The protocol whose findings the model knows.
  public var protocolID: String { model.header.triageProtocol }

  func seen(_ features: [CaseFeature]) -> Case {
    Case(features: features, vector: model.vectorizer.vector(features))
  }

  /// - Complexity: O(features + exemplars).
  func opinion(_ seen: Case) -> Opinion {
    let reaching = calibration.reaching(scores: model.scores(seen.vector, .urgency))
    return Opinion(
      probabilities: LevelCalibration.probabilities(reaching: reaching), neighbours: neighbours(seen),
      level: calibration.choice(reaching: reaching))
  }

  private func neighbours(_ seen: Case) -> [ExemplarHit] {
    model.nearest(seen.vector, limit: Self.shownNeighbours).compactMap { place, similarity in
      model.exemplar(place).map { id, urgency in
        ExemplarHit(id: id, text: exemplars?.rows[place]["text"], urgency: urgency, similarity: similarity)
      }
    }
  }

  /// How likely words that are a finding's own, read alone, tell of something that has to be seen today at least, 0…1; 1 where there
  /// is hardly a word by which to doubt it.
  func urgentProbability(of own: Case) -> Double {
    if isVague(own, leastWords: OwnReading.leastWords) { return 1 }
    return calibration.reaching(scores: model.scores(own.vector, .urgency))[Urgency.yellow.rank - 1]
  }

  /// The rules' result with the learned opinion taken into account.
  func judge(_ triage: TriageResult, _ reading: IntakeReading, _ seen: Case, levels: TriageProtocol) -> TriageResult {
    guard triage.protocolID == protocolID else { return triage }
    let opinion = opinion(seen)
    let isVague = triage.hasTooLittleInformation && isVague(seen)
    var level = opinion.level
    var basis = judgement(opinion, seen, reading)
    let evidence = RuleTrust.Evidence(triage, in: reading)
    if let floor = TriageFloor.highest(of: triage.fired), level < floor.floor {
      level = floor.floor
      basis = LevelBasis(
        .floor,
        max(floor.finding.level, floor.finding.baseLevel) == .red
          ? "a red finding stands, whatever else is said" : "an orange finding stands, whatever else is said",
        findings: triage.fired.filter { $0.floor == level })
    }
    if let bound = trust.bound(evidence), level < bound {
      level = bound
      basis = LevelBasis(
        .finding, "findings that were nearly always right about their level",
        findings: triage.fired.filter { $0.level >= bound })
    }
    if let bare = bare(triage, reading, isReassured: evidence.isReassured), level < bare {
      level = bare
      basis = LevelBasis(
        .finding, "a finding with hardly a word beside it: nothing speaks against it",
        findings: triage.fired.filter { $0.level == bare })
    }
    if isVague, level < levels.defaultUrgency {
      level = levels.defaultUrgency
      basis = LevelBasis(.unknown, levels.defaultReason)
    }
    if level == .blue, !mayBeBlue(reading, triage, opinion, evidence.isReassured) {
      level = .green
      basis = LevelBasis(.unknown, "nothing said that the animal is well")
    }
    // Findings of the level say more than how likely exemplars make it.
    let agreeing = triage.fired.filter { $0.level == level }
    if basis.source == .exemplars, level >= .yellow, !agreeing.isEmpty {
      basis = LevelBasis(.finding, "findings at this level, and exemplars agree", findings: agreeing)
    }
    let survey = LearnedSurvey(model: model, seen: seen, reading: reading, triage: triage)
    return triage.settled(
      at: level, opinion: opinion, levels: levels, isVague: isVague, survey: survey, basis: basis,
      explanation: explanation(level, basis, triage, opinion, seen, reading))
  }

  /// What the exemplars' judgement rests on: the words that weighed most for the level or against the one above it.
  private func judgement(_ opinion: Opinion, _ seen: Case, _ reading: IntakeReading) -> LevelBasis {
    let step = max(0, min(Urgency.red.rank - 1, opinion.level.rank - 1))
    let sign = opinion.level.rank > 0 ? 1.0 : -1.0
    let words = details(seen, reading, .urgency, output: step).filter { $0.value * sign > 0 }.flatMap(\.evidence)
    var shown: [Evidence] = []
    for word in words where !shown.contains(where: { $0.range.overlaps(word.range) }) { shown.append(word) }
    return LevelBasis(
      .exemplars, "what labelled messages make of the whole message", words: Array(shown.prefix(Self.shownWords)))
  }

  /// The level of the most urgent findings where hardly a word stands beside theirs: "cat not breathing". The model was fitted
  /// to messages in which the other words say whether the finding is to be feared; where there are none, missing information
  /// must not lower the level.
  private func bare(_ triage: TriageResult, _ reading: IntakeReading, isReassured: Bool) -> Urgency? {
    guard !isReassured, let level = triage.fired.map(\.level).max(), level >= .orange else { return nil }
    let named = triage.fired.filter { $0.level == level }.flatMap(\.evidence).compactMap { reading.words(in: $0.range) }
    let beside = reading.words.indices.count { index in
      let word = reading.words[index]
      return word.number == nil && !lexicon.isFiller(word.text) && !named.contains { $0.contains(index) }
    }
    return beside < Self.leastKnownWords ? level : nil
  }

  private func isVague(_ seen: Case, leastWords: Int = leastKnownWords) -> Bool {
    let words = FeatureBlock.words.index
    return seen.vector.entries.count {
      Int($0.block) == words && !lexicon.isFiller(seen.features[Int($0.feature)].name)
    } < leastWords
  }

  /// Blue is for what is known to be well or is asked for by appointment: somebody has to have said so.
  private func mayBeBlue(
    _ reading: IntakeReading, _ triage: TriageResult, _ opinion: Opinion, _ isReassured: Bool
  ) -> Bool {
    isReassured || triage.fired.contains { $0.level == .blue } || reading.asserts(.request)
      || (opinion.neighbours.first.map { $0.urgency == .blue && $0.similarity > 0.3 } ?? false)
  }

  private var lexicon: ConceptLexicon { features.lexicon }

  private func explanation(
    _ level: Urgency, _ basis: LevelBasis, _ triage: TriageResult, _ opinion: Opinion, _ seen: Case,
    _ reading: IntakeReading
  ) -> Explanation {
    var parts: [Explanation] = []
    let findings = basis.findings.isEmpty ? "" : ": " + basis.findings.joined(separator: ", ")
    parts.append(
      Explanation(
        "\(basis.source.rawValue): \(basis.text)\(findings)", value: Double(level.rank), evidence: basis.words))
    parts.append(
      Explanation(
        "probability of each level", value: opinion.probabilities[level] ?? 0,
        details: Urgency.allCases.map { Explanation($0.rawValue, value: Self.rounded(opinion.probabilities[$0] ?? 0)) })
    )
    // The step that was hardest to take or to leave: what spoke for and against it.
    let outcome = max(0, min(3, level.rank - 1))
    let score = model.scores(seen.vector, .urgency)[outcome]
    parts.append(
      Explanation(
        "what spoke for and against \(Urgency(rank: outcome + 1).rawValue) or more", value: Self.rounded(score),
        details: details(seen, reading, .urgency, output: outcome)))
    parts.append(
      Explanation(
        "nearest exemplars", value: Self.rounded(opinion.neighbours.first?.similarity ?? 0),
        details: opinion.neighbours.map {
          Explanation(
            "\($0.id) \($0.urgency.rawValue)" + ($0.text.map { ": \($0)" } ?? ""), value: Self.rounded($0.similarity))
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
      "urgency: \(level.rawValue)", value: Double(level.rank),
      details: parts + [triage.explanation])
  }

  /// What spoke most for and against an output, letters left out: nobody can read them.
  func details(_ seen: Case, _ reading: IntakeReading, _ task: CaseModel.Task, output: Int) -> [Explanation] {
    model.contributions(seen.vector, seen.features, task, output: output).lazy.filter { $0.feature.block != .letters }
      .prefix(Self.shownContributions).map {
        Explanation(
          "\($0.feature.block.rawValue): \($0.feature.name)", value: Self.rounded($0.amount),
          evidence: $0.feature.words.map { [reading.evidence($0)] } ?? [])
      }
  }

  static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

extension TriageResult {
  /// The same findings at a lower level, for a reason of its own.
  func lowered(to level: Urgency, levels: TriageProtocol, _ basis: LevelBasis) -> TriageResult {
    var result = self
    result.urgency = level
    result.targetMinutes = levels.levels[level]?.targetMinutes ?? level.targetMinutes
    result.action = levels.levels[level]?.action ?? ""
    result.basis = basis
    result.explanation = Explanation(
      "urgency: \(level.rawValue)", value: Double(level.rank),
      details: [Explanation("\(basis.source.rawValue): \(basis.text)", value: Double(level.rank))] + explanation.details
    )
    return result
  }

  /// The same findings at the level that the whole of the evidence gives.
  func settled(
    at level: Urgency, opinion: LearnedTriage.Opinion, levels: TriageProtocol, isVague: Bool, survey: LearnedSurvey,
    basis: LevelBasis, explanation: Explanation
  ) -> TriageResult {
    var result = self
    result.urgency = level
    result.targetMinutes = levels.levels[level]?.targetMinutes ?? level.targetMinutes
    result.action = levels.levels[level]?.action ?? ""
    result.hasTooLittleInformation = isVague
    result.abcde = survey.statuses
    result.abcdeEvidence = survey.evidence
    result.probabilities = opinion.probabilities
    result.neighbours = opinion.neighbours
    result.basis = basis
    result.explanation = explanation
    return result
  }
}
