import Foundation
import Glibc
import Testing
import VetNet
import VetNetTestSupport
import Web

/// What whoever runs a server is told: figures, lines and whether it takes work; never whom it is about.
struct OperatorTests {
  /// Lines that a server wrote to a file.
  private final class Lines {
    let path: String
    let log: RequestLog
    private let descriptor: Int32

    init(_ folder: TemporaryFolder) {
      path = folder.file("lines")
      descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
      log = RequestLog(to: descriptor)
    }

    /// Ends the log, and reads it.
    func read() throws -> [[String: Any]] {
      log.stop()
      close(descriptor)
      return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
  }

  @Test func `figures and lines tell kinds and numbers, and no name, id, word or secret`() throws {
    let folder = try TemporaryFolder()
    let lines = Lines(folder)
    let served = try ServedFolder([
      .init(name: "north", hasRecords: true, users: ["vera": .veterinarian, "ann": .administrator])
    ]) { _ in
      var settings = OperatorSettings()
      settings.log = lines.log
      settings.namesPractices = true
      return settings
    }
    let vera = try served.signIn("vera")
    let feed = try #require(
      vera.ask("POST", "/p/north/api/v1/feeds", #"{"clinician_id":"S02"}"#).json()["url"] as? String)
    let secret = try #require(feed.split(separator: "/").last)
    for target in [
      "/", "/p/north/patient/P001", "/p/north/patients?q=Canarynorth", "/p/north/note/N0046",
      "/p/Canaryguess/day/today",
      "/p/north/Canarypath", "/Canarypath/x", "/p/north/day/2026-11-26", "/p/north/feed/\(secret)",
      "/p/north/api/v1/openapi.json",
    ] {
      _ = try vera.ask("GET", target)
    }
    _ = try vera.ask("POST", "/p/north/api/v1/search", #"{"words":"Canarynorth"}"#)
    _ = try served.ask("CANARY", "/p/north/day/today")
    _ = try served.ask("POST", "/api/v1/session", #"{"name":"vera","passphrase":"Canarywords of somebody"}"#)

    let text = try served.ask("GET", "/metrics", headers: ["Authorization": "Bearer \(ServedFolder.metricsToken)"]).text
    let figures = try Exposition(text)
    let found = figures.samples
    let patient = #"{route="/p/{practice}/patient/{id}",method="GET",status="200",practice="north"}"#
    #expect(found["vetnet_http_requests_total\(patient)"] == 1)
    #expect(found[#"vetnet_http_request_duration_seconds_count{route="/p/{practice}/patient/{id}"}"#] == 1)
    #expect(found[#"vetnet_practices{state="open"}"#] == 1 && found["vetnet_ready"] == 1)
    #expect(found["process_resident_memory_bytes"] ?? 0 > 10e6 && figures.types["vetnet_queue_length"] == "gauge")
    #expect(found.keys.contains { $0.hasPrefix("vetnet_build_info{version=") })

    let all = try lines.read()
    #expect(all.count >= 14)
    for line in all {
      #expect(
        Set(line.keys).isSubset(of: ["time", "method", "route", "status", "ms", "bytes", "practice"])
          && Set(line.keys).isSuperset(of: ["time", "method", "route", "status", "ms"]))
      #expect((line["ms"] as? Double).map { $0 >= 0 } == true && line["time"] as? String == "2026-11-26T09:10:00+00:00")
    }
    #expect(
      all.contains { $0["route"] as? String == "/p/{practice}/feed/{secret}" && $0["practice"] as? String == "north" })
    let written = try String(contentsOfFile: lines.path, encoding: .utf8)
    for canary in [
      "Canary", "CANARY", "P001", "N0046", "vera", "S02", String(secret), "Whiskerfall", "Oak Group", "words of",
    ] {
      #expect(!text.contains(canary) && !written.contains(canary), "\(canary)")
    }
  }

  @Test func `figures are for whoever shows the token, and where there is none there are none`() throws {
    let served = try ServedFolder([], hasGroup: false)
    let token = ServedFolder.metricsToken
    for header in [
      "", "Bearer", "Bearer ", "Bearer \(token)x", "Bearer \(token.dropLast())", "Basic \(token)", token,
      "bearer \(token)",
    ] {
      let answer = try served.ask("GET", "/metrics", headers: header.isEmpty ? [:] : ["Authorization": header])
      #expect(answer.status == 401 && !answer.text.contains("vetnet_"), "\(header)")
    }
    // A balancer, or Prometheus, asks by whatever address it knows.
    let asked = ["Authorization": "Bearer \(token)", "Host": "10.0.0.7:8417"]
    #expect(try served.ask("GET", "/metrics", headers: asked).status == 200)
    #expect(try served.ask("GET", "/readyz", headers: asked).text == "ready")
    #expect(try served.ask("GET", "/healthz", headers: asked).text == "ok")
    #expect(try ServedPractice(corpus: []).ask("GET", "/metrics", headers: asked).status == 421)
    let folder = try TemporaryFolder()
    for (text, mode, hint) in [("short", 0o600, "16 to 200"), (token, 0o644, "can be read"), ("", 0o600, "16 to 200")] {
      let file = try folder.write(text, to: "token-\(text.count)-\(mode)")
      chmod(file, mode_t(mode))
      let error = #expect(throws: PracticeError.self) { try MetricsToken(file: file) }
      #expect(error?.description.contains(hint) == true)
    }
  }

  @Test func `it is ready while it takes work and its file can be written, and alive in any case`() throws {
    let served = try ServedPractice(corpus: [])
    #expect(try served.ask("GET", "/readyz").status == 200)
    try FileManager.default.moveItem(atPath: served.path, toPath: served.path + ".away")
    #expect(try served.ask("GET", "/readyz").status == 503)
    try FileManager.default.moveItem(atPath: served.path + ".away", toPath: served.path)
    #expect(try served.ask("GET", "/readyz").status == 200)
    served.server.beginDraining()
    #expect(try served.ask("GET", "/readyz").status == 503 && served.ask("GET", "/healthz").text == "ok")
    // What comes all the same is served.
    #expect(try served.ask("GET", "/day/2026-11-26").status == 200)
  }

  @Test func `a listener is told that the server stops before its stream ends`() throws {
    let served = try ServedPractice(corpus: [])
    let stream = try HTTPClient(port: served.port)
    stream.write("GET /api/v1/events HTTP/1.1\r\nHost: \(served.host)\r\n\r\n")
    #expect(stream.read(until: "event: here") != nil)
    served.stop()
    #expect(stream.read(until: "event: stopping") != nil && stream.read(until: "\r\n0\r\n\r\n") != nil)
  }

  @Test(arguments: [
    ("https://vets.example", "vets.example"), ("https://vets.example:8443/", "vets.example:8443"),
    ("http://Vets.example:80", "vets.example"), ("vets.example", nil), ("https://vets.example/x", nil),
    ("https://", nil),
    ("ftp://vets.example", nil), ("https://a b", nil), ("https://vets.example:0", nil), ("https://[::1]", nil),
  ])
  func `what browsers call it behind a balancer is a scheme, a name and maybe a port`(text: String, host: String?)
    throws
  {
    guard let host else { return _ = #expect(throws: PracticeError.self) { try PublicOrigin(text) } }
    var listening = try Listening(ListenAddress("127.0.0.1:0"))
    listening.origin = try PublicOrigin(text)
    let folder = try TemporaryFolder()
    // Without users whoever comes through the balancer would be let in.
    #expect(throws: PracticeError.self) {
      try GroupServer(folder: folder.path, at: listening, models: modelsDirectory, clock: { ServedPractice.now })
    }
    _ = try ServedFolder.makeGroup(at: folder.file("group.vetnet"))
    let server = try GroupServer(
      folder: folder.path, at: listening, models: modelsDirectory, clock: { ServedPractice.now })
    defer { server.stop() }
    #expect(server.url == "\(text.lowercased().hasPrefix("https") ? "https" : "http")://\(host)/")
  }

  @Test func `a proxy that is named is believed where somebody came from, and nobody else is`() throws {
    let folder = try TemporaryFolder()
    _ = try ServedFolder.makeGroup(at: folder.file("group.vetnet"))
    var operators = OperatorSettings()
    operators.proxy = try TrustedProxy("127.0.0.2")
    let server = try GroupServer(
      folder: folder.path, at: Listening(ListenAddress("127.0.0.1:0")), models: modelsDirectory, operators: operators,
      clock: { ServedPractice.now })
    defer { server.stop() }
    let port = try #require(URL(string: server.url)?.port)
    /// Tries a wrong passphrase as somebody at `client`, through the proxy or as if.
    func status(_ client: String, through source: String, times: Int) throws -> String {
      var text = ""
      let body = #"{"name":"rita","passphrase":"wrong words indeed"}"#
      for _ in 0..<times {
        let http = try HTTPClient(port: port, from: source)
        http.write(
          "POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\nX-Forwarded-For: 8.8.8.8, \(client)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        text = http.answer()?.text ?? ""
      }
      return text
    }
    #expect(try status("10.1.1.1", through: "127.0.0.2", times: 6).contains("wrong tries in a row"))
    #expect(try !status("10.1.1.2", through: "127.0.0.2", times: 1).contains("wrong tries in a row"))
    // Whoever isn't the proxy is who they are, whatever they say.
    #expect(try status("10.2.2.1", through: "127.0.0.1", times: 6).contains("wrong tries in a row"))
    #expect(try status("10.2.2.2", through: "127.0.0.1", times: 1).contains("wrong tries in a row"))
  }
}
