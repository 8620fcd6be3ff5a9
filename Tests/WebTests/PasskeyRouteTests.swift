import Foundation
import Store
import Testing
import VetNet
import VetNetTestSupport

/// Passkeys as programs keep and show them, without a browser: of a key that nobody can sign by.
struct PasskeyRouteTests {
  private let served: ServedPractice
  private let nurse: ServedPractice.SignedIn

  init() throws {
    served = try ServedPractice.closed(corpus: [], hosts: ["localhost"])
    nurse = try served.signIn(.nurse)
  }

  private var host: String { "localhost:\(served.port)" }
  private var headers: [String: String] { ["Host": host, "Origin": "http://\(host)"] }

  private func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private func challenge(from client: HTTPClient? = nil) throws -> String {
    let answer: HTTPClient.Answer
    if let client {
      let kept = ["Connection": "keep-alive"].merging(headers) { $1 }
      client.write(served.request("POST", "/api/v1/session/challenge", "{}", headers: kept))
      answer = try #require(client.answer(to: "POST"))
    } else {
      answer = try served.ask("POST", "/api/v1/session/challenge", "{}", headers: headers)
    }
    return try #require(try answer.json()["challenge"] as? String, "\(answer.text)")
  }

  /// Keeps a key of the nurse's; a passphrase of nil is left out.
  private func add(_ credential: UInt8, _ passphrase: String?) throws -> HTTPClient.Answer {
    let challenge = try challenge()
    let said = #"{"type":"webauthn.create","challenge":"\#(challenge)","origin":"http://\#(host)"}"#
    let point: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
      0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]
    let data =
      SHA256.hash(of: Array("localhost".utf8)) + [0x45, 0, 0, 0, 0] + [UInt8](repeating: 9, count: 16)
      + [0, 2, credential, 8, 0xA5]
    var body = [
      "challenge": challenge, "client_data": base64(Array(said.utf8)), "authenticator_data": base64(data),
      "public_key": base64(point + (1...64)), "label": "desk \(credential)",
    ]
    body["passphrase"] = passphrase
    let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
    return try nurse.ask("POST", "/api/v1/passkeys", text, headers: headers)
  }

  private func labels(_ session: ServedPractice.SignedIn) throws -> [String] {
    let all = try session.ask("GET", "/api/v1/passkeys").json()["passkeys"] as? [[String: Any]] ?? []
    return all.compactMap { $0["label"] as? String }
  }

  private func show(_ challenge: String) throws -> HTTPClient.Answer {
    let body =
      #"{"challenge":"\#(challenge)","credential":"AAAA","client_data":"AAAA","authenticator_data":"AAAA","signature":"AAAA"}"#
    return try served.ask("POST", "/api/v1/session/passkey", body, headers: headers)
  }

  @Test func `a passkey is kept of whoever shows the passphrase, and of nobody who only has the session`() throws {
    #expect(try add(1, nil).code == "bad_json")
    let wrong = try add(1, "words of somebody else")
    #expect(wrong.status == 403 && wrong.code == "not_permitted", "\(wrong.text)")
    #expect(try labels(nurse) == [])
    let kept = try add(1, "words of a nurse")
    #expect(kept.status == 201, "\(kept.text)")
    #expect(try labels(nurse) == ["desk 1"])
    // Guessing the passphrase here is slowed down as it is at the door.
    for _ in 0..<5 { #expect(try add(2, "words of somebody else").status == 403) }
    #expect(try add(2, "words of a nurse").status == 403)
    served.clock.pass(seconds: 61)
    #expect(try add(2, "words of a nurse").status == 201)
    #expect(try served.ask("POST", "/api/v1/passkeys", "{}").status == 401)
  }

  @Test func `passkeys end with the passphrase unless they are to stay, and sessions end with a passkey`() throws {
    #expect(try add(1, "words of a nurse").status == 201)
    let page = try nurse.ask("GET", "/account").text
    #expect(page.contains("passphrase_keep_box") && page.contains("passkey") && page.contains("unless you keep them"))
    func change(_ session: ServedPractice.SignedIn, _ old: String, _ new: String, _ more: String = "") throws {
      let answer = try session.ask("POST", "/api/v1/session/passphrase", #"{"old":"\#(old)","new":"\#(new)"\#(more)}"#)
      #expect(answer.status == 200, "\(answer.text)")
    }
    try change(nurse, "words of a nurse", "quite other words", #","keep_passkeys":true"#)
    // As it was, which `signIn` knows.
    func again(_ words: String) throws -> ServedPractice.SignedIn {
      let answer = try served.trySigningIn("a nurse", words)
      let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first)
      return .init(served: served, cookie: String(cookie), token: try #require(try answer.json()["token"] as? String))
    }
    let (first, second) = (try again("quite other words"), try again("quite other words"))
    #expect(try labels(first) == ["desk 1"])
    let all = try first.ask("GET", "/api/v1/passkeys").json()["passkeys"] as? [[String: Any]]
    let number = try #require(all?.first?["number"] as? Int)
    #expect(try first.ask("DELETE", "/api/v1/passkeys/\(number)", "{}").status == 200)
    #expect(try labels(first) == [] && second.ask("GET", "/api/v1/session").status == 401)
  }

  @Test func `passkeys end with the passphrase where nothing else is said`() throws {
    #expect(try add(1, "words of a nurse").status == 201)
    let body = #"{"old":"words of a nurse","new":"quite other words"}"#
    #expect(try nurse.ask("POST", "/api/v1/session/passphrase", body).status == 200)
    let answer = try served.trySigningIn("a nurse", "quite other words")
    let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first)
    let back = ServedPractice.SignedIn(
      served: served, cookie: String(cookie), token: try #require(try answer.json()["token"] as? String))
    #expect(try labels(back) == [])
  }

  @Test func `whoever asks for bytes to sign again and again has their own forgotten, and nobody else's`() throws {
    let mine = try challenge()
    let flood = try HTTPClient(port: served.port, from: "127.0.0.2")
    for _ in 0..<1100 { _ = try challenge(from: flood) }
    // Unknown to the practice, and refused for that alone.
    #expect(try show(mine).code == "not_signed_in")
    let first = try challenge()
    for _ in 0..<32 { _ = try challenge() }
    #expect(try show(first).code == "stale_challenge")
  }
}
