import Store

/// What somebody shows to be let in: 32 random bytes, of which the practice keeps a digest only. Its use goes into the digest, so that
/// what opens one thing opens nothing else.
public struct AccessSecret<Use: SecretUse>: Sendable {
  /// 64 hexadecimal digits.
  public let text: String

  /// - Returns: nil for what is none.
  public init?(text: String) {
    guard text.utf8.count == 64, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.text = text
  }

  init(_ bytes: [UInt8]) { text = ContentHash(stored: bytes).hexadecimal }

  var digest: ContentHash { ContentHash(of: Array("\(Use.name) \(text)".utf8)) }
}

/// What a secret lets somebody do.
public protocol SecretUse {
  /// Stable: digests on file were made with it.
  static var name: String { get }
}

/// What whoever is signed in shows to be known.
public typealias SessionToken = AccessSecret<SessionUse>

public enum SessionUse: SecretUse {
  public static let name = "vetnet-session-1"
}

/// What the address of a calendar that is subscribed to holds.
public typealias FeedSecret = AccessSecret<FeedUse>

public enum FeedUse: SecretUse {
  public static let name = "vetnet-feed-1"
}
