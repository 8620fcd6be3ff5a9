import FoundationEssentials
import Glibc
public import Scheduling

/// Plans `vetnet-sched-1` instances outside any practice: a file, or one after the other for an evaluation.
public enum InstanceSolving {
  /// A plan, and whether it stands.
  public struct Outcome: Sendable {
    public let plan: Plan
    /// Whether `PlanValidator`, which shares nothing with the search, finds every hard rule kept and the value right.
    public let isFeasible: Bool
    /// Seconds for search and bound.
    public let seconds: Double

    public var value: Int { plan.value }
    public var upperBound: Int { plan.upperBound }
    /// `value / upperBound`, in 0...1.
    public var score: Double { plan.score }
  }

  /// A plan for the instance.
  ///
  /// - Throws: `SchedulingError` with `.infeasible` when what is pinned can't hold together.
  public static func solve(_ instance: Instance, limits: SearchLimits) throws(SchedulingError) -> Outcome {
    let plan = try plan(instance, limits: limits, spent: 0)
    let report = PlanValidator(instance: instance).report(on: plan)
    return Outcome(plan: plan, isFeasible: report.isFeasible && report.value == plan.value, seconds: plan.seconds)
  }

  /// A plan for the instance in a file; reading it is part of the time allowed, half of which at least goes to planning.
  ///
  /// - Throws: ``PracticeError`` naming the field that can't be used.
  public static func solve(file: String, limits: SearchLimits) throws -> Plan {
    let began = now()
    let instance = try read(file)
    do {
      return try plan(instance, limits: limits, spent: now() - began)
    } catch {
      throw PracticeError(.failed, "\(file): \(error)")
    }
  }

  private static func plan(
    _ instance: Instance, limits: SearchLimits, spent: Double
  ) throws(SchedulingError) -> Plan {
    var configuration = limits.configuration
    configuration.timeLimit = configuration.timeLimit.map { max($0 / 2, $0 - spent) }
    let began = now()
    return try Solver(configuration: configuration).solve(instance, searches: limits.searches) { now() - began }
  }

  /// The instance in a file.
  ///
  /// - Throws: ``PracticeError`` naming the field that can't be used.
  public static func read(_ file: String) throws -> Instance {
    guard let data = try? Data(contentsOf: URL(filePath: file)) else {
      throw PracticeError(.failed, "can't read '\(file)'")
    }
    do {
      return try Instance(json: data)
    } catch {
      throw PracticeError(
        .failed, "\(file): \(error)", hint: "Maybe the file is cut off or of another schema than \(Instance.schema).")
    }
  }

  /// A generated instance as a line of JSON, keys sorted: the same numbers give the same bytes.
  ///
  /// - Throws: `SchedulingError` where the numbers leave the limits of an instance.
  public static func json(of generator: InstanceGenerator, seed: UInt64) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(generator.make(seed: seed)), as: UTF8.self)
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
