package import Store

/// A passphrase, in memory that is locked and overwritten afterwards.
public final class Passphrase: Sendable {
  let secret: LockedBytes

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

  /// For a text that is in memory already, such as a form's field.
  public init(_ text: String) {
    let bytes = text.utf8.prefix(Self.byteLimit + 1)
    secret = LockedBytes(count: bytes.count) { buffer in
      for (index, byte) in bytes.enumerated() { buffer[index] = byte }
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

/// What a practice keeps of a passphrase. It can be kept and sent, being no secret to act with, but whoever has it can guess.
public struct PassphraseVerifier: Hashable, Codable, Sendable {
  /// `$argon2id$v=19$m=65536,t=2,p=1$salt$hash`
  public let encoded: String

  /// Takes some 70 ms, and 64 MiB for as long.
  ///
  /// - Throws: ``PracticeError`` where the passphrase is too short, or there isn't the memory.
  public init(of passphrase: Passphrase) throws { try self.init(of: passphrase, cost: .interactive) }

  package init(of passphrase: Passphrase, cost: Argon2id.Cost) throws {
    try passphrase.requireLength()
    do {
      encoded = try Argon2id.verifier(of: passphrase.secret, cost: cost)
    } catch {
      throw PracticeError(.failed, "there isn't enough memory to keep a passphrase: it takes 64 MB for a moment")
    }
  }

  var isOne: Bool { encoded.hasPrefix("$argon2id$") && encoded.utf8.count < 128 && encoded.allSatisfy(\.isASCII) }
}
