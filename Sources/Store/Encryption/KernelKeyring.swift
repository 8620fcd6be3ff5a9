import CSodium
import Glibc

/// Keys that the kernel holds for a while, so that the next command needs no passphrase. Whoever runs programs as the same user can
/// use them meanwhile; they are in no file, and gone with the machine's power.
public enum KernelKeyring {
  /// - Throws: ``StoreError`` with `keyRefused` where the kernel keeps no keys, or none for this user.
  public static func hold(_ key: FileKey, seconds: UInt32) throws(StoreError) {
    vetnet_keyring_join()
    guard vetnet_keyring_add(name(key.id), key.master.pointer, key.master.count, seconds) >= 0 else {
      throw StoreError(.keyRefused, context: "the kernel holds no key here: \(String(cString: strerror(errno)))")
    }
  }

  /// A key that is held; nil where none is, or its time is over.
  static func key(_ id: [UInt8]) -> FileKey? {
    vetnet_keyring_join()
    let number = vetnet_keyring_find(name(id))
    guard number >= 0 else { return nil }
    var count = 0
    let master = LockedBytes(
      count: FileKey.byteCount, filledAt: { count = vetnet_keyring_read(number, $0, FileKey.byteCount) })
    return count == FileKey.byteCount ? FileKey(id: id, master: master) : nil
  }

  /// - Returns: whether one was held.
  public static func forget(_ id: [UInt8]) -> Bool {
    vetnet_keyring_join()
    let number = vetnet_keyring_find(name(id))
    return number >= 0 && vetnet_keyring_remove(number) >= 0
  }

  /// Puts what is held for a file into ``KeyRing``.
  ///
  /// - Returns: whether its key is there now.
  public static func unlock(_ head: SealedHead) -> Bool {
    guard let key = key(head.keyID), head.isAuthentic(key) else { return false }
    KeyRing.add(key)
    return true
  }

  /// It names the key, which is random, and no practice.
  private static func name(_ id: [UInt8]) -> String { "vetnet:\(ContentHash(stored: id).hexadecimal)" }
}

/// What keeps this process's memory from others.
public enum ProcessMemory {
  /// No core dump from now on: what SQLite has read is there as plain text.
  public static func keepPrivate() { vetnet_never_dump() }
}
