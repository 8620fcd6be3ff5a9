import Clinical
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import VetNet

/// A worker: reads the numbers of shards from standard input, a line each, and writes a line for what it did. When its input ends so does
/// it, in the middle of a shard between two steps: a driver that is killed leaves no workers behind.
public struct WorkerLoop {
  private let plan: JobPlan
  private let digest: String
  private let parts: String

  /// - Parameters:
  ///   - folder: where the plan is.
  ///   - parts: where finished parts go.
  /// - Throws: ``VetNet/PracticeError`` for a plan that can't be read, or of another version.
  public init(folder: String, parts: String) throws {
    plan = try JobPlan(in: folder)
    digest = try JobPlan.digest(in: folder)
    self.parts = parts
  }

  /// Works until there is nothing more.
  ///
  /// - Parameter seat: makes what a worker works with, given how it is told to stop.
  /// - Throws: ``VetNet/PracticeError`` with `stopped` when the driver is gone.
  public func run(_ seat: (_ stop: @escaping @Sendable () -> Int32?) -> WorkSeat) throws {
    let orders = Orders()
    let seat = seat { orders.isOver ? SIGTERM : nil }
    while let shard = orders.next() {
      guard plan.shards.indices.contains(shard) else { continue }
      let started = ContinuousClock.now
      var said = started
      do {
        let part = try seat.part(of: plan.shards[shard], in: plan) { step in
          let now = ContinuousClock.now
          guard now - said > .milliseconds(500) else { return }
          said = now
          try? Self.send(WorkerMessage(shard: shard, done: step.done, total: step.total))
        }
        let file = try StateFolder.keep(part, of: shard, plan: digest, in: parts)
        try Self.send(
          WorkerMessage(
            shard: shard, part: file, seconds: (ContinuousClock.now - started) / .seconds(1),
            peakKilobytes: Self.peakKilobytes))
      } catch let error as PracticeError {
        if case .stopped = error.code { throw error }
        try Self.send(WorkerMessage(shard: shard, failure: .init(error)))
      }
    }
  }

  /// Says which program this is: the first line, before anything can go wrong with the plan.
  public static func greet() throws { try send(WorkerMessage(program: VetNetVersion.current)) }

  private static func send(_ message: WorkerMessage) throws {
    var rest = try message.line()[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PracticeError(.stopped(signal: SIGTERM), "the driver is gone") }
      rest = rest.dropFirst(count)
    }
  }

  private static var peakKilobytes: Int {
    var usage = rusage()
    // RUSAGE_SELF
    getrusage(0, &usage)
    return usage.ru_maxrss
  }
}

/// What is to be done, read beside the work.
private final class Orders: Sendable {
  private struct State {
    var waiting: [Int] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let arrived = DispatchSemaphore(value: 0)

  init() {
    // A thread of its own: the queues' threads are for the work.
    let reading = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let isMade = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Orders>.fromOpaque(pointer).takeRetainedValue().read() }
        return nil
      }, reading.toOpaque())
    guard isMade == 0 else {
      reading.release()
      state.withLock { $0.isOver = true }
      return
    }
    pthread_detach(thread)
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  /// Waits for the next; nil when there will be none.
  func next() -> Int? {
    while true {
      let (shard, isOver) = state.withLock { state -> (Int?, Bool) in
        (state.waiting.isEmpty || state.isOver ? nil : state.waiting.removeFirst(), state.isOver)
      }
      if shard != nil || isOver { return shard }
      arrived.wait()
    }
  }

  private func read() {
    while let line = readLine() {
      guard let shard = Int(line) else { continue }
      state.withLock { $0.waiting.append(shard) }
      arrived.signal()
    }
    state.withLock { $0.isOver = true }
    arrived.signal()
  }
}
