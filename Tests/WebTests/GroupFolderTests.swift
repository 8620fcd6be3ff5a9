import Clinical
import Foundation
import Glibc
import Testing
import VetNetTestSupport
import Web

@testable import Sync
@testable import VetNet

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

  @Test func `encrypted practices are opened by their passphrases, and one without is locked until it has one`() throws
  {
    let folder = try TemporaryFolder()
    let words = folder.file("passphrases")
    try FileManager.default.createDirectory(atPath: words, withIntermediateDirectories: false)
    let program = try VetNetProcess(practice: folder.file("none.vetnet"))
    for name in ["one", "two"] {
      let secret = try folder.write("words that open \(name)\n", to: "passphrases/\(name)")
      chmod(secret, 0o600)
      let made = try program.run(
        "init", "--encrypted", "--time-zone", "Europe/London", "--new-passphrase-file", secret, "--practice",
        folder.file("\(name).vetnet"))
      #expect(made.status == 0, "\(made.errors)")
    }
    try ServedFolder.make(.init(name: "plain"), at: folder.file("plain.vetnet"), nil)
    // A passphrase that others may read counts for none.
    chmod(words + "/two", 0o644)
    let served = try Process(folder, "--passphrases", words)
    defer { served.running.kill() }
    for name in ["one", "plain"] {
      #expect(try served.ask("GET", "/p/\(name)/day/2026-11-26").status == 200, "\(name)")
    }
    let locked = try served.ask("GET", "/p/two/day/2026-11-26")
    #expect(locked.status == 503 && locked.text.contains("was not unlocked since the server began"))
    #expect(try served.ask("GET", "/p/two/api/v1/session").code == "practice_locked")
    #expect(try served.ask("GET", "/").text.contains("locked: it is encrypted"))
    chmod(words + "/two", 0o600)
    #expect(try eventually { try served.ask("GET", "/p/two/day/2026-11-26").status == 200 })
    #expect(try served.ask("GET", "/p/one/day/2026-11-26").status == 200)
    served.running.kill(SIGTERM)
    let outcome = try served.running.wait()
    #expect(!(outcome.output + outcome.errors).contains("words that open"))
  }

  @Test func `a machine takes one practice of many along, and syncs with it and no other`() throws {
    let served = try ServedFolder([.init(name: "north", hasRecords: true), .init(name: "south")], hasGroup: false)
    // Opened once, its server has said where it is.
    for name in ["north", "south"] { #expect(try served.ask("GET", "/p/\(name)/day/2026-11-26").status == 200) }
    let hub = try ServedFolder.open(served.folder.file("north.vetnet"))
    let now = ServedPractice.now
    let address = try #require(HubAddress.read(beside: hub.path))
    #expect(address.urls.contains("http://127.0.0.1:\(served.port)/p/north"))
    let made = try hub.perform(InviteDevice(device: "laptop", user: nil), by: .local, at: now)
    let invitation = try DeviceInvitation(line: DeviceInvitation(made, hub: address).line)
    let place = served.folder.file("laptop.vetnet-clone")
    let urls = try address.urls.map { try HubURL($0) }
    _ = try TakingAlong(invitation, to: place, at: now, reaching: Dialer(urls)).run(
      unlock: { _ in }, progress: { _, _ in })
    let clone = try ServedFolder.open(place)
    let note = AddNote(patient: "P001", kind: .phone, text: "Seen on the farm.", recordedAt: now)
    let id = try clone.perform(note, by: .local, at: now).id
    let replica = PracticeReplica(clone, by: .local, at: now)
    let counts = try SyncSession(of: replica, with: clone.devices.hubConnection(reaching: Dialer(urls))).run().counts
    #expect(counts.sent > 0)
    #expect(try hub.records.note(id).text == "Seen on the farm.")
    // The other practice of the server knows neither the invitation nor the device.
    for path in ["/p/south/api/v1/sync/nonce", "/p/nowhere/api/v1/sync/nonce"] {
      let answer = try served.ask("GET", path)
      #expect(answer.status == (path.contains("south") ? 200 : 404))
    }
    let south = HubAddress(urls: address.urls.map { $0.replacing("/p/north", with: "/p/south") }, pin: nil)
    let second = try hub.perform(InviteDevice(device: "tablet", user: nil), by: .local, at: now)
    #expect(throws: PracticeError.self) {
      try TakingAlong(
        DeviceInvitation(second, hub: south), to: served.folder.file("tablet.vetnet-clone"), at: now,
        reaching: Dialer(south.urls.map { try HubURL($0) })
      ).run(unlock: { _ in }, progress: { _, _ in })
    }
  }
}
