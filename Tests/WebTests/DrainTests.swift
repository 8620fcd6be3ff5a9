import Foundation
import Glibc
import Testing
import VetNet
import VetNetTestSupport

/// A server of many that is told to stop: it says so first, finishes what it has taken, and loses nothing that it acknowledged.
struct DrainTests {
  /// What somebody who starts services is told.
  private final class Listener {
    let path: String
    private let socket: Int32

    init(_ folder: TemporaryFolder) throws {
      path = folder.file("notify")
      socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
      }
      guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
      var limit = timeval(tv_sec: 30, tv_usec: 0)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    func next() -> String? {
      var room = [UInt8](repeating: 0, count: 256)
      let count = recv(socket, &room, room.count, 0)
      return count > 0 ? String(decoding: room[..<count], as: UTF8.self) : nil
    }
  }

  private final class Acknowledged: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [(practice: String, id: String)] = []
    func add(_ practice: String, _ id: String) { lock.withLock { kept.append((practice, id)) } }
    var all: [(practice: String, id: String)] { lock.withLock { kept } }
  }

  @Test func `a drain under load loses no acknowledged write, says first that it isn't ready, and ends well`() throws {
    let folder = try TemporaryFolder()
    let names = ["north", "south"]
    for name in names { try ServedPractice.copySample(to: folder.file("\(name).vetnet")) }
    let listener = try Listener(folder)
    var program = try VetNetProcess(practice: folder.file("none.vetnet"))
    program.environment["NOTIFY_SOCKET"] = listener.path
    let server = try program.start([
      "serve", "--practices", folder.path, "--listen", "127.0.0.1:0", "--now", "2026-11-26T09:10", "--drain-seconds",
      "2",
      "--log-format", "json",
    ])
    defer { server.kill() }
    #expect(listener.next() == "READY=1")
    let port = try #require(try KillTests.port(of: server))
    let acknowledged = Acknowledged()
    let writers = (0..<4).map { writer in
      Thread {
        let name = names[writer % 2]
        for number in 0... {
          let body = #"{"name":"Nell \#(writer) \#(number)","kind":"room"}"#
          guard let client = try? HTTPClient(port: port) else { return }
          client.write(
            "POST /p/\(name)/api/v1/rooms HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
          )
          guard let answer = client.answer() else { return }
          if answer.status == 201, let id = try? answer.json()["id"] as? String { acknowledged.add(name, id) }
        }
      }
    }
    for writer in writers { writer.start() }
    for _ in 0..<400 where acknowledged.all.count < 8 { usleep(25_000) }
    let before = acknowledged.all.count
    server.kill(SIGTERM)
    #expect(listener.next() == "STOPPING=1")
    usleep(300_000)
    // Whoever sends work hears it while work is still done.
    let client = try HTTPClient(port: port)
    #expect(client.answerTo("GET /readyz HTTP/1.1\r\nHost: balancer\r\n\r\n")?.status == 503)
    let outcome = try server.wait()
    #expect(outcome.status == 0, "\(outcome.errors.suffix(300))")
    while writers.contains(where: { !$0.isFinished }) { usleep(10_000) }
    let all = acknowledged.all
    #expect(before >= 8 && all.count > before, "\(before) \(all.count)")
    for name in names {
      let practice = try ServedFolder.open(folder.file("\(name).vetnet"))
      let kept = try Set(practice.perform(ListRooms(), by: .local, at: ServedPractice.now).map(\.id))
      for (_, id) in all.filter({ $0.practice == name }) { #expect(kept.contains(id), "\(name) \(id)") }
    }
    // Every answer has its line, and no line says more.
    let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
    #expect(lines.count >= all.count && lines.allSatisfy { !$0.contains("Nell") && !$0.contains("north") })
  }

  @Test(arguments: [
    (["--practices", "/nonexistent"], 10, "no folder of practice files"),
    (["--practices", "/tmp", "--as", "ann"], 64, "exclude each other"),
    (["--practices", "/tmp", "--demo"], 64, "exclude each other"),
    (["--most-open", "3"], 64, "belongs to --practices"), (["--log-practices"], 64, "belongs to --practices"),
    (["--practices", "/tmp", "--most-open", "0"], 64, "whole number from 1 to 1000"),
    (["--drain-seconds", "x"], 64, "whole number"), (["--log-format", "xml"], 64, "is json"),
    (["--origin", "vets.example"], 64, "https://vets.example"),
    (["--origin", "https://vets.example"], 15, "needs users"), (["--proxy", "there"], 64, "no address of a proxy"),
    (["--metrics-token-file", "/nonexistent"], 1, "can't read the token"),
    (["--practices", "/tmp", "--listen", "0.0.0.0:0"], 15, "needs TLS"),
  ])
  func `what can't be served is said before anything is`(words: [String], status: Int32, message: String) throws {
    let folder = try TemporaryFolder()
    let program = try VetNetProcess(practice: folder.file("p.vetnet"))
    try program.run("init", "--time-zone", "Europe/London")
    let outcome = try program.start(["serve"] + words).wait()
    #expect(outcome.status == status && outcome.errors.contains(message), "\(outcome.status) \(outcome.errors)")
  }
}
