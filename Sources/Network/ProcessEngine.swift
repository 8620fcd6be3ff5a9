import Glibc
import VetNet

/// Does a plan by processes of this program on this machine. What a worker that is killed was at is given to another; what is finished
/// stays; the sum is the same whoever did what.
public struct ProcessEngine {
  /// How a worker is started: its program and arguments, given its number.
  public let worker: (_ number: Int) -> [String]
  /// How many at once.
  public let workers: Int
  /// How often a shard is tried whose worker ends, or whose failure may pass.
  public let attempts: Int

  public init(workers: Int, attempts: Int = 3, worker: @escaping (_ number: Int) -> [String]) {
    self.worker = worker
    self.workers = workers
    self.attempts = attempts
  }

  /// What is told while the work goes on.
  public enum Event: Sendable {
    case progress(Shard, done: Int, total: Int, finished: Int, of: Int)
    case finished(Shard, seconds: Double)
    case failed(Shard, String)
    case retried(Shard, String)
  }

  /// What came of a plan.
  public struct Outcome {
    /// Files of parts, by shard.
    public internal(set) var parts: [Int: String] = [:]
    /// Shards that can't be done, with why.
    public internal(set) var failures: [Int: String] = [:]
    /// Those among them that another run may do.
    public internal(set) var mayPass: Set<Int> = []
    public internal(set) var seconds: [Int: Double] = [:]
    public internal(set) var peakKilobytes = 0
  }

  /// Does what is not done yet.
  ///
  /// - Throws: ``VetNet/PracticeError`` with `stopped` for a signal, where workers are of another version, or none can be started.
  public func run(
    _ plan: JobPlan, in state: StateFolder, stop: () -> Int32?, tell: @escaping (Event) -> Void
  ) throws -> Outcome {
    let digest = try JobPlan.digest(in: state.path)
    var desk = Desk(plan: plan, attempts: attempts, tell: tell)
    desk.outcome.parts = state.finished(plan: digest, shardCount: plan.shards.count)
    desk.waiting = plan.shards.indices.filter { desk.outcome.parts[$0] == nil }
    var staff: [WorkerProcess] = []
    var isDone = false
    defer { for worker in staff { _ = worker.end(killing: !isDone) } }
    var started = 0
    let mostStarts = workers + attempts * plan.shards.count
    while true {
      if let signal = stop() {
        throw PracticeError(
          .stopped(signal: signal),
          "stopped by \(signal == SIGTERM ? "SIGTERM" : "Ctrl-C") after \(desk.outcome.parts.count) of \(plan.shards.count) pieces; what is done is kept in '\(state.path)'",
          hint: "Start it again to go on.")
      }
      while staff.count < min(workers, desk.waiting.count + staff.count { $0.shard != nil }), started < mostStarts {
        let taken = Set(staff.map(\.number))
        let number = (0..<workers).first { !taken.contains($0) } ?? 0
        staff.append(try WorkerProcess(worker(number), number: number))
        started += 1
      }
      for worker in staff where worker.isGreeted && worker.shard == nil {
        if let shard = desk.next() { worker.order(shard) }
      }
      if desk.isDone(staff) { break }
      guard !staff.isEmpty else {
        throw PracticeError(.failed, "workers can't be kept running: the last ended by \(desk.lastEnd)")
      }
      wait(for: staff)
      var gone: [Int] = []
      for (place, worker) in staff.enumerated() {
        guard let messages = worker.messages() else {
          gone.append(place)
          continue
        }
        for message in messages { try desk.receive(message, from: worker) }
      }
      for place in gone.reversed() {
        let worker = staff.remove(at: place)
        try desk.lose(worker, by: worker.end(killing: false))
      }
    }
    isDone = true
    return desk.outcome
  }

  private func wait(for staff: [WorkerProcess]) {
    var descriptors = staff.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
    _ = poll(&descriptors, nfds_t(descriptors.count), 200)
  }
}

/// Who is at what, and what came of it.
private struct Desk {
  let plan: JobPlan
  let attempts: Int
  let tell: (ProcessEngine.Event) -> Void
  var outcome = ProcessEngine.Outcome()
  var waiting: [Int] = []
  private(set) var lastEnd = ""
  private var tries: [Int: Int] = [:]
  private var quickEnds = 0

  init(plan: JobPlan, attempts: Int, tell: @escaping (ProcessEngine.Event) -> Void) {
    self.plan = plan
    self.attempts = attempts
    self.tell = tell
  }

  mutating func next() -> Int? { waiting.isEmpty ? nil : waiting.removeFirst() }

  func isDone(_ staff: [WorkerProcess]) -> Bool { waiting.isEmpty && staff.allSatisfy { $0.shard == nil } }

  mutating func receive(_ message: WorkerMessage, from worker: WorkerProcess) throws {
    if let program = message.program {
      try JobPlan.check(program, of: "worker \(worker.number)")
      worker.isGreeted = true
      quickEnds = 0
    }
    guard let number = message.shard, plan.shards.indices.contains(number) else { return }
    let shard = plan.shards[number]
    if let part = message.part {
      worker.shard = nil
      outcome.parts[number] = part
      outcome.seconds[number] = message.seconds
      outcome.peakKilobytes = max(outcome.peakKilobytes, message.peakKilobytes ?? 0)
      tell(.finished(shard, seconds: message.seconds ?? 0))
    } else if let failure = message.failure {
      worker.shard = nil
      if failure.mayPass {
        try again(number, failure.message)
      } else {
        fail(number, failure.message)
      }
    } else if let done = message.done {
      tell(
        .progress(
          shard, done: done, total: message.total ?? 0, finished: outcome.parts.count, of: plan.shards.count))
    }
  }

  /// A worker ended that had something to do, or was never heard of.
  mutating func lose(_ worker: WorkerProcess, by end: String) throws {
    lastEnd = end
    if let shard = worker.shard {
      try again(shard, "its worker was ended by \(end)")
    } else if !worker.isGreeted {
      quickEnds += 1
      // Each said on standard error why.
      guard quickEnds < 3 else { throw PracticeError(.failed, "workers end before they begin, by \(end)") }
    }
  }

  private mutating func again(_ number: Int, _ reason: String) throws {
    tries[number, default: 0] += 1
    guard tries[number, default: 0] < attempts else {
      outcome.mayPass.insert(number)
      return fail(number, "\(reason), \(attempts) times")
    }
    tell(.retried(plan.shards[number], reason))
    // Behind the others: what was in the way may be gone by then.
    waiting.append(number)
  }

  private mutating func fail(_ number: Int, _ reason: String) {
    outcome.failures[number] = reason
    tell(.failed(plan.shards[number], reason))
  }
}
