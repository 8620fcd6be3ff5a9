import Glibc
public import VetNet

/// Where to listen: `127.0.0.1:8417`, `[::1]:8417`, `:0` for any free port.
public struct ListenAddress: Sendable {
  public let host: String
  public let port: Int
  let isIPv6: Bool

  public static let standard = "127.0.0.1:8417"

  /// - Throws: ``PracticeError`` with `invalidArgument` for what is no address, and with `notPermitted` for one that others on the
  ///   network can reach, as long as there are neither accounts nor TLS to keep them out.
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
    let isLoopback =
      isIPv6
      ? withUnsafeBytes(of: six) { Array($0) == [UInt8](repeating: 0, count: 15) + [1] }
      : UInt32(bigEndian: four.s_addr) >> 24 == 127
    guard isLoopback else {
      throw PracticeError(
        .notPermitted, "\(host) can be reached from other machines, and this server has neither log-in nor TLS yet",
        hint: "Listen on 127.0.0.1; whoever can use this machine can use the workspace.")
    }
    self.host = host
    self.port = port
    self.isIPv6 = isIPv6
  }

  /// `127.0.0.1:8417`, `[::1]:8417`: what a browser sends as the host.
  func authority(port: Int) -> String { "\(isIPv6 ? "[\(host)]" : host)\(port == 80 ? "" : ":\(port)")" }

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
