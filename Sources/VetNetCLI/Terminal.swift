import FoundationEssentials
import Glibc
import Presentation

/// Where output goes: data to stdout, messages to stderr, colours and progress only to a person.
final class Terminal {
  let colorsAllowed: Bool
  let stdoutIsTerminal: Bool
  let stderrIsTerminal: Bool
  let stdinIsTerminal: Bool
  private var pending: [UInt8] = []
  /// Whether output is kept for the program itself instead of written.
  let isCapturing: Bool
  /// Columns of a terminal that captures, where lines are to fit into so many.
  private let fixedWidth: Int?
  private var kept: [UInt8] = []
  /// Messages of a terminal that captures.
  private(set) var capturedMessages = ""

  /// A non-empty `NO_COLOR` and `TERM=dumb` switch colours off.
  init(environment: [String: String], noColor: Bool) {
    colorsAllowed =
      !noColor && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
      && isatty(STDOUT_FILENO) == 1
    stdoutIsTerminal = isatty(STDOUT_FILENO) == 1
    stderrIsTerminal = isatty(STDERR_FILENO) == 1
    stdinIsTerminal = isatty(STDIN_FILENO) == 1
    isCapturing = false
    fixedWidth = nil
    pending.reserveCapacity(1 << 16)
  }

  /// One that nobody sees: what is printed and said is kept, as on a terminal of so many columns where that is said.
  init(capturing: Void, width: Int? = nil) {
    fixedWidth = width
    colorsAllowed = false
    stdoutIsTerminal = false
    stderrIsTerminal = false
    stdinIsTerminal = false
    isCapturing = true
  }

  /// What was printed on a terminal that captures.
  var captured: String {
    flush()
    return String(decoding: kept, as: UTF8.self)
  }

  /// Columns of the terminal, 100 where there is none, so that piped output does not depend on a window.
  var width: Int {
    if let fixedWidth { return fixedWidth }
    guard stdoutIsTerminal else { return 100 }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 100 }
    return min(Int(size.ws_col), 140)
  }

  /// Lines that are too wide for a terminal go on below; in a file or a pipe they stay as they are.
  func print(_ line: String = "") {
    for line in fitted(line, isFolded: stdoutIsTerminal) {
      pending += line.utf8
      pending.append(UInt8(ascii: "\n"))
    }
    if pending.count > 1 << 16 || stdoutIsTerminal { flush() }
  }

  private func fitted(_ text: String, isFolded: Bool) -> [String] {
    guard isFolded || fixedWidth != nil else { return [text] }
    let width = width
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
      Folding.lines(String($0), width: width)
    }
  }

  /// Text that somebody wrote: as it is into a file or a pipe, on a terminal with what that would obey made visible. Its lines are its own.
  func printText(_ text: String) { printRaw(shown(text) + "\n") }

  /// What somebody wrote, as it may stand in a line for a terminal; see ``printText(_:)``.
  func shown(_ text: String) -> String { stdoutIsTerminal ? text.withVisibleControls : text }

  /// Text as it is, line ends included.
  func printRaw(_ text: String) {
    pending += text.utf8
    if pending.count > 1 << 16 || stdoutIsTerminal { flush() }
  }

  /// One JSON value on one line, keys in stable order.
  func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    pending += try encoder.encode(value)
    pending.append(UInt8(ascii: "\n"))
    if pending.count > 1 << 16 || stdoutIsTerminal { flush() }
  }

  /// A reader that went away is no failure: the rest of the output has no one to read it, so the program ends well.
  func flush() {
    if isCapturing {
      kept += pending
      pending.removeAll(keepingCapacity: true)
      return
    }
    var written = 0
    while written < pending.count {
      let count = pending[written...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        exit(errno == EPIPE ? ExitCode.ok.rawValue : ExitCode.failed.rawValue)
      }
      written += count
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// A message for the person, on stderr.
  func say(_ message: String) {
    flush()
    let message = fitted(message, isFolded: stdoutIsTerminal && stderrIsTerminal).joined(separator: "\n")
    if isCapturing {
      capturedMessages += message + "\n"
      return
    }
    let bytes = Array((message + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  func styled(_ text: String, _ style: Style) -> String {
    colorsAllowed ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "1;31"
    case orange = "38;5;208"
    case yellow = "33"
    case green = "32"
    case blue = "34"
  }
}
