public import Answering
import Chart
public import Clinical
import Training
public import VetNet

/// Fits the weights of answers to folders of labelled questions and says how well questions of patients that were left out
/// are answered by what the others teach.
public struct AnswerFitting: Sendable {
  /// What a fitting run gives.
  public struct Outcome: Sendable {
    /// Fitted to all.
    public let model: AnswerModel
    /// The figures of the suite `questions`, each question answered by weights that its patient had no part in.
    public let report: SuiteReport
    /// In the order of ``cases``.
    public let answers: [Answer]
    /// Questions that were fitted to; those to the whole practice and those with a shared name are measured only.
    public let fitted: Int
    public let patients: Int
  }

  /// What a cross-validation leaves out of the weights that answer it.
  public enum HeldOut: Sendable {
    /// A tenth of the patients, whose practices' other patients stay in: an upper guess.
    case patients
    /// A whole folder: what a practice can expect that nobody has seen, as far as tables were not corrected on it.
    case practices
  }

  /// Into how many parts the patients are dealt.
  static let patientFolds = 10

  private let heldOut: HeldOut
  /// Into how many parts the examples are dealt.
  public var folds: Int { heldOut == .patients ? Self.patientFolds : suites.count }
  private let suites: [QuestionSuite]
  private let kept: Set<AnswerModel.Decision>
  /// In the order of the folders and their lines.
  public var cases: [QuestionCase] { suites.flatMap(\.cases) }

  /// - Parameters:
  ///   - folders: each with `patients.jsonl`, `notes.jsonl` and `questions.jsonl`.
  ///   - kept: models whose weights stay as they are.
  ///   - heldOut: what is answered by weights that it had no part in; practices only where there are two folders or more.
  /// - Throws: ``EvaluationError`` naming file, line and field.
  public init(
    folders: [String], keeping kept: Set<AnswerModel.Decision> = [], holdingOut heldOut: HeldOut = .patients
  ) throws(EvaluationError) {
    precondition(heldOut == .patients || folders.count > 1, "one practice leaves nothing to fit to")
    self.heldOut = heldOut
    self.kept = kept
    suites = try folders.map { folder throws(EvaluationError) in try QuestionSuite(folder: folder) }
  }

  /// - Parameters:
  ///   - models: tables and priors; the weights that ship are not fitted to.
  ///   - zone: of times without an offset.
  ///   - now: when the import happens.
  ///   - seed: for intervals.
  ///   - progress: called with the folds done so far.
  /// - Returns: the weights, and how well questions of patients that were left out are answered.
  /// - Throws: ``EvaluationError`` for records that can't be used; ``PracticeError`` when asking fails.
  public func run(
    models: ModelDirectory, zone: PracticeTimeZone, now: Timestamp, seed: UInt64, progress: (Int) -> Void = { _ in }
  ) throws -> Outcome {
    var asked: [(item: QuestionCase, records: QuestionRecords)] = []
    var examples: [AnswerExample] = []
    var places: [Int] = []
    for suite in suites {
      let records = try QuestionRecords(folder: suite.folder, models: models, zone: zone, now: now)
      for item in suite.cases {
        if let example = try Self.example(item, records) {
          places.append(asked.count)
          examples.append(example)
        }
        asked.append((item, records))
      }
    }
    let fitter = try models.answerFitter(keeping: kept)
    let model = fitter.model(fitting: examples)
    // What was not fitted to may be answered by the weights of all.
    var modelOf = [AnswerModel](repeating: model, count: asked.count)
    let groups: KeyPath<AnswerExample, String> = heldOut == .patients ? \.group : \.practice
    for (left, model) in fitter.crossValidation(examples, leavingOut: groups, folds: folds, progress: progress) {
      for index in left { modelOf[places[index]] = model }
    }
    var answers: [Answer] = []
    for (index, (item, records)) in asked.enumerated() {
      answers.append(
        try records.practice.answers.ask(
          item.question, patient: item.patientID, askedAt: try records.askedAt(item), weighing: modelOf[index]))
    }
    let drugs = try models.drugNames()
    let judged = zip(cases, answers).map { AnswerJudgement($1, label: $0, drugs: drugs) }
    return Outcome(
      model: model,
      report: report(judged, seed: seed),
      answers: answers, fitted: examples.count, patients: Set(examples.map(\.group)).count)
  }

  /// Over all questions, and where practices are held out over those of each.
  private func report(_ judged: [AnswerJudgement], seed: UInt64) -> SuiteReport {
    func report(_ judged: [AnswerJudgement], of cases: [QuestionCase]) -> SuiteReport {
      SuiteReport(
        suite: "questions", n: cases.count, systems: ["default": QuestionSuite.metrics(judged, of: cases)],
        baselines: [:], versions: [:], seed: seed)
    }
    var all = report(judged, of: cases)
    guard heldOut == .practices else { return all }
    var start = 0
    for suite in suites {
      let end = start + suite.cases.count
      let name = suite.folder.split(separator: "/").last.map(String.init) ?? suite.folder
      all.systems[name] = report(Array(judged[start..<end]), of: suite.cases).systems["default"]
      start = end
    }
    return all
  }

  private static func example(_ item: QuestionCase, _ records: QuestionRecords) throws -> AnswerExample? {
    let askedAt = try records.askedAt(item)
    guard let answerClass = Answer.Class(rawValue: item.answerClass), answerClass != .ambiguousPatient,
      let record = try records.practice.answers.recordAsked(item.question, patient: item.patientID, askedAt: askedAt)
    else { return nil }
    return AnswerExample(
      id: item.id, question: item.question, record: record, askedAt: askedAt,
      right: RightAnswer(answerClass, evidence: Set(item.evidence), decisive: item.mustContain),
      group: "\(records.folder)/\(record.patient.id)", practice: records.folder)
  }
}
