import Glibc
import VetNet

/// Where to listen: `127.0.0.1:8417`, `[::1]:8417`, `:0` for any free port.
public struct ListenAddress: Sendable {
  public let host: String
  public let port: Int
  let isIPv6: Bool
  /// Whether only this machine can reach it.
  public let isLoopback: Bool
  /// Whether it is every address of this machine, and so the name of none.
  public let isWildcard: Bool

  public static let standard = "127.0.0.1:8417"

  /// - Throws: ``PracticeError`` with `invalidArgument` for what is no address.
  public init(_ text: String) throws {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (0...65_535).contains(port)
    else {
      throw PracticeError(
        .invalidArgument, "'\(text.prefix(60))' is no address to listen on", hint: "Write 127.0.0.1:8417.")
    }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host.isEmpty || host == "localhost" { host = "127.0.0.1" }
    var four = in_addr()
    var six = in6_addr()
    let isIPv6 = inet_pton(AF_INET, host, &four) != 1
    guard !isIPv6 || inet_pton(AF_INET6, host, &six) == 1 else {
      throw PracticeError(
        .invalidArgument, "'\(host.prefix(60))' is no address of a machine", hint: "Write 127.0.0.1:8417.")
    }
    isLoopback =
      isIPv6
      ? withUnsafeBytes(of: six) { Array($0) == [UInt8](repeating: 0, count: 15) + [1] }
      : UInt32(bigEndian: four.s_addr) >> 24 == 127
    isWildcard = isIPv6 ? withUnsafeBytes(of: six) { $0.allSatisfy { $0 == 0 } } : four.s_addr == 0
    self.host = host
    self.port = port
    self.isIPv6 = isIPv6
  }

  /// The host as a browser writes it: `127.0.0.1`, `[::1]`.
  var name: String { isIPv6 ? "[\(host)]" : host }

  /// Whether a socket can be bound to it now.
  var isFree: Bool {
    let socket = Glibc.socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    var on: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    return withSocketAddress {
      bind(socket, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(size)) == 0
    }
  }

  func withSocketAddress<Value>(_ body: (UnsafeMutableRawPointer) -> Value) -> Value {
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = in_port_t(port).bigEndian
      inet_pton(AF_INET6, host, &address.sin6_addr)
      return withUnsafeMutablePointer(to: &address) { body(UnsafeMutableRawPointer($0)) }
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return withUnsafeMutablePointer(to: &address) { body(UnsafeMutableRawPointer($0)) }
  }
}
