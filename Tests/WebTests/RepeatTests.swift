import Foundation
import Glibc
import Testing
import VetNetTestSupport

/// Requests that are sent again after the server died, and long work that it died in.
struct RepeatTests {
  private static let body =
    #"{"start":"2026-11-27T13:00","clinician_id":"S02","patient_id":"P001","duration_minutes":20,"reason":"canary-limping"}"#

  private func ask(_ port: Int, _ method: String, _ path: String, _ body: String = "", key: String? = nil) throws
    -> HTTPClient.Answer
  {
    let host = "127.0.0.1:\(port)"
    let more = key.map { "Idempotency-Key: \($0)\r\n" } ?? ""
    let answer = try HTTPClient(port: port).answerTo(
      "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://\(host)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(more)\r\n\(body)"
    )
    return try #require(answer)
  }

  @Test func `a booking that is sent again after a kill is answered as before, and a job that was cut is said to be`()
    throws
  {
    let folder = try TemporaryFolder()
    let program = try VetNetProcess(practice: folder.file("p.vetnet"))
    let now = "2026-11-26T08:00"
    try ServedPractice.copySample(to: folder.file("p.vetnet"))
    func serve(_ now: String) throws -> (VetNetProcess.Running, Int) {
      let server = try program.start(["serve", "--listen", "127.0.0.1:0", "--now", now])
      return (server, try #require(try KillTests.port(of: server)))
    }
    let (first, port) = try serve(now)
    let booked = try ask(port, "POST", "/api/v1/appointments", Self.body, key: "one")
    #expect(booked.status == 201)
    let reindex = try ask(port, "POST", "/api/v1/jobs", #"{"kind":"reindex","all":true}"#)
    #expect(reindex.status == 202)
    first.kill()
    _ = try first.wait()

    let (second, next) = try serve("2026-11-26T20:00")
    let again = try ask(next, "POST", "/api/v1/appointments", Self.body, key: "one")
    #expect(again.status == 201 && again.body == booked.body)
    for name in ["etag", "location", "content-type"] {
      #expect(again.headers[name] != nil && again.headers[name] == booked.headers[name], "\(name)")
    }
    let other = try ask(
      next, "POST", "/api/v1/appointments", Self.body.replacing("13:00", with: "14:00"), key: "one")
    #expect(other.status == 422 && other.code == "key_reused")
    // The same key for something else is another.
    #expect(try ask(next, "POST", "/api/v1/undo", "{}", key: "one").status == 200)
    #expect(try ask(next, "POST", "/api/v1/undo", "{}", key: "one").status == 200)
    let id = try #require(try booked.json()["id"] as? String)
    let taken = try ask(next, "GET", "/api/v1/appointments/\(id)").json()
    #expect(taken["status"] as? String == "cancelled")
    let job = try #require((try ask(next, "GET", "/api/v1/jobs").json()["jobs"] as? [[String: Any]])?.first)
    #expect(job["state"] as? String == "broken_off" && job["can_cancel"] as? Bool == false)
    #expect(try ask(next, "GET", "/jobs").text.contains("begin again to go on"))
    second.kill(SIGTERM)
    #expect(try second.wait().status == 0)

    // A day later the key is forgotten.
    let (third, last) = try serve("2026-11-27T08:01")
    let late = try ask(last, "POST", "/api/v1/appointments", Self.body, key: "one")
    #expect(late.status == 201 && late.body != booked.body)
    third.kill()
    _ = try third.wait()
  }
}
