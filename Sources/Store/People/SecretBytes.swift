import CSodium

/// A passphrase or a key: locked in memory so that it reaches no swap and no core dump, between pages that nobody may touch, and
/// overwritten when it is let go.
public final class SecretBytes: @unchecked Sendable {
  // Never written after `init`, which is why it may go to another thread.
  private let base: UnsafeMutableRawPointer
  public let count: Int

  /// Has `fill` write into locked memory; it returns how many bytes of it are meant.
  ///
  /// The capacity is in bytes, one at least.
  public init(capacity: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows {
    _ = Self.isLibraryReady
    guard let memory = sodium_malloc(max(1, capacity)) else { preconditionFailure("no memory for a secret") }
    do {
      count = try fill(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
    } catch {
      sodium_free(memory)
      throw error
    }
    precondition((0...capacity).contains(count), "\(count) bytes in \(capacity)")
    base = memory
  }

  deinit {
    // Overwrites it first.
    sodium_free(base)
  }

  /// Lends the bytes; they must not be copied to where they would stay.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  private static let isLibraryReady: Bool = sodium_init() >= 0
}
