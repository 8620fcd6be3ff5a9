import Store

/// A passphrase, in memory that is locked and overwritten afterwards.
public final class Passphrase: Sendable {
  private let secret: LockedBytes

  /// More bytes than these are no passphrase.
  public static let byteLimit = 1024
  /// A new one has so many characters at least.
  public static let leastCharacters = 8

  /// Has `fill` write the passphrase's bytes where they are safe; it returns how many there are, ``byteLimit`` at most.
  public init(filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    var count = 0
    let room = try LockedBytes(count: Self.byteLimit) { count = try fill($0) }
    secret = withExtendedLifetime(room) {
      LockedBytes(copying: UnsafeRawBufferPointer(rebasing: room.bytes[..<count]))
    }
  }

  /// Lends the bytes; they must not be copied to where they would stay.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(secret) { try body(secret.bytes) }
  }

  /// Whether both are the same.
  public func equals(_ other: Passphrase) -> Bool {
    withBytes { own in other.withBytes { own.count == $0.count && zip(own, $0).allSatisfy { $0 == $1 } } }
  }

  /// - Throws: ``PracticeError`` where it is too short to be a new one.
  public func requireLength() throws {
    let characters = withBytes { $0.count { $0 & 0xC0 != 0x80 } }
    guard characters >= Self.leastCharacters else {
      throw PracticeError(
        .invalidArgument, "the new passphrase is too short: \(Self.leastCharacters) characters are the least",
        hint: "Maybe take four words that don't belong together.")
    }
  }
}
