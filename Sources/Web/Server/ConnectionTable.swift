import Glibc

/// Every connection with what it is at, so that one that trickles is closed: the library's own time-out begins anew with each byte.
final class ConnectionTable: Sendable {
  enum Phase {
    /// A request is awaited, or comes in.
    case arriving
    /// A file comes in.
    case uploading
    case working
    case leaving
    /// A stream of events lasts.
    case streaming
  }

  private struct Entry {
    let socket: Int32
    var phase: Phase
    var since: Double
  }

  private struct State {
    var entries: [OpaquePointer: Entry] = [:]
    var isStopping = false
  }

  private let state = Monitor(State())
  private let arrivalSeconds: Double

  init(arrivalSeconds: Double) { self.arrivalSeconds = arrivalSeconds }

  func add(_ connection: OpaquePointer, socket: Int32) {
    let now = MonotonicClock.seconds
    state.withLock { $0.entries[connection] = Entry(socket: socket, phase: .arriving, since: now) }
  }

  func set(_ connection: OpaquePointer, to phase: Phase) {
    let now = MonotonicClock.seconds
    state.withLock { state in
      state.entries[connection]?.phase = phase
      state.entries[connection]?.since = now
    }
  }

  /// Called before the library closes the socket, so that no other connection's is ever shut.
  func remove(_ connection: OpaquePointer) { state.withLock { $0.entries[connection] = nil } }

  /// Shuts what takes too long, until ``stop()``. The library then sees the end of the connection and clears it away.
  func reap() {
    while state.wait(seconds: min(1, arrivalSeconds / 2), { $0.isStopping ? true : nil }) == nil {
      let now = MonotonicClock.seconds
      state.withLock { state in
        for entry in state.entries.values where isLate(entry, now) { shutdown(entry.socket, Int32(SHUT_RDWR)) }
      }
    }
  }

  private func isLate(_ entry: Entry, _ now: Double) -> Bool {
    switch entry.phase {
    // A connection that is kept open between requests may be reused as long as this.
    case .arriving: now - entry.since > arrivalSeconds
    case .uploading: now - entry.since > Limits.uploadSeconds
    case .leaving: now - entry.since > Limits.departureSeconds
    case .working, .streaming: false
    }
  }

  func stop() { state.change { $0.isStopping = true } }
}
