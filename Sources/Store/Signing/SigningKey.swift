import CSodium

/// A key that signs what leaves this machine, so that others can tell whose it is.
///
/// - Source: S. Josefsson, I. Liusvaara, "Edwards-Curve Digital Signature Algorithm (EdDSA)", RFC 8032 (Ed25519); computed by libsodium.
public struct SigningKey: Sendable {
  /// 32 bytes from which the key is made; whoever has them signs as its owner.
  public let seed: [UInt8]
  /// 32 bytes, for everybody.
  public let publicKey: [UInt8]
  private let secret: [UInt8]

  public static let seedByteCount = 32
  public static let publicByteCount = 32
  public static let signatureByteCount = 64

  /// - Parameter seed: 32 bytes; nil for anything else.
  public init?(seed: [UInt8]) {
    guard seed.count == Self.seedByteCount, sodium_init() >= 0 else { return nil }
    var publicKey = [UInt8](repeating: 0, count: Self.publicByteCount)
    var secret = [UInt8](repeating: 0, count: 64)
    guard crypto_sign_seed_keypair(&publicKey, &secret, seed) == 0 else { return nil }
    self.seed = seed
    self.publicKey = publicKey
    self.secret = secret
  }

  /// The signature of a message, 64 bytes: the same each time.
  public func signature(of message: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Self.signatureByteCount)
    // It can't fail with a key of the right length.
    let result = crypto_sign_detached(&signature, nil, message, UInt64(message.count), secret)
    precondition(result == 0, "Ed25519 refused to sign")
    return signature
  }

  /// Whether a signature of a message is the one that the key's owner made.
  public static func isValid(signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard signature.count == signatureByteCount, publicKey.count == publicByteCount, sodium_init() >= 0 else {
      return false
    }
    return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
  }
}

extension ContentHash {
  /// BLAKE2b-256 under a key, as a tag that nobody who lacks the key can tell from chance.
  ///
  /// - Precondition: the key has 16 to 64 bytes.
  public static func tag(of content: [UInt8], key: [UInt8]) -> ContentHash {
    precondition((16...64).contains(key.count), "a key of \(key.count) bytes")
    return ContentHash(of: content, key: key)
  }
}
