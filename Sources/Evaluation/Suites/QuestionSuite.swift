public import Answering
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
    /// What of a reader's sentences was dropped, by why; empty where no reader was asked.
    public var dropped: [GuestFault: Int] = [:]
    /// Questions to which a reader gave nothing to judge.
    public var failures = 0
  }

  /// A guest that is measured beside the shipped system.
  public typealias Reader = (GuestQuestion) throws -> GuestReply

  public static let metricNames = [
    "class_accuracy", "answer_accuracy", "citation_precision", "citation_recall", "refusal_recall", "false_refusal",
    "missed_reactions", "unsupported_sentences",
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
  ///   - reader: measured as the system `reader`: its sentences as far as they hold, the shipped answer where none does.
  ///   - progress: called with the questions answered so far.
  /// - Returns: the report, and each question's answer.
  /// - Throws: ``EvaluationError`` for records that can't be used; ``PracticeError`` when asking fails.
  public func run(
    models: ModelDirectory, zone: PracticeTimeZone, now: Timestamp, seed: UInt64, reader: Reader? = nil,
    progress: (Int) -> Void = { _ in }
  ) throws -> Outcome {
    let records = try QuestionRecords(folder: folder, models: models, zone: zone, now: now)
    let practice = records.practice
    var answers: [Answer] = []
    var read: [Answer] = []
    var (dropped, failures): ([GuestFault: Int], Int) = ([:], 0)
    for item in cases {
      let moment = try records.askedAt(item)
      answers.append(try practice.answers.ask(item.question, patient: item.patientID, askedAt: moment))
      if let reader {
        let said = try Self.read(item, moment, by: reader, practice)
        failures += said == nil ? 1 : 0
        for (fault, count) in said?.dropped ?? [:] { dropped[fault, default: 0] += count }
        let holds = said.map { !$0.answer.sentences.isEmpty } ?? false
        read.append(holds ? said?.answer ?? answers[answers.count - 1] : answers[answers.count - 1])
      }
      progress(answers.count)
    }
    let drugs = try models.drugNames()
    let judged = zip(cases, answers).map { AnswerJudgement($1, label: $0, drugs: drugs) }
    let silent = Answer(.notRecorded, text: "")
    let refusing = cases.map { AnswerJudgement(silent, label: $0, drugs: drugs) }
    var systems = ["default": Self.metrics(judged, of: cases)]
    if reader != nil {
      systems["reader"] = Self.metrics(
        zip(cases, read).map { AnswerJudgement($1, label: $0, drugs: drugs) }, of: cases)
    }
    return Outcome(
      report: SuiteReport(
        suite: "questions", n: cases.count, systems: systems,
        baselines: ["always not recorded": Self.metrics(refusing, of: cases)],
        versions: try practice.answers.answerVersions(),
        seed: seed),
      answers: answers, dropped: dropped, failures: failures)
  }

  /// A guest's answer to a case as far as it holds; nil where it gave nothing to judge.
  private static func read(
    _ item: QuestionCase, _ moment: Timestamp, by reader: Reader, _ practice: Practice
  ) throws -> GuestAnswer? {
    guard let handed = try practice.answers.guestQuestion(item.question, patient: item.patientID, askedAt: moment),
      let reply = try? reader(handed)
    else { return nil }
    return try practice.answers.judged(reply, to: handed)
  }

  static func metrics(_ judged: [AnswerJudgement], of cases: [QuestionCase]) -> [String: MetricValues] {
    let refuses = cases.map { $0.answerClass == "not_recorded" }
    let says = judged.map(\.saysNotRecorded)
    return [
      "class_accuracy": .share(judged.map(\.classHolds)), "answer_accuracy": .share(judged.map(\.answerHolds)),
      "citation_precision": .ratio(
        numerators: judged.map { Double($0.citedEvidence) }, denominators: judged.map { Double($0.citedNotes) }),
      "citation_recall": .share(judged.map(\.citesEvidence), where: cases.map { !$0.evidence.isEmpty }),
      "refusal_recall": .share(says, where: refuses),
      "false_refusal": .share(says, where: refuses.map { !$0 }),
      "missed_reactions": .total(judged.map { $0.missesReaction ? 1 : 0 }),
      "unsupported_sentences": .total(judged.map { Double($0.unsupportedSentences) }),
    ]
  }
}
