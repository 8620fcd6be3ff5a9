import Scheduling
import VetNet

extension ScheduleCommands {
  static let generate = Command(
    "schedule generate", "makes a realistic planning instance, for trying out and measuring",
    options: [
      Option("--vets", "N", "clinicians (default 10)"),
      Option("--jobs", "N", "visits (default 50)"),
      Option("--days", "N", "days: one, or a week and more with days off (default 1)"),
      Option("--load", "L", "share of the clinicians' hours that the visits would fill (default 0.85)"),
      Option("--seed", "N", "of the random numbers (default 1)"),
    ],
    examples: [
      Example("vetnet schedule generate --vets 10 --jobs 50 --days 1 --seed 7 > day.json", "a busy day"),
      Example("vetnet schedule generate --vets 20 --jobs 800 --days 6 --load 0.9", "a full week"),
    ],
    discussion:
      "Prints a vetnet-sched-1 instance: emergencies among booked visits, skills, rooms with cleaning, visits in two parts, appointments already made. The same numbers give the same bytes."
  ) { invocation in
    var load = 0.85
    if let text = invocation.arguments.value("--load") {
      guard let share = Double(text), share >= 0.05, share <= 2 else {
        throw UsageError("--load '\(text)' is no share from 0.05 to 2")
      }
      load = share
    }
    let generator = InstanceGenerator(
      vets: try invocation.integer("--vets", in: 1...500) ?? 10,
      jobs: try invocation.integer("--jobs", in: 0...20_000) ?? 50,
      days: try invocation.integer("--days", in: 1...60) ?? 1, load: load)
    let seed = UInt64(try invocation.integer("--seed", in: 0...Int.max) ?? 1)
    invocation.terminal.print(try InstanceSolving.json(of: generator, seed: seed))
    return .ok
  }
}
