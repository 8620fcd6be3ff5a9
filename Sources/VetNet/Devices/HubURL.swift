import Glibc

/// The address of a practice's server, as somebody names it: a scheme, a host, a port, and nothing behind.
public struct HubURL: Hashable, Sendable, CustomStringConvertible {
  public let isSecure: Bool
  /// A name, `192.0.2.7`, or, without its brackets, `2001:db8::7`.
  public let host: String
  public let port: UInt16
  /// Which practice of a server of many, `/p/north`; empty for a server of one.
  public let base: String

  /// From `https://desk.practice.lan:8443` or `https://vets.example/p/north`, with a `/` behind it or without. Plain HTTP is for this machine's own addresses only: what
  /// is sent is the practice.
  ///
  /// - Parameters:
  ///   - text: the address.
  ///   - pin: by what its server is recognised; nil where that isn't known.
  /// - Throws: ``PracticeError`` with `invalidArgument` for anything else.
  public init(_ text: String, pin: String? = nil) throws {
    func wrong(_ why: String) -> PracticeError {
      PracticeError(
        .invalidArgument, "'\(text.prefix(100))' \(why)",
        hint: "Write https://desk.practice.lan:8443, as vetnet serve says it.")
    }
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "https" || parts[0] == "http" else { throw wrong("is no address of a server") }
    isSecure = parts[0] == "https"
    var rest = parts[1]
    if rest.last == "/" { rest.removeLast() }
    base = String(rest.drop { $0 != "/" })
    rest = rest.prefix { $0 != "/" }
    guard base.isEmpty || Self.isBase(base), !rest.contains(where: { "?#@ ".contains($0) }) else {
      throw wrong("says more than a host, a port and a practice")
    }
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    } else {
      host = rest.prefix { $0 != ":" }.lowercased()
      rest = rest.drop { $0 != ":" }
    }
    guard Self.isHost(host) else { throw wrong("names no host") }
    if rest.isEmpty {
      port = isSecure ? 443 : 80
    } else {
      guard rest.first == ":", rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = UInt16(rest.dropFirst()), number > 0
      else { throw wrong("names no port") }
      port = number
    }
    guard isSecure || isLoopback else { throw wrong("is not encrypted, and leads to another machine") }
    guard !isSecure || pin == nil || Self.isPin(pin ?? "") else { throw wrong("comes with a key that is none") }
  }

  /// `/p/` and a name as addresses have it.
  private static func isBase(_ text: String) -> Bool {
    guard text.hasPrefix("/p/") else { return false }
    let name = text.dropFirst(3).utf8
    return (1...63).contains(name.count)
      && name.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
  }

  private static func isHost(_ host: String) -> Bool {
    var six = in6_addr()
    if host.contains(":") { return inet_pton(AF_INET6, host, &six) == 1 }
    return (1...253).contains(host.utf8.count)
      && host.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: ".")
      }
  }

  /// Base 64 of 32 bytes.
  static func isPin(_ text: String) -> Bool {
    text.utf8.count == 44 && text.last == "="
      && text.dropLast().utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
      }
  }

  /// Whether it is an address of this machine's own network, by number: a name may be anybody's.
  public var isLoopback: Bool {
    var four = in_addr()
    return host == "::1" || inet_pton(AF_INET, host, &four) == 1 && UInt32(bigEndian: four.s_addr) >> 24 == 127
  }

  /// `desk.practice.lan:8443`, as it stands in a request, without the port that goes without saying.
  public var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// `https://desk.practice.lan:8443`: the server, whichever practice of it is meant.
  public var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// `https://desk.practice.lan:8443/p/north`
  public var description: String { origin + base }
}
