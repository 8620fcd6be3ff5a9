public import Clinical

/// Fits the learned part of triage to exemplars: cross-validates over situations, calibrates on what the folds said of cases
/// they had not seen, chooses the costs, then fits all exemplars together.
///
/// The same exemplars, rules and seed give the same tables.
public struct TriageFitter: Sendable {
  /// What a fitting run gives.
  public struct Outcome: Sendable {
    /// Texts of the tables, by their places in `Models/`.
    public let tables: [(file: String, text: String)]
    public let crossValidation: CrossValidation
    public let ids: [String]
  }

  private let assessor: CaseAssessor
  private let exemplars: [Exemplar]
  private let seed: UInt64
  /// The version that the tables get.
  private let version: String

  static let folds = 5
  static let levelPenalty = 0.3
  static let visitPenalty = 0.02
  /// Rarer features can't be told from chance.
  static let leastCases = 2
  /// Sensitivity is bought only as long as this share of what is given a level deserves it; green to red.
  static let precisionFloors = [0.90, 0.85, 0.78, 0.65]
  private static let costRatios = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12]
  private static let steps: [Urgency] = [.green, .yellow, .orange, .red]

  /// - Parameters:
  ///   - assessor: with rules only; what it learned before is not asked.
  ///   - exemplars: labelled intakes.
  ///   - seed: for the division into folds.
  ///   - version: of the exemplars, kept in the head of the tables.
  public init(assessor: CaseAssessor, exemplars: [Exemplar], seed: UInt64, version: String) {
    self.assessor = assessor
    self.exemplars = exemplars
    self.seed = seed
    self.version = version
  }

  /// - Complexity: O(folds × sweeps × values of all features); seconds for a thousand exemplars.
  public func run() -> Outcome {
    let reader = FeatureReader(lexicon: assessor.triage.reader.lexicon)
    let raw = exemplars.map { assessor.ruled($0.intake, features: reader) }
    let scale = FeatureScale(raw.map(\.features), leastCases: Self.leastCases)
    let cases = raw.map { scale.scaled($0.features) }
    func trust(_ counts: [Bool]) -> RuleTrust {
      RuleTrust(exemplars.indices.filter { counts[$0] }.map { (raw[$0].fired, exemplars[$0].urgency) })
    }
    let design = Design(cases, leastCases: Self.leastCases)
    let fold = folds()
    let index = ExemplarIndex(exemplars)
    let similarities = exemplars.map { index.letters.similarities($0.intake.text) }
    let votes = exemplars.indices.map { row in index.votes(similarities[row]) { fold[$0] != fold[row] } }
    var scores = Array(repeating: [Double](repeating: 0, count: Self.steps.count), count: exemplars.count)
    var bounds = [Urgency?](repeating: nil, count: exemplars.count)
    var visits = Array(repeating: VisitType.standardConsult, count: exemplars.count)
    for held in 0..<Self.folds {
      let counts = fold.map { $0 != held }
      let levels = fitLevels(design, similarities, counts)
      let types = fitVisits(design, counts)
      let trusted = trust(counts)
      for row in exemplars.indices where fold[row] == held {
        bounds[row] = trusted.bound(raw[row].fired)
        scores[row] = levels.scores(cases[row], similarities[row])
        visits[row] = VisitTypeClassifier.best(
          VisitTypeClassifier.scores(
            cases[row], votes: index.visitVotes(similarities[row], types.outcomes) { fold[$0] != held }, of: types),
          of: types)
      }
    }
    let calibration = calibrate(scores, votes)
    let given = exemplars.indices.map { row in
      let choice = calibration.choice(reaching: calibration.reaching(scores: scores[row], votes: votes[row]))
      return max(choice, bounds[row] ?? choice)
    }
    let validation = CrossValidation(
      truth: exemplars.map(\.urgency), given: given,
      visitTypes: exemplars.indices.map {
        (exemplars[$0].visitType, given[$0] >= .orange ? .emergency : visits[$0])
      })
    let all = exemplars.map { _ in true }
    let levels = fitLevels(design, similarities, all)
    let ids = exemplars.map(\.intake.id)
    return Outcome(
      tables: [
        (
          "triage/level-weights.tsv",
          levels.linear.text(head: head("Weights of findings for each level"), scale: scale)
        ),
        (
          "triage/exemplar-weights.tsv",
          ExemplarIndex.text(ids: ids, weights: levels.exemplars, head: head("Weights of resembling each exemplar"))
        ),
        ("triage/rule-trust.tsv", trust(all).text(head: head("How often each finding was right about its level"))),
        ("triage/level-calibration.tsv", calibration.text(head: head("Probabilities and costs of each level"))),
        (
          "specialties/visit-weights.tsv",
          fitVisits(design, all).text(head: head("Weights of findings for visit types"))
        ),
      ], crossValidation: validation, ids: ids)
  }

  /// Weights of features, and of resembling each exemplar.
  private struct LevelFit {
    let linear: LinearScores
    let exemplars: [[Double]]

    func scores(_ features: [CaseFeature], _ similarities: [Double]) -> [Double] {
      var sums = linear.scores(features)
      for (index, similarity) in similarities.enumerated() where similarity > 0 {
        for level in sums.indices { sums[level] += similarity * exemplars[index][level] }
      }
      return sums
    }
  }

  private func head(_ title: String) -> [(String, String)] {
    [
      ("title", title),
      ("source", "Fitted to triage/exemplars.tsv by 'vetnet evaluate fit-triage'; not written by hand"),
      ("licence", "MIT, written for VetNet"), ("version", version),
      ("protocol", assessor.triage.triageProtocol.id), ("seed", "\(seed)"), ("exemplars", "\(exemplars.count)"),
    ]
  }

  /// Situations in random order, dealt out in turn.
  private func folds() -> [Int] {
    var generator = SplitMix64(seed: seed)
    let situations = Set(exemplars.map(\.situation)).sorted().shuffled(using: &generator)
    let place = Dictionary(uniqueKeysWithValues: situations.enumerated().map { ($1, $0 % Self.folds) })
    return exemplars.map { place[$0.situation] ?? 0 }
  }

  private func fitLevels(_ design: Design, _ similarities: [[Double]], _ counts: [Bool]) -> LevelFit {
    let fitter = LogisticFitter(penalty: Self.levelPenalty)
    let rowWeights = counts.map { $0 ? 1.0 : 0 }
    let fits = Self.steps.map { step in
      fitter.fit(
        design.columns, kernel: similarities, labels: exemplars.map { $0.urgency >= step }, rowWeights: rowWeights,
        isBounded: design.names.map(CaseFeature.mayOnlyRaise))
    }
    let linear = LinearScores(
      outcomes: Self.steps.map(\.rawValue), intercepts: fits.map(\.intercept), features: design.names,
      weights: fits.map(\.weights))
    return LevelFit(
      linear: linear, exemplars: exemplars.indices.map { row in fits.map { $0.similarityWeights[row] } })
  }

  /// Among the cases that are no emergency: those are settled by their level.
  private func fitVisits(_ design: Design, _ counts: [Bool]) -> LinearScores {
    let fitter = LogisticFitter(penalty: Self.visitPenalty, sweeps: 30)
    let types = VisitType.builtIn.filter { $0 != .emergency }
    let rowWeights = zip(counts, exemplars).map { $0 && $1.visitType != .emergency ? 1.0 : 0 }
    let fits = types.map { type in
      fitter.fit(
        design.columns, labels: exemplars.map { $0.visitType == type }, rowWeights: rowWeights,
        isBounded: design.names.map { _ in false })
    }
    return LinearScores(
      outcomes: types.map(\.rawValue), intercepts: fits.map(\.intercept), features: design.names,
      weights: fits.map(\.weights))
  }

  private func calibrate(_ scores: [[Double]], _ votes: [[Double]]) -> LevelCalibration {
    let fitter = LogisticFitter(penalty: 0.1, sweeps: 200, tolerance: 1e-5)
    let ones = [Double](repeating: 1, count: exemplars.count)
    var steps = Self.steps.indices.map { index in
      var columns = LogisticFitter.Columns(count: 2)
      for row in exemplars.indices {
        columns.rows[0].append(Int32(row))
        columns.values[0].append(scores[row][index])
        columns.rows[1].append(Int32(row))
        columns.values[1].append(votes[row][index] - 0.5)
      }
      let fit = fitter.fit(
        columns, labels: exemplars.map { $0.urgency >= Self.steps[index] }, rowWeights: ones, isBounded: [true, true])
      return LevelCalibration.Step(
        level: Self.steps[index], intercept: fit.intercept, score: fit.weights[0], votes: fit.weights[1], costRatio: 1)
    }
    let reaching = exemplars.indices.map {
      LevelCalibration(steps: steps, version: "").reaching(scores: scores[$0], votes: votes[$0])
    }
    for index in steps.indices {
      // The dearest miss that the floor of precision allows.
      steps[index].costRatio =
        Self.costRatios.last { ratio in
          let chosen = exemplars.indices.filter { reaching[$0][index] >= 1 / (1 + ratio) }
          let right = chosen.count { exemplars[$0].urgency >= Self.steps[index] }
          return Double(right) >= Self.precisionFloors[index] * Double(chosen.count)
        } ?? 1
    }
    return LevelCalibration(steps: steps, version: version)
  }
}

/// The features of all cases, by columns.
private struct Design {
  let names: [String]
  let columns: LogisticFitter.Columns

  init(_ cases: [[CaseFeature]], leastCases: Int) {
    var counts: [String: Int] = [:]
    for features in cases { for feature in features { counts[feature.name, default: 0] += 1 } }
    names = counts.filter { $0.value >= leastCases }.keys.sorted()
    let place = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    var columns = LogisticFitter.Columns(count: names.count)
    for (row, features) in cases.enumerated() {
      for feature in features {
        guard let column = place[feature.name] else { continue }
        columns.rows[column].append(Int32(row))
        columns.values[column].append(feature.value)
      }
    }
    self.columns = columns
  }
}
