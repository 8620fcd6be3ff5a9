import Foundation
import Glibc
import Testing
import VetNet
import VetNetTestSupport
import Web

/// Who may ask for what, and how much of the server one of them can take.
struct GuardTests {
  private let served: ServedPractice

  init() throws { served = try Served.sample.get() }

  @Test func `only the server's own name is answered to`() throws {
    for host in [
      "evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:\(served.port)", "[::1]:\(served.port)",
    ] {
      let answer = try served.ask("GET", "/day/\(ServedPractice.day)", headers: ["Host": host])
      #expect(answer.status == 421 && answer.code == "wrong_host", "\(host)")
      #expect(!answer.text.contains("visit"))
    }
    let client = try HTTPClient(port: served.port)
    client.write("GET /triage HTTP/1.1\r\nHost: \(served.host)\r\nHost: evil.example\r\n\r\n")
    #expect([400, 421].contains(client.answer()?.status))
    let local = try served.ask("GET", "/triage", headers: ["Host": "localhost:\(served.port)"])
    #expect(local.status == 308 && local.headers["location"] == "http://\(served.host)/triage")
  }

  @Test func `a write comes from this server's pages or from a program, and from nowhere else`() throws {
    let body = #"{"text":"cat sneezing"}"#
    for path in ["/api/v1/triage", "/api/v1/appointments", "/api/v1/undo", "/ask", "/triage"] {
      for origin in ["", "null", "http://evil.example", "http://127.0.0.1:1", "https://\(served.host)"] {
        let answer = try served.ask("POST", path, body, headers: ["Origin": origin])
        #expect(answer.status == 403 && answer.code == "wrong_origin", "\(path) from \(origin)")
      }
      let form = try served.ask("POST", path, body, headers: ["Content-Type": "text/plain"])
      #expect(form.status == 415)
    }
    let token = try served.token()
    #expect(token.count == 64)
    let browser = ["Sec-Fetch-Site": "same-origin"]
    #expect(try served.ask("POST", "/api/v1/triage", body, headers: browser).code == "stale_token")
    let wrong = browser.merging(["X-VetNet-Token": "0"]) { $1 }
    #expect(try served.ask("POST", "/api/v1/triage", body, headers: wrong).code == "stale_token")
    let right = browser.merging(["X-VetNet-Token": token]) { $1 }
    #expect(try served.ask("POST", "/api/v1/triage", body, headers: right).status == 200)
    // Neither may another site's page have data read for it.
    let cross = ["Sec-Fetch-Site": "cross-site"]
    #expect(try served.ask("GET", "/api/v1/session", headers: cross).status == 403)
  }

  @Test func `bodies that are too large, no JSON or hold strangers are refused by name`() throws {
    let large = String(repeating: "a", count: 1_200_000)
    #expect(try served.ask("POST", "/api/v1/triage", "{\"text\":\"\(large)\"}").status == 413)
    for body in ["", "[]", "{", "\"text\"", "{\"text\":\"\u{0}\"}"] {
      let answer = try served.ask("POST", "/api/v1/triage", body)
      #expect(answer.status == 400, "\(body)")
    }
    for (body, field) in [
      (#"{"text":"a cat","colour":"red"}"#, "colour"), (#"{"text":7}"#, "text"), (#"{"species":"cat"}"#, "text"),
      (#"{"text":"a cat","species":"dragon"}"#, "species"), (#"{"text":"a cat","weight_kg":-1}"#, "weight_kg"),
      (#"{"text":"a cat","sex":"perhaps"}"#, "sex"),
    ] {
      let answer = try served.ask("POST", "/api/v1/triage", body)
      let error = try #require(try answer.json()["error"] as? [String: Any])
      #expect(
        answer.status == 400 && error["field"] as? String == field && error["message"] as? String != nil, "\(body)")
      #expect(error.keys.contains("hint") && error.keys.contains("code"))
    }
  }

  @Test func `headers can't be put into answers, and what is no request is refused`() throws {
    let answer = try served.ask("GET", "/day/today%0d%0aSet-Cookie:%20a=b")
    #expect(answer.status == 400 && answer.headers["set-cookie"] == nil)
    for raw in ["GET /\r\n\r\n", "\u{1}\u{2}\u{3}\r\n\r\n", "GET /healthz HTTP/1.1\r\n\r\n"] {
      let client = try HTTPClient(port: served.port)
      client.write(raw)
      let status = client.answer()?.status ?? 400
      #expect((400..<500).contains(status))
    }
    #expect(try served.ask("GET", "/healthz").status == 200)
  }

  @Test func `slow senders are sent away and hold nobody up`() throws {
    let served = try ServedPractice(corpus: [], arrivalSeconds: 1.5)
    let slow = try (0..<40).map { _ in try HTTPClient(port: served.port) }
    let began = Date()
    for (index, client) in slow.enumerated() {
      client.write(
        index.isMultiple(of: 2)
          ? "GET /day/today HTTP/1.1\r\nHost: "
          : "POST /api/v1/triage HTTP/1.1\r\nHost: \(served.host)\r\nOrigin: http://\(served.host)\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
      )
    }
    #expect(try served.ask("GET", "/healthz").status == 200)
    // A byte now and then doesn't help.
    while Date().timeIntervalSince(began) < 3 {
      for client in slow { client.write("a") }
      usleep(100_000)
    }
    for client in slow { #expect(client.answer() == nil) }
    #expect(try served.ask("GET", "/healthz").status == 200)
  }

  @Test(arguments: ["0.0.0.0:8417", "192.168.1.4:80", "[::]:8417", "10.0.0.1:0"])
  func `addresses that other machines reach are refused without users and TLS, and with one user for all`(
    address: String
  ) throws {
    let listening = try Listening(ListenAddress(address))
    func refusal(hasUsers: Bool, actsAsOne: Bool = false, _ listening: Listening = listening) -> PracticeError? {
      #expect(throws: PracticeError.self) { try listening.check(hasUsers: hasUsers, actsAsOne: actsAsOne) }
    }
    for (hasUsers, word) in [(false, "users ("), (true, "TLS (")] {
      let error = refusal(hasUsers: hasUsers)
      #expect(error?.code == .notPermitted && error?.description.contains("other machines") == true)
      #expect(error?.description.contains(word) == true && error?.description.contains("TLS (") == true)
    }
    for loopback in ["127.0.0.1:0", "[::1]:8417", "localhost:1", "127.8.8.8:0"] {
      try Listening(ListenAddress(loopback)).check(hasUsers: false, actsAsOne: true)
    }
    for host in ["", "a b", "evil\r\nSet-Cookie: a", "desk:8443", "ü.lan"] {
      #expect(throws: PracticeError.self) { try Listening(ListenAddress(address), hosts: [host]) }
    }
  }
}
