public import Assessment
public import Clinical
import LinearAlgebra

/// Fits the learned part of triage to exemplars: judges each writer's fully labelled cases by what the others teach, calibrates
/// on that and chooses the costs, then fits all exemplars together.
///
/// Whole writers are held out because people repeat themselves: judged by other cases of the same hand, a model looks better
/// than it will be on anybody else's. The same exemplars, rules and seed give the same files on one machine.
public struct TriageFitter: Sendable {
  /// What a fitting run gives.
  public struct Outcome: Sendable {
    /// Bytes of the files, by their places in `Models/`.
    public let files: [(file: String, bytes: [UInt8])]
    public let crossValidation: CrossValidation
    /// Of the exemplars that were judged, in their order.
    public let ids: [String]
    /// By name of a kind of exemplars, the figures of that kind alone.
    public let byKind: [(kind: String, crossValidation: CrossValidation)]
  }

  private let assessor: CaseAssessor
  private let exemplars: [Exemplar]
  private let settings: LearningTable
  private let version: String

  static let steps: [Urgency] = [.green, .yellow, .orange, .red]
  static let visitTypes = VisitType.builtIn.filter { $0 != .emergency }
  static let fields = Specialty.all.filter { $0 != .emergency }

  /// - Parameters:
  ///   - assessor: with rules only; what it learned before is not asked.
  ///   - exemplars: labelled intakes.
  ///   - learning: `triage/learning.tsv`.
  ///   - version: of the exemplars, kept in the head of the files.
  /// - Throws: ``DataTableError`` for a setting that can't be used.
  public init(assessor: CaseAssessor, exemplars: [Exemplar], learning: DataTable, version: String)
    throws(DataTableError)
  {
    self.assessor = assessor
    self.exemplars = exemplars
    self.version = version
    settings = try LearningTable(table: learning)
  }

  /// - Returns: the files and how well held-out cases were judged.
  /// - Throws: an error of the linear algebra when OpenBLAS can't be loaded.
  /// - Complexity: O(exemplars³).
  public func run() throws -> Outcome {
    let reader = FeatureReader(lexicon: assessor.triage.reader.lexicon)
    var codes: [[[(code: FeatureCode, feature: Int32)]]] = []
    var findings: [RuleTrust.Evidence] = []
    var ownCodes: [[(blocks: [[(code: FeatureCode, feature: Int32)]], findings: [CaseAssessor.Ruled.OwnFinding])]] = []
    var surveys: [[ABCDELetter: ABCDEStatus]] = []
    var cues: [[Explanation]] = []
    var texts: [[String]] = []
    for exemplar in exemplars {
      let ruled = assessor.ruled(exemplar.intake, features: reader)
      codes.append(Self.byBlock(ruled.features))
      ownCodes.append(ruled.own.map { (Self.byBlock($0.features), $0.findings) })
      findings.append(ruled.evidence)
      texts.append(ruled.words)
      surveys.append(ruled.triage.abcde)
      cues.append(ruled.cues)
    }
    let vectorizer = CaseVectorizer(fitting: codes.map { $0.flatMap { $0.map(\.code) } })
    let vectors = codes.map(vectorizer.vector)
    let own = ownCodes.map { $0.map { OwnCase(vector: vectorizer.vector($0.blocks), findings: $0.findings) } }
    let kinship = try WordKinship(texts: texts, vectorizer: vectorizer)
    var ownScores: [[[Double]]] = []
    var scores: [CaseModel.Task: [[Double]]] = [:]
    var fitted: [CaseModel.FittedTask] = []
    let judged = exemplars.indices.filter { isHeldOut(exemplars[$0]) }
    for task in CaseModel.Task.allCases {
      var result = try fit(task, vectors, kinship, own: task == .urgency ? own : [])
      if task == .urgency { ownScores = result.own }
      if task == .visitType { balance(&result, judged, cues) }
      scores[task] = result.heldOut
      fitted.append(result.task)
    }
    let steps = calibrationSteps(judged, scores[.urgency] ?? [])
    findings = exemplars.indices.map { row in
      findings[row].removing(
        unmeant(own[row], ownScores[row], LevelCalibration(steps: steps, version: "")))
    }
    let calibration = calibrate(steps, judged, scores[.urgency] ?? [], findings)
    let bounds = heldOutFloors(judged, findings)
    let given = judged.enumerated().map { place, row in
      max(
        calibration.choice(reaching: calibration.reaching(scores: scores[.urgency]?[row] ?? [])), bounds[place])
    }
    func validation(_ places: [Int]) -> CrossValidation {
      let rows = places.map { judged[$0] }
      return CrossValidation(
        truth: rows.map { exemplars[$0].urgency }, given: places.map { given[$0] },
        visitTypes: places.map { place in
          let row = judged[place]
          if given[place] >= .orange { return (exemplars[row].visitType, .emergency) }
          let names = Self.visitTypes.map(\.rawValue)
          let best = VisitTypeClassifier.best(scores[.visitType]?[row] ?? [], of: names, cues: cues[row]) ?? 0
          return (exemplars[row].visitType, Self.visitTypes[best])
        },
        rightLetters: rows.map { row in
          let said = LearnedSurvey.statuses(scores[.survey]?[row] ?? [], rules: surveys[row])
          return ABCDELetter.allCases.count { exemplars[row].abcde?[$0] == said[$0] }
        },
        specialties: places.map { place in
          fields(scores[.specialty]?[judged[place]] ?? [], given[place], exemplars[judged[place]].specialties)
        })
    }
    let kinds = Set(judged.map { exemplars[$0].kind }).sorted()
    let model = try CaseModel.bytes(
      version: version, triageProtocol: assessor.triage.triageProtocol.id, seed: 0,
      checksum: Exemplar.checksum(exemplars), vectorizer: vectorizer, tasks: fitted,
      exemplars: exemplars.map { ($0.intake.id, $0.urgency) }, vectors: vectors)
    let trust = RuleTrust(exemplars.indices.map { (findings[$0], exemplars[$0].urgency) })
    return Outcome(
      files: [
        (AssessmentTables.modelFile, model),
        (
          "triage/rule-trust.tsv",
          Array(trust.text(head: head("How often each finding was right about its level")).utf8)
        ),
        (
          "triage/level-calibration.tsv",
          Array(calibration.text(head: head("Probabilities and costs of each level")).utf8)
        ),
      ],
      crossValidation: validation(Array(judged.indices)), ids: judged.map { exemplars[$0].intake.id },
      byKind: kinds.map { kind in
        (kind, validation(judged.indices.filter { exemplars[judged[$0]].kind == kind }))
      })
  }

