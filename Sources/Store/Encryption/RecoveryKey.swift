import CSodium

/// A key that opens a practice file whose passphrases are forgotten: printed once, kept on paper.
///
/// 160 random bits as 32 letters and digits without those that look alike, and four more that tell a slip of the pen.
///
/// - Source: D. Crockford's base 32.
public struct RecoveryKey: Sendable {
  /// Nine groups of four, with dashes.
  public let words: String
  let secret: LockedBytes

  private static let symbols = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let byteCount = 20
  private static let symbolCount = 36

  public init() {
    let secret = LockedBytes.random(count: Self.byteCount)
    self.secret = secret
    let symbols = Self.coded(Array(secret.bytes)) + Self.check(of: secret.bytes)
    words = stride(from: 0, to: symbols.count, by: 4).map {
      String(decoding: symbols[$0..<($0 + 4)], as: UTF8.self)
    }.joined(separator: "-")
  }

  /// The secret that words stand for; nil for words that are no recovery key, or have a slip in them.
  static func secret(fromWords words: LockedBytes) -> LockedBytes? {
    var values: [UInt8] = []
    for byte in words.bytes where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
      guard let value = value(of: byte) else { return nil }
      values.append(value)
    }
    defer { sodium_memzero(&values, values.count) }
    guard values.count == symbolCount else { return nil }
    let secret = LockedBytes(count: byteCount) { target in
      // Eight symbols of five bits are five bytes.
      for group in 0..<4 {
        let bits = values[(8 * group)..<(8 * group + 8)].reduce(UInt64(0)) { $0 << 5 | UInt64($1) }
        for place in 0..<5 { target[5 * group + place] = UInt8(truncatingIfNeeded: bits >> UInt64(32 - 8 * place)) }
      }
    }
    let given = values[32...].map { symbols[Int($0)] }
    return given == check(of: secret.bytes) ? secret : nil
  }

  private static func value(of byte: UInt8) -> UInt8? {
    let upper = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
    let read: UInt8 =
      switch upper {
      case UInt8(ascii: "O"): UInt8(ascii: "0")
      case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
      default: upper
      }
    return symbols.firstIndex(of: read).map { UInt8($0) }
  }

  private static func coded(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 5).flatMap { start -> [UInt8] in
      let bits = bytes[start..<(start + 5)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return (0..<8).map { (place: Int) -> UInt8 in
        let symbol = bits >> UInt64(35 - 5 * place) & 31
        return symbols[Int(symbol)]
      }
    }
  }

  private static func check(of secret: UnsafeRawBufferPointer) -> [UInt8] {
    Array(ContentHash(of: Array("vetnet-recovery-1".utf8) + Array(secret)).bytes.prefix(4)).map {
      symbols[Int($0 & 31)]
    }
  }
}
