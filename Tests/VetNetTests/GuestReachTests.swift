import Foundation
import Glibc
import Testing
import VetNetTestSupport

@testable import VetNet

/// What of the network a guest reaches, by one that tries everything.
struct GuestReachTests {
  private let folder: TemporaryFolder
  private let guest: String

  init() throws {
    folder = try TemporaryFolder()
    guest = folder.file("reaches")
    try compile("reaches.c", to: guest)
    signal(SIGPIPE, SIG_IGN)
  }

  /// What the guest said, by what it tried.
  private func tried(_ address: LoopbackAddress?, other: UInt16, port: UInt16) throws -> [String: String] {
    let name = folder.file("name")
    let datagrams = try Self.datagrams(at: name)
    defer { close(datagrams) }
    // Ours, and meant to stay so.
    let open = Glibc.open("/dev/null", O_RDONLY)
    defer { close(open) }
    var limits = GuestProcess.Limits()
    limits.address = address
    let process = try GuestProcess(
      command: "'\(guest)' \(port) \(other) '\(name)' \(Self.outsideAddress)", limits: limits)
    let said = String(decoding: try process.run([]), as: UTF8.self)
    return Dictionary(
      uniqueKeysWithValues: said.split(separator: "\n").map { line in
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        return (words[0], words.last ?? "")
      })
  }

  /// Everywhere but where it may.
  private static let shut = [
    "descriptors": "none", "port": "not reached", "fast": "not reached", "address": "not reached",
    "outside": "not reached", "udp": "refused", "raw": "refused", "mptcp": "refused", "inet6": "refused",
    "unix": "refused", "netlink": "refused", "name": "refused", "network": "closed", "ring": "refused",
    "session": "kept",
  ]

  @Test func `a guest reaches the one address that is allowed, and nothing else`() throws {
    let (allowed, other) = (try PongServer(), try PongServer())
    let found = try tried(
      #require(LoopbackAddress("127.0.0.1:\(allowed.port)")), other: other.port, port: allowed.port)
    var expected = Self.shut.merging(["allowed": "reached", "again": "reached"]) { _, new in new }
    // Its two ends are its own.
    expected["stream"] = "failed"
    #expect(found == expected)
    #expect(allowed.count == 2 && other.count == 0)
  }

  @Test func `without an address it reaches nothing at all`() throws {
    let (allowed, other) = (try PongServer(), try PongServer())
    let found = try tried(nil, other: other.port, port: allowed.port)
    var expected = Self.shut.merging(["allowed": "refused", "again": "refused", "stream": "refused"]) { _, new in new }
    for name in ["port", "fast", "address", "outside"] { expected[name] = "refused" }
    #expect(found == expected)
    #expect(allowed.count == 0 && other.count == 0)
  }

  @Test func `where nobody listens, and with much to say in both directions, the way holds`() throws {
    let silent = try #require(LoopbackAddress("127.0.0.1:9"))
    #expect(try tried(silent, other: 10, port: 9)["allowed"] == "not reached")
    let server = try PongServer(echoes: true)
    var limits = GuestProcess.Limits()
    limits.address = LoopbackAddress("localhost:\(server.port)")
    let script = try folder.write(
      """
      exec 3<>/dev/tcp/127.0.0.1/\(server.port)
      head -c 300000 /dev/zero | tr '\\0' x >&3 &
      head -c 300000 <&3 | wc -c
      """, to: "much.sh")
    let process = try GuestProcess(command: "bash '\(script)'", limits: limits)
    #expect(String(decoding: try process.run([]), as: UTF8.self) == "300000\n")
  }

  @Test(arguments: [
    ("127.0.0.1:11434", "127.0.0.1:11434"), ("localhost:80", "127.0.0.1:80"), ("127.9.8.7:65535", "127.9.8.7:65535"),
    ("10.0.0.1:80", nil), ("0.0.0.0:80", nil), ("127.0.0.1", nil), ("127.0.0.1:0", nil), ("127.0.0.1:65536", nil),
    ("127.0.0.1:+80", nil), ("127.0.0:80", nil), ("127.0.0.01:80", nil), ("127.0.0.256:80", nil), ("[::1]:80", nil),
    ("example.org:80", nil), ("127.0.0.1:80:90", nil), ("127.0..1:80", nil), ("", nil),
  ])
  func `an address of this machine's loopback is one, and nothing else`(text: String, read: String?) {
    #expect(LoopbackAddress(text).map(String.init(describing:)) == read)
  }

  private static func datagrams(at path: String) throws -> Int32 {
    unlink(path)
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let result = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    return descriptor
  }

  /// This machine's on a network that others are on, too, or one that stands for such.
  private static var outsideAddress: String {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return "192.0.2.1" }
    defer { freeifaddrs(first) }
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      guard let address = entry.pointee.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET) else { continue }
      let number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
      }
      if number >> 24 != 127 { return [24, 16, 8, 0].map { String(number >> $0 & 255) }.joined(separator: ".") }
    }
    return "192.0.2.1"
  }
}

/// Answers "pong" to four bytes on every address of the machine, or gives back what it gets.
final class PongServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let answered = Counter()
  var count: Int { answered.value }

  init(echoes: Bool = false) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    try #require(isListening)
    self.listener = listener
    port = UInt16(bigEndian: place.sin_port)
    let answered = answered
    Thread.detachNewThread {
      while true {
        let guest = accept(listener, nil, nil)
        guard guest >= 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
          let count = read(guest, &bytes, echoes ? bytes.count : 4)
          guard count > 0 else { break }
          answered.add()
          var sent = 0
          let answer = echoes ? Array(bytes[..<count]) : Array("pong".utf8)
          while sent < answer.count {
            let more = answer[sent...].withUnsafeBytes { write(guest, $0.baseAddress, $0.count) }
            guard more > 0 else { break }
            sent += more
          }
        }
        close(guest)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    var value: Int { lock.withLock { number } }
    func add() { lock.withLock { number += 1 } }
  }
}
