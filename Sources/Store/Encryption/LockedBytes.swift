import CSodium
import Glibc

/// Bytes that must not be seen: a key, or a passphrase.
///
/// They lie in memory of their own, between pages that can't be touched: never written to swap, left out of core dumps (libsodium
/// asks the system for `mlock` and `MADV_DONTDUMP`), and overwritten with the value's end. Nothing describes them.
public final class LockedBytes: @unchecked Sendable {
  // Written by the initialiser only, and read-only memory from then on: what makes the value safe to share.
  private let base: UnsafeMutableRawPointer
  public let count: Int

  /// Makes room for `count` bytes and has them filled; what `fill` is given must not be kept.
  public init<Failure: Error>(
    count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    Sodium.begin()
    guard let base = sodium_malloc(max(1, count)) else { preconditionFailure("no memory for a key") }
    self.base = base
    self.count = count
    do {
      try fill(UnsafeMutableRawBufferPointer(start: base, count: count))
    } catch {
      sodium_free(base)
      throw error
    }
    sodium_mprotect_readonly(base)
  }

  deinit { sodium_free(base) }

  /// ``init(count:filledBy:)`` for C, which takes a pointer.
  convenience init(count: Int, filledAt fill: (UnsafeMutablePointer<UInt8>) -> Void) {
    self.init(count: count) { target in
      if let base = target.baseAddress { fill(base.assumingMemoryBound(to: UInt8.self)) }
    }
  }

  /// A copy of bytes that lie elsewhere; it is for the caller to overwrite those.
  public convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  /// Bytes from the operating system's source of random numbers.
  static func random(count: Int) -> LockedBytes {
    LockedBytes(count: count, filledAt: { randombytes_buf($0, count) })
  }

  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// For libsodium, which takes keys as pointers.
  var pointer: UnsafePointer<UInt8> { UnsafePointer(base.assumingMemoryBound(to: UInt8.self)) }

  /// BLAKE2b-256 under these bytes as key, of a text that says what the result is for.
  func derived(for purpose: StaticString) -> LockedBytes {
    LockedBytes(
      count: 32,
      filledAt: { target in
        let result = crypto_generichash(
          target, 32, purpose.utf8Start, UInt64(purpose.utf8CodeUnitCount), pointer, count)
        precondition(result == 0, "BLAKE2b refused a key of \(count) bytes")
      })
  }
}

extension LockedBytes: CustomStringConvertible, CustomReflectable {
  public var description: String { "(secret)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// libsodium, once per process.
enum Sodium {
  private static let isReady = sodium_init() >= 0

  /// To be called before the first secret: picks the fastest code, and opens the source of random numbers.
  static func begin() { precondition(isReady, "libsodium can't be used") }

  static func randomBytes(_ count: Int) -> [UInt8] {
    begin()
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }
}
