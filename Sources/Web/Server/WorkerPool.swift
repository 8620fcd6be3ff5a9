import VetNet

/// Threads that work on requests, each with the practice file open for itself: several that read, one that writes. What takes long and
/// changes nothing is done by those that read, of which one is always left for the rest.
final class WorkerPool: Sendable {
  enum Lane: Sendable { case reading, writing, preparing }
  typealias Job = @Sendable (Practice) -> Void

  private struct State {
    var reading: [Job] = []
    var writing: [Job] = []
    var preparing: [Job] = []
    var isStopping = false
    /// Jobs that are being worked on.
    var busy = 0
    /// Those of them that take long.
    var busyPreparing = 0

    var waiting: Int { reading.count + writing.count + preparing.count }
  }

  private let state = Monitor(State())
  private let threads: [PlatformThread]

  /// - Parameters:
  ///   - readers: how many threads read.
  ///   - open: opens the practice for a thread.
  /// - Throws: what `open` throws.
  init(readers: Int, open: @escaping @Sendable (Practice.Access) throws -> Practice) throws {
    let lanes: [Lane] = [.writing] + Array(repeating: .reading, count: max(2, readers))
    let mostPreparing = lanes.count - 2
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
        Self.work(lane, state, practice, mostPreparing: mostPreparing)
      }
    }
    let failures = opened.wait { $0.count == lanes.count ? $0 : nil } ?? []
    if let failure = failures.compactMap(\.self).first {
      stop()
      throw failure
    }
  }

  private static func work(_ lane: Lane, _ state: Monitor<State>, _ practice: Practice, mostPreparing: Int) {
    while true {
      let taken = state.wait { state in next(lane, &state, mostPreparing: mostPreparing) }
      guard let taken, let (job, lane) = taken else { return }
      job(practice)
      state.change { state in
        state.busy -= 1
        if lane == .preparing { state.busyPreparing -= 1 }
      }
    }
  }

  /// What a thread does next: nil to wait, and a nil in it to end.
  private static func next(_ lane: Lane, _ state: inout State, mostPreparing: Int) -> (job: Job, lane: Lane)?? {
    let job: (Job, Lane)
    if lane == .writing, !state.writing.isEmpty {
      job = (state.writing.removeFirst(), .writing)
    } else if lane == .reading, !state.reading.isEmpty {
      job = (state.reading.removeFirst(), .reading)
    } else if lane == .reading, !state.preparing.isEmpty, state.busyPreparing < mostPreparing {
      job = (state.preparing.removeFirst(), .preparing)
      state.busyPreparing += 1
    } else {
      let isDone = lane == .writing ? state.writing.isEmpty : state.reading.isEmpty && state.preparing.isEmpty
      return state.isStopping && isDone ? .some(nil) : nil
    }
    state.busy += 1
    return job
  }

  /// - Returns: false where too much waits already, or the pool is about to stop.
  func submit(_ lane: Lane, _ job: @escaping Job) -> Bool {
    state.change { state in
      guard !state.isStopping, state.waiting < Limits.waiting else { return false }
      switch lane {
      case .reading: state.reading.append(job)
      case .writing: state.writing.append(job)
      case .preparing: state.preparing.append(job)
      }
      return true
    }
  }

  /// What waits and what is worked on, for whoever runs the server.
  struct Load {
    var reading = 0
    var writing = 0
    var preparing = 0
    var busy = 0
  }

  var load: Load {
    state.withLock { state in
      Load(
        reading: state.reading.count, writing: state.writing.count, preparing: state.preparing.count, busy: state.busy)
    }
  }

  /// Finishes what was accepted, and ends the threads.
  func stop() {
    state.change { $0.isStopping = true }
    for thread in threads { thread.join() }
  }
}