  private func head(_ title: String) -> [(String, String)] {
    [
      ("title", title),
      ("source", "Fitted to triage/exemplars.tsv by 'vetnet evaluate fit-triage'; not written by hand"),
      ("licence", "MIT, written for VetNet"), ("version", version),
      ("protocol", assessor.triage.triageProtocol.id), ("exemplars", "\(exemplars.count)"),
    ]
  }

  /// Exemplars without every label are for fitting only.
  private func isHeldOut(_ exemplar: Exemplar) -> Bool { exemplar.isComplete }

  /// The own sentences of some findings of an exemplar.
  private struct OwnCase {
    let vector: CaseVector
    let findings: [CaseAssessor.Ruled.OwnFinding]
  }

  private static func byBlock(_ features: [CaseFeature]) -> [[(code: FeatureCode, feature: Int32)]] {
    var blocks = [[(code: FeatureCode, feature: Int32)]](repeating: [], count: FeatureBlock.allCases.count)
    for feature in features { blocks[feature.block.index].append((feature.code, -1)) }
    return blocks
  }

  /// The places of findings that their own sentences speak against; see ``OwnReading``.
  private func unmeant(_ own: [OwnCase], _ scores: [[Double]], _ calibration: LevelCalibration) -> Set<Int> {
    var places: Set<Int> = []
    for (item, scores) in zip(own, scores) {
      let likelihood = calibration.reaching(scores: scores)[Urgency.yellow.rank - 1]
      places.formUnion(item.findings.filter { likelihood < $0.least }.map(\.place))
    }
    return places
  }

  // MARK: - Tasks

