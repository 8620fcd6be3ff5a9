import Synchronization

/// How many requests there were, by what they asked for, and how long they took.
final class RequestMeter: Sendable {
  struct Key: Hashable, Sendable {
    let route: String
    let method: String
    let status: Int
    /// Where the operator lets practices be named.
    let practice: String?
  }

  /// How long the requests of one route took.
  struct Durations: Sendable {
    /// By bucket, each for itself; the last holds what took longer than every bound.
    fileprivate(set) var counts = [UInt64](repeating: 0, count: RequestMeter.bounds.count + 1)
    fileprivate(set) var sum = 0.0
  }

  /// Seconds: upper bounds of the buckets.
  static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  /// Routes, methods and statuses are few; practices may be many.
  private static let mostKeys = 20_000

  struct Counts: Sendable {
    fileprivate(set) var requests: [Key: UInt64] = [:]
    fileprivate(set) var durations: [String: Durations] = [:]
    fileprivate(set) var bytes: UInt64 = 0
  }

  private let state = Mutex(Counts())

  func add(_ key: Key, seconds: Double, bytes: Int) {
    let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    state.withLock { state in
      if state.requests[key] != nil || state.requests.count < Self.mostKeys { state.requests[key, default: 0] += 1 }
      state.durations[key.route, default: Durations()].counts[bucket] += 1
      state.durations[key.route]?.sum += seconds
      state.bytes += UInt64(bytes)
    }
  }

  var counts: Counts { state.withLock { $0 } }
}
