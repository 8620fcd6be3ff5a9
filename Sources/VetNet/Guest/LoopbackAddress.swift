import Glibc

/// A place on this machine's own network where a program listens, such as a model's server: an IPv4 address of 127.0.0.0/8 and a port.
public struct LoopbackAddress: Hashable, Sendable, CustomStringConvertible {
  /// As a number, the first part the highest.
  let address: UInt32
  /// 1 to 65535.
  public let port: UInt16

  /// From `127.0.0.1:11434`, or `localhost:11434`, which is the same; nil for everything else, other machines' addresses included.
  public init?(_ text: String) {
    let ends = text.split(separator: ":", omittingEmptySubsequences: false)
    guard ends.count == 2, let port = Self.number(ends[1], in: 1...65535) else { return nil }
    self.port = UInt16(port)
    if ends[0].lowercased() == "localhost" {
      address = 0x7F00_0001
      return
    }
    let parts = ends[0].split(separator: ".", omittingEmptySubsequences: false).compactMap {
      Self.number($0, in: 0...255)
    }
    guard parts.count == 4, ends[0].split(separator: ".").count == 4, parts[0] == 127 else { return nil }
    address = parts.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Decimal digits and nothing else: no sign, no zero before others, which some programs take for octal.
  private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      text == "0" || text.first != "0"
    else { return nil }
    return Int(text).flatMap { range.contains($0) ? $0 : nil }
  }

  public var description: String {
    "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255):\(port)"
  }

  /// For calls of the socket interface.
  var socketAddress: sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = address.bigEndian
    place.sin_port = port.bigEndian
    return place
  }
}
