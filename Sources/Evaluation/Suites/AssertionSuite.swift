import Clinical
public import Extraction
public import VetNet

/// A place in a text with what its words assert.
public struct AssertionCase: Sendable, Decodable {
  public var id: String
  public var situation: String?
  public var text: String
  public var target: String
  /// Unicode code points of ``text``.
  public var start: Int
  /// Exclusive.
  public var end: Int
  public var polarity: Polarity
  public var temporality: Temporality
  public var experiencer: Experiencer
  /// True where the thing came to an end (a stopped drug, a resolved sign): "absent now" is then as right as "present once".
  public var ended: Bool?
}

/// The suite `assertions`: polarity, temporality and experiencer of marked words.
public struct AssertionSuite: Sendable {
  /// What a run gives.
  public struct Outcome: Sendable {
    public let report: SuiteReport
    /// In the order of the cases.
    public let assertions: [Assertion]
  }

  public static let metricNames = [
    "polarity_accuracy", "negation_f1", "uncertain_f1", "temporality_accuracy", "historical_f1", "experiencer_f1",
    "all_correct",
  ]

  public let cases: [AssertionCase]
  /// UTF-8 bytes of the cases' texts.
  let targets: [Range<Int>]

  /// - Throws: ``EvaluationError`` naming file, line and field; also where the offsets don't enclose the target.
  public init(_ paths: [String]) throws(EvaluationError) {
    var cases: [AssertionCase] = []
    var targets: [Range<Int>] = []
    var ids: Set<String> = []
    for path in paths {
      let rows = try LabelledFile.rows(
        path, as: AssertionCase.self, expected: "a text with target, start, end and the three labels")
      for (line, item) in rows {
        guard ids.insert(item.id).inserted else {
          throw EvaluationError(file: path, line: line, problem: "the id '\(item.id)' stands there twice")
        }
        guard let range = Self.bytes(of: item) else {
          throw EvaluationError(file: path, line: line, problem: "start and end don't enclose the target")
        }
        cases.append(item)
        targets.append(range)
      }
    }
    guard !cases.isEmpty else {
      throw EvaluationError(file: paths.first ?? "", line: nil, problem: "has no cases")
    }
    self.cases = cases
    self.targets = targets
  }

  private static func bytes(of item: AssertionCase) -> Range<Int>? {
    guard item.start >= 0, item.start < item.end, let range = item.text.utf8Range(codePoints: item.start..<item.end),
      let words = item.text.slice(utf8: range), words.unicodeScalars.elementsEqual(item.target.unicodeScalars)
    else { return nil }
    return range
  }

  /// Classifies every target and measures.
  ///
  /// - Parameters:
  ///   - reader: the shipped rules.
  ///   - seed: for intervals and tests.
  /// - Returns: the report, and what was made of each target.
  public func run(_ reader: AssertionReader, seed: UInt64) -> Outcome {
    let assertions = zip(cases, targets).map { reader.assertion(of: $1, in: $0.text) }
    let plain = cases.map { _ in Assertion(polarity: .present, temporality: .current, experiencer: .patient) }
    return Outcome(
      report: SuiteReport(
        suite: "assertions", n: cases.count, systems: ["default": metrics(assertions)],
        baselines: ["always present, current, patient": metrics(plain)], versions: reader.versions, seed: seed),
      assertions: assertions)
  }

  func metrics(_ given: [Assertion]) -> [String: MetricValues] {
    let pairs = zip(cases, given).map { Judged($0, $1) }
    func polarityF1(_ polarity: Polarity) -> MetricValues {
      .f1(
        truth: pairs.map { $0.scoresPolarity && $0.label.polarity == polarity },
        found: pairs.map { $0.scoresPolarity && !$0.isEndedAsAbsent && $0.given.polarity == polarity })
    }
    return [
      "polarity_accuracy": .share(pairs.map(\.polarityHolds), where: pairs.map(\.scoresPolarity)),
      "negation_f1": polarityF1(.absent), "uncertain_f1": polarityF1(.uncertain),
      "temporality_accuracy": .share(pairs.map(\.temporalityHolds)),
      "historical_f1": .f1(
        truth: pairs.map { $0.label.temporality == .historical },
        found: pairs.map { $0.given.temporality == .historical || $0.isEndedAsAbsent }),
      "experiencer_f1": .f1(
        truth: pairs.map { $0.label.experiencer == .other }, found: pairs.map { $0.given.experiencer == .other }),
      "all_correct": .share(
        pairs.map { ($0.polarityHolds || !$0.scoresPolarity) && $0.temporalityHolds && $0.experiencerHolds }),
    ]
  }

  /// A label beside what was made of it.
  private struct Judged {
    let label: AssertionCase
    let given: Assertion

    init(_ label: AssertionCase, _ given: Assertion) {
      self.label = label
      self.given = given
    }

    /// Advice and conditions have no polarity to be right about.
    var scoresPolarity: Bool { label.temporality != .hypothetical }
    var isEndedAsAbsent: Bool {
      label.ended == true && label.polarity == .present && label.temporality == .historical
        && given.polarity == .absent && given.temporality == .current
    }
    var polarityHolds: Bool { label.polarity == given.polarity || isEndedAsAbsent }
    var temporalityHolds: Bool { label.temporality == given.temporality || isEndedAsAbsent }
    var experiencerHolds: Bool { label.experiencer == given.experiencer }
  }
}
