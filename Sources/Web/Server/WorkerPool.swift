import VetNet

/// Threads that work on requests, each with the practice file open for itself: several that read, one that writes.
final class WorkerPool: Sendable {
  enum Lane: Sendable { case reading, writing }
  typealias Job = @Sendable (Practice) -> Void

  private struct State {
    var reading: [Job] = []
    var writing: [Job] = []
    var isStopping = false
    /// Jobs that are being worked on.
    var busy = 0
  }

  private let state = Monitor(State())
  private let threads: [PlatformThread]

  /// - Parameters:
  ///   - readers: how many threads read.
  ///   - open: opens the practice for a thread.
  /// - Throws: what `open` throws.
  init(readers: Int, open: @escaping @Sendable (Practice.Access) throws -> Practice) throws {
    let lanes: [Lane] = [.writing] + Array(repeating: .reading, count: max(1, readers))
    // Each practice is opened by the thread that it belongs to.
    let opened = Monitor<[(any Error)?]>([])
    let state = state
    threads = lanes.map { lane in
      PlatformThread {
        let practice: Practice
        do {
          practice = try open(lane == .writing ? .write : .read)
          opened.change { $0.append(nil) }
        } catch {
          opened.change { $0.append(error) }
          return
        }
        Self.work(lane, state, practice)
      }
    }
    let failures = opened.wait { $0.count == lanes.count ? $0 : nil } ?? []
    if let failure = failures.compactMap(\.self).first {
      stop()
      throw failure
    }
  }

  private static func work(_ lane: Lane, _ state: Monitor<State>, _ practice: Practice) {
    while true {
      let job = state.wait { state -> Job?? in
        let queue = lane == .reading ? state.reading : state.writing
        if queue.isEmpty { return state.isStopping ? .some(nil) : nil }
        state.busy += 1
        return lane == .reading ? state.reading.removeFirst() : state.writing.removeFirst()
      }
      guard let job, let job else { return }
      job(practice)
      state.change { $0.busy -= 1 }
    }
  }

  /// - Returns: false where too much waits already, or the pool is about to stop.
  func submit(_ lane: Lane, _ job: @escaping Job) -> Bool {
    state.change { state in
      guard !state.isStopping, state.reading.count + state.writing.count < Limits.waiting else { return false }
      if lane == .reading { state.reading.append(job) } else { state.writing.append(job) }
      return true
    }
  }

  /// Finishes what was accepted, and ends the threads.
  func stop() {
    state.change { $0.isStopping = true }
    for thread in threads { thread.join() }
  }
}
