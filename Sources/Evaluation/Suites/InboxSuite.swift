public import Clinical
public import VetNet

/// The suite `inbox`: whether what comes in is proposed its patient, and nothing is filed without a person.
public struct InboxSuite: Sendable {
  /// A text with what is right of it.
  struct Case: Decodable, Sendable {
    let id: String
    /// What makes it hard.
    let sort: String
    /// `phone`, `web form` or `note` come as messages, `letter` and `lab` as files.
    let form: String
    /// Whom it is about: several for two animals, and for namesakes whom nothing tells apart; empty for nobody on file.
    let right: [String]
    /// Whether nothing tells them apart, so that nobody may stand out.
    let several: Bool?
    let author: String?
    let contact: String?
    let animal: String?
    let species: Species?
    let text: String
  }

  /// What was proposed, as a line of `--predictions`.
  public struct Prediction: Encodable, Sendable {
    public let id: String
    public let patients: [String]
    public let certainties: [Double]
    public let reason: String
    /// Whether it was filed, which only a person may.
    public let filed: Bool
    /// The one whom filing at a stroke would name.
    public let stands_out: String?
  }

  public static let metricNames = [
    "first", "within_three", "none", "stands_out_wrongly", "filed_wrongly_unasked",
  ]

  let cases: [Case]
  private let path: String

  /// - Parameter path: JSON Lines of texts, beside `patients.jsonl` and `clients.jsonl`.
  /// - Throws: ``EvaluationError`` naming file, line and field.
  public init(_ path: String) throws(EvaluationError) {
    cases = try LabelledFile.rows(path, as: Case.self, expected: "a text with whom it is about").map(\.value)
    guard !cases.isEmpty else { throw EvaluationError(file: path, line: nil, problem: "has no texts") }
    self.path = path
  }

  /// Takes each text in and compares what is proposed.
  ///
  /// - Parameters:
  ///   - models: what the shipped program works with.
  ///   - now: when they come in.
  ///   - seed: for intervals and tests.
  /// - Returns: the report, and what was proposed for each text.
  /// - Throws: ``EvaluationError`` for records that can't be used; ``PracticeError`` when reading fails.
  public func run(
    models: ModelDirectory, now: Timestamp, seed: UInt64
  ) throws -> (report: SuiteReport, predictions: [Prediction]) {
    let scratch = try ScratchPractice(besides: path, models: models, now: now)
    let predictions = try cases.map { try take($0, into: scratch, now: now) }
    return (
      SuiteReport(
        suite: "inbox", n: cases.count, systems: ["default": metrics(predictions)], baselines: [:],
        versions: ["vetnet": VetNetVersion.current], seed: seed), predictions
    )
  }

  private func take(
    _ item: Case, into scratch: ScratchPractice, now: Timestamp
  ) throws -> Prediction {
    let practice = scratch.practice
    let waiting: InboxItem
    if ["letter", "lab"].contains(item.form) {
      let letter = try scratch.letter(item.id, ending: "txt", text: item.text, at: now)
      let receipt = try practice.perform(AddToInbox(items: [letter.item]), by: .local, at: now)
      waiting = try practice.perform(ShowInboxItem(id: receipt.ids.first ?? ""), by: .local, at: now)
    } else {
      var message = IncomingMessage(text: item.text, channel: item.form)
      message.id = item.id
      message.author = item.author
      message.contact = item.contact
      message.animal = item.animal
      message.species = item.species
      waiting = try practice.perform(TakeIn(message: message), by: .local, at: now)
    }
    return Prediction(
      id: item.id, patients: waiting.proposals.map(\.patient.id),
      certainties: waiting.proposals.map { ($0.candidate.certainty * 100).rounded() / 100 },
      reason: waiting.content.reason.rawValue, filed: waiting.filed != nil,
      stands_out: waiting.clearProposal?.patient.id)
  }

  private func metrics(_ given: [Prediction]) -> [String: MetricValues] {
    let pairs = Array(zip(cases, given))
    let isOnFile = cases.map { !$0.right.isEmpty }
    return [
      // Of several, each is a right first; two animals are both found among three.
      "first": .share(pairs.map { $1.patients.first.map($0.right.contains) ?? false }, where: isOnFile),
      "within_three": .share(
        pairs.map { Set($0.right.prefix(3)).isSubset(of: $1.patients.prefix(3)) }, where: isOnFile),
      "none": .share(pairs.map { $1.patients.isEmpty }, where: isOnFile.map { !$0 }),
      "stands_out_wrongly": .share(
        pairs.map { item, given in
          given.stands_out.map { item.several == true || !item.right.contains($0) } ?? false
        }),
      "filed_wrongly_unasked": .share(given.map(\.filed)),
    ]
  }
}
