internal import CKernels

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
    return vetnet_page_sum(base, page.count, number)
  }

  /// The sum that stands in a page.
  static func stored(in page: UnsafeRawBufferPointer) -> UInt64 {
    page.loadUnaligned(fromByteOffset: page.count - byteCount, as: UInt64.self)
  }
}
