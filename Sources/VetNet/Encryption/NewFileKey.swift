public import Clinical
import Store

/// A key for a file that is to be encrypted, with what opens it: a passphrase, and a recovery key.
public struct NewFileKey: Sendable {
  let sealing: Sealing
  /// To be shown once, and kept on paper where the file isn't: nothing else opens the file when the passphrases are forgotten.
  public let recoveryWords: String

  /// Takes a passphrase as bytes, which are copied to where nobody else sees them, and what the key is called in lists, which is
  /// sealed with it.
  ///
  /// - Throws: ``PracticeError`` when the passphrase is empty, or there is no memory to derive a key in (256 MB).
  public init(passphrase: UnsafeRawBufferPointer, label: String, now: Timestamp) throws {
    try self.init(passphrase: passphrase, label: label, cost: .standard, now: now)
  }

  init(passphrase: UnsafeRawBufferPointer, label: String, cost: KeyCost, now: Timestamp) throws {
    let recovery = RecoveryKey()
    var sealing = Sealing.new()
    let secret = try Practice.File.secret(passphrase)
    try Practice.reporting("") {
      try sealing.add(.passphrase(secret), label: label, cost: cost, at: now)
      try sealing.add(.recovery(recovery), label: "", at: now)
    }
    self.sealing = sealing
    recoveryWords = recovery.words
  }

  /// For a dry run, which encrypts nothing.
  public static var discarded: NewFileKey { NewFileKey(sealing: Sealing.new(), recoveryWords: "") }

  private init(sealing: Sealing, recoveryWords: String) {
    self.sealing = sealing
    self.recoveryWords = recoveryWords
  }
}

/// One way to open an encrypted practice file.
public struct FileKeyLine: Encodable, Sendable {
  /// From 1.
  public let number: Int
  /// `passphrase` or `recovery`.
  public let kind: String
  /// What it was called when it was made; empty where it wasn't called anything.
  public let label: String
  /// In the practice's time.
  public let madeAt: String
  /// What each guess takes, in MB of memory; nil for a recovery key, which can't be guessed.
  public let memoryMegabytes: Int?

  private enum CodingKeys: String, CodingKey {
    case number, kind, label
    case madeAt = "made_at"
    case memoryMegabytes = "memory_mb"
  }

  public var description: String {
    "\(number)  \(kind)\(label.isEmpty ? "" : " \"\(label)\"")  \(madeAt)\(memoryMegabytes.map { "  \($0) MB a guess" } ?? "")"
  }
}

extension Status {
  /// What opens an encrypted file.
  public struct Encryption: Encodable, Sendable, CustomStringConvertible {
    public let passphrases: Int
    public let recoveryKeys: Int

    private enum CodingKeys: String, CodingKey {
      case passphrases
      case recoveryKeys = "recovery_keys"
    }

    init(_ sealing: Sealing) {
      let kinds = sealing.head.slots.compactMap { $0?.kind }
      passphrases = kinds.count { $0 == .passphrase }
      recoveryKeys = kinds.count { $0 == .recovery }
    }

    public var description: String {
      "yes, opened by \(passphrases) passphrase\(passphrases == 1 ? "" : "s") and \(recoveryKeys) recovery key\(recoveryKeys == 1 ? "" : "s")"
    }
  }
}
