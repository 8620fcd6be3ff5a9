import Clinical

/// Gives every term a bucket and a sign, so that a vocabulary never has to be stored or agreed upon.
///
/// Two terms that share a bucket add up in half of the cases and cancel in the others: the sign keeps inner products
/// unbiased.
///
/// - Source: K. Weinberger et al., "Feature hashing for large scale multitask learning", ICML 2009,
///   <https://doi.org/10.1145/1553374.1553516>.
public struct FeatureHasher: Hashable, Sendable {
  /// Where a term goes.
  public struct Feature: Hashable, Sendable {
    public let bucket: UInt32
    /// +1 or -1.
    public let sign: Float
  }

  /// There are 2 to the power of `bits` buckets.
  public let bits: Int

  /// - Precondition: `bits` is in 1...24.
  public init(bits: Int = 18) {
    precondition((1...24).contains(bits), "2^\(bits) buckets")
    self.bits = bits
  }

  public var bucketCount: Int { 1 << bits }

  /// The bucket is the hash's low bits, the sign its highest.
  public func feature(of term: String) -> Feature {
    let hash = Self.hash(term)
    return Feature(bucket: UInt32(truncatingIfNeeded: hash & UInt64(bucketCount - 1)), sign: hash >> 63 == 0 ? 1 : -1)
  }

  /// FNV-1a over the UTF-8 bytes, then the 64-bit finaliser of MurmurHash3: FNV alone leaves its high bits, and so the
  /// signs of short terms, unbalanced. Stable for ever, as stored projections depend on it.
  ///
  /// - Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV non-cryptographic hash algorithm", RFC 9923;
  ///   A. Appleby, MurmurHash3.
  static func hash(_ term: String) -> UInt64 {
    var hash = FNV1a.hash(term.utf8)
    hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ (hash >> 33)
  }
}
