import Clinical
import Foundation
import Glibc
import PracticeTestSupport
import Testing
import VetNet
import VetNetTestSupport

/// The queue over the network: what comes in by a form, who works on it at once, and what stands in addresses.
struct InboxQueueWebTests {
  private func take(
    _ served: ServedPractice, _ text: String, _ more: String = "", key: String = ""
  ) throws -> HTTPClient.Answer {
    try served.ask(
      "POST", "/api/v1/inbox", #"{"text":"\#(text)","channel":"web form"\#(more)}"#, headers: ["Idempotency-Key": key])
  }

  @Test func `what a form sends waits once, with its level and what to do first`() throws {
    let served = try ServedPractice()
    let red = try take(
      served, "She collapsed, gums white, struggling to breathe", #","author":"Olga Strand","id":"form-1""#, key: "a")
    #expect(red.status == 201, "\(red.text)")
    let item = try red.json()
    #expect(item["urgency"] as? String == "red" && item["state"] as? String == "waiting")
    #expect((item["level"] as? [String: Any])?["action"] as? String != nil)
    #expect(
      try take(
        served, "She collapsed, gums white, struggling to breathe", #","author":"Olga Strand","id":"form-1""#, key: "a"
      ).body == red.body)
    #expect(try take(served, "Bella needs her booster", #","animal":"Bella""#).status == 201)
    let list = try served.ask("GET", "/inbox").text
    #expect(list.contains("<b>Now:</b>") && list.contains("2 patients of this name") && list.contains("They differ in"))
    let page = try served.ask("GET", "/inbox/next").headers["location"]
    #expect(page == "/inbox/inbox-1")
    let card = try served.ask("GET", "/inbox/inbox-1").text
    #expect(card.contains("Rests on:") && card.contains(#"data-next="inbox-2""#) && card.contains("<q>"))
    for bad in [#"{"text":""}"#, #"{"text":"x","species":"unicorn"}"#, #"{"text":"x","colour":"red"}"#, "{}"] {
      #expect(try served.ask("POST", "/api/v1/inbox", bad).status == 400, "\(bad)")
    }
    #expect(try served.ask("POST", "/api/v1/inbox", #"{"text":"x","answers":"inbox-99"}"#).status == 404)
  }

  @Test func `two people never take one item unseen`() throws {
    let served = try ServedPractice.closed()
    let first = try served.signIn(.reception)
    let second = try served.signIn(.nurse)
    #expect(
      try first.ask("POST", "/api/v1/inbox", #"{"text":"Thumper is not eating","animal":"Thumper"}"#).status == 201)
    #expect(try first.ask("POST", "/api/v1/inbox", #"{"text":"A booster please"}"#).status == 201)
    #expect(try first.ask("POST", "/api/v1/inbox-session", #"{"item":"inbox-1"}"#).status == 200)
    let seen = try second.ask("GET", "/inbox/inbox-1").text
    #expect(seen.contains("has it open"))
    let next = try second.ask("GET", "/api/v1/inbox-session").json()["next"] as? [String]
    #expect(next?.contains("inbox-1") == false && next?.contains("inbox-2") == true)
    #expect(try second.ask("POST", "/api/v1/inbox/inbox-1/reject", #"{"reason":"twice","seen":0}"#).status == 200)
    let late = try first.ask("POST", "/api/v1/inbox/inbox-1/file", #"{"patient_id":"P017","seen":0}"#)
    #expect(late.status == 412 && late.text.contains("was rejected meanwhile, by"), "\(late.text)")
    // Whoever may not file is shown nothing of it, and takes nothing in.
    let keeper = try served.signIn(.administrator)
    #expect(try keeper.ask("POST", "/api/v1/inbox", #"{"text":"x"}"#).status == 403)
    #expect(try keeper.ask("GET", "/api/v1/inbox-session").status == 403)
    #expect(
      try keeper.ask("POST", "/api/v1/inbox/file-several", #"{"files":[{"id":"inbox-2","patient_id":"P001"}]}"#).status
        == 403)
  }

  @Test func `no page takes what an owner says in an address`() throws {
    let served = try ServedPractice()
    let canary = "zanzibarquartz"
    let pages = [
      "/triage", "/inbox", "/inbox/next", "/ask", "/day/2026-11-26", "/patients", "/specialists", "/flow/2026-11-26",
    ]
    for page in pages {
      for key in ["text", "note", "question", "reason", "message", "narrative", "symptoms", "body"] {
        let answer = try served.ask("GET", "\(page)?\(key)=\(canary)")
        #expect(!answer.text.contains(canary), "\(page)?\(key)")
        #expect(answer.headers["location"]?.contains(canary) != true, "\(page)?\(key)")
      }
    }
  }

  @Test func `the practice's named places are found, and only places of the workspace are`() throws {
    let served = try ServedPractice()
    let set = try served.ask(
      "PATCH", "/api/v1/settings", #"{"links":"Yard days=/week/today; Zebra post=/inbox?kind=letter"}"#)
    #expect(set.status == 200, "\(set.text)")
    let found = try served.ask("POST", "/api/v1/search", #"{"words":"zebra"}"#).text
    #expect(found.contains("/inbox?kind=letter"))
    for bad in [
      "x=https://example.org", "x=//example.org", "x=/triage?text=hello", "x=/api/v1/patients", "=/day/today", "x",
      "x=javascript:alert(1)", "x=/a/../b",
    ] {
      #expect(try served.ask("PATCH", "/api/v1/settings", #"{"links":"\#(bad)"}"#).status == 400, "\(bad)")
    }
  }

  /// `make stress-web` kills more often.
  private static let rounds = Int(ProcessInfo.processInfo.environment["VETNET_SERVER_KILLS"] ?? "").map { $0 / 10 } ?? 3

  @Test func `no act on the queue that was acknowledged is lost when the server is killed`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("p.vetnet")
    try ServedPractice.copySample(to: path)
    do {
      let practice = try Practice.open(at: path, models: shippedModels(), access: .write)
      let items = (1...40 * Self.rounds).map { number in
        IncomingItem(
          .letter, from: .init(source: "post", id: "l\(number)", receivedAt: ServedPractice.now),
          text: "Letter \(number).",
          reason: .noPatient)
      }
      try practice.perform(AddToInbox(items: items), by: .local, at: ServedPractice.now)
    }
    let program = try VetNetProcess(practice: path)
    var acknowledged: [String: String] = [:]
    for round in 0..<Self.rounds {
      let server = try program.start(["serve", "--listen", "127.0.0.1:0", "--now", "2026-11-26T09:10"])
      let port = try #require(try KillTests.port(of: server))
      let deadline = Date().addingTimeInterval(0.6 + Double(round % 5) * 0.13)
      let process = server.process.processIdentifier
      let killer = Thread {
        while Date() < deadline { usleep(5000) }
        kill(process, SIGKILL)
      }
      killer.start()
      for number in 1...40 {
        let id = "inbox-\(round * 40 + number)"
        let (act, body, state) =
          [
            ("file", #"{"patient_id":"P001"}"#, "filed"), ("reject", #"{"reason":"round \#(round)"}"#, "rejected"),
            ("later", "{}", "later"), ("ask", #"{"text":"Since when?"}"#, "asked"),
          ][number % 4]
        guard let client = try? HTTPClient(port: port) else { break }
        client.write(
          "POST /api/v1/inbox/\(id)/\(act) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        )
        guard let answer = client.answer() else { break }
        if answer.status == 200 { acknowledged[id] = state }
      }
      while !killer.isFinished { usleep(10_000) }
      _ = try server.wait()
    }
    #expect(acknowledged.count >= Self.rounds)
    let practice = try Practice.open(at: path, models: shippedModels(), access: .write)
    for (id, state) in acknowledged {
      let item = try practice.perform(ShowInboxItem(id: id), by: .local, at: ServedPractice.now)
      #expect(item.state.rawValue == state, "\(id)")
      if state == "filed" {
        #expect(
          try practice.perform(ShowNote(id: id), by: .local, at: ServedPractice.now).history.note.patientID == "P001")
      }
    }
    // Each is taken back by whoever comes next.
    for id in acknowledged.keys {
      #expect(try practice.perform(UndoInbox(id: id), by: .local, at: ServedPractice.now).state == .waiting)
    }
    #expect(try program.run("verify", "--json").status == 0)
  }
}
