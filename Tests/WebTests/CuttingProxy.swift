import Dispatch
import Foundation
import Glibc

/// Stands between a device and its hub on this machine, and cuts connections after so many bytes of the hub's answers.
final class CuttingProxy: @unchecked Sendable {
  // The listener and the target never change; what changes is behind the lock.
  private let listener: Int32
  private let target: Int
  let port: Int
  private let lock = NSLock()
  private var limit: Int?
  private var passed = 0
  private var connections = 0
  private var sent = 0

  /// To the hub's port.
  init(to target: Int) throws {
    self.target = target
    let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(listener, $0, size) }
    }
    guard bound == 0, listen(listener, 16) == 0 else { throw CocoaError(.featureUnsupported) }
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
    }
    self.listener = listener
    port = Int(in_port_t(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in accept() }
  }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Cuts as soon as so many bytes of answers have passed from now on, once; nil never.
  func cut(after bytes: Int?) {
    lock.withLock {
      limit = bytes
      passed = 0
      connections = 0
      sent = 0
    }
  }

  /// Bytes of answers, and of requests, and how many connections there were since the last ``cut(after:)``.
  var counts: (received: Int, sent: Int, connections: Int) { lock.withLock { (passed, sent, connections) } }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { return }
      lock.withLock { connections += 1 }
      let server = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(target).bigEndian
      inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
      let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard status == 0 else {
        close(client)
        close(server)
        continue
      }
      // Closed when both directions are done with it, and not before: the number might be another connection's by then.
      let both = DispatchGroup()
      for isAnswer in [false, true] {
        both.enter()
        Thread.detachNewThread { [self] in
          pump(from: isAnswer ? server : client, to: isAnswer ? client : server, isAnswer: isAnswer)
          both.leave()
        }
      }
      both.notify(queue: .global()) {
        close(client)
        close(server)
      }
    }
  }

  private func pump(from source: Int32, to target: Int32, isAnswer: Bool) {
    var room = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = recv(source, &room, room.count, 0)
      guard count > 0 else { break }
      let allowed = isAnswer ? answered(count) : asked(count)
      if allowed > 0, send(target, room, allowed, Int32(MSG_NOSIGNAL)) != allowed { break }
      if allowed < count { break }
    }
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(target, Int32(SHUT_RDWR))
  }

  private func asked(_ count: Int) -> Int {
    lock.withLock {
      sent += count
      return count
    }
  }

  /// How many of so many bytes may pass; the limit is over once it was met.
  private func answered(_ count: Int) -> Int {
    lock.withLock {
      let allowed = min(count, limit.map { max(0, $0 - passed) } ?? count)
      passed += allowed
      if allowed < count { limit = nil }
      return allowed
    }
  }
}
