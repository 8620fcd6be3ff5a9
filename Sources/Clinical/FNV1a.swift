/// FNV-1a with 64 bits: small, and the same on every machine. Not for secrets.
///
/// - Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV Non-Cryptographic Hash Algorithm", IETF draft-eastlake-fnv.
public struct FNV1a: Sendable {
  @usableFromInline var state: UInt64 = 0xCBF2_9CE4_8422_2325

  @inlinable public init() {}

  @inlinable public var value: UInt64 { state }

  @inlinable
  @inline(__always)
  public mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

  @inlinable
  public mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }

  /// The hash of some bytes, such as a word's.
  @inlinable
  public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = FNV1a()
    hash.add(bytes)
    return hash.value
  }
}
