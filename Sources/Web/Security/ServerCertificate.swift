import FoundationEssentials
import Glibc
import VetNet

/// What a server proves itself with: a certificate with what signed it, and its key, both as PEM.
public final class ServerCertificate: @unchecked Sendable {
  // Written by the initialiser only, and wiped when the last owner is gone: that makes the memory safe to share.
  /// Ended by a zero byte, as the library wants it.
  let chain: UnsafeMutableRawPointer
  let key: UnsafeMutableRawPointer
  /// TLS 1.2 and 1.3, with what GnuTLS holds secure.
  let priorities: UnsafeMutableRawPointer
  private let keyBytes: Int
  /// By what devices recognise it; nil where the certificate can't be read.
  let keyPin: String?

  /// Larger files hold something else.
  private static let most = 1 << 20

  /// - Throws: ``PracticeError`` where a file can't be read, is no PEM, or is a key that others on this machine can read.
  public init(certificate: String, key: String) throws {
    let chainText = try Self.read(certificate, holding: "CERTIFICATE-----", isSecret: false)
    let keyText = try Self.read(key, holding: "PRIVATE KEY-----", isSecret: true)
    keyPin = CertificatePin.pin(pem: String(decoding: chainText, as: UTF8.self))
    chain = Self.copy(chainText)
    self.key = Self.copy(keyText)
    keyBytes = keyText.count
    priorities = Self.copy(Array("NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2".utf8))
  }

  deinit {
    explicit_bzero(key, keyBytes)
    for pointer in [chain, key, priorities] { pointer.deallocate() }
  }

  private static func copy(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
    let room = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
    bytes.withUnsafeBytes { if let start = $0.baseAddress { room.copyMemory(from: start, byteCount: bytes.count) } }
    room.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    return room
  }

  private static func read(_ path: String, holding mark: String, isSecret: Bool) throws -> [UInt8] {
    let what = isSecret ? "key" : "certificate"
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw PracticeError(.fileRights, "can't read the \(what) '\(path)': \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= most else {
      throw PracticeError(.invalidArgument, "the \(what) '\(path)' is no file of at most 1 MB")
    }
    if isSecret { try checkRights(status, path) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let part = bytes[count...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      guard part > 0 else { break }
      count += part
    }
    bytes.removeLast(bytes.count - count)
    guard String(decoding: bytes, as: UTF8.self).contains(mark), !bytes.contains(0) else {
      throw PracticeError(
        .invalidArgument, "the \(what) '\(path)' is no PEM file that holds one",
        hint: "It has a line '-----BEGIN …\(mark)'.")
    }
    return bytes
  }

  /// The owner's only, or, where it is the system's, its group's as well, as Debian keeps keys.
  private static func checkRights(_ status: stat, _ path: String) throws {
    let isOwned = status.st_uid == geteuid() || status.st_uid == 0
    let isShared = status.st_mode & 0o077 != 0 && !(status.st_uid == 0 && status.st_mode & 0o037 == 0)
    guard isOwned, !isShared else {
      throw PracticeError(
        .fileRights, "the key '\(path)' can be read or changed by others on this machine, and is not used",
        hint: "Maybe run: chmod 600 '\(path)'")
    }
  }
}
