import FoundationEssentials
import Glibc
import VetNet

/// A worker as its driver sees it: a process of a group of its own, so that Ctrl-C at the terminal is the driver's to answer.
final class WorkerProcess {
  let identifier: pid_t
  /// Which of the job's workers it is, from 0.
  let number: Int
  private var input: Int32
  private(set) var output: Int32
  private var received: [UInt8] = []
  /// The shard that it is at.
  var shard: Int?
  var isGreeted = false

  /// - Throws: ``VetNet/PracticeError`` where it can't be started.
  init(_ words: [String], number: Int) throws {
    self.number = number
    var ends: [Int32] = [-1, -1, -1, -1]
    let isMade = ends.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { pipe($0) == 0 && pipe($0 + 2) == 0 } ?? false
    }
    for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard isMade else { throw PracticeError(.failed, "no pipe to a worker can be made") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[3], STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    var process = pid_t()
    let result = posix_spawn(&process, words[0], &actions, &attributes, pointers, environ)
    pointers.forEach { free($0) }
    posix_spawnattr_destroy(&attributes)
    posix_spawn_file_actions_destroy(&actions)
    close(ends[0])
    close(ends[3])
    input = ends[1]
    output = ends[2]
    identifier = process
    guard result == 0 else {
      close(input)
      close(output)
      throw PracticeError(.failed, "the worker '\(words[0])' can't be started: \(String(cString: strerror(result)))")
    }
    _ = fcntl(output, F_SETFL, fcntl(output, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    closeInput()
    close(output)
  }

  /// Gives it a shard. A worker that is gone shows by the end of its output.
  func order(_ shard: Int) {
    self.shard = shard
    let line = Array("\(shard)\n".utf8)
    _ = line.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
  }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// The lines that came; nil at the end of its output.
  func messages() -> [WorkerMessage]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var isOver = false
    while true {
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count == 0 { isOver = true }
      guard count > 0 else { break }
      received += buffer[..<count]
    }
    var found: [WorkerMessage] = []
    while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
      if let message = try? JSONDecoder().decode(WorkerMessage.self, from: Data(received[..<end])) {
        found.append(message)
      }
      received.removeSubrange(...end)
    }
    return isOver && found.isEmpty ? nil : found
  }

  /// Waits for its end; in words, how it ended.
  func end(killing: Bool) -> String {
    closeInput()
    if killing { kill(identifier, SIGKILL) }
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7F != 0 ? "signal \(status & 0x7F)" : "exit code \((status >> 8) & 0xFF)"
  }
}
