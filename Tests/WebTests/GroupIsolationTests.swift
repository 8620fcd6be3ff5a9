import Clinical
import Foundation
import Testing
import VetNet
import VetNetTestSupport

@testable import Store

/// One process serves several practices, and nothing of one reaches another.
@Suite(.serialized) struct GroupIsolationTests {
  /// A passphrase for a file, and no key of it in this process.
  private static let sealed = "words of a file that nobody has said"

  private static let made = Result { () throws -> ServedFolder in
    let served = try ServedFolder([
      .init(
        name: "north", hasRecords: true, users: ["vera": .veterinarian, "Rita": .reception, "ann": .administrator]),
      .init(name: "south", hasRecords: true, users: ["vera": .nurse]),
      .init(name: "east", hasRecords: true, users: ["rita": .reception]),
      .init(name: "west", users: ["vera": .veterinarian], takesGroup: false),
      .init(name: "bare"), .init(name: "newer"), .init(name: "corrupt"),
    ])
    try spoil(served.folder)
    return served
  }

  /// Files that can't be opened: one that is encrypted, one of a schema to come, one that is no practice any more.
  private static func spoil(_ folder: TemporaryFolder) throws {
    let secret = try folder.write(sealed + "\n", to: "secret")
    let program = try VetNetProcess(practice: folder.file("sealed.vetnet"))
    let made = try program.run("init", "--encrypted", "--time-zone", "Europe/London", "--new-passphrase-file", secret)
    #expect(made.status == 0, "\(made.errors)")
    try FileManager.default.removeItem(atPath: secret)
    try Connection.open(folder.file("newer.vetnet")).execute("INSERT INTO migration VALUES ('m9999_later')")
    try Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      .write(to: URL(filePath: folder.file("corrupt.vetnet")))
    for ending in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: folder.file("corrupt.vetnet\(ending)"))
    }
  }

  @Test(arguments: [
    ("sealed", "practice_locked", "locked: it is encrypted"), ("newer", "practice_unavailable", "from a newer VetNet"),
    ("corrupt", "practice_unavailable", "it is damaged"),
  ])
  func `a file that can't be opened says so to whoever signed in, why to administrators, nothing to strangers`(
    name: String, code: String, words: String
  ) throws {
    let ann = try served.signIn("ann")
    var page = ""
    // The folder is looked into once a second, and a file that failed every five.
    for _ in 0..<120 where !page.contains(words) {
      page = try ann.ask("GET", "/").text
      usleep(100_000)
    }
    #expect(page.contains(words))
    let refused = try vera.ask("GET", "/p/\(name)/api/v1/session")
    #expect(refused.status == 503 && refused.code == code)
    let shown = try vera.ask("GET", "/p/\(name)/day/2026-11-26")
    #expect(shown.status == 503 && shown.text.contains("Ask whoever runs the server"))
    #expect(!shown.text.contains("damaged") && !shown.text.contains("newer") && !shown.text.contains(".vetnet"))
    #expect(try served.ask("GET", "/p/\(name)/api/v1/session").status == 401)
    #expect(try served.ask("GET", "/p/\(name)/day/today").headers["location"]?.hasPrefix("/login?") == true)
    // The others go on.
    #expect(try vera.ask("GET", "/p/north/day/2026-11-26").status == 200)
    #expect(!(try vera.ask("GET", "/").text.contains("practice_\(name)\"")))
  }

  @Test(.enabled(if: PhotoDecoder.isAvailable, "libvips42 is not installed: make setup installs it"))
  func `a photo of one practice is in no other, by its number or by its content`() throws {
    let bytes = SamplePicture(seed: 11).png
    let values = try JSONSerialization.data(withJSONObject: ["patient_id": "P001"]).base64EncodedString()
    let client = try HTTPClient(port: served.port)
    client.write(
      served.request(
        "POST", "/p/north/api/v1/photos", nil,
        headers: [
          "Content-Type": "application/octet-stream", "X-VetNet-Photo": values, "Content-Length": "\(bytes.count)",
          "Origin": "http://\(served.host)", "X-VetNet-Token": vera.token, "Cookie": vera.cookie,
          "Sec-Fetch-Site": "same-origin",
        ]))
    client.write(Data(bytes))
    let sent = try #require(client.answer(to: "POST"))
    #expect(sent.status == 201, "\(sent.text)")
    let photo = try #require(try sent.json()["photo"] as? [String: Any])
    let (id, picture) = (try #require(photo["id"] as? String), try #require(photo["picture"] as? String))
    for path in [
      "/photo/\(picture)/thumbnail", "/photo/\(picture)/screen", "/photo-original/\(id)", "/api/v1/photos/\(id)",
    ] {
      #expect(try vera.ask("GET", "/p/north\(path)").status == 200, "\(path)")
      for place in ["/p/south", "/p/east", "/p/west", ""] {
        let answer = try vera.ask("GET", place + path)
        #expect([401, 403, 404].contains(answer.status), "\(place)\(path): \(answer.status)")
      }
    }
    #expect(try (vera.ask("GET", "/p/south/api/v1/photos").json()["photos"] as? [Any])?.isEmpty == true)
  }
  private let served: ServedFolder
  private let vera: ServedFolder.Visitor

  init() throws {
    served = try Self.made.get()
    vera = try served.signIn("vera")
  }

  @Test
  func `who signs in once is listed the practices that have them, and enters those with the role they have there`()
    throws
  {
    let page = try vera.ask("GET", "/")
    #expect(page.status == 200)
    for (name, isListed) in [("north", true), ("south", true), ("east", false), ("west", false), ("bare", false)] {
      #expect(page.text.contains("data-testid=\"practice_\(name)\"") == isListed, "\(name)")
    }
    // What keeps a file from being opened is for administrators of the group.
    #expect(!page.text.contains("practice_states"))
    let states = try served.signIn("ann").ask("GET", "/").text
    #expect(states.contains("practice_states") && states.contains("not entered: it has no users"))
    for (name, role) in [("north", "veterinarian"), ("south", "nurse")] {
      let session = try vera.ask("GET", "/p/\(name)/api/v1/session").json()
      #expect(session["role"] as? String == role && session["actor"] as? String == "vera")
      let day = try vera.ask("GET", "/p/\(name)/day/2026-11-26")
      #expect(day.status == 200 && day.text.contains("Practice \(name)") && day.text.contains("practice_switcher"))
      // The others that are hers are one click away.
      #expect(day.text.contains("href=\"/p/north/day/today\"") && day.text.contains("href=\"/p/south/day/today\""))
      #expect(!day.text.contains("/p/east"))
    }
  }

  @Test(arguments: ["east", "bare", "nowhere", "group", "north.vetnet", "..", "%2e%2e", "north%2F..%2Fsouth", "NORTH"])
  func `a practice that somebody may not enter, or that is none, shows nothing`(name: String) throws {
    for target in [
      "/day/2026-11-26", "/patients?q=canary", "/api/v1/day/2026-11-26", "/api/v1/events", "/api/v1/session",
    ] {
      let answer = try vera.ask("GET", "/p/\(name)\(target)")
      #expect([400, 403, 404].contains(answer.status), "\(name)\(target): \(answer.status)")
      #expect(!answer.text.contains("Canary") && !answer.text.contains("vetnet\""))
    }
    // Whoever isn't signed in isn't told which there are.
    let strangers = try ["nowhere", "north", "east"].map { try served.ask("GET", "/p/\($0)/api/v1/session") }
    #expect(Set(strangers.map(\.status)) == [401] && Set(strangers.map(\.text)).count == 1)
    #expect(
      try served.ask("GET", "/p/nowhere/day/today").headers["location"] == "/login?to=%2Fp%2Fnowhere%2Fday%2Ftoday")
  }

  @Test func `a practice with its own sign-in takes the group's for nothing, and its own opens no other`() throws {
    #expect(try vera.ask("GET", "/p/west/api/v1/session").status == 401)
    #expect(try vera.ask("GET", "/p/west/day/today").headers["location"] == "/p/west/login?to=%2Fday%2Ftoday")
    let own = try served.ask("POST", "/p/west/api/v1/session", #"{"name":"vera","passphrase":"words of a practice"}"#)
    #expect(own.status == 201)
    let cookie = try #require(own.headers["set-cookie"])
    #expect(cookie.hasPrefix("vetnet-\(served.port)-west=") && cookie.contains("; Path=/p/west;"))
    let shown = String(cookie.prefix { $0 != ";" })
    let value = shown.drop { $0 != "=" }.dropFirst()
    #expect(try served.ask("GET", "/p/west/day/2026-11-26", headers: ["Cookie": shown]).status == 200)
    for cookie in [shown, "vetnet-\(served.port)=\(value)", "vetnet-\(served.port)-north=\(value)"] {
      for target in ["/p/north/api/v1/session", "/p/south/api/v1/session", "/api/v1/session"] {
        #expect(
          try served.ask("GET", target, headers: ["Cookie": cookie]).status == 401, "\(cookie.prefix(16)) \(target)")
      }
    }
  }

  /// What is asked of `north`, where the answer must hold what is north's, and of `south`, where it must not.
  @Test(arguments: [
    ("GET", "/patients?q=Canary", ""), ("GET", "/api/v1/patients?q=Canary", ""),
    ("POST", "/api/v1/search", #"{"words":"Canary"}"#), ("POST", "/api/v1/search", #"{"words":"Whiskerfall"}"#),
    ("POST", "/api/v1/ask", #"{"question":"which cats had Whiskerfall?"}"#),
  ])
  func `what is looked for in one practice is found there and nowhere else`(
    method: String, target: String, body: String
  )
    throws
  {
    for (name, other) in [("north", "south"), ("south", "north")] {
      let answer = try vera.ask(method, "/p/\(name)\(target)", body.isEmpty ? nil : body)
      #expect(answer.status == 200)
      #expect(!answer.text.contains("Canary\(other)") && !answer.text.contains("Whiskerfall \(other)"))
      if !target.hasSuffix("/ask") { #expect(answer.text.contains("Canary\(name)"), "\(name) \(target)") }
    }
  }

  @Test func `keys of repeated requests, revisions, streams and sessions are each practice's own`() throws {
    // Visits of both have the same ids, and requests the same key.
    let key = ["Idempotency-Key": "one-and-the-same"]
    let body =
      #"{"start":"2026-11-27T13:00","clinician_id":"S02","patient_id":"P001","duration_minutes":15,"reason":"itchy ears"}"#
    let listening = try ["north", "south"].map { try vera.listen(to: $0) }
    // Practices count alike, so that a place in the stream tells nothing; what was done does.
    let message = #"{"text":"cat sneezing since noon","channel":"phone"}"#
    #expect(try vera.ask("POST", "/p/north/api/v1/inbox", message).status == 201)
    let first = try vera.ask("POST", "/p/north/api/v1/appointments", body, headers: key)
    #expect(first.status == 201, "\(first.text)")
    let id = try #require(first.json()["id"] as? String)
    #expect(first.headers["location"] == "/p/north/api/v1/appointments/\(id)")
    let again = try vera.ask("POST", "/p/north/api/v1/appointments", body, headers: key)
    #expect(try again.status == 201 && again.json()["id"] as? String == id)
    #expect(listening[0].read(until: "\"\(id)\"") != nil)
    // In the other there is no such visit, to be read or to be moved with the first one's revision.
    #expect(try vera.ask("GET", "/p/south/api/v1/appointments/\(id)").status == 404)
    let tag = try #require(first.headers["etag"])
    let foreign = try vera.ask(
      "PATCH", "/p/south/api/v1/appointments/\(id)", #"{"start":"2026-11-27T14:00"}"#, headers: ["If-Match": tag])
    #expect(foreign.status == 404, "\(foreign.text)")
    // The key is as good as new there; practices may count their visits alike.
    let southern = try vera.ask(
      "POST", "/p/south/api/v1/appointments", body.replacing("itchy ears", with: "sore paw"), headers: key)
    #expect(southern.status == 201, "\(southern.text)")
    let other = try #require(southern.json()["id"] as? String)
    // What is heard there first is its own booking, and nothing of the one before.
    let heard = try #require(listening[1].read(until: "\"\(other)\""))
    #expect(heard.components(separatedBy: "event: change").count == 2 && !heard.contains("inbox"), "\(heard)")
    let audit = try ServedFolder.open(served.folder.file("south.vetnet"))
    let entries = try audit.perform(ReadAuditLog(), by: ServedFolder.keeper(of: audit), at: ServedPractice.now)
    #expect(entries.contains { $0.operation == "user.enter" && $0.actor == "vera" })
  }

  @Test func `the address of a calendar leads to its own practice only`() throws {
    let made = try vera.ask("POST", "/p/north/api/v1/feeds", #"{"clinician_id":"S02"}"#)
    #expect(made.status == 201, "\(made.text)")
    let url = try #require(made.json()["url"] as? String)
    let path = try #require(url.components(separatedBy: served.host).last)
    #expect(path.hasPrefix("/p/north/feed/"))
    #expect(try served.ask("GET", path).status == 200)
    for place in ["/p/south", "/p/east", ""] {
      #expect(try served.ask("GET", path.replacing("/p/north", with: place)).status == 404)
    }
  }

  @Test func `a file is taken at a practice's address from its own pages, and what is described there is behind it`()
    throws
  {
    let bytes = Data(repeating: 7, count: 3 << 20)
    func status(_ token: String) throws -> Int? {
      let client = try HTTPClient(port: served.port)
      client.write(
        served.request(
          "POST", "/p/north/api/v1/photos", nil,
          headers: [
            "Content-Type": "application/octet-stream", "Content-Length": "\(bytes.count)",
            "Origin": "http://\(served.host)",
            "X-VetNet-Token": token, "Cookie": vera.cookie, "Sec-Fetch-Site": "same-origin",
          ]))
      client.write(bytes)
      return client.answer(to: "POST")?.status
    }
    // It comes in whole, and is no picture.
    #expect(try status(vera.token) == 400)
    #expect(try status("0") == 403)
    let described = try vera.ask("GET", "/p/south/api/v1/openapi.json").json()
    #expect((described["servers"] as? [[String: String]])?.first?["url"] == "http://\(served.host)/p/south")
  }

  @Test func `every address on a practice's pages is that practice's, the program's, or the way to the others`() throws
  {
    for page in [
      "/day/2026-11-26", "/week/2026-11-26", "/month/2026-11-26", "/flow/2026-11-26", "/patients?q=b", "/patient/P001",
      "/note/N0046", "/ask", "/triage", "/brief/2026-11-26", "/inbox", "/specialists", "/photos", "/encounters",
      "/account", "/visit/A0001", "/patient/P001/edit", "/nowhere",
    ] {
      let answer = try vera.ask("GET", "/p/north\(page)")
      let addresses = answer.text.matches(of: /\ (?:href|src|action)="(\/[^"]*)"/).map { String($0.1) }
      #expect(!addresses.isEmpty, "\(page)")
      let allowed = ["/", "/account", "/p/south/day/today"]
      let strays = addresses.filter { !$0.hasPrefix("/p/north/") && !allowed.contains($0) }
      #expect(strays.isEmpty, "\(page): \(strays)")
      // And each asset is there.
      for asset in Set(addresses).filter({ $0.contains("/assets/") }) {
        #expect(try served.ask("GET", asset).status == 200, "\(asset)")
      }
    }
  }

  @Test func `a user who is disabled in one practice loses that one at once, and a session that ends ends everywhere`()
    throws
  {
    let rita = try served.signIn("rita", at: "/p/east")
    let east = try ServedFolder.open(served.folder.file("east.vetnet"))
    let keeper = try ServedFolder.keeper(of: east)
    #expect(try rita.ask("GET", "/p/north/day/2026-11-26").status == 200)
    let stream = try rita.listen(to: "north")
    #expect(try rita.ask("GET", "/p/east/day/2026-11-26").status == 200)
    try east.perform(DisableUser(name: "rita"), by: keeper, at: ServedPractice.now)
    #expect(try rita.ask("GET", "/p/east/day/2026-11-26").status == 403)
    #expect(try rita.ask("GET", "/p/east/api/v1/session").status == 403)
    #expect(try rita.ask("GET", "/p/north/day/2026-11-26").status == 200)
    // Signed out at the page of one, she is so in all, and what she listens to there ends.
    #expect(try rita.ask("DELETE", "/p/north/api/v1/session", "{}").status == 200)
    #expect(stream.read(until: "\r\n0\r\n\r\n") != nil)
    for place in ["/p/north", "/p/east", ""] {
      #expect(try rita.ask("GET", "\(place)/api/v1/session").status == 401, "\(place)")
    }
    try east.perform(DisableUser(name: "rita", isDisabled: false), by: keeper, at: ServedPractice.now)
  }

  @Test func `whoever is no user of a practice doesn't get in at its page, and writes need a page of the session`()
    throws
  {
    let refused = try served.ask("POST", "/p/east/api/v1/session", #"{"name":"vera","passphrase":"words of vera"}"#)
    #expect(refused.status == 403 && refused.code == "not_permitted")
    #expect(
      try served.ask("POST", "/p/north/api/v1/session", #"{"name":"vera","passphrase":"words of a practice"}"#).status
        == 401)
    let body = #"{"text":"cat sneezing"}"#
    #expect(try vera.ask("POST", "/p/south/api/v1/triage", body).status == 200)
    let other = try served.signIn("rita")
    for token in ["", other.token] {
      #expect(
        try vera.ask("POST", "/p/south/api/v1/triage", body, headers: ["X-VetNet-Token": token]).code == "stale_token")
    }
    #expect(
      try vera.ask("POST", "/p/south/api/v1/triage", body, headers: ["Origin": "http://evil.example"]).status == 403)
  }
}
