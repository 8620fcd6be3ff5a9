import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// Long work in the workspace: seen while it runs, cancelled, and seen to be broken off.
@Suite(.serialized) struct JobTests {
  private static let served = Result { try ServedPractice() }
  private let served: ServedPractice

  init() throws { served = try Self.served.get() }

  private func job(_ id: Int) throws -> [String: Any] { try served.ask("GET", "/api/v1/jobs/\(id)").json() }

  private func ended(_ id: Int) throws -> [String: Any] {
    for _ in 0..<3000 {
      let job = try job(id)
      if job["state"] as? String != "running" { return job }
      usleep(20_000)
    }
    return try job(id)
  }

  private func upload(_ name: String, _ text: String, headers: [String: String] = [:]) throws -> HTTPClient.Answer {
    try served.ask(
      "POST", "/api/v1/imports?name=\(name)", text,
      headers: ["Content-Type": "application/octet-stream", "X-VetNet-Token": served.token()].merging(headers) { $1 })
  }

  @Test func `a file that is sent is imported, is told of while it is, and leaves nothing behind`() throws {
    let stream = try HTTPClient(port: served.port)
    stream.write(served.request("GET", "/api/v1/events", nil))
    #expect(stream.read(until: "event: here") != nil)
    // More than a request of another kind may have.
    let filling = String(repeating: " ", count: 4000)
    let rows = (0..<300).map { #"{"id":"U\#($0)",\#(filling)"name":"Upload \#($0)","species":"cat"}"# }
    let text = rows.joined(separator: "\n") + "\n{\"id\":\"U300\",\"nome\":3}\n"
    #expect(text.utf8.count > 1 << 20)
    let begun = try upload("patients.jsonl", text)
    #expect(begun.status == 202 && begun.headers["location"]?.hasPrefix("/api/v1/jobs/") == true, "\(begun.text)")
    let id = try #require(try begun.json()["id"] as? Int)
    #expect(stream.read(until: #"event: job"#) != nil && stream.read(until: #""id":\#(id)"#) != nil)
    let done = try ended(id)
    #expect(done["state"] as? String == "done" && done["kind"] as? String == "import")
    #expect((done["message"] as? String)?.contains("patients: 300 new") == true, "\(done)")
    #expect((done["message"] as? String)?.contains("1 row rejected") == true, "\(done)")
    #expect(try served.ask("GET", "/api/v1/patients/U77").status == 200)
    #expect(stream.read(until: #""running":false"#) != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "/tmp").filter { $0.hasPrefix("vetnet-upload") } == [])
    #expect(try served.ask("GET", "/jobs").text.contains("data-testid=\"job_\(id)\""))
  }

  @Test func `cases in which people gave a level are judged anew, and what came of it stands with the job`() throws {
    let text = "my dog collapsed and his gums are white"
    for (level, reason) in [("red", "seen"), ("green", "a joke")] {
      let kept = try served.ask(
        "POST", "/api/v1/assessments",
        #"{"text":"\#(text)","species":"dog","urgency":"\#(level)","reason":"\#(reason)"}"#)
      #expect(kept.status == 201, "\(kept.text)")
    }
    let begun = try served.ask("POST", "/api/v1/jobs", #"{"kind":"evaluate"}"#)
    #expect(begun.status == 202, "\(begun.text)")
    let done = try ended(#require(try begun.json()["id"] as? Int))
    #expect(
      done["message"] as? String
        == "of 2 cases with a person's level 1 get the same, 0 a lower and 1 a higher one; 1 of 1 red or orange ones are found"
    )
  }

  @Test func `a file is refused that is none, is too large, or comes from nobody`() throws {
    for name in ["", ".hidden", "-", "..%2Fx.jsonl", "a%00b", "a%2Fb"] {
      #expect(try upload(name, "{}").status == 400, "\(name)")
    }
    #expect(try upload("notes.jsonl", "").status == 400)
    let large = String(repeating: "a", count: (1 << 20) + 10)
    #expect(try upload("notes.jsonl", large, headers: ["X-VetNet-Token": "0"]).status == 403)
    #expect(try served.ask("POST", "/api/v1/triage", large).status == 413)
    #expect(try upload("notes.jsonl", "{}", headers: ["Origin": "http://evil.example"]).status == 403)
    #expect(
      try served.ask("POST", "/api/v1/triage", "{}", headers: ["Content-Type": "application/octet-stream"]).status
        == 415)
  }

  @Test func `a job is cancelled where it can stop, one of a kind runs at a time, and what stands is said`() throws {
    // Enough notes that there is time to stop.
    let begun = try served.ask("POST", "/api/v1/jobs", #"{"kind":"reindex","all":true}"#)
    #expect(begun.status == 202, "\(begun.text)")
    let id = try #require(try begun.json()["id"] as? Int)
    let second = try served.ask("POST", "/api/v1/jobs", #"{"kind":"reindex"}"#)
    #expect(second.status == 503 && second.code == "locked", "\(second.text)")
    #expect(try served.ask("DELETE", "/api/v1/jobs/\(id)", "{}").status == 200)
    let job = try ended(id)
    #expect(job["state"] as? String == "cancelled", "\(job)")
    #expect(try served.ask("DELETE", "/api/v1/jobs/\(id)", "{}").status == 409)
    let page = try served.ask("GET", "/jobs?part=live").text
    #expect(page.contains("cancelled") && page.contains("The index in use is whole"))
    for (body, status) in [
      (#"{"kind":"dance"}"#, 400), (#"{"kind":"optimize","dates":["soon"]}"#, 400), (#"{}"#, 400),
    ] { #expect(try served.ask("POST", "/api/v1/jobs", body).status == status, "\(body)") }
    #expect(try served.ask("GET", "/api/v1/jobs/999").status == 404)
    let plan = try served.ask("POST", "/api/v1/jobs", #"{"kind":"optimize","dates":["2026-11-27"],"seconds":1}"#)
    #expect(try ended(try #require(try plan.json()["id"] as? Int))["state"] as? String == "done")
    // A search ends where it is, and leaves the plan as it was; where it was done before, there is nothing to cancel.
    let days = (23...30).map { "\"2026-11-\($0)\"" }.joined(separator: ",")
    let search = try served.ask("POST", "/api/v1/jobs", #"{"kind":"optimize","dates":[\#(days)],"seconds":60}"#)
    let number = try #require(try search.json()["id"] as? Int)
    let answer = try served.ask("DELETE", "/api/v1/jobs/\(number)", "{}").status
    let end = try ended(number)
    #expect(answer == 200 || (answer == 409 && end["state"] as? String == "done"), "\(answer) \(end)")
    #expect(["cancelled", "done"].contains(end["state"] as? String ?? ""), "\(end)")
  }
}
