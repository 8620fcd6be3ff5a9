import FoundationEssentials
import Store

/// Whether a practice file is encrypted, and its key in this process.
public enum PracticeLock: Sendable {
  /// There is no file, or anybody can read it who may.
  case none
  /// Encrypted, and its key isn't here.
  case locked
  case unlocked

  /// Looks at the head of a file.
  ///
  /// - Throws: ``PracticeError`` with `integrity` when it is damaged.
  public static func state(of path: String) throws -> PracticeLock {
    try Practice.reporting(path) {
      guard let head = try SealedHead.read(path) else { return .none }
      return KeyRing.holds(head.keyID) ? .unlocked : .locked
    }
  }

  /// Opens the key of an encrypted file by a passphrase or the words of the recovery key, for every file of this process that has the
  /// same key.
  ///
  /// - Throws: ``PracticeError`` with `key` when it is neither.
  /// - Complexity: derives a key for each passphrase that the file has until one fits: below a second each, in 256 MB.
  public static func open(_ path: String, with passphrase: UnsafeRawBufferPointer) throws {
    let secret = try Practice.File.secret(passphrase)
    try Practice.reporting(path) {
      guard let head = try SealedHead.read(path) else { return }
      guard let key = try head.unlock(secret) else { throw PracticeError.wrongKey(path) }
      KeyRing.add(key)
    }
  }

  /// Takes the key of a file from the kernel, where it is held; see ``hold(of:minutes:)``.
  ///
  /// - Returns: whether it was.
  public static func openFromKernel(_ path: String) throws -> Bool {
    try Practice.reporting(path) {
      guard let head = try SealedHead.read(path) else { return true }
      return KernelKeyring.unlock(head)
    }
  }

  /// Has the kernel hold the key of a file that is unlocked here, so that other commands of the same user need no passphrase.
  ///
  /// - Throws: ``PracticeError`` where the file isn't encrypted, or the kernel holds no keys.
  public static func hold(of path: String, minutes: Int) throws {
    try Practice.reporting(path) {
      guard let sealing = try Sealing(of: path) else { throw Practice.File.isPlain(path) }
      try KernelKeyring.hold(sealing.key, seconds: UInt32(minutes * 60))
    }
  }

  /// - Returns: whether the kernel held the key of the file.
  public static func forgetHeld(of path: String) throws -> Bool {
    try Practice.reporting(path) {
      guard let head = try SealedHead.read(path) else { throw Practice.File.isPlain(path) }
      return KernelKeyring.forget(head.keyID)
    }
  }

  /// No core dump of this process from now on: to be called before a secret comes into it.
  public static func keepMemoryPrivate() { ProcessMemory.keepPrivate() }
}
