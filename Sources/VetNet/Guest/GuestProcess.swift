import Glibc

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
    /// Whether it may use the network, such as a model's server on this machine.
    public var allowsNetwork = false

    public init() {}
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
        .invalidArgument, "the reader's command can't be read",
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
  ///   network from it.
  public func run(_ input: [UInt8], stop: () -> Bool = { false }) throws -> [UInt8] {
    let pipes = try Pipes()
    defer { pipes.close() }
    let process = try start(pipes)
    // All of its group, whatever it started.
    defer {
      kill(-process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    }
    pipes.closeTheirs()
    let output = try exchange(input, pipes, stop)
    return try finished(process, output)
  }

  private static let unshare = "/usr/bin/unshare"
  private static let prlimit = "/usr/bin/prlimit"

  /// The words with the programs before them that take the network away and set limits; both are of util-linux, which every Debian has.
  var commandLine: [String] {
    var line: [String] = []
    if !limits.allowsNetwork { line += [Self.unshare, "--map-current-user", "--net", "--"] }
    line += [
      Self.prlimit, "--as=\(limits.megabytes << 20)", "--cpu=\(limits.seconds * 8)", "--core=0", "--nofile=256",
      "--fsize=\(1 << 30)", "--",
    ]
    return line + words
  }

  private func start(_ pipes: Pipes) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipes.input.read, 0)
    posix_spawn_file_actions_adddup2(&actions, pipes.output.write, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    Self.keepOpenFilesHere()
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setpgroup(&attributes, 0)
    var defaults = sigset_t()
    sigfillset(&defaults)
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = commandLine.map { strdup($0) }
    arguments.append(nil)
    // Where programs are found, and nothing of the practice.
    let kept: [String] = ["PATH", "HOME", "LANG", "TMPDIR"].compactMap { (name: String) -> String? in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    var environment: [UnsafeMutablePointer<CChar>?] = kept.map { strdup($0) }
    environment.append(nil)
    defer { (arguments + environment).forEach { free($0) } }
    var process = pid_t()
    let first = commandLine[0]
    let failure = posix_spawn(&process, first, &actions, &attributes, arguments, environment)
    guard failure == 0 else {
      throw PracticeError(
        .failed, "the reader can't be started: '\(first)' is missing", hint: "Maybe install util-linux.")
    }
    return process
  }

  /// The practice file, its key and whatever else is open is closed in a program that is started.
  private static func keepOpenFilesHere() {
    guard let folder = opendir("/proc/self/fd") else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
  }

  /// Writes and reads until the program has closed its output.
  private func exchange(_ input: [UInt8], _ pipes: Pipes, _ stop: () -> Bool) throws -> [UInt8] {
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
        throw PracticeError(.failed, "the reader took longer than \(limits.seconds) seconds and was ended")
      }
      if stop() { throw PracticeError(.stopped(signal: SIGINT), "stopped by Ctrl-C") }
      let writes = written < input.count
      if !writes { pipes.closeInput() }
      var waiting = [pollfd(fd: pipes.output.read, events: Int16(POLLIN), revents: 0)]
      if writes { waiting.append(pollfd(fd: pipes.input.write, events: Int16(POLLOUT), revents: 0)) }
      guard poll(&waiting, nfds_t(waiting.count), Int32(min(200, left * 1000))) > 0 else { continue }
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
        throw PracticeError(.failed, "the reader said more than \(limits.outputBytes) bytes and was ended")
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
        .failed, "the reader was ended by signal \(status & 0x7F)",
        hint: "Maybe it needs more memory: --reader-memory MB.")
    }
    let code = (status >> 8) & 0xFF
    guard code == 0 else {
      throw PracticeError(
        .failed, "the reader ended with exit code \(code)",
        hint: code == 127
          ? "Maybe '\(words[0])' is not there."
          : limits.allowsNetwork
            ? nil
            : "Maybe this system lets nobody take the network from a program, or the reader needs it: --reader-network."
      )
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
