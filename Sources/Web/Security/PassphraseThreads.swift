/// Threads that try passphrases, each of which takes 64 MiB and the better part of a tenth of a second: two at once, and never one
/// that serves pages.
final class PassphraseThreads: Sendable {
  private struct Try: Sendable {
    let origin: String
    let work: @Sendable () -> Void
  }

  private struct State {
    var waiting: [Try] = []
    var isStopping = false
  }

  static let atOnce = 2
  /// Tries that wait, of all and of one address: a stranger who sends thousands is refused, and keeps nobody else out.
  static let most = 32
  static let mostOfOne = 4

  private let state = Monitor(State())
  private let threads: [PlatformThread]

  init() {
    let state = state
    threads = (0..<Self.atOnce).map { _ in
      PlatformThread {
        while true {
          let next = state.wait { state -> Try?? in
            if state.isStopping { return .some(nil) }
            return state.waiting.isEmpty ? nil : .some(state.waiting.removeFirst())
          }
          guard let next, let next else { return }
          next.work()
        }
      }
    }
  }

  /// - Returns: false where too many wait already.
  func submit(from origin: String, _ work: @escaping @Sendable () -> Void) -> Bool {
    state.change { state in
      guard !state.isStopping, state.waiting.count < Self.most,
        state.waiting.count(where: { $0.origin == origin }) < Self.mostOfOne
      else { return false }
      state.waiting.append(Try(origin: origin, work: work))
      return true
    }
  }

  func stop() {
    state.change { $0.isStopping = true }
    for thread in threads { thread.join() }
  }
}
