import CSandbox
import Glibc
import Synchronization

/// A program that a practice chose, run with limits: it gets bytes on standard input and nothing else, and says something on standard
/// output within its time. No shell reads its command, and nothing of it is left afterwards.
public struct GuestProcess: Sendable {
  /// What a guest may take.
  public struct Limits: Sendable {
    /// Of the clock.
    public var seconds = 60
    /// Of address space; a language model needs its own size.
    public var megabytes = 16_384
    /// Of output.
    public var outputBytes = 1 << 20
    /// What it is called when it fails.
    public var called = "the reader"
    /// Of the processor, of all its threads; nil for eight times those of the clock.
    public var processorSeconds: Int?
    /// What it may reach of the network, such as a model's server on this machine; nothing where there is none.
    public var address: LoopbackAddress?

    public init() {}

    var isReader: Bool { called == "the reader" }
  }

  /// The program and its arguments.
  public let words: [String]
  public let limits: Limits

  /// - Parameters:
  ///   - command: words as in a shell, with single or double quotes around those with spaces, and nothing else of a shell.
  ///   - limits: what it may take.
  /// - Throws: ``PracticeError`` for a quote that isn't closed, and for no words.
  public init(command: String, limits: Limits) throws {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in command {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let done = word { words.append(done) }
    guard quote == nil, let program = words.first, !program.isEmpty else {
      throw PracticeError(
        .invalidArgument, "the command of \(limits.called) can't be read",
        hint: "Write a program and its arguments, such as \"./reader --model small\".")
    }
    self.words = words
    self.limits = limits
  }

  /// - Parameters:
  ///   - words: the program's path and its arguments.
  ///   - limits: what it may take.
  init(words: [String], limits: Limits) {
    self.words = words
    self.limits = limits
  }

  /// Runs the program once.
  ///
  /// - Parameters:
  ///   - input: its standard input.
  ///   - stop: asked while it runs: whether to end it.
  /// - Returns: its standard output.
  /// - Throws: ``PracticeError`` saying how it failed: not found, an exit code, a signal, out of time, too much output, or no way to keep the
  ///   network from it, and then it was not run.
  public func run(_ input: [UInt8], stop: () -> Bool = { false }) throws -> [UInt8] {
    try attempt(input, stop: stop).get()
  }

  /// Runs the program once, and tells what it did wrong from what this machine did.
  ///
  /// - Parameters:
  ///   - input: its standard input.
  ///   - stop: asked while it runs: whether to end it.
  /// - Returns: its standard output, or how it failed with this input.
  /// - Throws: ``PracticeError`` where it could not be started.
  func attempt(_ input: [UInt8], stop: () -> Bool = { false }) throws -> Result<[UInt8], PracticeError> {
    let pipes = try Pipes()
    defer { pipes.close() }
    let guest = try StartedGuest(words, limits: limits, input: pipes.input.read, output: pipes.output.write)
    let process = guest.process
    Self.running.withLock { _ = $0.insert(process) }
    // All of its group, whatever it started.
    defer {
      Self.running.withLock { _ = $0.remove(process) }
      kill(-process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    }
    pipes.closeTheirs()
    do {
      return .success(try finished(process, exchange(input, pipes, guest.relay, stop)))
    } catch let error as PracticeError {
      return .failure(error)
    }
  }

  /// The groups that are under way.
  private static let running = Mutex<Set<pid_t>>([])

  /// Ends every guest of this program, with what they started: for a program that ends now.
  public static func endAll() {
    for process in running.withLock({ $0 }) { kill(-process, SIGKILL) }
  }

  /// Writes and reads until the program has closed its output.
  private func exchange(_ input: [UInt8], _ pipes: Pipes, _ relay: GuestRelay?, _ stop: () -> Bool) throws -> [UInt8] {
    for descriptor in [pipes.input.write, pipes.output.read] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    var output: [UInt8] = []
    var written = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let end = Self.monotonicSeconds() + Double(limits.seconds)
    while true {
      let left = end - Self.monotonicSeconds()
      guard left > 0 else {
        throw PracticeError(.failed, "\(limits.called) took longer than \(limits.seconds) seconds and was ended")
      }
      if stop() { throw PracticeError(.stopped(signal: SIGINT), "stopped by Ctrl-C") }
      let writes = written < input.count
      if !writes { pipes.closeInput() }
      var waiting = [pollfd(fd: pipes.output.read, events: Int16(POLLIN), revents: 0)]
      if writes { waiting.append(pollfd(fd: pipes.input.write, events: Int16(POLLOUT), revents: 0)) }
      let own = waiting.count
      waiting += relay?.waiting ?? []
      guard poll(&waiting, nfds_t(waiting.count), Int32(min(200, left * 1000))) > 0 else { continue }
      relay?.proceed(Array(waiting[own...]))
      if writes, waiting[1].revents != 0 {
        let count = input[written...].withUnsafeBytes { write(pipes.input.write, $0.baseAddress, $0.count) }
        // One that doesn't read its input may answer all the same.
        if count < 0, errno != EAGAIN, errno != EINTR { written = input.count } else { written += max(0, count) }
      }
      guard waiting[0].revents != 0 else { continue }
      let count = read(pipes.output.read, &buffer, buffer.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { return output }
      output += buffer[..<count]
      guard output.count <= limits.outputBytes else {
        throw PracticeError(.failed, "\(limits.called) said more than \(limits.outputBytes) bytes and was ended")
      }
    }
  }

  private func finished(_ process: pid_t, _ output: [UInt8]) throws -> [UInt8] {
    var status: Int32 = 0
    let end = Self.monotonicSeconds() + 2
    while true {
      let found = waitpid(process, &status, WNOHANG)
      if found == process { break }
      if found < 0, errno != EINTR { break }
      // It closed its output and goes on: what it said stands, and it is ended.
      guard Self.monotonicSeconds() < end else { return output }
      usleep(2000)
    }
    if status & 0x7F != 0 {
      throw PracticeError(
        .failed, "\(limits.called) was ended by signal \(status & 0x7F)",
        hint: limits.isReader ? "Maybe it needs more memory: --reader-memory MB." : nil)
    }
    let code = (status >> 8) & 0xFF
    guard code == 0 else {
      throw PracticeError(
        .failed, "\(limits.called) ended with exit code \(code)",
        hint: limits.isReader && limits.address == nil
          ? "Maybe the reader needs a model's server on this machine: --reader-network." : nil)
    }
    return output
  }

  private static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Both ways to a program.
  private final class Pipes {
    private(set) var input: (read: Int32, write: Int32)
    private(set) var output: (read: Int32, write: Int32)

    init() throws {
      var ends: [Int32] = [-1, -1, -1, -1]
      let isMade = ends.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { pipe($0) == 0 && pipe($0.advanced(by: 2)) == 0 } ?? false
      }
      guard isMade else { throw PracticeError(.failed, "no pipe to the reader can be made") }
      input = (ends[0], ends[1])
      output = (ends[2], ends[3])
    }

    func closeTheirs() {
      Self.close(&input.read)
      Self.close(&output.write)
    }

    func closeInput() { Self.close(&input.write) }

    func close() {
      closeTheirs()
      closeInput()
      Self.close(&output.read)
    }

    private static func close(_ descriptor: inout Int32) {
      if descriptor >= 0 { _ = Glibc.close(descriptor) }
      descriptor = -1
    }
  }
}
