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
