import Foundation
import Glibc
import Testing
import VetNetTestSupport

/// A server that is killed while many write loses nothing that it acknowledged.
struct KillTests {
  /// `make browser-test` kills more often.
  private static let rounds = Int(ProcessInfo.processInfo.environment["VETNET_SERVER_KILLS"] ?? "") ?? 3

  private final class Acknowledged: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [String: String] = [:]
    func add(_ id: String, _ start: String) { lock.withLock { kept[id] = start } }
    var all: [String: String] { lock.withLock { kept } }
  }

  @Test func `what was acknowledged is there after a kill under load`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("p.vetnet")
    let program = try VetNetProcess(practice: path)
    try program.run("init", "--name", "Kills", "--time-zone", "Europe/London")
    #expect(try program.run("import", projectDirectory + "/Corpus", "--now", "2026-11-26T08:00").status == 0)
    let acknowledged = Acknowledged()
    for round in 0..<Self.rounds {
      let server = try program.start(["serve", "--listen", "127.0.0.1:0", "--now", "2026-11-26T09:10"])
      let port = try #require(try Self.port(of: server))
      let writers = (0..<4).map { writer in
        Thread {
          // Each writer has a vet and days of its own, so that all it asks for is free.
          let clinician = ["S01", "S02", "S03", "S08"][writer]
          for number in 0... {
            let day = 1 + (round * 7 + number / 12) % 28
            let start =
              "2027-0\(2 + round % 3)-\(day < 10 ? "0" : "")\(day)T\(10 + number % 12 / 2):\(number.isMultiple(of: 2) ? "00" : "30")"
            let body =
              #"{"start":"\#(start)","clinician_id":"\#(clinician)","patient_id":"P001","duration_minutes":15,"resource_ids":[],"visit_type":"nurse clinic"}"#
            guard let client = try? HTTPClient(port: port) else { return }
            client.write(
              "POST /api/v1/appointments HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
            )
            guard let answer = client.answer() else { return }
            if answer.status == 201, let id = try? answer.json()["id"] as? String { acknowledged.add(id, start) }
          }
        }
      }
      for writer in writers { writer.start() }
      usleep(UInt32(1_200_000 + round * 170_000))
      server.kill()
      _ = try server.wait()
      while writers.contains(where: { !$0.isFinished }) { usleep(10_000) }
    }
    let all = acknowledged.all
    #expect(all.count >= Self.rounds, "\(all.count)")
    for (id, start) in all {
      let shown = try program.run("schedule", "why", id, "--json", "--now", "2026-11-26T09:10")
      #expect(shown.status == 0 && shown.output.contains("\"start\":\"\(start)"), "\(id) \(shown.errors)")
    }
    let verdict = try program.run("verify", "--json")
    #expect(verdict.status == 0)
  }

  /// The port that a server says it listens on; nil where it ends before.
  private static func port(of server: VetNetProcess.Running) throws -> Int? {
    for _ in 0..<600 {
      if let match = server.output().firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//) { return Int(match.1) }
      guard server.process.isRunning else { return nil }
      usleep(50_000)
    }
    return nil
  }

  @Test(arguments: [SIGTERM, SIGINT]) func `a server that is told to stop ends well, with listeners on it`(
    signal: Int32
  ) throws {
    let folder = try TemporaryFolder()
    let program = try VetNetProcess(practice: folder.file("p.vetnet"))
    try program.run("init", "--time-zone", "Europe/London")
    let server = try program.start(["serve", "--listen", "127.0.0.1:0"])
    let port = try #require(try Self.port(of: server))
    let stream = try HTTPClient(port: port)
    stream.write("GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    #expect(stream.read(until: "event: here") != nil)
    let idle = try HTTPClient(port: port)
    server.kill(signal)
    #expect(try server.wait().status == 0)
    #expect(idle.answer() == nil)
    // Nobody listens any more.
    #expect(throws: HTTPClient.Unreachable.self) { try HTTPClient(port: port) }
    let refused = try program.run("serve", "--listen", "0.0.0.0:0")
    #expect(refused.status == 15 && refused.errors.contains("neither log-in nor TLS"))
  }
}
