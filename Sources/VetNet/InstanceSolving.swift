import FoundationEssentials
import Glibc
public import Scheduling

/// Plans a `vetnet-sched-1` instance from a file.
public enum InstanceSolving {
  /// - Throws: ``PracticeError`` naming the field that can't be used.
  public static func solve(file: String, limits: SearchLimits) throws -> Plan {
    var began = timespec()
    clock_gettime(CLOCK_MONOTONIC, &began)
    let elapsed = { () -> Double in
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      return Double(now.tv_sec - began.tv_sec) + Double(now.tv_nsec - began.tv_nsec) / 1e9
    }
    guard let data = try? Data(contentsOf: URL(filePath: file)) else {
      throw PracticeError(.failed, "can't read '\(file)'")
    }
    do {
      let instance = try JSONDecoder().decode(Instance.self, from: data)
      return try Solver(configuration: limits.configuration).solve(instance, elapsed: elapsed)
    } catch let error as SchedulingError {
      throw PracticeError(.failed, "\(file): \(error)")
    } catch {
      throw PracticeError(
        .failed, "\(file): not a vetnet-sched-1 instance", hint: "Maybe the file is cut off or of another schema.")
    }
  }
}
