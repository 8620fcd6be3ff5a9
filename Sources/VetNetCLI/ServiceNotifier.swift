import Glibc
import VetNet

/// Tells whoever started this program as a service, such as systemd, that it is ready and that it stops: a few words to the socket that
/// `NOTIFY_SOCKET` names.
enum ServiceNotifier {
  /// Opened before the process gives the right to open sockets away, and written by the main thread.
  nonisolated(unsafe) private static var socket: Int32 = -1

  /// Connects, where a server was started as a service; otherwise nothing is said.
  static func open(for reach: Reach, environment: [String: String]) {
    guard case .listening = reach, let name = environment["NOTIFY_SOCKET"], let first = name.utf8.first,
      first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
    else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    // A name without a file begins with a zero byte.
    if first == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let made = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard made >= 0 else { return }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (first == UInt8(ascii: "/") ? 1 : 0))
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(made, $0, size) }
    }
    guard status == 0 else {
      close(made)
      return
    }
    socket = made
  }

  /// Says it, where somebody listens.
  static func say(_ state: String) {
    guard socket >= 0 else { return }
    _ = state.withCString { send(socket, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  }
}
