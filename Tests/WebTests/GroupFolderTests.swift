import Foundation
import Glibc
import Testing
import VetNet
import VetNetTestSupport
import Web

/// Files of a folder are opened when somebody comes, closed when nobody does, and may come, go or be broken.
struct GroupFolderTests {
  /// Waits for what the server finds out by looking once a second.
  private func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<200 {
      if try condition() { return true }
      usleep(50_000)
    }
    return false
  }

  /// A server in a process of its own, whose memory is nobody else's.
  private struct Process: LoopbackServer {
    let port: Int
    let running: VetNetProcess.Running

    init(_ folder: TemporaryFolder, _ words: String...) throws {
      let token = try folder.write(ServedFolder.metricsToken, to: "token")
      chmod(token, 0o600)
      let program = try VetNetProcess(practice: folder.file("none.vetnet"))
      running = try program.start(
        ["serve", "--practices", folder.path, "--listen", "127.0.0.1:0", "--metrics-token-file", token] + words)
      port = try ServedPractice.required(KillTests.port(of: running))
    }

    func figures() throws -> [String: Double] {
      let answer = try ask("GET", "/metrics", headers: ["Authorization": "Bearer \(ServedFolder.metricsToken)"])
      return try Exposition(answer.text).samples
    }
  }

  @Test func `sixty practices are served with four open at most, and the memory for it stays what it was`() throws {
    let folder = try TemporaryFolder()
    let names = (0..<60).map { "practice-\($0)" }
    try ServedFolder.make(.init(name: names[0]), at: folder.file("\(names[0]).vetnet"), nil)
    for name in names.dropFirst() {
      try FileManager.default.copyItem(
        atPath: folder.file("\(names[0]).vetnet"), toPath: folder.file("\(name).vetnet"))
    }
    let served = try Process(folder, "--most-open", "4", "--now", "2026-11-26T09:10")
    defer { served.running.kill() }
    var after: [Double] = []
    for _ in 0..<3 {
      for name in names { #expect(try served.ask("GET", "/p/\(name)/day/2026-11-26").status == 200, "\(name)") }
      let figures = try served.figures()
      #expect(figures[#"vetnet_practices{state="open"}"#] ?? 9 <= 4)
      after.append(figures["process_resident_memory_bytes"] ?? 0)
    }
    // What the first round loads, the models, is shared; each later round opens sixty files again.
    #expect(after[0] > 10e6 && after[2] < after[0] + 24e6, "\(after)")
    #expect(try served.figures()["vetnet_practices_opened_total"] ?? 0 >= 180)
    // Asked for at once, all are answered, or told to come again.
    let clients = try names.prefix(12).map { name -> HTTPClient in
      let client = try HTTPClient(port: served.port)
      client.write(served.request("GET", "/p/\(name)/api/v1/session", nil))
      return client
    }
    let answers = clients.map { client -> Int? in client.answer()?.status }
    #expect(Set(answers).isSubset(of: [200, 503]) && answers.contains(200))
  }

  @Test func `a practice that nobody uses is closed, and one that is listened to isn't`() throws {
    var settings = GroupServer.Settings()
    settings.idleSeconds = 0.5
    let served = try ServedFolder([.init(name: "a"), .init(name: "b")], hasGroup: false, settings: settings)
    let stream = try HTTPClient(port: served.port)
    stream.write("GET /p/a/api/v1/events HTTP/1.1\r\nHost: \(served.host)\r\n\r\n")
    #expect(stream.read(until: "event: here") != nil)
    let token = try #require(served.ask("GET", "/p/b/api/v1/session").json()["token"] as? String)
    let open = #"vetnet_practices{state="open"}"#
    #expect(try eventually { try served.figures()[open] == 1 })
    #expect(try served.figures()["vetnet_event_streams"] == 1)
    // A page from before goes on: it writes with the token that it has.
    let written = try served.ask(
      "POST", "/p/b/api/v1/triage", #"{"text":"cat sneezing"}"#,
      headers: ["X-VetNet-Token": token, "Sec-Fetch-Site": "same-origin"])
    #expect(written.status == 200)
  }

  @Test func `files that can't be opened disturb no other, new ones appear and removed ones are gone`() throws {
    let served = try ServedFolder([.init(name: "good"), .init(name: "going"), .init(name: "corrupt")], hasGroup: false)
    try FileManager.default.copyItem(
      atPath: served.folder.file("going.vetnet"), toPath: served.folder.file("newer.vetnet"))
    let corrupt = served.folder.file("corrupt.vetnet")
    try Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: corrupt))
    try served.folder.write("a name that no address can hold", to: "two words.vetnet")
    #expect(try eventually { try served.ask("GET", "/").text.contains("be opened: it is damaged") })
    let home = try served.ask("GET", "/").text
    #expect(home.contains("practice_good") && !home.contains("practice_corrupt") && home.contains("two words.vetnet"))
    let refused = try served.ask("GET", "/p/corrupt/day/today")
    #expect(
      refused.status == 503 && refused.text.contains("Ask whoever runs the server") && !refused.text.contains("damaged")
    )
    #expect(try served.ask("GET", "/p/corrupt/api/v1/session").code == "practice_unavailable")
    #expect(try served.ask("GET", "/p/good/day/2026-11-26").status == 200)
    #expect(try eventually { try served.ask("GET", "/p/newer/api/v1/session").status == 200 })
    #expect(try served.ask("GET", "/p/going/api/v1/session").status == 200)
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: served.folder.file("going.vetnet\(ending)"))
    }
    #expect(try eventually { try served.ask("GET", "/p/going/api/v1/session").status == 404 })
    #expect(try served.figures()[#"vetnet_practices{state="unusable"}"#] == 1)
    #expect(try served.ask("GET", "/p/good/day/2026-11-26").status == 200)
  }

  @Test func `an encrypted practice without its key is said to be so, to operators`() throws {
    let folder = try TemporaryFolder()
    let secret = try folder.write("words that open it\n", to: "words")
    let program = try VetNetProcess(practice: folder.file("sealed.vetnet"))
    #expect(
      try program.run("init", "--encrypted", "--time-zone", "Europe/London", "--new-passphrase-file", secret).status
        == 0)
    let server = try program.start(["serve", "--practices", folder.path, "--listen", "127.0.0.1:0"])
    defer { server.kill() }
    let port = try #require(try KillTests.port(of: server))
    let client = try HTTPClient(port: port)
    let page = try #require(client.answerTo("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"))
    #expect(page.text.contains("encrypted, and this server has no key"))
  }
}
