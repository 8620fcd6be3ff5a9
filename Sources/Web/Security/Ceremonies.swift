import Clinical
import Synchronization
import VetNet

/// Random bytes that browsers were given to have signed by a passkey, each good once and for five minutes.
final class Ceremonies: Sendable {
  private let names: ServedNames
  private let given = Mutex<[(bytes: [UInt8], peer: String, at: Timestamp)]>([])

  private static let longest: Int64 = 300
  /// As many of one address are remembered, and of all; whoever asks for more has their own oldest forgotten.
  private static let mostOfOne = 32
  private static let most = 1024

  init(names: ServedNames) {
    self.names = names
  }

  /// The name under which the page was opened, where passkeys work: an address has none.
  func relyingParty(of request: Request) -> String? {
    guard let authority = names.authority(of: request) else { return nil }
    let host = String(authority.prefix { $0 != ":" })
    guard host.contains(where: \.isLetter), !authority.hasPrefix("["), host.utf8.allSatisfy({ $0 < 0x80 }),
      names.isSecure || host == "localhost"
    else { return nil }
    return host
  }

  func begin(for peer: String, at now: Timestamp) -> [UInt8] {
    let bytes = RandomBytes.make()
    given.withLock { given in
      given.removeAll { now.seconds - $0.at.seconds > Self.longest }
      if given.count(where: { $0.peer == peer }) >= Self.mostOfOne,
        let own = given.firstIndex(where: { $0.peer == peer })
      {
        given.remove(at: own)
      } else if given.count >= Self.most {
        given.removeFirst()
      }
      given.append((bytes, peer, now))
    }
    return bytes
  }

  /// What a browser was to have signed, which it can show once.
  ///
  /// - Throws: ``ErrorBody`` where it was given none such, or too long ago, and where the server was opened by an address.
  func end(_ challenge: [UInt8], _ request: Request, at now: Timestamp) throws -> PasskeyCeremony {
    guard let host = relyingParty(of: request), let authority = names.authority(of: request) else {
      throw ErrorBody(
        400, "no_passkeys_here", "passkeys work where this server is opened by a name, over TLS",
        hint: "Sign in by name and passphrase.")
    }
    let isKnown = given.withLock { given in
      guard let place = given.firstIndex(where: { $0.bytes == challenge }) else { return false }
      return now.seconds - given.remove(at: place).at.seconds <= Self.longest
    }
    guard isKnown else {
      throw ErrorBody(400, "stale_challenge", "that took too long", hint: "Try again.")
    }
    return PasskeyCeremony(challenge: challenge, origin: names.origin(of: authority), relyingParty: host)
  }
}
