import Glibc
import VetNet

/// A proxy or load balancer that says where a request came from. Whoever else says so isn't believed.
public struct TrustedProxy: Sendable {
  private let address: String

  /// - Throws: ``PracticeError`` with `invalidArgument` for what is no address.
  public init(_ text: String) throws {
    guard let address = PeerAddress.text(of: text) else {
      throw PracticeError(
        .invalidArgument, "'\(text.prefix(60))' is no address of a proxy", hint: "Write 127.0.0.1 or 10.0.0.7.")
    }
    self.address = address
  }

  /// The request with the address that the proxy says, which is the last that it added; as it came where it says none.
  func believed(_ request: Request) -> Request {
    guard request.peer == address, let said = request.header("x-forwarded-for"),
      let last = said.split(separator: ",").last, let peer = PeerAddress.text(of: String(last))
    else { return request }
    var request = request
    request.peer = peer
    return request
  }
}

extension PeerAddress {
  /// An address as somebody wrote it, as ``text(_:)`` tells it; nil for what is none.
  static func text(of written: String) -> String? {
    let written = written.trimming { $0 == " " || $0 == "[" || $0 == "]" }
    var four = sockaddr_in()
    if inet_pton(AF_INET, String(written), &four.sin_addr) == 1 {
      four.sin_family = sa_family_t(AF_INET)
      return withUnsafeBytes(of: &four) { $0.baseAddress.map(text) }
    }
    var six = sockaddr_in6()
    guard inet_pton(AF_INET6, String(written), &six.sin6_addr) == 1 else { return nil }
    six.sin6_family = sa_family_t(AF_INET6)
    return withUnsafeBytes(of: &six) { $0.baseAddress.map(text) }
  }
}
