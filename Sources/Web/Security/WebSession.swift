import VetNet

/// Who acts in the browser. Here log-in comes in: what a request is done as is asked of ``Sessions`` and of nothing else.
struct WebSession: Sendable {
  let actor: Actor
  /// What a page of this session sends along with each write, and no other page knows.
  let token: String
}

/// Whose sessions there are. A practice without accounts has one: whoever can use this machine's loopback acts as whoever started
/// the server.
final class Sessions: Sendable {
  private let open: WebSession

  init(actor: Actor) {
    open = WebSession(actor: actor, token: Self.randomToken())
  }

  /// Nil for a request of nobody.
  func session(for request: Request) -> WebSession? { open }

  /// 256 bits of the system's generator as hexadecimal digits.
  private static func randomToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