  private func fit(
    _ task: CaseModel.Task, _ vectors: [CaseVector], _ kinship: WordKinship, own: [[OwnCase]]
  ) throws -> (task: CaseModel.FittedTask, heldOut: [[Double]], own: [[[Double]]]) {
    let settings = settings[task]
    let shares = settings.shares.map { Float($0.squareRoot()) }
    let rows = exemplars.indices.filter { isLabelled(exemplars[$0], task) }
    let cases = rows.map { vectors[$0].weighted(shares) }
    let targets = rows.map { self.targets(exemplars[$0], task) }
    let sums = kinship.sums(rows.map { vectors[$0] })
    let ridge = KernelRidge(
      kernel: KernelRidge.kernel(
        cases, dense: settings.kinship > 0 ? sums.matrix : nil, share: Float(settings.kinship)),
      penalty: settings.penalty)
    func weights(_ solution: KernelRidge.Solution) -> [[Float]] {
      var weights = KernelRidge.bucketWeights(solution, cases)
      guard settings.kinship > 0 else { return weights }
      let factor = Float(settings.kinship / settings.shares[FeatureBlock.words.index].squareRoot()) * sums.scale
      for output in weights.indices {
        var directions = [Float](repeating: 0, count: sums.matrix.columns)
        for (place, row) in solution.rows.enumerated() {
          let weight = solution.weights[place, output]
          for (column, value) in sums.matrix.row(row).enumerated() { directions[column] += weight * value }
        }
        for (bucket, value) in zip(FeatureBlock.words.buckets, kinship.bucketWeights(directions, scale: factor)) {
          weights[output][bucket] += value
        }
      }
      return weights
    }
    var heldOut = [[Double]](repeating: [], count: exemplars.count)
    var ownScores = [[[Double]]](repeating: [], count: own.count)
    func score(_ vector: CaseVector, _ means: [Double], _ weights: [[Float]]) -> [Double] {
      let entries = vector.weighted(shares)
      return weights.indices.map { output in
        entries.reduce(means[output]) { $0 + Double($1.value * weights[output][Int($1.bucket)]) }
      }
    }
    let leaveOut = try RidgeLeaveOut(ridge, targets: targets)
    for kind in Set(exemplars.filter(isHeldOut).map(\.kind)).sorted() {
      let group = rows.indices.filter { exemplars[rows[$0]].kind == kind }
      let held = try leaveOut.holdingOut(group)
      for (place, scores) in zip(group, held.scores) { heldOut[rows[place]] = scores }
      // A kind's cases that this task isn't fitted on (emergencies among the visits) are judged all the same.
      let others = exemplars.indices.filter { exemplars[$0].kind == kind && heldOut[$0].isEmpty }
      let withOwn = own.indices.filter { exemplars[$0].kind == kind && !own[$0].isEmpty }
      if others.isEmpty, withOwn.isEmpty { continue }
      let solution = leaveOut.solution(without: held)
      let weights = weights(solution)
      for row in others { heldOut[row] = score(vectors[row], solution.means, weights) }
      for row in withOwn { ownScores[row] = own[row].map { score($0.vector, solution.means, weights) } }
    }
    let solution = leaveOut.solution
    let weights = weights(solution)
    for row in own.indices where !own[row].isEmpty && ownScores[row].isEmpty {
      ownScores[row] = own[row].map { score($0.vector, solution.means, weights) }
    }
    return (
      CaseModel.FittedTask(
        task: task, shares: settings.shares, outputs: outputs(task), intercepts: solution.means,
        weights: weights), heldOut, ownScores
    )
  }

  /// Gives each kind of visit its head start, by which rare kinds are named as often as they are: among held-out cases each
  /// writer's by what the others need, in the model by what all need.
  private func balance(
    _ result: inout (task: CaseModel.FittedTask, heldOut: [[Double]], own: [[[Double]]]), _ judged: [Int],
    _ cues: [[Explanation]]
  ) {
    let names = Self.visitTypes.map(\.rawValue)
    let rows = judged.filter { isLabelled(exemplars[$0], .visitType) }
    let totals = rows.map { VisitTypeClassifier.totals(result.heldOut[$0], of: names, cues: cues[$0]) }
    let labels = rows.map { row in Self.visitTypes.firstIndex(of: exemplars[row].visitType) ?? 0 }
    func starts(_ places: [Int]) -> [Double] {
      OutputBalance(scores: places.map { totals[$0] }, labels: places.map { labels[$0] }).starts
    }
    for kind in Set(judged.map { exemplars[$0].kind }) {
      let starts = starts(rows.indices.filter { exemplars[rows[$0]].kind != kind })
      for row in judged where exemplars[row].kind == kind {
        result.heldOut[row] = zip(result.heldOut[row], starts).map(+)
      }
    }
    result.task.intercepts = zip(result.task.intercepts, starts(Array(rows.indices))).map(+)
  }

