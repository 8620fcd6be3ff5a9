public import Clinical
public import VetNet

/// The suite `letters`: whether what a letter proposes first is right.
public struct LetterSuite: Sendable {
  /// A letter with what is right of it.
  struct Case: Decodable, Sendable {
    let id: String
    let kind: String
    /// `eml` for a message with its head, `text` for any other.
    let format: String
    /// Nil for one that is about nobody on file, or fits several as well.
    let patientID: String?
    let date: String?
    let author: String?
    let text: String

    private enum CodingKeys: String, CodingKey {
      case id, kind, format, date, author, text
      case patientID = "patient_id"
    }
  }

  /// What was proposed, as a line of `--predictions`.
  public struct Prediction: Encodable, Sendable {
    public let id: String
    public let patients: [String]
    public let reason: String
    public let date: String?
    public let author: String?
  }

  public static let metricNames = ["patient", "offered_wrongly", "date", "author"]

  let cases: [Case]
  private let path: String

  /// - Parameter path: JSON Lines of letters, beside `patients.jsonl` and `clients.jsonl`.
  /// - Throws: ``EvaluationError`` naming file, line and field.
  public init(_ path: String) throws(EvaluationError) {
    cases = try LabelledFile.rows(path, as: Case.self, expected: "a letter with its patient, date and author").map(
      \.value)
    guard !cases.isEmpty else { throw EvaluationError(file: path, line: nil, problem: "has no letters") }
    self.path = path
  }

  /// Reads each letter and compares what is proposed first.
  ///
  /// - Parameters:
  ///   - models: what the shipped program works with.
  ///   - now: when the letters are read.
  ///   - seed: for intervals and tests.
  /// - Returns: the report, and what was proposed for each letter.
  /// - Throws: ``EvaluationError`` for records that can't be used; ``PracticeError`` when reading fails.
  public func run(
    models: ModelDirectory, now: Timestamp, seed: UInt64
  ) throws -> (report: SuiteReport, predictions: [Prediction]) {
    let scratch = try ScratchPractice(besides: path, models: models, now: now)
    let practice = scratch.practice
    _ = try practice.perform(ChangeSetting(key: "date-order", value: "dmy"), by: .local, at: now)
    var predictions: [Prediction] = []
    for item in cases {
      let letter = try scratch.letter(item.id, ending: item.format == "eml" ? "eml" : "txt", text: item.text, at: now)
      predictions.append(
        Prediction(
          id: item.id, patients: letter.candidates.map(\.id), reason: letter.item.reason.rawValue,
          date: letter.date?.value, author: letter.author?.value))
    }
    let metrics = Self.metrics(cases, predictions)
    return (
      SuiteReport(
        suite: "letters", n: cases.count, systems: ["default": metrics], baselines: [:],
        versions: ["vetnet": VetNetVersion.current], seed: seed), predictions
    )
  }

  private static func metrics(_ cases: [Case], _ given: [Prediction]) -> [String: MetricValues] {
    let pairs = zip(cases, given)
    // Offered with a default that Enter takes: only one that stands out is.
    let offered = given.map { $0.reason == IncomingItem.Reason.unsurePatient.rawValue ? $0.patients.first : nil }
    return [
      "patient": .share(pairs.map { $0.patientID == $1.patients.first }, where: cases.map { $0.patientID != nil }),
      "offered_wrongly": .share(zip(cases, offered).map { $1 != nil && $0.patientID != $1 }),
      "date": .share(pairs.map { $0.date == $1.date }), "author": .share(pairs.map { $0.author == $1.author }),
    ]
  }
}
