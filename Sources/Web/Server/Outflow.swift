import Synchronization

/// Bytes on their way to one connection that another thread writes: what is unsent yet, and whether the library waits to be woken
/// for more.
///
/// Nobody who writes ever waits for whoever reads. Safe to share: what changes is behind a lock, and the library's calls to suspend
/// and resume may come from any thread.
final class Outflow: @unchecked Sendable {
  /// The connection that it goes to, once it is known.
  struct Line: Sendable {
    /// Called with the flow's lock held, as is ``resume``.
    let suspend: @Sendable () -> Void
    let resume: @Sendable () -> Void
    /// Called when all is written.
    let ends: @Sendable () -> Void
  }

  private struct State {
    var unsent: [UInt8] = []
    var line: Line?
    var whenLeft: (@Sendable () -> Void)?
    var isAsleep = false
    var isOver = false
    var isGone = false
  }

  private let state: Mutex<State>
  /// How many bytes a reader may lie behind.
  private let limit: Int

  init(first: [UInt8] = [], limit: Int = .max) {
    state = Mutex(State(unsent: first))
    self.limit = limit
  }

  /// Has `body` called once, when the connection is no more or never came; to be said before anybody reads.
  func onLeave(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.whenLeft = body } }

  /// Ties it to the connection that is about to read.
  func attach(_ line: Line) {
    state.withLock { state in
      state.line = line
      if state.isOver { line.ends() }
    }
  }

  /// - Returns: false where nobody reads any more.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isGone, !state.isOver else { return false }
      state.unsent.append(contentsOf: bytes)
      // Somebody who doesn't read is sent away, and comes back where they left off.
      if state.unsent.count > limit {
        state.isOver = true
        state.unsent = []
      }
      Self.wake(&state)
      return !state.isOver
    }
  }

  /// Nothing more comes.
  func end() {
    state.withLock { state in
      guard !state.isGone, !state.isOver else { return }
      state.isOver = true
      state.line?.ends()
      Self.wake(&state)
    }
  }

  private static func wake(_ state: inout State) {
    guard state.isAsleep else { return }
    state.isAsleep = false
    state.line?.resume()
  }

  /// What is to be sent next, at most as much as there is room for; 0 after having gone to sleep, nil at the end.
  func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
    state.withLock { state in
      if state.unsent.isEmpty {
        if state.isOver { return nil }
        state.isAsleep = true
        state.line?.suspend()
        return 0
      }
      let count = min(room.count, state.unsent.count)
      state.unsent.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      state.unsent.removeFirst(count)
      return count
    }
  }

  /// The connection is no more, or never came.
  func leave() {
    let whenLeft = state.withLock { state in
      state.isGone = true
      state.line = nil
      defer { state.whenLeft = nil }
      return state.whenLeft
    }
    whenLeft?()
  }
}
