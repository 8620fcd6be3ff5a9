import CSodium

/// What is kept of a passphrase: enough to recognise it, and slow to guess from.
///
/// - Source: A. Biryukov, D. Dinu, D. Khovratovich, S. Josefsson, RFC 9106; computed by libsodium's `crypto_pwhash`.
public enum Argon2id {
  /// How much a single try costs.
  public struct Cost: Hashable, Sendable {
    public let operations: UInt64
    /// 8 KiB at least.
    public let memoryBytes: Int

    public init(operations: UInt64, memoryBytes: Int) {
      self.operations = operations
      self.memoryBytes = memoryBytes
    }

    /// Two passes over 64 MiB, some 70 ms: what libsodium recommends where a person waits.
    public static let interactive = Self(
      operations: UInt64(crypto_pwhash_argon2id_opslimit_interactive()),
      memoryBytes: crypto_pwhash_argon2id_memlimit_interactive())

    /// As little as there is: for tests of what surrounds it.
    public static let least = Self(operations: 1, memoryBytes: 8192)
  }

  /// `$argon2id$v=19$m=65536,t=2,p=1$salt$hash`, with a salt of its own.
  ///
  /// - Throws: ``StoreError`` where there isn't the memory for it.
  public static func verifier(of passphrase: LockedBytes, cost: Cost) throws(StoreError) -> String {
    var text = [CChar](repeating: 0, count: Int(crypto_pwhash_strbytes()))
    let result = passphrase.withCharacters {
      crypto_pwhash_str(
        &text, $0, $1, cost.operations, cost.memoryBytes)
    }
    guard result == 0 else { throw StoreError(.cannotOpen, context: "not enough memory for a passphrase") }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether a verifier was made of this passphrase; takes as long whether it was or not.
  public static func matches(_ passphrase: LockedBytes, _ verifier: String) -> Bool {
    passphrase.withCharacters {
      crypto_pwhash_str_verify(
        verifier, $0, $1) == 0
    }
  }

  /// Takes as long as ``matches(_:_:)``, for nothing: so that nobody can tell by the time whether a name is known.
  public static func spend(on passphrase: LockedBytes, cost: Cost) {
    var hash = [UInt8](repeating: 0, count: 32)
    let salt = [UInt8](repeating: 0, count: Int(crypto_pwhash_saltbytes()))
    _ = passphrase.withCharacters {
      crypto_pwhash(
        &hash, UInt64(hash.count), $0, $1, salt,
        cost.operations, cost.memoryBytes, crypto_pwhash_alg_argon2id13())
    }
  }
}

extension LockedBytes {
  fileprivate func withCharacters<Result>(_ body: (UnsafePointer<CChar>, UInt64) -> Result) -> Result {
    withExtendedLifetime(self) {
      pointer.withMemoryRebound(to: CChar.self, capacity: count) { body($0, UInt64(count)) }
    }
  }
}
