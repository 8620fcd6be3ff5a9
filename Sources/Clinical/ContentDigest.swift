/// Tells by 64 bits whether bytes are still what they were, at the speed of memory: the tables of the models are looked at on
/// every start. Not for secrets, and no seal: who can write the bytes can write others with the same digest.
///
/// Four lanes take eight bytes each in turn, so that a multiplication needs not wait for the one before it. The length is part of it.
package struct ContentDigest: Hashable, Sendable {
  package let value: UInt64

  package init(of bytes: UnsafeRawBufferPointer) {
    var lanes = SIMD4<UInt64>(
      0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5)
    let whole = bytes.count & ~31
    var place = 0
    while place < whole {
      lanes = Self.mixed(lanes, bytes.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt64>.self))
      place += 32
    }
    if place < bytes.count {
      var rest = SIMD4<UInt64>()
      withUnsafeMutableBytes(of: &rest) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place...])) }
      lanes = Self.mixed(lanes, rest)
    }
    var value = UInt64(bytes.count)
    for lane in 0..<4 { value = (value ^ lanes[lane]) &* Self.factor ^ (value >> 29) }
    self.value = value ^ (value >> 32)
  }

  package init(of bytes: [UInt8]) { self = bytes.withUnsafeBytes(ContentDigest.init(of:)) }

  private static let factor: UInt64 = 0x9FB2_1C65_1E98_DF25

  @inline(__always)
  private static func mixed(_ lanes: SIMD4<UInt64>, _ words: SIMD4<UInt64>) -> SIMD4<UInt64> {
    var mixed = SIMD4<UInt64>()
    for lane in 0..<4 {
      let product = (lanes[lane] ^ words[lane]) &* factor
      mixed[lane] = product ^ (product >> 32)
    }
    return mixed
  }
}
