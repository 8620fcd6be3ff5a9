/// FNV-1a with 64 bits: small, and the same on every machine. Not for secrets.
///
/// - Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm", IETF draft-eastlake-fnv.
public enum FNV1a {
  /// The hash of some bytes, such as a word's.
  @inlinable
  public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return value
  }
}
