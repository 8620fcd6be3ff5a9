import Clinical
import Foundation
import Glibc
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

/// What is written at the patient's side, over real sockets.
struct EncounterPageTests {
  private static let narrative =
    "Vomiting since Monday, no diarrhoea. Weight 31 kg, T 39.6 C, HR 110. Suspect pancreatitis. Maropitant 30 mg SC given. Recheck in 3 days."

  private static func body(_ fields: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self)
  }

  private func begun(_ served: ServedPractice, _ text: String = narrative, patient: String = "P001") throws -> String {
    let answer = try served.ask(
      "POST", "/api/v1/encounters", Self.body(["patient_id": patient, "text": text]))
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(try answer.json()["id"] as? String)
  }

  private func change(
    _ served: ServedPractice, _ method: String, _ path: String, _ fields: [String: Any] = [:], revision: Int
  ) throws -> HTTPClient.Answer {
    try served.ask(method, "/api/v1/encounters/\(path)", Self.body(fields), headers: ["If-Match": "\"\(revision)\""])
  }

  @Test func `from a blank page to a signed note and an owner's summary`() throws {
    let served = try ServedPractice()
    let blank = try served.ask("GET", "/encounter/new?patient=P001")
    #expect(blank.status == 200 && blank.text.contains(#"data-testid="encounter_text""#))
    // To look begins nothing.
    #expect(try served.ask("GET", "/api/v1/encounters").json()["total"] as? Int == 0)
    let id = try begun(served)
    #expect(try served.ask("GET", "/encounters").text.contains("encounter_\(id)"))
    #expect(try served.ask("GET", "/encounter/new?patient=P001").text.contains("Not finished yet"))
    let page = try served.ask("GET", "/encounter/\(id)").text
    for needed in ["encounter_section_complaint", "encounter_section_plan", "encounter_questions", "encounter_book_0"] {
      #expect(page.contains(#"data-testid="\#(needed)""#), "\(needed)")
    }
    let shown = try served.ask("GET", "/api/v1/encounters/\(id)").json()
    let open = try #require(shown["sections"] as? [[String: Any]]).compactMap { $0["section"] as? String }
    let early = try change(served, "POST", "\(id)/advance", revision: 1)
    #expect(early.status == 400 && early.text.contains("not decided yet"))
    let decided = try change(
      served, "POST", "\(id)/decisions", ["sections": open, "verdict": "accepted"], revision: 1)
    #expect(decided.status == 200, "\(decided.text)")
    #expect(try change(served, "POST", "\(id)/advance", revision: 2).status == 200)
    #expect(try change(served, "POST", "\(id)/advance", revision: 3).status == 200)
    let signed = try change(served, "POST", "\(id)/sign", revision: 4).json()
    let note = try #require(signed["note_id"] as? String)
    let text = try #require(try served.ask("GET", "/api/v1/notes/\(note)").json()["text"] as? String)
    #expect(text.contains("Maropitant 30 mg SC given") && text.contains("Differentials: ? "))
    #expect(try change(served, "POST", "\(id)/sign", revision: 5).status == 400)
    #expect(try served.ask("GET", "/encounter/\(id)").text.contains(#"data-testid="encounter_note""#))
    let summary = try served.ask("GET", "/encounter/\(id)/summary")
    #expect(summary.text.contains("Being sick") && !summary.text.contains("30 mg"))
    #expect(try served.ask("GET", "/api/v1/encounters/\(id)/summary").status == 200)
    let amended = try change(
      served, "POST", "\(id)/amend", ["text": "Vomiting since Sunday.", "reason": "wrong day"], revision: 5)
    #expect(try amended.json()["state"] as? String == "amended")
    #expect(try served.ask("GET", "/api/v1/encounter-cases").json()["total"] as? Int == 1)
  }

  @Test func `an old revision is refused with both versions, and a request that is sent again is done once`() throws {
    let served = try ServedPractice()
    let id = try begun(served)
    #expect(try change(served, "PUT", id, ["text": "Theirs: vomiting."], revision: 1).status == 200)
    let stale = try change(served, "PUT", id, ["text": "Mine: retching."], revision: 1)
    let error = try #require(try stale.json()["error"] as? [String: Any])
    #expect(stale.status == 412 && error["code"] as? String == "changed_meanwhile")
    #expect((error["current"] as? [String: Any])?["text"] as? String == "Theirs: vomiting.")
    #expect(error["sent"] as? String == "Mine: retching.")
    #expect(try served.ask("PUT", "/api/v1/encounters/\(id)", #"{"text":"x"}"#).status == 428)
    let key = ["If-Match": "2", "Idempotency-Key": "one"]
    let first = try served.ask("PUT", "/api/v1/encounters/\(id)", #"{"text":"Again."}"#, headers: key)
    let again = try served.ask("PUT", "/api/v1/encounters/\(id)", #"{"text":"Again."}"#, headers: key)
    #expect(first.status == 200 && again.body == first.body)
    #expect(try served.ask("GET", "/api/v1/encounters/\(id)").headers["etag"] == "\"3\"")
  }

  @Test func `who may not write records gets no way in, and none is offered`() throws {
    let served = try ServedPractice.closed()
    let vet = try served.signIn(.veterinarian)
    let made = try vet.ask("POST", "/api/v1/encounters", Self.body(["patient_id": "P001", "text": Self.narrative]))
    let id = try #require(try made.json()["id"] as? String)
    #expect(try vet.ask("GET", "/patient/P001").text.contains("new_encounter_button"))
    for role in [Role.reception, .administrator] {
      let other = try served.signIn(role)
      #expect(try !other.ask("GET", "/patient/P001").text.contains("new_encounter_button"))
      for path in ["/encounters", "/encounter/new?patient=P001", "/encounter/\(id)", "/encounter/\(id)/summary"] {
        let answer = try other.ask("GET", path)
        #expect(answer.status == 403 && !answer.text.contains("Maropitant"), "\(role) \(path)")
      }
      for (method, path) in [
        ("GET", ""), ("GET", "/\(id)"), ("PUT", "/\(id)"), ("POST", ""), ("POST", "/\(id)/decisions"),
        ("POST", "/\(id)/advance"), ("POST", "/\(id)/sign"), ("POST", "/\(id)/amend"), ("DELETE", "/\(id)"),
        ("GET", "/\(id)/summary"),
      ] {
        let fields: [String: Any] =
          switch path {
          case "": ["patient_id": "P001", "text": "x"]
          case "/\(id)/decisions": ["sections": ["plan"], "verdict": "dropped"]
          case "/\(id)/amend": ["text": "x", "reason": "x"]
          case "/\(id)": ["text": "x"]
          default: [:]
          }
        let answer = try other.ask(
          method, "/api/v1/encounters\(path)", method == "GET" ? nil : Self.body(fields), headers: ["If-Match": "1"])
        #expect(
          answer.status == 403 && !answer.text.contains("Maropitant"), "\(role) \(method) \(path): \(answer.status)")
      }
    }
  }

  @Test func `whatever is written stays text`() throws {
    let served = try ServedPractice()
    let hostile =
      "</textarea><script>alert(1)</script> vomiting \"><img src=x onerror=alert(1)> T 39.6. Plan: meloxicam <b id=evil>."
    let id = try begun(served, hostile)
    _ = try change(
      served, "POST", "\(id)/decisions", ["sections": ["plan"], "verdict": "edited", "text": hostile], revision: 1)
    for path in [
      "/encounter/\(id)", "/encounter/\(id)?part=live", "/encounters", "/encounter/\(id)/summary",
      "/encounter/new?patient=P001",
    ] {
      let page = try served.ask("GET", path).text
      for markup in ["<script>alert", "<img src=x", "<b id=evil"] {
        #expect(!page.contains(markup), "\(path) \(markup)")
      }
      if !path.hasSuffix("summary") { #expect(page.contains("&lt;script&gt;alert"), "\(path)") }
    }
  }

  /// A writer that saves as fast as it may, and a server that is killed: what was acknowledged is there.
  @Test func `autosave under a killed server loses nothing that was acknowledged`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("p.vetnet")
    try ServedPractice.copySample(to: path)
    let program = try VetNetProcess(practice: path)
    let server = try program.start(["serve", "--listen", "127.0.0.1:0", "--now", "2026-11-26T09:10"])
    let port = try #require(try KillTests.port(of: server))
    func ask(_ method: String, _ target: String, _ fields: [String: Any], _ headers: String = "") throws
      -> HTTPClient.Answer?
    {
      let body = try Self.body(fields)
      let client = try HTTPClient(port: port)
      client.write(
        "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\(headers)Connection: close\r\n\r\n\(body)"
      )
      return client.answer(to: method)
    }
    let id = try #require(
      try ask("POST", "/api/v1/encounters", ["patient_id": "P001", "text": "w0"])?.json()["id"] as? String)
    let end = Date().addingTimeInterval(1.5)
    let number = server.process.processIdentifier
    let killer = Thread {
      Thread.sleep(until: end)
      kill(number, SIGKILL)
    }
    killer.start()
    var acknowledged = 0
    var words = ["w0"]
    for number in 1... {
      words.append("w\(number)")
      guard
        let answer = try? ask(
          "PUT", "/api/v1/encounters/\(id)", ["text": words.joined(separator: " ")], "If-Match: \(number)\r\n"),
        answer.status == 200
      else { break }
      acknowledged = number
    }
    _ = try server.wait()
    #expect(acknowledged > 3)
    let practice = try Practice.open(at: path, models: shippedModels(), access: .read)
    let kept = try practice.perform(ShowEncounter(id: id), by: .local, at: ServedPractice.now).encounter
    let count = kept.narrative.split(separator: " ").count - 1
    #expect(count == acknowledged || count == acknowledged + 1, "\(count) of \(acknowledged)")
    #expect(kept.revision == count + 1)
  }
}
