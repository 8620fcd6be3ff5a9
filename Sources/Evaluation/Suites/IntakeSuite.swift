public import Assessment
import Clinical
public import VetNet

/// The suites over labelled intakes: `triage`, and for itself `complexity` and `specialty`.
///
/// Each case is assessed with its labels taken away. The baselines say the same thing of every case.
public struct IntakeSuite: Sendable {
  /// Which labels are judged.
  public enum Kind: String, CaseIterable, Sendable { case triage, complexity, specialty }

  /// What a run gives.
  public struct Outcome: Sendable {
    public let report: SuiteReport
    /// In the order of the cases.
    public let assessments: [CaseAssessment]
    /// Plots, tables and cases for a reader of the report.
    public let sections: [ReportSection]
  }

  public let kind: Kind
  public let cases: [IntakeCase]

  /// - Throws: ``EvaluationError`` when there is no case, or one lacks a label that the suite judges.
  public init(_ kind: Kind, cases: [IntakeCase], file: String) throws(EvaluationError) {
    guard !cases.isEmpty else { throw EvaluationError(file: file, line: nil, problem: "has no cases") }
    for item in cases {
      let missing: String? =
        switch kind {
        case .triage:
          item.labels.urgency == nil ? "urgency" : item.labels.lacksLetters ? "abcde" : nil
        case .complexity: item.labels.complexity == nil ? "complexity" : nil
        case .specialty: item.labels.specialties?.isEmpty != false ? "specialties" : nil
        }
      if let missing {
        throw EvaluationError(file: file, line: nil, problem: "case '\(item.id)' has no label '\(missing)'")
      }
    }
    self.kind = kind
    self.cases = cases
  }

  /// Assesses every case and measures.
  ///
  /// - Parameters:
  ///   - evaluator: the shipped assessment.
  ///   - floors: examples beside reassuring words, of which a sample is judged for `floor_violations`; nil judges the cases alone.
  ///   - seed: for intervals, tests and the sample.
  /// - Returns: the report, and each case's assessment.
  public func run(_ evaluator: CaseEvaluator, floors: FloorGrid? = nil, seed: UInt64) -> Outcome {
    let assessments = evaluator.assessments(of: cases.map { $0.stripped(in: .utc) })
    let judged = assessments.map(Judgement.init)
    var baselines: [String: [String: MetricValues]] = [:]
    if kind != .specialty {
      baselines["always yellow, C2"] = metrics(cases.map { _ in Judgement(urgency: .yellow, complexity: 2) })
    }
    if kind == .triage {
      baselines["always orange, C2"] = metrics(cases.map { _ in Judgement(urgency: .orange, complexity: 2) })
    }
    if kind == .specialty { baselines["always general practice"] = metrics(cases.map { _ in Judgement() }) }
    var system = metrics(judged)
    if kind == .triage {
      system["floor_violations"] = .total(floorViolations(assessments, evaluator, floors, seed: seed))
    }
    return Outcome(
      report: SuiteReport(
        suite: kind.rawValue, n: cases.count, systems: ["default": system], baselines: baselines,
        versions: evaluator.versions, seed: seed),
      assessments: assessments, sections: sections(assessments, judged, seed: seed))
  }

  /// One for each case, and each cell of a sample of `floors`, that ended below the floor of a finding that stands in it.
  private func floorViolations(
    _ assessments: [CaseAssessment], _ evaluator: CaseEvaluator, _ floors: FloorGrid?, seed: UInt64
  ) -> [Double] {
    let cases = assessments.map { assessment in
      assessment.triage.fired.contains { finding in
        finding.floor.map { assessment.triage.urgency < $0 } ?? false
      } ? 1.0 : 0
    }
    let cells = floors?.violations(evaluator, sample: FloorGrid.sampleSize, seed: seed).violations.count ?? 0
    return cases + [Double](repeating: 1, count: cells)
  }

  /// What is compared with the labels.
  struct Judgement {
    var urgency = Urgency.yellow
    var abcde: [ABCDELetter: ABCDEStatus] = [:]
    var specialties: [Specialty] = [.generalPractice]
    var complexity = 2
    var visitType = VisitType.standardConsult
  }

