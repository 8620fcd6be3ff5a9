import Foundation
import Glibc

/// A client that sends just what it is told, over a plain socket.
final class HTTPClient {
  struct Answer {
    let status: Int
    /// Names in lower case.
    let headers: [String: String]
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    func json() throws -> [String: Any] {
      guard let object = try JSONSerialization.jsonObject(with: body) as? [String: Any] else {
        throw CocoaError(.coderReadCorrupt)
      }
      return object
    }

    /// The code of an error's body.
    var code: String? { ((try? json())?["error"] as? [String: Any])?["code"] as? String }
  }

  struct Unreachable: Error {}
  /// Closed, or silent for ``patience`` seconds.
  struct Unanswered: Error { let request: String }

  /// A sign-in hashes a passphrase, one at a time; where everything is tested at once some wait long for their turn.
  private static let patience = 120

  private let socket: Int32
  private var unread = Data()

  /// `source` is the loopback address that it asks from.
  init(port: Int, from source: String = "127.0.0.1") throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var own = sockaddr_in()
    own.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, source, &own.sin_addr)
    _ = withUnsafePointer(to: &own) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
    }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    guard status == 0 else {
      close(socket)
      throw Unreachable()
    }
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    self.socket = socket
  }

  deinit { close(socket) }

  func write(_ data: Data) {
    var sent = 0
    while sent < data.count {
      let count = data[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      sent += count
    }
  }

  func write(_ text: String) { write(Data(text.utf8)) }

  /// Whether something has come that nobody has read.
  var hasAnswer: Bool {
    var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  /// More of what comes; false at the end.
  private func read() -> Bool {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket, &room, room.count, 0)
    guard count > 0 else { return false }
    unread.append(contentsOf: room[..<count])
    return true
  }

  /// Whatever comes before `mark`, without it; nil where the connection ends before.
  func read(until mark: String) -> String? {
    let mark = Data(mark.utf8)
    while true {
      if let range = unread.range(of: mark) {
        let text = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        unread = Data(unread[range.upperBound...])
        return text
      }
      guard read() else { return nil }
    }
  }

  /// The next chunk of an answer that comes in pieces, empty at its end; nil where the connection is closed before.
  func nextPiece() -> Data? {
    guard let head = read(until: "\r\n"), let length = Int(head, radix: 16) else { return nil }
    while unread.count < length + 2 { guard read() else { return nil } }
    let piece = Data(unread.prefix(length))
    unread = Data(unread.dropFirst(length + 2))
    return piece
  }

  /// The next answer; nil where the connection is closed instead.
  func answer(to method: String = "GET") -> Answer? {
    guard let head = read(until: "\r\n\r\n") else { return nil }
    let lines = head.components(separatedBy: "\r\n")
    guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 { headers[parts[0].lowercased()] = parts[1] }
    }
    if headers["transfer-encoding"] == "chunked", method != "HEAD" {
      var body = Data()
      while let piece = nextPiece() {
        if piece.isEmpty { return Answer(status: status, headers: headers, body: body) }
        body.append(piece)
      }
      return nil
    }
    let length = method == "HEAD" ? 0 : Int(headers["content-length"] ?? "") ?? 0
    while unread.count < length { guard read() else { return nil } }
    let body = Data(unread.prefix(length))
    unread = Data(unread.dropFirst(length))
    return Answer(status: status, headers: headers, body: body)
  }
}

extension HTTPClient {
  func answerTo(_ request: String) -> Answer? {
    write(request)
    return answer()
  }
}
