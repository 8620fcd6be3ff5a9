import CSodium
import Glibc

/// The key that authenticates the head of a practice's audit chain: 32 random bytes in a file of their own beside the practice
/// file, readable by its owner only. Copies and backups of the practice file don't hold it.
///
/// It is made with the first entry: under a name for what isn't committed yet, which it loses when the transaction stands. So a
/// key in its place means that the head was authenticated with it, whenever the process was killed.
public final class AuditKey {
  public static let byteCount = 32

  public let path: String
  private let random: () -> [UInt8]
  private var kept: [UInt8]?
  private var isPending = false
  private var aside: String?
  /// Whether a key is there that couldn't be read: another must not take its place, and nothing be written without it.
  public private(set) var isUnreadable = false

  /// The key of a practice file; `random` gives the bytes of a new one.
  public init(practice: String, random: @escaping () -> [UInt8] = AuditKey.randomBytes) {
    // One file has one key, by whatever name it is opened.
    if let resolved = realpath(practice, nil) {
      path = String(cString: resolved) + Self.suffix
      free(resolved)
    } else {
      path = FilePath.absolute(practice) + Self.suffix
    }
    self.random = random
  }

  private static let suffix = ".audit-key"

  /// From the operating system, by libsodium.
  public static func randomBytes() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    randombytes_buf(&bytes, byteCount)
    return bytes
  }

  private var pendingPath: String { path + ".new" }

  /// The key that is in its place, or was made for an entry that isn't committed; nil where there is none that can be read.
  func bytes() -> [UInt8]? {
    if let kept { return kept }
    isUnreadable = false
    if let bytes = read(path) {
      kept = bytes
    } else if !isUnreadable, let bytes = read(pendingPath) {
      kept = bytes
      isPending = true
    }
    return kept
  }

  /// Whether a key is in its place: then the head has to be authentic.
  var isInPlace: Bool { bytes() != nil && !isPending }

  /// The key, made if need be; nil where none can be kept, or the one that is there can't be read.
  func bytesMakingOne() -> [UInt8]? {
    if let bytes = bytes() { return bytes }
    if isUnreadable { return nil }
    let bytes = random()
    precondition(bytes.count == Self.byteCount, "a key of \(bytes.count) bytes")
    guard Self.write(bytes, to: pendingPath) else { return nil }
    kept = bytes
    isPending = true
    return bytes
  }

  /// To be called when the transaction of an entry is committed.
  public func settle() {
    guard isPending, rename(pendingPath, path) == 0 else { return }
    isPending = false
    _ = try? Folder.synchronize(FilePath.folder(of: path))
  }

  /// Gives a key that is another practice's, or of another life of this one, the place beside what is kept of that; the next
  /// entry makes a new one.
  public func setAside(beside practice: String) {
    guard isInPlace else { return }
    var name = practice + Self.suffix
    var number = 2
    while access(name, F_OK) == 0 {
      name = "\(practice)-\(number)\(Self.suffix)"
      number += 1
    }
    guard rename(path, name) == 0 else { return }
    aside = name
    kept = nil
  }

  /// Takes ``setAside(beside:)`` back, where nothing took the place of what the key is for.
  public func putBack() {
    guard let aside, rename(aside, path) == 0 else { return }
    self.aside = nil
    kept = nil
    isPending = false
  }

  static func id(of key: [UInt8]) -> ContentHash {
    var canonical = CanonicalBytes()
    canonical.append("vetnet-audit-key-1")
    canonical.append(key)
    return ContentHash(of: canonical)
  }

  static func mac(_ anchor: AuditAnchor, key: [UInt8]) -> ContentHash {
    var canonical = CanonicalBytes()
    canonical.append("vetnet-audit-head-1")
    canonical.append(anchor.sequence)
    canonical.append(anchor.hash.bytes)
    return ContentHash(of: canonical.bytes, key: key)
  }

  private func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno != ENOENT && errno != ENOTDIR && errno != ELOOP { isUnreadable = true }
      return nil
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.byteCount + 1)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    if count < 0 { isUnreadable = true }
    return count == Self.byteCount ? Array(bytes.prefix(Self.byteCount)) : nil
  }

  private static func write(_ bytes: [UInt8], to path: String) -> Bool {
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      unlink(path)
      return false
    }
    return true
  }
}
