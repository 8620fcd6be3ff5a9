import VetNet

/// A goal, round by round, by processes of this machine.
public struct NetworkRun {
  public let engine: ProcessEngine
  public let state: StateFolder

  public init(engine: ProcessEngine, state: StateFolder) {
    self.engine = engine
    self.state = state
  }

  /// What came of it, and what could not be done.
  public struct Outcome {
    public let result: NetworkResult
    /// By name, with why.
    public let failures: [String: String]
    /// Seconds of each practice or suite, all rounds together.
    public let seconds: [String: Double]
    /// Of the worker that needed most.
    public let peakKilobytes: Int
    public let rounds: Int
  }

  /// Does what is left of a goal.
  ///
  /// - Throws: ``VetNet/PracticeError`` with `stopped` for a signal; `failed` where a shard can't be done now and another run may. What is
  ///   done stays in the state folder then, and the next start goes on from there.
  public func run(
    _ progress: NetworkProgress, stop: () -> Int32?, tell: @escaping (ProcessEngine.Event) -> Void
  ) throws -> Outcome {
    var progress = progress
    var seconds: [String: Double] = [:]
    var peak = 0
    while true {
      let plan = try JobPlan(in: state.path)
      let outcome = try engine.run(plan, in: state, stop: stop, tell: tell)
      for (number, spent) in outcome.seconds { seconds[plan.shards[number].name, default: 0] += spent }
      peak = max(peak, outcome.peakKilobytes)
      if let first = outcome.mayPass.min() {
        throw PracticeError(
          .failed,
          "\(outcome.mayPass.count) of \(plan.shards.count) pieces could not be done now: \(plan.shards[first].name): \(outcome.failures[first] ?? "")",
          hint: "What is done is kept in '\(state.path)': start it again to go on.")
      }
      let numbers = plan.shards.indices.filter { outcome.parts[$0] != nil }
      let sum = try SumTree.sum(numbers.lazy.map { Part(file: outcome.parts[$0]) }) { left, right in
        Part(bytes: try plan.job.sum(left.content(), right.content()))
      }
      switch try progress.advance(sum.map { try $0.content() }, failed: outcome.failures, in: state.path) {
      case .next: state.removeParts()
      case .done(let result):
        let rounds = progress.round + 1
        state.remove()
        return Outcome(
          result: result, failures: progress.failures, seconds: seconds, peakKilobytes: peak, rounds: rounds)
      }
    }
  }

  /// A part that is read when it is added.
  private struct Part {
    var file: String?
    var bytes: [UInt8]?

    init(file: String?) { self.file = file }
    init(bytes: [UInt8]) { self.bytes = bytes }

    func content() throws -> [UInt8] {
      if let bytes { return bytes }
      return try FileContents.bytes(file ?? "")
    }
  }
}
