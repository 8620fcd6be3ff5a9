import Clinical
import Glibc
import VetNet

/// Does long work beside what people ask for: each job on a thread with the practice open for itself.
final class JobRunner: Sendable {
  /// What is known of a job that runs here, beyond what is in the file.
  struct Live: Sendable {
    let kind: PracticeJob.Kind
    var done = 0
    var total = 0
    /// What is being done, such as a file's name.
    var detail = ""
    var isCancelled = false
  }

  private struct State {
    var live: [Int64: Live] = [:]
    var threads: [PlatformThread] = []
    var running = 0
    var isStopping = false
  }

  private let state = Monitor(State())
  private let hub: EventHub
  private let clock: @Sendable () -> Timestamp
  private let open: @Sendable () throws -> Practice
  /// As many run at once: one of each kind.
  private static let most = PracticeJob.Kind.allCases.count

  init(
    hub: EventHub, clock: @escaping @Sendable () -> Timestamp, open: @escaping @Sendable () throws -> Practice
  ) {
    self.hub = hub
    self.clock = clock
    self.open = open
  }

  /// Begins a job.
  ///
  /// - Parameters:
  ///   - kind: one of a kind is done at a time.
  ///   - operation: the work.
  ///   - actor: who wants it.
  ///   - summary: what came of it, without words of a record.
  ///   - report: the same in full, to be kept with the job.
  ///   - finally: called when it is over, however it ends, and where it doesn't begin.
  /// - Returns: its number.
  /// - Throws: what keeps it from beginning, such as a job of its kind that runs.
  func begin<Wanted: VetNet.Operation>(
    _ kind: PracticeJob.Kind, _ operation: Wanted, by actor: Actor,
    summary: @escaping @Sendable (Wanted.Outcome) -> String,
    report: @escaping @Sendable (Wanted.Outcome) -> String? = { _ in nil },
    finally: @escaping @Sendable () -> Void = {}
  ) throws -> Int64 {
    let start = Monitor<Result<Int64, any Error>?>(nil)
    let isTaken = state.change { state in
      guard !state.isStopping, state.running < Self.most else { return false }
      state.running += 1
      return true
    }
    guard isTaken else {
      finally()
      throw ErrorBody(503, "busy", "other jobs run already", hint: "Wait until one is done, or cancel it.")
    }
    let thread = PlatformThread { [self] in
      var number: Int64?
      do {
        let practice = try open()
        practice.door.stopSignal = { [self] in number.flatMap { isCancelled($0) ? SIGINT : nil } }
        try practice.performAsJob(
          kind, operation, by: actor, clock: clock,
          began: { id in
            number = id
            state.change { $0.live[id] = Live(kind: kind) }
            start.change { $0 = .success(id) }
            tell(id, .running)
          }, progress: { [self] step in if let number { tellProgress(step, number) } }, summary: summary, report: report
        )
      } catch {
        start.change { if $0 == nil { $0 = .failure(error) } }
      }
      state.change { state in
        if let number { state.live[number] = nil }
        state.running -= 1
      }
      finally()
      if let number { tell(number, .done) }
    }
    state.change { $0.threads.append(thread) }
    return try (start.wait { $0 } ?? .failure(PracticeError(.failed, "the job did not begin"))).get()
  }

  /// - Returns: false where no such job runs here.
  func cancel(_ id: Int64) -> Bool {
    state.change { state in
      guard state.live[id] != nil else { return false }
      state.live[id]?.isCancelled = true
      return true
    }
  }

  func live(_ id: Int64) -> Live? { state.withLock { $0.live[id] } }

  /// How many run.
  var running: Int { state.withLock { $0.running } }

  private func isCancelled(_ id: Int64) -> Bool {
    state.withLock { $0.isStopping || $0.live[id]?.isCancelled == true }
  }

  private func tellProgress(_ step: Progress, _ id: Int64) {
    let isNews = state.withLock { state -> Bool in
      guard let before = state.live[id] else { return false }
      state.live[id]?.done = step.done
      state.live[id]?.total = step.total
      state.live[id]?.detail = step.detail
      // Each hundredth, and what has no end now and then.
      let share = step.total > 0 ? 100 * step.done / step.total : step.done / 500
      let shown = before.total > 0 ? 100 * before.done / before.total : before.done / 500
      return share != shown || step.total != before.total
    }
    if isNews { tell(id, .running) }
  }

  private struct Event: Encodable {
    let id: Int64
    let running: Bool
    let done: Int
    let total: Int
  }

  private func tell(_ id: Int64, _ phase: PracticeJob.State) {
    let now = live(id)
    let event = Event(id: id, running: phase == .running, done: now?.done ?? 0, total: now?.total ?? 0)
    guard let data = try? JSONText.bytes(event) else { return }
    hub.announce(Array("event: job\ndata: ".utf8) + data + Array("\n\n".utf8))
  }

  /// Has what runs stop where it can, and waits for that.
  func stop() {
    let threads = state.change { state in
      state.isStopping = true
      return state.threads
    }
    for thread in threads { thread.join() }
  }
}
