import CSodium

/// BLAKE2b-256 of a record's values or of a file: tells "the same again" from "changed".
///
/// - Source: M.-J. Saarinen, J.-P. Aumasson, RFC 7693; computed by libsodium's `crypto_generichash`.
public struct ContentHash: Hashable, Sendable {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// A hash read from where it was stored.
  public init(stored bytes: [UInt8]) {
    self.bytes = bytes
  }

  public init(of content: [UInt8]) {
    self.init(of: content, key: [])
  }

  /// BLAKE2b-256 under a key of 16 to 64 bytes, as a message authentication code; without one where `key` is empty.
  init(of content: [UInt8], key: [UInt8]) {
    _ = Self.isLibraryReady
    var hash = [UInt8](repeating: 0, count: 32)
    // The only documented failures are wrong lengths of hash or key.
    let result = crypto_generichash(&hash, hash.count, content, UInt64(content.count), key, key.count)
    precondition(result == 0, "BLAKE2b refused a hash of \(hash.count) bytes")
    bytes = hash
  }

  public init(of canonical: CanonicalBytes) {
    self.init(of: canonical.bytes)
  }

  /// Nil for anything but 64 lower-case hexadecimal digits.
  public init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: 64, by: 2) {
      guard let high = Self.value(digits[place]), let low = Self.value(digits[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(stored: bytes)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Lower-case hexadecimal digits.
  public var hexadecimal: String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// `sodium_init` once per process: it picks the fastest code for this machine. -1 is a failure, which leaves the
  /// portable code in place and hashes right all the same.
  private static let isLibraryReady: Bool = sodium_init() >= 0
}

/// Values written one after another so that different values never give the same bytes: each has a tag, and a length
/// where it needs one.
public struct CanonicalBytes: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  public mutating func appendNull() { bytes.append(0) }

  public mutating func append(_ value: Int64) {
    bytes.append(1)
    appendFixed(UInt64(bitPattern: value))
  }

  public mutating func append(_ value: Double) {
    bytes.append(2)
    appendFixed(value.bitPattern)
  }

  public mutating func append(_ value: String) {
    bytes.append(3)
    appendFixed(UInt64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  /// Adds a text by its bytes.
  mutating func append(text value: UnsafeRawBufferPointer) {
    bytes.append(3)
    appendFixed(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  public mutating func append(_ value: [UInt8]) {
    bytes.append(4)
    appendFixed(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  private mutating func appendFixed(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
