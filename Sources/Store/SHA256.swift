import CSodium

/// SHA-256, where a standard of others asks for it.
///
/// - Source: FIPS 180-4; computed by libsodium's `crypto_hash_sha256`.
public enum SHA256 {
  /// 32 bytes.
  public static func hash(of content: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 32)
    crypto_hash_sha256(&hash, content, UInt64(content.count))
    return hash
  }
}
