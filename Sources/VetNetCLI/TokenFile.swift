import FoundationEssentials
import Glibc
import VetNet

/// Where the token of whoever is signed in lies on this machine: a file of the account's own, for one practice.
///
/// Its modification time is when it was last used by the machine's clock, which `--now` doesn't move.
struct TokenFile {
  let path: String

  /// `$XDG_RUNTIME_DIR/vetnet`, which is gone when the account logs out; else `$XDG_STATE_HOME/vetnet`, else
  /// `~/.local/state/vetnet`.
  init(practice: Practice, environment: [String: String]) throws {
    path = "\(Self.folder(environment: environment))/session-\(try practice.people.id)"
  }

  /// Where all of them lie.
  static func folder(environment: [String: String]) -> String {
    func set(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let folder = set("XDG_RUNTIME_DIR") ?? set("XDG_STATE_HOME") ?? "\(set("HOME") ?? ".")/.local/state"
    return "\(folder)/vetnet"
  }

  /// The token, unless the file isn't ours alone or wasn't used for so many minutes.
  func read(idleMinutes: Int) -> SessionToken? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0, time(nil) - status.st_mtim.tv_sec <= idleMinutes * 60
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return SessionToken(text: String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// Says that it was used just now.
  func touch() { utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) }

  /// Puts a token there, in place of any other.
  func write(_ token: SessionToken) throws {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw PracticeError(
        .failed, "can't make the folder '\(folder)' for the session", hint: "Maybe set XDG_RUNTIME_DIR, or use --as.")
    }
    let new = "\(path).\(getpid())"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let bytes = Array((token.text + "\n").utf8)
    let isWritten = descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    if descriptor >= 0 { close(descriptor) }
    guard isWritten, rename(new, path) == 0 else {
      unlink(new)
      throw PracticeError(.failed, "can't write '\(path)'", hint: "Maybe set XDG_RUNTIME_DIR, or use --as.")
    }
  }

  func remove() { unlink(path) }
}
