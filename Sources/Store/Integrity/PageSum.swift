/// A checksum in the last eight bytes of every page of a practice file, written as the page goes into the file. It covers what
/// no hash of a record does: vectors, postings, facts, settings, models, the tables' own structure, and tables to come.
///
/// Four lanes of `h = (h xor word) × odd`, its upper half folded into the lower, joined the same way. Each step is one-to-one in the word and in `h`, so that
/// a change within one word of eight bytes never goes unseen; others do with a probability of about 2^-64. Not cryptographic: it finds
/// what disks and other programs do, not what somebody does on purpose.
///
/// - Complexity: some microseconds for a page of 16384 bytes.
enum PageSum {
  /// What SQLite is asked to leave free at the end of each page.
  static let byteCount = 8

  /// Where the file's head says how many bytes are left free.
  static let reserveOffset = 20

  /// The sum of a page but for its last eight bytes. The page's number, from 1, is part of it: a page in the place of another
  /// is wrong too.
  ///
  /// - Precondition: the length is a multiple of 32.
  static func sum(of page: UnsafeRawBufferPointer, number: UInt64) -> UInt64 {
    guard let base = page.baseAddress, page.count >= 64, page.count % 32 == 0 else {
      preconditionFailure("a page of \(page.count) bytes")
    }
    var (a, b, c, d) = (number, 0x9E37_79B9_7F4A_7C15 as UInt64, 0xC2B2_AE3D_27D4_EB4F as UInt64, ~number)
    let end = page.count - 32
    var offset = 0
    while offset < end {
      a = mixed(a, base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      b = mixed(b, base.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
      c = mixed(c, base.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self))
      d = mixed(d, base.loadUnaligned(fromByteOffset: offset &+ 24, as: UInt64.self))
      offset &+= 32
    }
    a = mixed(a, base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    b = mixed(b, base.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
    c = mixed(c, base.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self))
    return mixed(mixed(mixed(a, b), c), d)
  }

  /// The sum that stands in a page.
  static func stored(in page: UnsafeRawBufferPointer) -> UInt64 {
    page.loadUnaligned(fromByteOffset: page.count - byteCount, as: UInt64.self)
  }

  @inline(__always)
  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    // A product carries upwards only: the fold brings the high bits down.
    let product = (state ^ word) &* 0x9FB2_1C65_1E98_DF25
    return product ^ product &>> 32
  }
}
