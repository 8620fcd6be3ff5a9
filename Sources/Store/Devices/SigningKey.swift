import CSodium

/// A key by which a machine shows which one it is: Ed25519.
///
/// - Source: S. Josefsson, I. Liusvaara, RFC 8032; computed by libsodium's `crypto_sign`.
public struct SigningKey: Sendable {
  /// All that has to be kept: 32 bytes.
  public let seed: LockedBytes
  /// What others recognise it by: 32 bytes.
  public let publicKey: [UInt8]
  private let secret: LockedBytes

  public static let seedSize = 32
  public static let signatureSize = 64

  /// - Precondition: the seed has ``seedSize`` bytes.
  public init(seed: LockedBytes) {
    precondition(seed.count == Self.seedSize, "a seed of \(seed.count) bytes")
    var publicKey = [UInt8](repeating: 0, count: 32)
    secret = LockedBytes(count: 64, filledAt: { crypto_sign_seed_keypair(&publicKey, $0, seed.pointer) })
    self.publicKey = publicKey
    self.seed = seed
  }

  /// One that nobody has, of the operating system's random numbers.
  public static func random() -> SigningKey { SigningKey(seed: .random(count: seedSize)) }

  public func signature(of message: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Self.signatureSize)
    crypto_sign_detached(&signature, nil, message, UInt64(message.count), secret.pointer)
    return signature
  }

  /// Whether whoever has the private half of a key signed a message; false for what is no key, or no signature.
  public static func isSigned(_ message: [UInt8], _ signature: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard publicKey.count == 32, signature.count == signatureSize else { return false }
    Sodium.begin()
    return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
  }
}
