/// Numbers and names one after the other, little-endian: what a practice file keeps of a learner.
struct SnapshotWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ value: Double) { add(bits: value.bitPattern) }

  mutating func add(_ value: Int) { add(bits: UInt64(bitPattern: Int64(value))) }

  mutating func add(_ text: String) {
    let encoded = Array(text.utf8)
    add(encoded.count)
    bytes += encoded
  }

  private mutating func add(bits: UInt64) {
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * shift))) }
  }
}

/// Reads what a ``SnapshotWriter`` wrote; nil where the bytes end or can't be that.
struct SnapshotReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func number() -> Double? { bits().map(Double.init(bitPattern:)) }

  mutating func integer() -> Int? { bits().map { Int(Int64(bitPattern: $0)) } }

  /// A number of things to come, from 0 to `limit`.
  mutating func count(limit: Int) -> Int? { integer().flatMap { (0...limit).contains($0) ? $0 : nil } }

  mutating func text() -> String? {
    guard let count = count(limit: bytes.count - place) else { return nil }
    guard place + count <= bytes.count else { return nil }
    defer { place += count }
    return String(decoding: bytes[place..<(place + count)], as: UTF8.self)
  }

  private mutating func bits() -> UInt64? {
    guard place + 8 <= bytes.count else { return nil }
    defer { place += 8 }
    var bits: UInt64 = 0
    for offset in 0..<8 { bits |= UInt64(bytes[place + offset]) << UInt64(8 * offset) }
    return bits
  }
}
