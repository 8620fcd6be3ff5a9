public import FoundationEssentials
import Glibc
public import Scheduling

/// Plans `vetnet-sched-1` instances outside any practice: a file, or one after the other for an evaluation.
public enum InstanceSolving {
  /// A plan, and whether it stands.
  public struct Outcome: Sendable {
    public let plan: Plan
    /// Whether ``PlanValidator``, which shares nothing with the search, finds every hard rule kept and the value right.
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
  /// - Throws: ``SchedulingError`` with `.infeasible` when what is pinned can't hold together.
  public static func solve(_ instance: Instance, limits: SearchLimits) throws(SchedulingError) -> Outcome {
    let began = now()
    let plan = try Solver(configuration: limits.configuration)
      .solve(instance, searches: limits.searches) { now() - began }
    let report = PlanValidator(instance: instance).report(on: plan)
    return Outcome(plan: plan, isFeasible: report.isFeasible && report.value == plan.value, seconds: plan.seconds)
  }

  /// A plan for the instance in a file.
  ///
  /// - Throws: ``PracticeError`` naming the field that can't be used.
  public static func solve(file: String, limits: SearchLimits) throws -> Plan {
    let instance = try read(file)
    do {
      return try solve(instance, limits: limits).plan
    } catch {
      throw PracticeError(.failed, "\(file): \(error)")
    }
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

  /// The file of a generated instance, as JSON with sorted keys: the same numbers give the same bytes.
  ///
  /// - Throws: ``SchedulingError`` where the numbers leave the limits of an instance.
  public static func generate(_ generator: InstanceGenerator, seed: UInt64) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(generator.make(seed: seed))
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
