import FoundationEssentials
public import Scheduling
public import VetNet

/// The suite `schedule`: plans for instances, beside the plan the search begins with.
public struct ScheduleSuite: Sendable {
  /// What a run gives.
  public struct Outcome: Sendable {
    public let report: SuiteReport
    /// By instance, in the order of their files: the name, and the plan of the shipped search.
    public let plans: [(name: String, plan: Plan)]
    public let sections: [ReportSection]
  }

  public static let metricNames = ["value", "upper_bound", "score", "feasible", "seconds"]

  /// Instance files, in order.
  public let files: [String]

  /// - Parameter paths: instance files, or folders of them; what in a folder is no instance is passed over.
  /// - Throws: ``EvaluationError`` when there is no instance.
  public init(_ paths: [String]) throws(EvaluationError) {
    var files: [String] = []
    for path in paths {
      var isFolder = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw EvaluationError(file: path, line: nil, problem: "can't be read")
      }
      guard isFolder else {
        files.append(path)
        continue
      }
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
      files += names.filter { $0.hasSuffix(".json") }.map { "\(path)/\($0)" }.filter(Self.isInstance)
    }
    guard !files.isEmpty else {
      throw EvaluationError(file: paths.first ?? "", line: nil, problem: "has no vetnet-sched-1 instance")
    }
    self.files = files
  }

  private static func isInstance(_ file: String) -> Bool {
    struct Head: Decodable { let schema: String }
    guard let data = try? Data(contentsOf: URL(filePath: file)) else { return false }
    return (try? JSONDecoder().decode(Head.self, from: data))?.schema == "vetnet-sched-1"
  }

  /// Plans each instance, and measures.
  ///
  /// - Parameters:
  ///   - limits: of the search. With iterations alone the plans can be repeated; with seconds they depend on the machine.
  ///   - versions: of what took part.
  ///   - progress: called with the instances planned so far.
  /// - Returns: the report, and each plan.
  /// - Throws: ``PracticeError`` for an instance that can't be read, ``SchedulingError`` for one that can't be planned.
  public func run(limits: SearchLimits, versions: [String: String], progress: (Int) -> Void) throws -> Outcome {
    var first = SearchLimits()
    first.iterations = 1
    first.threads = 1
    first.seed = limits.seed
    var outcomes: [InstanceSolving.Outcome] = []
    var begun: [InstanceSolving.Outcome] = []
    var plans: [(String, Plan)] = []
    for file in files {
      let instance = try InstanceSolving.read(file)
      begun.append(try InstanceSolving.solve(instance, limits: first))
      let outcome = try InstanceSolving.solve(instance, limits: limits)
      outcomes.append(outcome)
      plans.append((URL(filePath: file).lastPathComponent, outcome.plan))
      progress(outcomes.count)
    }
    let rows = zip(plans, outcomes).map { plan, outcome in
      [
        plan.0, String(outcome.value), String(outcome.upperBound), TextTable.decimals((1 - outcome.score) * 100, 3),
        outcome.isFeasible ? "yes" : "no", TextTable.decimals(outcome.seconds, 3),
      ]
    }
    return Outcome(
      report: SuiteReport(
        suite: "schedule", n: files.count, systems: ["default": metrics(outcomes)],
        baselines: ["greedy construction": metrics(begun)], versions: versions, seed: limits.seed),
      plans: plans,
      sections: [
        ReportSection(
          "Instances",
          .table(head: ["instance", "value", "upper bound", "gap %", "feasible", "seconds"], rows: rows))
      ])
  }

  private func metrics(_ outcomes: [InstanceSolving.Outcome]) -> [String: MetricValues] {
    [
      "value": .mean(outcomes.map { Double($0.value) }), "upper_bound": .mean(outcomes.map { Double($0.upperBound) }),
      "score": .mean(outcomes.map(\.score)), "feasible": .share(outcomes.map(\.isFeasible)),
      "seconds": .mean(outcomes.map(\.seconds)),
    ]
  }
}
