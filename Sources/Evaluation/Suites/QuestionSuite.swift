public import Briefing
public import Clinical
import FoundationEssentials
public import VetNet

/// The suite `questions`: a folder of records with questions about them, asked of a practice file made from them.
public struct QuestionSuite: Sendable {
  /// What a run gives.
  public struct Outcome: Sendable {
    public let report: SuiteReport
    /// In the order of the cases.
    public let answers: [Answer]
  }

  public static let metricNames = [
    "class_accuracy", "answer_accuracy", "citation_precision", "citation_recall", "refusal_recall", "false_refusal",
    "unsupported_sentences",
  ]

  public let folder: String
  public let cases: [QuestionCase]

  /// - Parameter folder: with `patients.jsonl`, `notes.jsonl` and `questions.jsonl`.
  /// - Throws: ``EvaluationError`` naming file, line and field.
  public init(folder: String) throws(EvaluationError) {
    self.folder = folder
    cases = try QuestionCase.read(folder + "/questions.jsonl")
  }

  /// Imports the records into a practice file of their own, asks every question, and measures.
  ///
  /// - Parameters:
  ///   - models: what the shipped program works with.
  ///   - zone: of times without an offset.
  ///   - now: when the import happens; questions carry their own moments.
  ///   - seed: for intervals and tests.
  ///   - progress: called with the questions answered so far.
  /// - Returns: the report, and each question's answer.
  /// - Throws: ``EvaluationError`` for records that can't be used; ``PracticeError`` when asking fails.
  public func run(
    models: ModelDirectory, zone: PracticeTimeZone, now: Timestamp, seed: UInt64, progress: (Int) -> Void = { _ in }
  ) throws -> Outcome {
    let scratch = try ScratchFolder()
    let file = scratch.file("questions.vetnet")
    try Practice.create(at: file, name: nil, timeZone: zone, now: now)
    let practice = try Practice.open(at: file, models: models, access: .write)
    var problems: [String] = []
    let summary = try practice.importFiles(
      [folder + "/patients.jsonl", folder + "/notes.jsonl"],
      options: ImportOptions(rejectsPath: scratch.file("rejects.jsonl")), now: now, progress: { _ in },
      message: { problems.append($0) })
    guard summary.rejected == 0 else {
      throw EvaluationError(file: folder, line: nil, problem: problems.first ?? "has rows that can't be imported")
    }
    var answers: [Answer] = []
    for item in cases {
      answers.append(try answer(item, practice))
      progress(answers.count)
    }
    let drugs = try models.drugNames()
    let judged = zip(cases, answers).map { AnswerJudgement($1, label: $0, drugs: drugs) }
    let silent = Answer(.notRecorded, text: "")
    let refusing = cases.map { AnswerJudgement(silent, label: $0, drugs: drugs) }
    return Outcome(
      report: SuiteReport(
        suite: "questions", n: cases.count, systems: ["default": metrics(judged)],
        baselines: ["always not recorded": metrics(refusing)], versions: try practice.answerVersions(), seed: seed),
      answers: answers)
  }

  private func answer(_ item: QuestionCase, _ practice: Practice) throws -> Answer {
    guard let time = ISODateTime(item.askedAt) else {
      throw EvaluationError(
        file: folder + "/questions.jsonl", line: nil, problem: "'asked_at' of '\(item.id)' is not a date or time")
    }
    let zone = practice.timeZone
    var askedAt = zone.timestamp(of: time)
    if let date = CalendarDate(iso: item.askedAt) {
      // A day without a time means its end, as for the command.
      askedAt = Timestamp(seconds: zone.interval(of: date).upperBound.seconds - 1)
    }
    return try practice.ask(item.question, patient: item.patientID, askedAt: askedAt)
  }

  private func metrics(_ judged: [AnswerJudgement]) -> [String: MetricValues] {
    let refuses = cases.map { $0.answerClass == "not_recorded" }
    let says = judged.map(\.saysNotRecorded)
    return [
      "class_accuracy": .share(judged.map(\.classHolds)), "answer_accuracy": .share(judged.map(\.answerHolds)),
      "citation_precision": .ratio(
        numerators: judged.map { Double($0.citedEvidence) }, denominators: judged.map { Double($0.citedNotes) }),
      "citation_recall": .share(judged.map(\.citesEvidence), where: cases.map { !$0.evidence.isEmpty }),
      "refusal_recall": .share(says, where: refuses),
      "false_refusal": .share(says, where: refuses.map { !$0 }),
      "unsupported_sentences": .total(judged.map { Double($0.unsupportedSentences) }),
    ]
  }
}
