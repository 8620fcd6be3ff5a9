public import Assessment
import Clinical

/// A finished visit as a row of the suite `duration`.
public struct DurationCase: Sendable, Decodable {
  public var id: String
  /// ISO 8601; the file is in this order.
  public var startedAt: String?
  public var text: String?
  public var visitType: String?
  public var clinician: String?
  public var species: String?
  public var ageYears: Double?
  public var slotMinutes: Double?
  public var actualMinutes: Double

  private enum CodingKeys: String, CodingKey {
    case id, text, clinician, species
    case startedAt = "started_at"
    case visitType = "visit_type"
    case ageYears = "age_years"
    case slotMinutes = "slot_minutes"
    case actualMinutes = "actual_minutes"
  }

  /// The visit as it was known beforehand.
  var input: DurationInput {
    DurationInput(
      visitType: visitType, clinicianID: clinician, species: species, ageYears: ageYears, slotMinutes: slotMinutes,
      text: text ?? "")
  }
}

/// The suite `duration`: each visit is predicted from the earlier ones only, then learned from.
public struct DurationSuite: Sendable {
  /// Quantiles of one case.
  public struct Prediction: Hashable, Sendable, Encodable {
    public let id: String
    public let p50: Double
    public let p70: Double
    public let p80: Double
    public let p90: Double

    init(id: String, _ quantile: (Double) -> Double) {
      self.id = id
      p50 = quantile(0.5)
      p70 = quantile(0.7)
      p80 = quantile(0.8)
      p90 = quantile(0.9)
    }
  }

  /// What a run gives.
  public struct Outcome: Sendable {
    public let report: SuiteReport
    /// In the order of the cases.
    public let predictions: [Prediction]
    public let sections: [ReportSection]
  }

  public static let metricNames = ["mae", "pinball", "coverage80", "coverage90", "overrun_share"]

  public let cases: [DurationCase]

  /// - Throws: ``EvaluationError`` naming file, line and field; also where a visit starts before the one above it.
  public init(_ paths: [String]) throws(EvaluationError) {
    var cases: [DurationCase] = []
    var ids: Set<String> = []
    var last: String?
    for path in paths {
      for (line, item) in try LabelledFile.rows(
        path, as: DurationCase.self, expected: "a visit with its actual minutes")
      {
        func fail(_ problem: String) -> EvaluationError { EvaluationError(file: path, line: line, problem: problem) }
        guard ids.insert(item.id).inserted else { throw fail("the id '\(item.id)' stands there twice") }
        guard item.actualMinutes > 0, item.actualMinutes.isFinite else {
          throw fail("'actual_minutes' of '\(item.id)' is not positive")
        }
        if let started = item.startedAt {
          // ISO 8601 of one form sorts as text.
          if let last, started < last { throw fail("'\(item.id)' starts before the visit above it") }
          last = started
        }
        cases.append(item)
      }
    }
    guard !cases.isEmpty else {
      throw EvaluationError(file: paths.first ?? "", line: nil, problem: "has no cases")
    }
    self.cases = cases
  }

  /// Predicts and learns visit after visit, and measures.
  ///
  /// - Parameters:
  ///   - learner: the shipped one, having seen nothing.
  ///   - versions: of tables that took part.
  ///   - seed: for intervals and tests.
  /// - Returns: the report, and each visit's quantiles.
  public func run(_ learner: DurationLearner, versions: [String: String], seed: UInt64) -> Outcome {
    var learner = learner
    let cold = learner
    var baselines = RollingMedian.Grouping.allCases.map { RollingMedian($0) }
    var predictions: [Prediction] = []
    var prior: [Prediction] = []
    var others = [[Prediction]](repeating: [], count: baselines.count)
    for item in cases {
      let input = item.input
      let forecast = learner.forecast(input)
      predictions.append(Prediction(id: item.id) { forecast.quantile($0) })
      let first = cold.forecast(input)
      prior.append(Prediction(id: item.id) { first.quantile($0) })
      for index in baselines.indices {
        others[index].append(Prediction(id: item.id) { baselines[index].quantile($0, item) })
        baselines[index].learn(item)
      }
      learner.learn(input, minutes: item.actualMinutes)
    }
    let named = zip(baselines, others).map { ($0.grouping.rawValue, metrics($1)) }
    var systems = [(name: "default", predictions: predictions), (name: "priors alone", predictions: prior)]
    for (baseline, given) in zip(baselines, others) {
      systems.append((name: baseline.grouping.rawValue, predictions: given))
    }
    return Outcome(
      report: SuiteReport(
        suite: "duration", n: cases.count,
        systems: ["default": metrics(predictions), "priors alone": metrics(prior)],
        baselines: Dictionary(uniqueKeysWithValues: named), versions: versions, seed: seed),
      predictions: predictions,
      sections: sections(systems))
  }

