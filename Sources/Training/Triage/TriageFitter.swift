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
    let cases = FittingCases(exemplars, assessor)
    let judged = exemplars.indices.filter { isHeldOut(exemplars[$0]) }
    let kinship = try WordKinship(texts: cases.texts, vectorizer: cases.vectorizer)
    var ownScores: [[[Double]]] = []
    var scores: [CaseModel.Task: [[Double]]] = [:]
    var fitted: [CaseModel.FittedTask] = []
    for task in CaseModel.Task.allCases {
      var result = try fit(task, cases.vectors, kinship, own: task == .urgency ? cases.own : [])
      if task == .urgency { ownScores = result.own }
      if task == .visitType { balance(&result, judged, cases.cues) }
      scores[task] = result.heldOut
      fitted.append(result.task)
    }
    let steps = calibrationSteps(judged, scores[.urgency] ?? [])
    let uncosted = LevelCalibration(steps: steps, version: "")
    let findings = exemplars.indices.map { row in
      cases.findings[row].removing(unmeant(cases.own[row], ownScores[row], uncosted))
    }
    let calibration = calibrate(steps, judged, scores[.urgency] ?? [], findings)
    let held = HeldOut(
      rows: judged, levels: levels(of: judged, calibration, scores[.urgency] ?? [], findings), scores: scores,
      cues: cases.cues, surveys: cases.surveys)
    let kinds = Set(judged.map { exemplars[$0].kind }).sorted()
    return Outcome(
      files: try files(fitted, cases, findings, calibration),
      crossValidation: validation(held, Array(judged.indices)), ids: judged.map { exemplars[$0].intake.id },
      byKind: kinds.map { kind in
        (kind, validation(held, judged.indices.filter { exemplars[judged[$0]].kind == kind }))
      })
  }

  /// The levels that held-out cases are given: what they are likely to be, and at least what their findings set.
  private func levels(
    of judged: [Int], _ calibration: LevelCalibration, _ scores: [[Double]], _ findings: [RuleTrust.Evidence]
  ) -> [Urgency] {
    zip(judged, heldOutFloors(judged, findings)).map { row, floor in
      max(calibration.choice(reaching: calibration.reaching(scores: scores[row])), floor)
    }
  }

  /// What was given to the exemplars that were held out, beside what all of them have.
  private struct HeldOut {
    /// The exemplars that were judged.
    let rows: [Int]
    /// Their levels, in the same order.
    let levels: [Urgency]
    /// By exemplar.
    let scores: [CaseModel.Task: [[Double]]]
    let cues: [[Explanation]]
    let surveys: [[ABCDELetter: ABCDEStatus]]

    func scores(_ task: CaseModel.Task, _ row: Int) -> [Double] { scores[task]?[row] ?? [] }
  }

  private func validation(_ held: HeldOut, _ places: [Int]) -> CrossValidation {
    let names = Self.visitTypes.map(\.rawValue)
    let cases = places.map { (row: held.rows[$0], level: held.levels[$0]) }
    return CrossValidation(
      truth: cases.map { exemplars[$0.row].urgency }, given: cases.map(\.level),
      visitTypes: cases.map { row, level in
        if level >= .orange { return (exemplars[row].visitType, .emergency) }
        let best = VisitTypeClassifier.best(held.scores(.visitType, row), of: names, cues: held.cues[row]) ?? 0
        return (exemplars[row].visitType, Self.visitTypes[best])
      },
      rightLetters: cases.map { row, _ in
        let said = LearnedSurvey.statuses(held.scores(.survey, row), rules: held.surveys[row])
        return ABCDELetter.allCases.count { exemplars[row].abcde?[$0] == said[$0] }
      },
      specialties: cases.map { row, level in fields(held.scores(.specialty, row), level, exemplars[row].specialties) })
  }

  private func files(
    _ fitted: [CaseModel.FittedTask], _ cases: FittingCases, _ findings: [RuleTrust.Evidence],
    _ calibration: LevelCalibration
  ) throws -> [(file: String, bytes: [UInt8])] {
    let model = try CaseModel.bytes(
      version: version, triageProtocol: assessor.triage.triageProtocol.id, seed: 0,
      checksum: Exemplar.checksum(exemplars), vectorizer: cases.vectorizer, tasks: fitted,
      exemplars: exemplars.map { ($0.intake.id, $0.urgency) }, vectors: cases.vectors)
    let trust = RuleTrust(exemplars.indices.map { (findings[$0], exemplars[$0].urgency) })
    return [
      (AssessmentTables.modelFile, model),
      (
        "triage/rule-trust.tsv",
        Array(trust.text(head: head("How often each finding was right about its level")).utf8)
      ),
      (
        "triage/level-calibration.tsv",
        Array(calibration.text(head: head("Probabilities and costs of each level")).utf8)
      ),
    ]
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
    let rows = exemplars.indices.filter { isLabelled(exemplars[$0], task) }
    let ridge = TaskRidge(settings, rows.map { vectors[$0] }, kinship)
    let leaveOut = try RidgeLeaveOut(ridge.ridge, targets: rows.map { targets(exemplars[$0], task) })
    var heldOut = [[Double]](repeating: [], count: exemplars.count)
    var ownScores = [[[Double]]](repeating: [], count: own.count)
    for kind in Set(exemplars.filter(isHeldOut).map(\.kind)).sorted() {
      let group = rows.indices.filter { exemplars[rows[$0]].kind == kind }
      let held = try leaveOut.holdingOut(group)
      for (place, scores) in zip(group, held.scores) { heldOut[rows[place]] = scores }
      // A kind's cases that this task isn't fitted on (emergencies among the visits) are judged all the same.
      let others = exemplars.indices.filter { exemplars[$0].kind == kind && heldOut[$0].isEmpty }
      let withOwn = own.indices.filter { exemplars[$0].kind == kind && !own[$0].isEmpty }
      if others.isEmpty, withOwn.isEmpty { continue }
      let model = ridge.model(leaveOut.solution(without: held))
      for row in others { heldOut[row] = model.scores(vectors[row]) }
      for row in withOwn { ownScores[row] = own[row].map { model.scores($0.vector) } }
    }
    let model = ridge.model(leaveOut.solution)
    for row in own.indices where !own[row].isEmpty && ownScores[row].isEmpty {
      ownScores[row] = own[row].map { model.scores($0.vector) }
    }
    return (
      CaseModel.FittedTask(
        task: task, shares: settings.shares, outputs: outputs(task), intercepts: model.means,
        weights: model.weights), heldOut, ownScores
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
