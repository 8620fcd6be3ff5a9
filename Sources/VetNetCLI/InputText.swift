import FoundationEssentials
import Glibc
import VetNet

/// Text that a person hands over: a file, standard input, or what they write in their editor.
enum InputText {
  /// An editor is a program that somebody else wrote; a text that is given needs none.
  static let fileUse: @Sendable (Arguments) -> FileUse = {
    $0.isSet("--text") || $0.positionals.count > 1 ? .named : .anywhere
  }

  /// The lines of a file, or of standard input for `-`; 1 GB at most.
  static func lines(_ path: String) throws -> [Substring] {
    let bytes = try contents(path)
    guard bytes.count <= 1 << 30, let text = String(validating: bytes, as: UTF8.self) else {
      throw PracticeError(.failed, "'\(path)' is not UTF-8 text of at most 1 GB")
    }
    // No other line ends: they may stand within a string.
    return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  /// Reads a file, or standard input for `-`.
  static func read(_ path: String) throws -> String {
    let bytes = try contents(path)
    // As much as import takes for one row.
    guard bytes.count <= 8 << 20 else {
      throw PracticeError(.failed, "'\(path)' holds more than 8 MB, which is no note", hint: "Maybe import it instead.")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw PracticeError(.failed, "'\(path)' is not UTF-8 text", hint: "Maybe convert it with iconv -t utf-8.")
    }
    return text
  }

  private static func contents(_ path: String) throws -> [UInt8] {
    if path == "-" { return readAll(STDIN_FILENO) }
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw PracticeError(.failed, "can't read '\(path)'", hint: "Maybe the name is mistyped.")
    }
    return [UInt8](data)
  }

  /// Opens `$VISUAL` or `$EDITOR` on a private file that begins with a text, and returns what was saved.
  static func fromEditor(environment: [String: String], beginningWith text: String = "") throws -> String {
    guard let editor = [environment["VISUAL"], environment["EDITOR"]].compactMap({ $0 }).first(where: { !$0.isEmpty })
    else {
      throw UsageError("no text: give --text, a FILE, - for standard input, or set $EDITOR")
    }
    var name = Array((NSTemporaryDirectory + "/vetnet-note-XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw PracticeError(.failed, "can't make a temporary file for the editor") }
    let bytes = Array(text.utf8)
    let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unlink(path) }
    guard written == bytes.count else { throw PracticeError(.failed, "can't write the editor's temporary file") }
    // The editor may be "code --wait": words, as a shell would split them. The path is passed apart, never interpreted.
    let status = runShell("exec \(editor) \"$1\"", argument: path)
    guard status == 0 else {
      throw PracticeError(.failed, "the editor ended with status \(status); nothing was written")
    }
    return try read(path)
  }

  private static var NSTemporaryDirectory: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  private static func runShell(_ script: String, argument: String) -> Int32 {
    var process = pid_t()
    let words = ["/bin/sh", "-c", script, "sh", argument]
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    defer { pointers.forEach { free($0) } }
    guard posix_spawn(&process, "/bin/sh", nil, nil, pointers, environ) == 0 else { return 127 }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return (status & 0x7f) == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }

  private static func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}
