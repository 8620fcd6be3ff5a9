import Foundation
import Glibc
import Testing
import VetNetTestSupport

/// A practice that is served with TLS, and machines that take it along: real programs, on this machine.
@Suite(.enabled(if: access("/usr/bin/openssl", X_OK) == 0)) struct NetworkSyncTests {
  /// A hub with an administrator and a vet, served with TLS under a name of its own making.
  private final class Hub {
    let folder: TemporaryFolder
    let program: VetNetProcess
    let words: String
    private(set) var server: VetNetProcess.Running
    private(set) var port = 0
    var isEncrypted = false
    private var certificate: (chain: String, key: String)

    init() throws {
      folder = try TemporaryFolder()
      program = try VetNetProcess(practice: folder.file("hub.vetnet"))
      words = try folder.write("words of everybody here\n", to: "words")
      certificate = try Self.makeCertificate(folder, "desk")
      try Self.require(program.run("init", "--time-zone", "Europe/London"))
      try Self.require(program.run("patient", "add", "Rex", "--species", "dog", "--owner", "Mrs Ash"))
      try Self.require(
        program.run("user", "add", "ann", "--role", "administrator", "--new-passphrase-file", words))
      try Self.require(
        program.run(
          "user", "add", "tom", "--role", "veterinarian", "--new-passphrase-file", words, "--as", "ann",
          "--passphrase-file", words))
      server = try program.start(["--version"])
      _ = try server.wait()
      try serve()
    }

    deinit { server.kill() }

    static func makeCertificate(_ folder: TemporaryFolder, _ name: String) throws -> (chain: String, key: String) {
      let (chain, key) = (folder.file("\(name).pem"), folder.file("\(name).key"))
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/openssl")
      process.arguments = [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=desk.test", "-keyout", key, "-out", chain,
      ]
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      chmod(key, 0o600)
      return (chain, key)
    }

    static func require(_ outcome: VetNetProcess.Outcome) throws {
      struct Failed: Error { let outcome: VetNetProcess.Outcome }
      guard outcome.status == 0 else { throw Failed(outcome: outcome) }
    }

    /// Starts the server, again on the same port where there was one.
    func serve() throws {
      server = try program.start(
        [
          "serve", "--listen", "127.0.0.1:\(port)", "--tls-cert", certificate.chain, "--tls-key", certificate.key,
        ] + (isEncrypted ? ["--passphrase-file", words] : []))
      var found: Int?
      for _ in 0..<400 where found == nil {
        usleep(50_000)
        found = server.output().firstMatch(of: /https:\/\/127\.0\.0\.1:(\d+)\//).flatMap { Int($0.1) }
      }
      struct NotServed: Error {}
      guard let found else { throw NotServed() }
      port = found
    }

    func stop(_ signal: Int32 = SIGTERM) throws {
      server.kill(signal)
      _ = try server.wait()
    }

    /// Another key under the same address.
    func changeKey() throws {
      try stop()
      certificate = try Self.makeCertificate(folder, "other")
      try serve()
    }

    func asAnn(_ words: String...) throws -> VetNetProcess.Outcome {
      try program.start(words + ["--as", "ann", "--passphrase-file", self.words]).wait()
    }

    func asTom(_ program: VetNetProcess, _ words: String...) throws -> VetNetProcess.Outcome {
      try program.start(words + ["--as", "tom", "--passphrase-file", self.words]).wait()
    }

    func invite(_ name: String = "laptop") throws -> String {
      let made = try asAnn("device", "enroll", name, "--user", "tom")
      try Self.require(made)
      return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func machine(_ name: String) throws -> VetNetProcess {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
      return try VetNetProcess(practice: folder.file("\(name)/p.vetnet"))
    }

    func notes(_ program: VetNetProcess) throws -> [String] {
      let shown = try asTom(program, "patient", "timeline", "Rex", "--json")
      return try shown.jsonLines().compactMap { $0["title"] as? String }.sorted()
    }
  }

  @Test func `a laptop and a tablet take the practice along, work offline, and all have the same in the end`() throws {
    let hub = try Hub()
    let line = try hub.invite()
    #expect(line.hasPrefix("vetnet-invitation-1.") && !line.contains(" "))
    let laptop = try hub.machine("laptop")
    let tablet = try hub.machine("tablet")
    let taken = try laptop.run("clone", line, "--json")
    #expect(taken.status == 0, "\(taken)")
    #expect(try taken.json()["device"] as? String == "device-1")
    let file = hub.folder.file("invitation")
    let written = try hub.asAnn("device", "enroll", "tablet", "--user", "tom", "--out", file)
    #expect(
      written.status == 0 && !written.output.contains("vetnet-invitation")
        && !written.errors.contains("vetnet-invitation-"))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    #expect(try tablet.run("clone", file).status == 0)
    // A second machine by the same invitation.
    let thief = try hub.machine("thief").run("clone", line)
    #expect(thief.status == 15 && thief.errors.contains("was used already"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: hub.folder.file("thief")) == [])

    try hub.stop()
    for (program, text) in [(laptop, "Lame on the farm."), (tablet, "Weighed in the ward.")] {
      #expect(try hub.asTom(program, "note", "add", "Rex", "--text", text).status == 0)
      let offline = try hub.asTom(program, "sync")
      #expect(offline.status == 1 && offline.errors.contains("can't be reached"), "\(offline)")
    }
    try hub.serve()
    for program in [laptop, tablet, laptop] {
      let synced = try hub.asTom(program, "sync", "--json")
      #expect(synced.status == 0, "\(synced)")
    }
    let again = try hub.asTom(laptop, "sync", "--with", "https://127.0.0.1:\(hub.port)", "--json").json()
    #expect(again["sent"] as? Int == 0 && again["received"] as? Int == 0)
    let all = try hub.notes(hub.program)
    #expect(all.count == 2 && all.contains { $0.contains("farm") } && all.contains { $0.contains("ward") }, "\(all)")
    #expect(try hub.notes(laptop) == all && hub.notes(tablet) == all)
    for program in [hub.program, laptop, tablet] { #expect(try hub.asTom(program, "audit", "verify").status != 13) }
    let devices = try hub.asAnn("device", "list", "--json").jsonLines()
    #expect(devices.map { $0["state"] as? String } == ["active", "active"])

    let revoked = try hub.asAnn("device", "revoke", "laptop", "--reason", "left on a train")
    #expect(revoked.status == 0)
    let refused = try hub.asTom(laptop, "sync")
    #expect(refused.status == 15 && refused.errors.contains("revoked on") && !refused.errors.contains("train"))
    #expect(try hub.asTom(tablet, "sync").status == 0)
  }

  @Test func `another server, another key and another address get nothing`() throws {
    let hub = try Hub()
    let laptop = try hub.machine("laptop")
    #expect(try laptop.run("clone", hub.invite()).status == 0)
    #expect(try hub.asTom(laptop, "note", "add", "Rex", "--text", "Lame on the farm.").status == 0)
    // A stranger's key in place of the device's.
    let identity = hub.folder.file("laptop/p.vetnet.device")
    let own = try String(contentsOfFile: identity, encoding: .utf8)
    let seed = try #require(own.firstMatch(of: /"seed":"([^"]+)"/)).1
    func replace(_ text: String) throws {
      try Data(text.utf8).write(to: URL(filePath: identity))
      chmod(identity, 0o600)
    }
    try replace(own.replacing(seed, with: "A" + String(repeating: "b", count: 41) + "A"))
    let strange = try hub.asTom(laptop, "sync")
    #expect(strange.status == 15 && strange.errors.contains("knows no such device"), "\(strange)")
    try replace(own)
    let elsewhere = try hub.asTom(laptop, "sync", "--with", "https://127.0.0.1:9")
    #expect(elsewhere.status == 64 && elsewhere.errors.contains("was taken along from"), "\(elsewhere)")
    #expect(try hub.asTom(laptop, "sync", "--with", "http://192.0.2.7").status == 64)
    try hub.changeKey()
    let wrong = try hub.asTom(laptop, "sync")
    #expect(
      wrong.status == 15 && wrong.errors.contains("its key is another") && wrong.errors.contains("Nothing was sent"),
      "\(wrong)")
    #expect(try hub.notes(hub.program).isEmpty)
  }

  @Test func `the program reaches the hub, and the kernel keeps it from everybody else`() throws {
    let hub = try Hub()
    var laptop = try hub.machine("laptop")
    let library = hub.folder.file("sockets.so")
    try compile("sockets.c", to: library, ["-shared", "-fPIC", "-ldl"])
    laptop.environment["LD_PRELOAD"] = library
    // Proxies that the surroundings name are not asked.
    for name in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
      laptop.environment[name] = "http://127.0.0.1:9"
    }
    func said(_ outcome: VetNetProcess.Outcome) -> [String] {
      outcome.errors.split(separator: "\n").filter { $0.hasPrefix("socket ") }.map { String($0.dropFirst(7)) }
    }
    let none = ["inet refused", "inet6 refused", "unix refused", "netlink refused", "pair refused", "ring refused"]
    let taken = try laptop.run("clone", hub.invite())
    #expect(taken.status == 0 && said(taken) == none, "\(taken)")
    let synced = try hub.asTom(laptop, "sync")
    #expect(synced.status == 0 && said(synced) == none, "\(synced)")
    // Nothing is left of what connected.
    usleep(200_000)
    let running = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let own = running.filter { process in
      let words = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
      return words.range(of: Data(library.utf8)) != nil
    }
    #expect(own.isEmpty)
  }

  @Test func `an encrypted practice comes encrypted, with the device's key within it`() throws {
    let hub = try Hub()
    try hub.stop()
    let encrypted = try hub.asAnn("encrypt", "--new-passphrase-file", hub.words)
    #expect(encrypted.status == 0, "\(encrypted)")
    hub.isEncrypted = true
    try hub.serve()
    let laptop = try hub.machine("laptop")
    let line = try hub.invite()
    let locked = try laptop.run("clone", line)
    #expect(locked.status == 12, "\(locked)")
    let taken = try laptop.run("clone", line, "--passphrase-file", hub.words)
    #expect(taken.status == 0, "\(taken)")
    let beside = try String(contentsOfFile: hub.folder.file("laptop/p.vetnet.device"), encoding: .utf8)
    #expect(!beside.contains("seed"))
    let bytes = try Data(contentsOf: URL(filePath: hub.folder.file("laptop/p.vetnet")))
    #expect(bytes.range(of: Data("Mrs Ash".utf8)) == nil)
    #expect(try hub.asTom(laptop, "note", "add", "Rex", "--text", "Lame on the farm.").status == 0)
    let synced = try hub.asTom(laptop, "sync")
    #expect(synced.status == 0, "\(synced)")
    #expect(try hub.notes(hub.program).count == 1)
  }

  @Test func `a program that is killed on either side leaves nothing half done`() throws {
    let hub = try Hub()
    let line = try hub.invite()
    let laptop = try hub.machine("laptop")
    var kills = 0
    for milliseconds in [20, 60, 120, 200, 300, 450, 650, 900] {
      let running = try laptop.start(["clone", line])
      usleep(useconds_t(milliseconds * 1000))
      running.kill()
      let outcome = try running.wait()
      let isThere = FileManager.default.fileExists(atPath: hub.folder.file("laptop/p.vetnet"))
      if outcome.status == 0 || isThere { break }
      kills += 1
    }
    #expect(kills > 0)
    if !FileManager.default.fileExists(atPath: hub.folder.file("laptop/p.vetnet")) {
      let taken = try laptop.run("clone", line)
      #expect(taken.status == 0, "\(taken)")
    }
    #expect(try hub.asTom(laptop, "verify").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: hub.folder.file("laptop"))
    #expect(names.filter { $0.hasPrefix(".vetnet-partial") }.isEmpty, "\(names)")
    for round in 0..<6 {
      #expect(try hub.asTom(laptop, "note", "add", "Rex", "--text", "Round \(round).").status == 0)
      let running = try laptop.start(["sync", "--as", "tom", "--passphrase-file", hub.words])
      usleep(useconds_t(60_000 + 60_000 * round))
      if round.isMultiple(of: 2) {
        try hub.stop(SIGKILL)
        _ = try running.wait()
        try hub.serve()
      } else {
        running.kill()
        _ = try running.wait()
      }
    }
    let last = try hub.asTom(laptop, "sync")
    #expect(last.status == 0, "\(last)")
    let notes = try hub.notes(hub.program)
    #expect(
      notes.count == 6 && (0..<6).allSatisfy { round in notes.contains { $0.contains("Round \(round).") } }, "\(notes)")
    #expect(try hub.asAnn("verify").status == 0)
  }
}
