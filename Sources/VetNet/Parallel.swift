import Dispatch
import Synchronization

/// Work on values, spread over the machine's cores.
enum Parallel {
  /// `transform` of each element, in order. Elements are dealt out in small portions, so that a long note does not hold up
  /// a core's whole share.
  static func map<Element: Sendable, Result: Sendable>(
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
final class Background<Value: Sendable>: Sendable {
  private let group = DispatchGroup()
  private let result = Mutex<Value?>(nil)

  init(_ work: @escaping @Sendable () -> Value) {
    DispatchQueue.global().async(group: group) { [self] in
      let value = work()
      result.withLock { $0 = value }
    }
  }

  /// Waits for the work, and gives what came of it.
  func value() -> Value {
    group.wait()
    guard let value = result.withLock({ $0 }) else { preconditionFailure("the work ended without a result") }
    return value
  }
}
