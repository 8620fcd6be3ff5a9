public import Scheduling

/// Measures what becomes of emergencies on simulated busy days.
public enum EmergencyBench {
  /// - Parameters:
  ///   - models: where the rules are.
  ///   - practice: the practice whose days are simulated.
  ///   - days: how many.
  ///   - seed: of the first day; the others follow.
  /// - Returns: counts over all days, and the seconds of each search.
  /// - Throws: ``PracticeError`` for a table that can't be used.
  public static func run(
    models: ModelDirectory, practice: BusyDay, days: Int, seed: UInt64
  ) throws -> EmergencyTrial {
    let rules = try models.schedulingRules()
    var trial = EmergencyTrial()
    do {
      for number in 0..<days {
        let day = try practice.make(rules: rules, seed: seed &+ UInt64(number))
        trial.run(
          day, rules: rules, clock: { Practice.Calendar.monotonicSeconds() })
      }
    } catch {
      throw PracticeError(.failed, "\(error)")
    }
    return trial
  }
}