  func metrics(_ predictions: [Prediction]) -> [String: MetricValues] {
    let actual = cases.map(\.actualMinutes)
    return [
      "mae": .mean(zip(actual, predictions).map { abs($0 - $1.p50) }),
      "pinball": .mean(
        zip(actual, predictions).map { actual, given in
          (Self.pinball(actual, given.p50, 0.5) + Self.pinball(actual, given.p80, 0.8)
            + Self.pinball(actual, given.p90, 0.9)) / 3
        }),
      "coverage80": .share(zip(actual, predictions).map { $0 <= $1.p80 }),
      "coverage90": .share(zip(actual, predictions).map { $0 <= $1.p90 }),
      // What the scheduler would reserve: the five-minute ceiling of the 0.7 quantile.
      "overrun_share": .share(zip(actual, predictions).map { $0 > ($1.p70 / 5).rounded(.up) * 5 }),
    ]
  }

  /// - Source: R. Koenker, G. Bassett, "Regression quantiles", Econometrica 1978;46:33–50.
  static func pinball(_ actual: Double, _ predicted: Double, _ p: Double) -> Double {
    actual >= predicted ? p * (actual - predicted) : (1 - p) * (predicted - actual)
  }

  private func sections(_ systems: [(name: String, predictions: [Prediction])]) -> [ReportSection] {
    let actual = cases.map(\.actualMinutes)
    func calibration(_ predictions: [Prediction]) -> [ReportSection.Point] {
      [(0.5, \Prediction.p50), (0.7, \.p70), (0.8, \.p80), (0.9, \.p90)].map { share, quantile in
        let below = zip(actual, predictions).count { $0 <= $1[keyPath: quantile] }
        return ReportSection.Point(share, Double(below) / Double(max(1, actual.count)))
      }
    }
    // The error of each tenth of the visits shows whether it learns.
    let size = max(1, cases.count / 10)
    func errors(_ predictions: [Prediction]) -> [ReportSection.Point] {
      stride(from: 0, to: cases.count - size + 1, by: size).map { start in
        let sum = (start..<(start + size)).reduce(0) { $0 + abs(actual[$1] - predictions[$1].p50) }
        return ReportSection.Point(Double(start + size), sum / Double(size))
      }
    }
    return [
      ReportSection(
        "Share of visits at or below each quantile",
        .curves(
          systems.map { .init($0.name, calibration($0.predictions)) }, x: "quantile", y: "share", diagonal: true)),
      ReportSection(
        "Mean absolute error as visits are learned",
        .curves(systems.map { .init($0.name, errors($0.predictions)) }, x: "visits", y: "minutes", diagonal: false)),
    ]
  }
}

/// A baseline: the quantiles of the earlier visits of a group, and of all of them where the group has none.
struct RollingMedian {
  enum Grouping: String, CaseIterable {
    case overall = "overall median"
    case visitType = "visit-type median"
    case clinicianAndVisitType = "clinician × type median"
  }

  let grouping: Grouping
  private var sorted: [String: [Double]] = [:]

  init(_ grouping: Grouping) { self.grouping = grouping }

  /// From the narrowest group that has visits; 15 minutes, a usual slot, before there are any.
  func quantile(_ p: Double, _ item: DurationCase) -> Double {
    for key in keys(item) {
      guard let values = sorted[key], let last = values.indices.last else { continue }
      let position = p * Double(last)
      let lower = Int(position)
      return values[lower] + (values[min(lower + 1, last)] - values[lower]) * (position - Double(lower))
    }
    return item.slotMinutes ?? 15
  }

  mutating func learn(_ item: DurationCase) {
    for key in keys(item) {
      var values = sorted[key] ?? []
      let place = values.firstIndex { $0 >= item.actualMinutes } ?? values.count
      values.insert(item.actualMinutes, at: place)
      sorted[key] = values
    }
  }

  private func keys(_ item: DurationCase) -> [String] {
    let type = "type " + (item.visitType ?? "")
    return switch grouping {
    case .overall: [""]
    case .visitType: [type, ""]
    case .clinicianAndVisitType: ["\(type) with \(item.clinician ?? "")", type, ""]
    }
  }
}
