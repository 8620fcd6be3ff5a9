import Evaluation
import Glibc
import Synchronization
import VetNet

/// Ctrl-C and `kill` during commands that may end wherever they are, for they change nothing, or change it whole or not at all: they say
/// how far they were and what they leave, and take away what they had made for themselves. Commands that stop between two steps, or
/// talk with a person, do so by themselves (``StopSignal``).
enum Interruption {
  /// What such a command leaves, in words; nil for one that takes signals by itself.
  static func left(by command: Command, _ arguments: Arguments) -> String? {
    if ["evaluate", "bench"].contains(command.path[0]) { return "nothing of it is kept" }
    switch command.name {
    case let name where asking.contains(name): return nil
    case "schedule optimize": return arguments.isSet("--instance") ? "no plan was made" : nil
    case "simulate": return "what stands in its folder is not whole"
    case "embed", "sketch", "network map", "network sum", "network key": return "its file was not written"
    case "network finish": return "the round is as it was"
    case "restore": return "the practice file is the one it was, or the restored one"
    case let name where changing.contains(name): return "what it changes is changed whole or not at all"
    default: return "nothing was changed"
    }
  }

  /// Those that stop between steps, and those that ask for a line or a passphrase.
  static let asking: Set<String> = [
    "init", "import", "import undo", "export", "ask", "triage", "note add", "note amend", "encounter new",
    "encounter edit", "encounter amend", "serve", "mcp", "reindex",
    "backup", "encrypt", "decrypt", "key list", "key add", "key change", "key remove", "key hold", "key forget",
    "user add", "user passphrase", "login", "logout", "sync", "photo add", "photo checks",
    "network reindex", "network model", "network similar", "network pool", "network evaluate",
  ]

  /// Those that change a practice file in one transaction.
  static let changing: Set<String> = [
    "encounter section", "encounter advance", "encounter sign", "encounter discard",
    "patient add", "patient merge", "patient split", "patient erase", "note move", "note retract", "inbox assign",
    "inbox reject", "inbox later", "inbox undo", "inbox add", "inbox book",
    "inbox ask", "intake", "alias", "alias remove", "tag add", "tag remove", "calendar add",
    "calendar remove",
    "calendar address", "feed add", "feed withdraw", "location add", "location hours", "location closures",
    "location rooms", "staff set", "photo tag", "photo file", "photo remove",
    "schedule book", "schedule move", "schedule cancel", "schedule stage",
    "schedule emergency", "schedule undo", "schedule redo", "schedule set", "config set", "config unset",
    "config feature", "audit keep", "audit compact", "audit anchor", "user role", "user disable", "user enable",
    "user link-os", "user rules", "device enroll", "device revoke", "sync settle",
  ]

  // MARK: - How far it is

  private static let progress = Mutex<(label: String, done: Int, total: Int)?>(nil)

  /// Kept for what is said should a signal come.
  static func reached(_ done: Int, of total: Int, at label: String) {
    progress.withLock { $0 = (label, done, total) }
  }

  private static var place: String {
    guard let (label, done, total) = progress.withLock({ $0 }) else { return "" }
    return " while \(label), after \(done)\(total > 0 ? " of \(total)" : "")"
  }

  // MARK: - Signals

  /// The end into which the handler writes the signal's number.
  private static let told = Atomic<Int32>(-1)

  /// Has a thread of its own wait for a signal, say what is left, and end the program.
  ///
  /// - Parameters:
  ///   - report: says an error to the person, and which exit code it is.
  ///   - left: what the command leaves.
  static func watch(
    _ report: @escaping @Sendable (PracticeError) -> ExitCode, saying left: @escaping @Sendable () -> String
  ) {
    var ends: [Int32] = [-1, -1]
    let isMade = ends.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map { pipe($0) == 0 } ?? false }
    guard isMade else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    told.store(ends[1], ordering: .relaxed)
    let source = ends[0]
    var waiting = pthread_t()
    let work = Unmanaged.passRetained(Work { wait(at: source, report, left) })
    guard pthread_create(&waiting, nil, runWork, work.toOpaque()) == 0 else {
      work.release()
      return
    }
    pthread_detach(waiting)
    StopSignal.take { number in
      var number = number
      _ = write(Interruption.told.load(ordering: .relaxed), &number, MemoryLayout<Int32>.size)
    }
  }

  private static func wait(at source: Int32, _ report: (PracticeError) -> ExitCode, _ left: () -> String) {
    var signal: Int32 = 0
    var count = 0
    repeat { count = read(source, &signal, MemoryLayout<Int32>.size) } while count < 0 && errno == EINTR
    guard count == MemoryLayout<Int32>.size else { return }
    GuestProcess.endAll()
    ScratchFolder.removeAll()
    // The line of a progress bar.
    if isatty(STDERR_FILENO) == 1 { _ = write(STDERR_FILENO, "\r\u{1B}[K", 4) }
    let name = signal == SIGTERM ? "SIGTERM" : "Ctrl-C"
    let code = report(PracticeError(.stopped(signal: signal), "stopped by \(name)\(place); \(left())"))
    _exit(code.rawValue)
  }

  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static let runWork: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
    if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run() }
    return nil
  }
}
