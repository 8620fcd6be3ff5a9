import Foundation
import Testing
import VetNet

/// What browsers are given for the time without the server.
struct OfflineTests {
  @Test func `the workspace can be installed, and its worker has every file under its own address`() throws {
    let served = try Served.sample.get()
    let manifest = try served.ask("GET", "/manifest.webmanifest")
    #expect(manifest.headers["content-type"] == "application/manifest+json")
    let icons = try #require(try manifest.json()["icons"] as? [[String: Any]])
    #expect(try manifest.json()["display"] as? String == "standalone")
    for icon in icons {
      let answer = try served.ask("GET", "/" + (try #require(icon["src"] as? String)))
      #expect(answer.status == 200 && answer.headers["content-type"] == icon["type"] as? String)
      guard icon["type"] as? String == "image/png" else { continue }
      // Width and height stand in a PNG's first chunk.
      let sides = [16, 20].map { at in answer.body[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
      #expect("\(sides[0])x\(sides[1])" == icon["sizes"] as? String)
    }
    let worker = try served.ask("GET", "/sw.js")
    #expect(worker.headers["cache-control"] == "no-cache")
    let page = try served.ask("GET", "/day/\(ServedPractice.day)")
    for match in page.text.matches(of: /\/assets\/[a-z0-9]+\/[a-z0-9.-]+/) {
      #expect(worker.text.contains("\"\(match.0)\""), "\(match.0)")
    }
    // No policy was loosened for it.
    #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'self'; frame-ancestors") == true)
    let shell = try served.ask("GET", "/offline")
    #expect(shell.status == 200 && shell.text.contains("offline.js") && !shell.text.contains("name=\"token\""))
  }

  @Test func `each practice of a server is an app of its own, with a worker for its own addresses`() throws {
    let served = try ServedFolder([.init(name: "north"), .init(name: "south")], hasGroup: false)
    for name in ["north", "south"] {
      let manifest = try served.ask("GET", "/p/\(name)/manifest.webmanifest").json()
      // Seen from the manifest's own address.
      #expect(manifest["start_url"] as? String == "day/today" && manifest["scope"] as? String == "./")
      #expect(manifest["id"] == nil)
      let worker = try served.ask("GET", "/p/\(name)/sw.js")
      #expect(worker.status == 200 && worker.headers["service-worker-allowed"] == nil)
      #expect(worker.text.contains("const base = new URL(self.registration.scope).pathname"))
    }
  }

  @Test func `a day is taken along with records by who may read them, as the book alone by others`() throws {
    let served = try ServedPractice.closed()
    let vet = try served.signIn(.veterinarian)
    let reception = try served.signIn(.reception)
    let path = "/api/v1/offline/\(ServedPractice.day)"
    let (whole, book) = (try vet.ask("GET", path), try reception.ask("GET", path))
    #expect(whole.status == 200 && whole.body.count <= 2 << 20)
    let patients = try #require(try whole.json()["patients"] as? [[String: Any]])
    #expect(patients.count > 5 && patients.count <= TakeAlongDay.mostPatients)
    #expect(patients.contains { ($0["brief"] as? [String: Any])?["sections"] != nil })
    #expect(patients.contains { ($0["drugs"] as? [Any])?.isEmpty == false })
    #expect(patients.allSatisfy { ($0["notes"] as? [Any] ?? []).count <= TakeAlongDay.notes })
    let bare = try #require(try book.json()["patients"] as? [[String: Any]])
    #expect(bare.count == patients.count)
    #expect(bare.allSatisfy { $0["brief"] == nil && ($0["notes"] as? [Any])?.isEmpty == true })
    #expect(try book.json()["may_write"] as? Bool == false)
    for wrong in ["2026-11-25", "2026-12-04", "2030-01-01", "x"] {
      #expect([400, 404].contains(try vet.ask("GET", "/api/v1/offline/\(wrong)").status), "\(wrong)")
    }
    #expect(try vet.ask("GET", "/api/v1/offline/2026-12-03").status == 200)
    #expect(try served.ask("GET", path).status == 401)
    // Who had what is on record.
    let audit = try served.signIn(.administrator).ask("GET", "/api/v1/audit?access=1&limit=50").text
    #expect(audit.contains("record.take-along"))
  }

  @Test func `a note that is sent twice under one key is one, dated when it was written`() throws {
    let served = try ServedPractice()
    let token = try served.token()
    let headers = ["X-VetNet-Token": token, "Idempotency-Key": "one"]
    let body = #"{"patient_id":"P001","text":"Twice sent.","minutes_ago":90}"#
    let answers = try (0..<2).map { _ in try served.ask("POST", "/api/v1/notes", body, headers: headers) }
    #expect(answers.map(\.status) == [201, 201] && answers[0].text == answers[1].text)
    let written = try #require(try answers[0].json()["recorded_at"] as? String)
    #expect(written.hasPrefix("2026-11-26T07:40"))
    let timeline = try served.ask("GET", "/api/v1/patients/P001/timeline?limit=9").text
    #expect(timeline.ranges(of: "Twice sent.").count == 1)
    #expect(try served.ask("POST", "/api/v1/notes", #"{"patient_id":"P001","text":" "}"#).status == 400)
  }

  @Test func `a browser is known by its secret alone, and gets its key again until it is revoked`() throws {
    let served = try ServedPractice.closed(corpus: [])
    let secret = String(repeating: "0a", count: 32)
    let body = #"{"browser":"\#(secret)","label":"Chrome on Android"}"#
    let vet = try served.signIn(.veterinarian)
    func contact(_ more: String = "") throws -> String? {
      try served.ask("POST", "/api/v1/browser/contact", #"{"browser":"\#(secret)"\#(more)}"#).json()["state"] as? String
    }
    #expect(try contact() == "unknown")
    let first = try vet.ask("POST", "/api/v1/browser", body)
    #expect(first.status == 200, "\(first.text)")
    let again = try served.signIn(.veterinarian).ask("POST", "/api/v1/browser", body).json()
    let nurse = try served.signIn(.nurse).ask("POST", "/api/v1/browser", body).json()
    #expect(again["key"] as? String == (try first.json()["key"] as? String))
    #expect(
      again["owner"] as? String != nurse["owner"] as? String && again["key"] as? String != nurse["key"] as? String)
    #expect(try contact() == "active")
    #expect(try vet.ask("POST", "/api/v1/browser", #"{"browser":"short"}"#).status == 400)
    #expect(try served.ask("POST", "/api/v1/browser", body).status == 401)
    let administrator = try served.signIn(.administrator)
    #expect(try vet.ask("POST", "/api/v1/devices/device-1/revocation", #"{"reason":"lost"}"#).status == 403)
    #expect(try administrator.ask("POST", "/api/v1/devices/device-1/revocation", #"{"reason":"lost"}"#).status == 200)
    #expect(try contact() == "revoked")
    // The sessions of that browser are over, those of the same people elsewhere are not.
    #expect(try vet.ask("GET", "/api/v1/session").status == 401)
    let elsewhere = try served.signIn(.veterinarian)
    #expect(try elsewhere.ask("POST", "/api/v1/browser", body).code == "device_revoked")
    let listed =
      #","is_wiped":true,"unread":1,"waiting":[{"kind":"move","record":"appointment A1","minutes_ago":9},{"kind":"strange"}]"#
    #expect(try contact(listed) == "revoked" && contact(listed) == "revoked")
    let losses = try administrator.ask("GET", "/api/v1/devices/device-1/losses").json()["losses"] as? [[String: Any]]
    #expect(losses?.compactMap { $0["kind"] as? String } == ["move", "unread", "unread"])
    let page = try administrator.ask("GET", "/manage/devices")
    #expect(page.text.contains("move, appointment A1") && page.text.contains("wiped"))
  }
}
