import FoundationEssentials
import Glibc
import Store

/// Where a practice is served for other machines, and by what its server is recognised: what an invitation takes along.
///
/// A server with TLS writes it beside its practice file when it begins, `<practice file>.hub`, so that nobody has to type it.
public struct HubAddress: Codable, Hashable, Sendable {
  /// `https://desk.practice.lan:8443`, each a name by which it answers.
  public var urls: [String]
  /// ``CertificatePin`` of its certificate; nil without TLS, which is for this machine alone.
  public var pin: String?

  public init(urls: [String], pin: String?) {
    self.urls = urls
    self.pin = pin
  }

  private static func path(beside practice: String) -> String { practice + ".hub" }

  /// As the server last said; nil where none did.
  public static func read(beside practice: String) -> HubAddress? {
    guard let data = FileManager.default.contents(atPath: path(beside: practice)), data.count <= 65536 else {
      return nil
    }
    return try? JSONDecoder().decode(HubAddress.self, from: data)
  }

  /// Puts it beside a practice file, in one step.
  ///
  /// - Throws: ``PracticeError`` where that can't be written.
  public func write(beside practice: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try PrivateText.write([UInt8](try encoder.encode(self)), to: Self.path(beside: practice))
  }
}

/// Small files of the account's own.
enum PrivateText {
  /// Writes a file of mode 0600 in place of any other, in one step and onto the disk.
  ///
  /// - Throws: ``PracticeError`` naming the file.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let new = "\(path).\(getpid())"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let isWritten =
      descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    let error = errno
    if descriptor >= 0 { close(descriptor) }
    guard isWritten, rename(new, path) == 0 else {
      unlink(new)
      throw PracticeError(.failed, "can't write '\(path)': \(String(cString: strerror(error)))")
    }
  }

  /// A file of at most `limit` bytes that only its owner can read.
  ///
  /// - Returns: nil where there is none.
  /// - Throws: ``PracticeError`` with `fileRights` for one that others can read or change.
  static func read(_ path: String, limit: Int = 65536) throws -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw PracticeError(.fileRights, "can't read '\(path)': \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
      throw PracticeError(.failed, "'\(path)' is no file of at most \(limit) bytes")
    }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw PracticeError(
        .fileRights, "'\(path)' holds a key that others on this machine can read, and is not used",
        hint: "Maybe run: chmod 600 '\(path)'")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let part = bytes[count...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      guard part > 0 else { break }
      count += part
    }
    return Array(bytes.prefix(count))
  }
}
