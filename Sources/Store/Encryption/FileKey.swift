import CSodium
import Synchronization

/// The random key that a practice's files are sealed with. Passphrases and recovery keys open it, and can change without it.
public final class FileKey: Sendable {
  /// Tells keys apart without saying anything of them: 16 random bytes, the same for all who open it.
  public let id: [UInt8]
  let master: LockedBytes
  /// For pages and the log.
  let pages: LockedBytes
  /// For the head of a file: its authentication, and the names of its slots.
  let head: LockedBytes

  static let byteCount = 32
  static let idSize = 16

  init(id: [UInt8], master: LockedBytes) {
    self.id = id
    self.master = master
    pages = master.derived(for: "vetnet-sealed-pages-1")
    head = master.derived(for: "vetnet-sealed-head-1")
  }

  static func random() -> FileKey {
    FileKey(id: Sodium.randomBytes(idSize), master: .random(count: byteCount))
  }
}

/// The keys that this process has: what is unlocked once is open for every file that was sealed with the same key, such as a backup
/// that is restored beside the practice file.
public enum KeyRing {
  private static let keys = Mutex<[[UInt8]: FileKey]>([:])

  public static func add(_ key: FileKey) { keys.withLock { $0[key.id] = key } }

  public static func holds(_ id: [UInt8]) -> Bool { key(id) != nil }

  static func key(_ id: [UInt8]) -> FileKey? { keys.withLock { $0[id] } }

  /// Overwrites a key as soon as no connection uses it any more.
  public static func forget(_ id: [UInt8]) { keys.withLock { _ = $0.removeValue(forKey: id) } }
}