  /// The metrics' names for this suite, in the order in which they are shown.
  public static func metricNames(_ kind: Kind) -> [String] {
    let complexity = ["complexity_qwk", "complexity_within_one"]
    let specialty = ["specialty_top1", "specialty_top2"]
    return switch kind {
    case .triage:
      [
        "accuracy", "qwk", "under_triage", "under_triage_by_two", "over_triage", "red_sensitivity", "red_precision",
        "red_orange_sensitivity", "red_orange_precision", "red_to_green_blue", "orange_to_green_blue",
        "floor_violations", "abcde_accuracy",
      ] + specialty + ["visit_type_accuracy"] + complexity
    case .complexity: complexity
    case .specialty: specialty
    }
  }

  func metrics(_ judged: [Judgement]) -> [String: MetricValues] {
    var metrics: [String: MetricValues] = [:]
    if kind == .triage { metrics = triage(judged) }
    if kind != .specialty { metrics.merge(complexity(judged)) { first, _ in first } }
    if kind != .complexity { metrics.merge(routing(judged)) { first, _ in first } }
    return metrics
  }

  private func triage(_ judged: [Judgement]) -> [String: MetricValues] {
    let truth = cases.map { $0.labels.urgency ?? .yellow }
    let given = judged.map(\.urgency)
    let below = zip(truth, given).map { $0.rank - $1.rank }
    let (isRed, saidRed) = (truth.map { $0 == .red }, given.map { $0 == .red })
    let (isHigh, saidHigh) = (truth.map { $0 >= .orange }, given.map { $0 >= .orange })
    let letters = zip(cases, judged).compactMap { item, judgement -> Double? in
      guard let labels = item.labels.abcde else { return nil }
      let right = ABCDELetter.allCases.count { labels[$0] == (judgement.abcde[$0] ?? .notStated) }
      return Double(right) / Double(ABCDELetter.allCases.count)
    }
    var metrics: [String: MetricValues] = [
      "accuracy": .share(below.map { $0 == 0 }),
      "qwk": .quadraticKappa(truth: truth.map(\.rank), rated: given.map(\.rank), categories: Urgency.allCases.count),
      "under_triage": .share(below.map { $0 > 0 }), "under_triage_by_two": .share(below.map { $0 > 1 }),
      "over_triage": .share(below.map { $0 < 0 }),
      "red_sensitivity": .share(saidRed, where: isRed), "red_precision": .share(isRed, where: saidRed),
      "red_orange_sensitivity": .share(saidHigh, where: isHigh),
      "red_orange_precision": .share(isHigh, where: saidHigh),
      "red_to_green_blue": .total(zip(isRed, given).map { $0 && $1 <= .green ? 1 : 0 }),
      "orange_to_green_blue": .total(zip(truth, given).map { $0 == .orange && $1 <= .green ? 1 : 0 }),
    ]
    if !letters.isEmpty { metrics["abcde_accuracy"] = .mean(letters) }
    return metrics
  }

  private func complexity(_ judged: [Judgement]) -> [String: MetricValues] {
    let pairs = zip(cases, judged).compactMap { item, judgement in
      item.labels.complexity.map { (truth: $0 - 1, rated: judgement.complexity - 1) }
    }
    guard !pairs.isEmpty else { return [:] }
    return [
      "complexity_qwk": .quadraticKappa(truth: pairs.map(\.truth), rated: pairs.map(\.rated), categories: 4),
      "complexity_within_one": .share(pairs.map { abs($0.truth - $0.rated) <= 1 }),
    ]
  }

  private func routing(_ judged: [Judgement]) -> [String: MetricValues] {
    var metrics: [String: MetricValues] = [:]
    let routed = zip(cases, judged).compactMap { item, judgement in
      item.labels.specialties.map { (labels: $0, given: judgement.specialties) }
    }
    if !routed.isEmpty {
      metrics["specialty_top1"] = .share(routed.map { pair in pair.given.first.map(pair.labels.contains) ?? false })
      metrics["specialty_top2"] = .share(
        routed.map { pair in pair.given.prefix(2).contains { pair.labels.contains($0) } })
    }
    let visits = zip(cases, judged).compactMap { item, judgement in
      item.labels.visitType.map { $0 == judgement.visitType }
    }
    if kind == .triage, !visits.isEmpty { metrics["visit_type_accuracy"] = .share(visits) }
    return metrics
  }
}

extension IntakeSuite.Judgement {
  init(_ assessment: CaseAssessment) {
    urgency = assessment.triage.urgency
    abcde = assessment.triage.abcde
    specialties = assessment.specialties.map(\.specialty)
    complexity = assessment.complexity.level
    visitType = assessment.visitType.visitType
  }
}
