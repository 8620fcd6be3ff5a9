public import Dispatch
import Synchronization

/// Work on values, spread over the machine's cores.
public enum Concurrent {
  /// `transform` of each element, in order. Elements are dealt out in small portions, so that a long note does not hold up
  /// a core's whole share; no more than one portion is worked on where it is called.
  public static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], portion: Int = 8, _ transform: @Sendable (Element) -> Result
  ) -> [Result] {
    guard elements.count > portion else { return elements.map(transform) }
    let count = (elements.count + portion - 1) / portion
    let parts = Mutex([[Result]](repeating: [], count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let part = elements[(index * portion)..<min((index + 1) * portion, elements.count)].map(transform)
      parts.withLock { $0[index] = part }
    }
    return parts.withLock { $0.flatMap { $0 } }
  }
}

/// Work on values that goes on while its caller does something else, such as writing to the file what was worked out before.
///
/// Whoever asks for the value before another core has begun with it works it out itself.
public final class Background<Value: Sendable>: Sendable {
  private enum State {
    case waiting(@Sendable () -> Value)
    /// Nobody waits for it, and the queue passes it over.
    case givenUp(@Sendable () -> Value)
    case underWay
    case done(Value)
  }

  private let state: Mutex<State>
  /// Left when the work is done or given up.
  private let group = DispatchGroup()

  /// - Parameters:
  ///   - queue: where the work waits for its turn.
  ///   - work: what is to be done.
  public init(on queue: DispatchQueue = .global(), _ work: @escaping @Sendable () -> Value) {
    state = Mutex(.waiting(work))
    group.enter()
    queue.async { [self] in runIfWaiting() }
  }

  /// What comes of the work; waits for it where another core is at it.
  public func value() -> Value {
    runIfWaiting()
    group.wait()
    return state.withLock { state in
      switch state {
      case .done(let value): return value
      case .waiting(let work), .givenUp(let work):
        let value = work()
        state = .done(value)
        return value
      case .underWay: preconditionFailure("the work ended without a result")
      }
    }
  }

  /// Gives up work that nobody has begun, and waits for the end of what is under way. Who asks for the value all the same gets it.
  public func giveUp() {
    let isIdle = state.withLock { state in
      guard case .waiting(let work) = state else { return false }
      state = .givenUp(work)
      return true
    }
    if isIdle { group.leave() } else { group.wait() }
  }

  private func runIfWaiting() {
    let work = state.withLock { state -> (@Sendable () -> Value)? in
      guard case .waiting(let work) = state else { return nil }
      state = .underWay
      return work
    }
    guard let work else { return }
    let value = work()
    state.withLock { $0 = .done(value) }
    group.leave()
  }
}
