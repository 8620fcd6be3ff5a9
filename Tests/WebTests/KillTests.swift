import Clinical
import Foundation
import Glibc
import PracticeTestSupport
import Testing
import VetNet
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
    try ServedPractice.copySample(to: path)
    let program = try VetNetProcess(practice: path)
    let acknowledged = Acknowledged()
    for round in 0..<Self.rounds {
      let server = try program.start(["serve", "--listen", "127.0.0.1:0", "--now", "2026-11-26T09:10"])
      let port = try #require(try Self.port(of: server))
      let writers = (0..<4).map { writer in
        Thread {
          // Each writer has a vet and days of its own, so that all it asks for is free.
          let clinician = ["S01", "S02", "S03", "S08"][writer]
          for number in 0... {
            // Where the rounds before didn't come to; a weekend is refused.
            let day = CalendarDate(iso: "2027-02-01")?.adding(days: 6 * round + number / 12)
            guard let day else { return }
            let start = "\(day)T\(10 + number % 12 / 2):\(number.isMultiple(of: 2) ? "00" : "30")"
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
      usleep(UInt32(1_200_000 + round % 7 * 170_000))
      server.kill()
      _ = try server.wait()
      while writers.contains(where: { !$0.isFinished }) { usleep(10_000) }
    }
    let all = acknowledged.all
    #expect(all.count >= Self.rounds, "\(all.count)")
    let practice = try Practice.open(at: path, models: shippedModels(), access: .read)
    for (id, start) in all {
      let kept = try practice.perform(ShowAppointment(id: id), by: .local, at: ServedPractice.now).appointment
      #expect(practice.timeZone.iso8601(kept.start).hasPrefix(start), "\(id)")
    }
    let verdict = try program.run("verify", "--json")
    #expect(verdict.status == 0)
  }

  /// The port that a server says it listens on; nil where it ends before.
  static func port(of server: VetNetProcess.Running) throws -> Int? {
    for _ in 0..<600 {
      if let match = server.output().firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//) { return Int(match.1) }
      guard server.process.isRunning else { return nil }
      usleep(50_000)
    }
    return nil
  }

  @Test func `a server that is told to stop while it sends what it still makes ends well`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("p.vetnet")
    try ServedPractice.copySample(to: path)
    let program = try VetNetProcess(practice: path)
    for round in 0..<3 {
      let server = try program.start(["serve", "--listen", "127.0.0.1:0", "--now", "2026-11-26T09:10"])
      let port = try #require(try Self.port(of: server))
      let readers = try (0..<6).map { _ in
        let client = try HTTPClient(port: port)
        client.write("GET /brief/2026-11-26 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        return client
      }
      usleep(UInt32(20_000 + round * 150_000))
      server.kill(SIGTERM)
      #expect(try server.wait().status == 0, "round \(round)")
      _ = readers
    }
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
    #expect(refused.status == 15 && refused.errors.contains("TLS (--tls-cert") && refused.errors.contains("user add"))
  }
}
