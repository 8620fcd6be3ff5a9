import Glibc
import VetNet

/// Where a passphrase comes from: a file, an open descriptor, or the terminal, where it isn't shown. Never an argument or the
/// environment, which others can read.
///
/// It is the first line; what ends the line doesn't belong to it. Bytes go straight to where they are locked and overwritten.
enum PassphraseInput {
  /// From `--passphrase-file` or `--passphrase-fd`, else asked for on the terminal.
  ///
  /// - Throws: ``UsageError`` where there is neither, nor a terminal.
  static func read(_ arguments: Arguments, prompt: String, to terminal: Terminal) throws -> Passphrase {
    if arguments.isSet("--passphrase-file"), arguments.isSet("--passphrase-fd") {
      throw UsageError("'--passphrase-file' and '--passphrase-fd' exclude each other")
    }
    if let file = arguments.value("--passphrase-file") { return try read(file: file, to: terminal) }
    if let word = arguments.value("--passphrase-fd") {
      guard let descriptor = Int32(word), descriptor >= 0, fcntl(descriptor, F_GETFD) >= 0 else {
        throw UsageError("--passphrase-fd '\(word)' is no descriptor that is open")
      }
      return try read(descriptor: descriptor, named: "--passphrase-fd \(word)")
    }
    return try ask(prompt, otherwise: "--passphrase-file FILE or --passphrase-fd N")
  }

  /// A new one: from `--new-passphrase-file`, else asked for twice on the terminal.
  static func readNew(_ arguments: Arguments, prompt: String, to terminal: Terminal) throws -> Passphrase {
    let passphrase: Passphrase
    if let file = arguments.value("--new-passphrase-file") {
      passphrase = try read(file: file, to: terminal)
    } else {
      passphrase = try ask(prompt, otherwise: "--new-passphrase-file FILE")
      try passphrase.requireLength()
      guard try ask("The same again: ", otherwise: "").equals(passphrase) else {
        throw UsageError("the two passphrases differ; nothing was changed")
      }
    }
    try passphrase.requireLength()
    return passphrase
  }

  static let newOption = Option(
    "--new-passphrase-file", "FILE", "read the new passphrase from the first line of a file, instead of the terminal")

  /// The passphrase of a file; `terminal` is where it is said that others may read that.
  static func read(file: String, to terminal: Terminal? = nil) throws -> Passphrase {
    if file == "-" { return try read(descriptor: STDIN_FILENO, named: "standard input") }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw PracticeError(.failed, "can't read the passphrase file '\(file)': \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw PracticeError(.failed, "can't read '\(file)'") }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw PracticeError(
        .failed, "the passphrase file '\(file)' belongs to somebody else, who could change it",
        hint: "Maybe copy it: install -m 600 '\(file)' a file of your own")
    }
    if status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 {
      terminal?.say("Others on this machine may read the passphrase file '\(file)'; run: chmod 600 '\(file)'")
    }
    return try read(descriptor: descriptor, named: "'\(file)'")
  }

  /// The first line; byte by byte, so that the rest of a pipe stays for whoever reads it next.
  private static func read(descriptor: Int32, named name: String) throws -> Passphrase {
    let passphrase = try Passphrase { buffer in
      var count = 0
      while true {
        guard count < buffer.count else {
          throw PracticeError(.failed, "\(name) begins with a line that is too long for a passphrase")
        }
        let result = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, 1)
        if result < 0, errno == EINTR { continue }
        guard result >= 0 else {
          throw PracticeError(.failed, "can't read \(name): \(String(cString: strerror(errno)))")
        }
        if result == 0 { return count }
        if buffer[count] == UInt8(ascii: "\n") {
          // Of a file that was written elsewhere.
          return count > 0 && buffer[count - 1] == UInt8(ascii: "\r") ? count - 1 : count
        }
        count += 1
      }
    }
    guard passphrase.withBytes({ !$0.isEmpty }) else { throw PracticeError(.failed, "\(name) holds no passphrase") }
    return passphrase
  }

  // MARK: The terminal

  private static func ask(_ prompt: String, otherwise option: String) throws -> Passphrase {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw UsageError("a passphrase is needed, and there is no terminal to ask on: give \(option)")
    }
    defer { close(descriptor) }
    let words = Array(prompt.utf8)
    _ = write(descriptor, words, words.count)
    let passphrase = try SilentTerminal.reading(from: descriptor) {
      try read(descriptor: descriptor, named: "the terminal")
    }
    _ = write(descriptor, [UInt8(ascii: "\n")], 1)
    return passphrase
  }
}

/// A terminal that doesn't show what is typed, until it is told to again: also when a signal ends the program meanwhile.
private enum SilentTerminal {
  // Safe: set before the handler is installed that reads them, by the one thread that asks, and not changed while it is.
  nonisolated(unsafe) private static var before = termios()
  nonisolated(unsafe) private static var descriptor: Int32 = -1

  static func reading<Value>(from terminal: Int32, _ work: () throws -> Value) throws -> Value {
    guard tcgetattr(terminal, &before) == 0 else {
      throw UsageError("the terminal can't be kept from showing what is typed")
    }
    descriptor = terminal
    let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    var handlers: [sigaction] = []
    for number in signals {
      var old = sigaction()
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        tcsetattr(SilentTerminal.descriptor, TCSAFLUSH, &SilentTerminal.before)
        signal(number, SIG_DFL)
        raise(number)
      }
      sigaction(number, &action, &old)
      handlers.append(old)
    }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    silent.c_lflag |= tcflag_t(ICANON | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer {
      tcsetattr(terminal, TCSAFLUSH, &before)
      for (number, old) in zip(signals, handlers) {
        var old = old
        sigaction(number, &old, nil)
      }
      descriptor = -1
    }
    return try work()
  }
}
