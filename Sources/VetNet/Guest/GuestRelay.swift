import CSandbox
import Glibc

/// The one way out of a guest's network: it accepts what the guest connects with its listener and carries the bytes to the address that is
/// allowed and back. It opens no other connection, whatever the guest says.
final class GuestRelay {
  /// At one time; more wait.
  private static let connectionLimit = 16

  private let listener: Int32
  private let address: LoopbackAddress
  private var connections: [Connection] = []

  /// - Parameters:
  ///   - listener: the socket on which the guest finds the address; closed with the relay.
  ///   - address: where its connections lead.
  init(listener: Int32, to address: LoopbackAddress) {
    self.listener = listener
    self.address = address
    _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(listener) }

  /// What to wait for.
  var waiting: [pollfd] {
    let more =
      connections.count < Self.connectionLimit ? [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)] : []
    return more + connections.flatMap(\.waiting)
  }

  /// Does what `waiting` was ready for.
  func proceed(_ ready: [pollfd]) {
    for found in ready where found.revents != 0 {
      if found.fd == listener { accept() } else { connections.first { $0.has(found.fd) }?.proceed(found) }
    }
    connections.removeAll(where: \.isOver)
  }

  private func accept() {
    let guest = Glibc.accept(listener, nil, nil)
    guard guest >= 0 else { return }
    guard let connection = Connection(guest: guest, to: address) else {
      close(guest)
      return
    }
    connections.append(connection)
  }

  /// One connection of the guest's, and the one that stands for it outside.
  private final class Connection {
    private let guest: Int32
    private let outside: Int32
    private var isConnected = false
    private var there: Way
    private var back: Way
    private(set) var isOver = false

    init?(guest: Int32, to address: LoopbackAddress) {
      let outside = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      guard outside >= 0 else { return nil }
      for descriptor in [guest, outside] {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      }
      var place = address.socketAddress
      let result = withUnsafePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(outside, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard result == 0 || errno == EINPROGRESS else {
        close(outside)
        return nil
      }
      self.guest = guest
      self.outside = outside
      there = Way(from: guest, to: outside)
      back = Way(from: outside, to: guest)
    }

    deinit {
      close(guest)
      close(outside)
    }

    func has(_ descriptor: Int32) -> Bool { descriptor == guest || descriptor == outside }

    var waiting: [pollfd] {
      guard isConnected else { return [pollfd(fd: outside, events: Int16(POLLOUT), revents: 0)] }
      return [there.waiting, back.waiting].compactMap { $0 }
    }

    func proceed(_ found: pollfd) {
      guard !isOver else { return }
      guard isConnected else {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        if getsockopt(outside, SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0 { isOver = true }
        isConnected = true
        return
      }
      if there.waiting?.fd == found.fd, !there.proceed() { isOver = true }
      if back.waiting?.fd == found.fd, !back.proceed() { isOver = true }
      if there.isOver, back.isOver { isOver = true }
    }
  }

  /// Bytes on their way in one direction.
  private struct Way {
    let from: Int32
    let to: Int32
    private var bytes: ArraySlice<UInt8> = []
    /// Its source has ended, and what it said is delivered.
    private(set) var isOver = false

    init(from: Int32, to: Int32) {
      self.from = from
      self.to = to
    }

    var waiting: pollfd? {
      if isOver { return nil }
      return bytes.isEmpty
        ? pollfd(fd: from, events: Int16(POLLIN), revents: 0) : pollfd(fd: to, events: Int16(POLLOUT), revents: 0)
    }

    /// False where a connection broke.
    mutating func proceed() -> Bool {
      if bytes.isEmpty {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(from, &buffer, buffer.count, 0)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        bytes = buffer[..<count]
        if count == 0 {
          isOver = true
          shutdown(to, Int32(SHUT_WR))
        }
        return true
      }
      let count = bytes.withUnsafeBytes { send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      bytes = bytes.dropFirst(count)
      return true
    }
  }
}
