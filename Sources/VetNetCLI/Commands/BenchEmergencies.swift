import Scheduling
import VetNet

extension BenchCommand {
  private struct Output: Encodable {
    let days: Int
    let booked_share: Double
    let arrivals: Int
    let placed: Int
    let placed_share: Double
    let placed_without_moves: Int
    let within_target: Int
    let mean_moves: Double
    let mean_wait_minutes: Double
    let p50_seconds: Double
    let p95_seconds: Double
    let max_seconds: Double

    init(_ trial: EmergencyTrial) {
      let seconds = trial.seconds.sorted()
      func at(_ share: Double) -> Double {
        seconds.isEmpty ? 0 : seconds[min(seconds.count - 1, Int(share * Double(seconds.count)))]
      }
      days = trial.days
      booked_share = trial.bookedShare
      arrivals = trial.arrivals
      placed = trial.placed
      placed_share = trial.placedShare
      placed_without_moves = trial.placedWithoutMoves
      within_target = trial.withinTarget
      mean_moves = trial.meanMoves
      mean_wait_minutes = trial.meanWait
      p50_seconds = at(0.5)
      p95_seconds = at(0.95)
      max_seconds = seconds.last ?? 0
    }
  }

  static let emergencies = Command(
    "bench emergencies", "measures how red and orange cases are placed on simulated busy days",
    options: [
      Option("--days", "N", "how many days (default 50)"),
      Option("--vets", "N", "clinicians (default 10)"),
      Option("--load", "L", "share of their working time that is asked for (default 0.75)"),
      Option("--cases", "N", "red and orange cases a day for each clinician (default 1)"),
      Option("--seed", "N", "of the first day (default 1)"),
    ],
    examples: [Example("vetnet bench emergencies --days 100 --load 0.95 --json", "a hundred full days")]
  ) { invocation in
    func number(_ option: String, _ range: ClosedRange<Double>) throws -> Double? {
      guard let text = invocation.arguments.value(option) else { return nil }
      guard let value = Double(text), range.contains(value) else {
        throw UsageError("\(option) '\(text)' is no number from \(range.lowerBound) to \(range.upperBound)")
      }
      return value
    }
    let practice = BusyDay(
      vets: try invocation.integer("--vets", in: 1...60) ?? 10, load: try number("--load", 0.05...1.5) ?? 0.75,
      emergenciesPerVet: try number("--cases", 0.01...20) ?? 1)
    let trial = try EmergencyBench.run(
      models: invocation.models(), practice: practice, days: invocation.integer("--days", in: 1...10_000) ?? 50,
      seed: UInt64(try invocation.integer("--seed", in: 0...Int.max) ?? 1))
    let output = Output(trial)
    try invocation.show(output) {
      [
        "\(output.days) days, \(ScheduleText.percent(output.booked_share)) of the working time booked before the first case",
        "\(output.arrivals) red and orange cases: \(ScheduleText.percent(output.placed_share)) in time, \(output.within_target) within the target; without moving anybody \(output.placed_without_moves)",
        "others moved for a case placed: \(ExplanationText.number(output.mean_moves)); minutes until seen: \(ExplanationText.number(output.mean_wait_minutes))",
        "search: median \(milliseconds(output.p50_seconds)), 95 of 100 within \(milliseconds(output.p95_seconds)), at most \(milliseconds(output.max_seconds))",
      ]
    }
    return .ok
  }

  private static func milliseconds(_ seconds: Double) -> String {
    "\(ExplanationText.number((seconds * 10_000).rounded() / 10)) ms"
  }
}