  private func outputs(_ task: CaseModel.Task) -> [String] {
    switch task {
    case .urgency: Self.steps.map(\.rawValue)
    case .survey: LearnedSurvey.outputs.map { LearnedSurvey.name($0.letter, $0.status) }
    case .visitType: Self.visitTypes.map(\.rawValue)
    case .specialty: Self.fields.map(\.rawValue)
    }
  }

  /// Visits that are no emergency only: those are settled by their level.
  private func isLabelled(_ exemplar: Exemplar, _ task: CaseModel.Task) -> Bool {
    switch task {
    case .urgency: true
    case .survey: exemplar.abcde != nil
    case .visitType: exemplar.visitType != .emergency && exemplar.kind != Exemplar.discriminatorKind
    case .specialty: !exemplar.specialties.isEmpty
    }
  }

  private func targets(_ exemplar: Exemplar, _ task: CaseModel.Task) -> [Float] {
    switch task {
    case .urgency: Self.steps.map { exemplar.urgency >= $0 ? 1 : -1 }
    case .survey: LearnedSurvey.outputs.map { exemplar.abcde?[$0.letter] == $0.status ? 1 : -1 }
    case .visitType: Self.visitTypes.map { exemplar.visitType == $0 ? 1 : -1 }
    case .specialty: Self.fields.map { exemplar.specialties.contains($0) ? 1 : -1 }
    }
  }

  private func fields(_ scores: [Double], _ given: Urgency, _ labels: [Specialty]) -> (first: Bool, second: Bool) {
    var ranked = zip(Self.fields, scores).enumerated().sorted {
      ($0.element.1, $1.offset) > ($1.element.1, $0.offset)
    }.map(\.element.0)
    if given >= .orange { ranked.insert(.emergency, at: 0) }
    return (ranked.prefix(1).contains(where: labels.contains), ranked.prefix(2).contains(where: labels.contains))
  }

  // MARK: - Levels

  /// The floors that findings set which the other kinds of exemplars taught to trust.
  private func heldOutFloors(_ judged: [Int], _ findings: [RuleTrust.Evidence]) -> [Urgency] {
    var trusts: [String: RuleTrust] = [:]
    for kind in Set(judged.map { exemplars[$0].kind }) {
      trusts[kind] = RuleTrust(
        exemplars.indices.filter { exemplars[$0].kind != kind }.map { (findings[$0], exemplars[$0].urgency) })
    }
    return judged.map { row in
      trusts[exemplars[row].kind]?.bound(findings[row]) ?? .blue
    }
  }

  /// How scores become probabilities; all costs are 1.
  private func calibrationSteps(_ judged: [Int], _ scores: [[Double]]) -> [LevelCalibration.Step] {
    let fitter = LogisticFitter(penalty: 0.1, sweeps: 200, tolerance: 1e-5)
    let ones = [Double](repeating: 1, count: judged.count)
    return Self.steps.indices.map { index in
      var columns = LogisticFitter.Columns(count: 1)
      for (place, row) in judged.enumerated() {
        columns.rows[0].append(Int32(place))
        columns.values[0].append(scores[row][index])
      }
      let fit = fitter.fit(
        columns, labels: judged.map { exemplars[$0].urgency >= Self.steps[index] }, rowWeights: ones, isBounded: [true])
      return LevelCalibration.Step(
        level: Self.steps[index], intercept: fit.intercept, score: fit.weights[0], costRatio: 1)
    }
  }

  /// The steps with the costs that meet the goals best.
  private func calibrate(
    _ steps: [LevelCalibration.Step], _ judged: [Int], _ scores: [[Double]], _ findings: [RuleTrust.Evidence]
  ) -> LevelCalibration {
    var steps = steps
    let bounds = heldOutFloors(judged, findings)
    let reaching = judged.map { LevelCalibration(steps: steps, version: "").reaching(scores: scores[$0]) }
    let truth = judged.map { exemplars[$0].urgency }
    let ratios = CostChoice.best(count: steps.count) { ratios in
      let tried = LevelCalibration(
        steps: zip(steps, ratios).map { step, ratio in
          var step = step
          step.costRatio = ratio
          return step
        }, version: "")
      let given = judged.indices.map { max(tried.choice(reaching: reaching[$0]), bounds[$0]) }
      return CrossValidation(truth: truth, given: given, visitTypes: [], rightLetters: [], specialties: []).figures
    }
    for index in steps.indices { steps[index].costRatio = ratios[index] }
    return LevelCalibration(steps: steps, version: version)
  }
}
