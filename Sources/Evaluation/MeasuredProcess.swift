import FoundationEssentials
import Glibc
import Synchronization

/// A program run from start to end as a shell would run it, with the time and the memory it took.
public struct MeasuredProcess: Sendable {
  public struct Outcome: Sendable {
    /// What the program exited with; 128 and the signal's number where one ended it.
    public let status: Int32
    /// Wall time from before the process exists until it is gone.
    public let seconds: Double
    /// The most memory that was resident at once, in bytes. Never less than what this process held when it started the
    /// other: Linux counts the image that a new process begins with.
    public let peakMemory: Int
    public let output: [UInt8]
    public let errors: [UInt8]
  }

  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  public let executable: String
  /// Where output is kept while the process runs: a file, because a pipe has to be read meanwhile.
  private let scratch: ScratchFolder

  /// - Parameters:
  ///   - executable: a path, or a name to be found on `PATH`.
  ///   - scratch: for what the process writes.
  public init(_ executable: String, scratch: ScratchFolder) {
    self.executable = executable
    self.scratch = scratch
  }

  /// - Throws: ``Failure`` when the program can't be started. Its exit status is for the caller to judge.
  public func run(_ arguments: [String]) throws -> Outcome {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let (output, errors) = (scratch.file("stdout"), scratch.file("stderr"))
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) }
    words.append(nil)
    defer { words.forEach { free($0) } }

    Self.forgetPeakMemory()
    var process = pid_t()
    var (status, usage): (Int32, rusage) = (0, rusage())
    let started = Self.now()
    let result = posix_spawnp(&process, executable, &actions, nil, words, environ)
    guard result == 0 else {
      throw Failure(description: "can't start '\(executable)': \(String(cString: strerror(result)))")
    }
    while wait4(process, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw Failure(description: "lost track of '\(executable)'") }
    }
    let seconds = Self.now() - started
    return Outcome(
      status: status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f), seconds: seconds,
      peakMemory: Int(usage.ru_maxrss) * 1024, output: try Self.content(output), errors: try Self.content(errors))
  }

  /// Seconds on a clock that never runs back.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Begins the count of this process's own peak anew, so that less of it is taken for the other's.
  private static func forgetPeakMemory() {
    let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    // 5: "reset the peak resident set size", proc(5). Where it is refused, the peak is too high, which is the safe side.
    _ = write(descriptor, "5", 1)
    close(descriptor)
  }

  private static func content(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}

/// A folder for files that nobody needs afterwards; it goes with the value, and is readable by its owner only.
public final class ScratchFolder: Sendable {
  public let path: String
  /// Those that are there, for a program that is ended before its values are.
  private static let all = Mutex<Set<String>>([])

  /// - Parameter parent: where to make it; nil for the system's folder for temporary files.
  /// - Throws: ``MeasuredProcess/Failure`` when it can't be made.
  public init(in parent: String? = nil) throws {
    let parent = parent ?? FileManager.default.temporaryDirectory.path
    var name = Array("\(parent)/vetnet-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw MeasuredProcess.Failure(description: "can't make a temporary folder in '\(parent)'")
    }
    let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.path = path
    Self.all.withLock { _ = $0.insert(path) }
  }

  deinit {
    let path = path
    try? FileManager.default.removeItem(atPath: path)
    Self.all.withLock { _ = $0.remove(path) }
  }

  /// Removes every one, whoever holds it: for a program that ends now.
  public static func removeAll() {
    for path in all.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
  }

  public func file(_ name: String) -> String { path + "/" + name }
}
