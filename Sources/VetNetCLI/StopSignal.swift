import Glibc
import Synchronization

/// Ctrl-C and `kill` during work that can stop between two of its steps, and say what it leaves. A second one ends the program at
/// once, which harms no practice file.
enum StopSignal {
  private static let received = Atomic<Int32>(0)

  /// The signal that came; nil for none.
  static var current: Int32? {
    let signal = received.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// Begins to take signals; one that whoever started the program has it ignore stays ignored.
  static func watch() {
    // Made before a handler can need it.
    received.store(0, ordering: .relaxed)
    take { StopSignal.received.store($0, ordering: .relaxed) }
  }

  /// Has a handler take signals, once; it may call only what is safe in one.
  static func take(_ handler: @escaping @convention(c) (Int32) -> Void) {
    // Blocked signals are inherited, and whoever starts programs from a pool of threads has these blocked without meaning to.
    var taken = sigset_t()
    sigemptyset(&taken)
    for signal in [SIGINT, SIGTERM] { sigaddset(&taken, signal) }
    pthread_sigmask(SIG_UNBLOCK, &taken, nil)
    for signal in [SIGINT, SIGTERM] {
      var before = sigaction()
      sigaction(signal, nil, &before)
      if unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
      var action = sigaction()
      action.__sigaction_handler.sa_handler = handler
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(signal, &action, nil)
    }
  }
}
