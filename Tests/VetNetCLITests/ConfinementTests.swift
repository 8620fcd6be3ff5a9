import Foundation
import Testing
import VetNetTestSupport

@testable import VetNetCLI

/// What the kernel takes from the program when it starts.
struct ConfinementTests {
  /// The program with `sockets.c` in it.
  private func trying(_ folder: TemporaryFolder) throws -> VetNetProcess {
    let library = folder.file("sockets.so")
    try compile("sockets.c", to: library, ["-shared", "-fPIC", "-ldl"])
    var vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    vetnet.environment["LD_PRELOAD"] = library
    return vetnet
  }

  private func said(_ outcome: VetNetProcess.Outcome) -> [String] {
    outcome.errors.split(separator: "\n").filter { $0.hasPrefix("socket ") }.map { String($0.dropFirst(7)) }
  }

  @Test func `no command opens a socket, however it is asked to, but those that are made for it`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try trying(folder)
    let none = ["inet refused", "inet6 refused", "unix refused", "netlink refused", "pair refused", "ring refused"]
    #expect(try said(vetnet.run("init", "--time-zone", "UTC")) == none)
    #expect(try said(vetnet.run("patient", "add", "Rex", "--species", "dog")) == none)
    for words in [["status"], ["ask", "any reactions?", "--patient", "Rex"], ["verify"], ["mcp"]] {
      #expect(try said(vetnet.start(words).wait()) == none, "\(words)")
    }
    // An editor may talk to programs of this machine.
    #expect(
      try said(vetnet.run("note", "add", "Rex", "--text", "Well.")) == [
        "inet refused", "inet6 refused", "unix opened", "netlink refused", "pair opened", "ring refused",
      ])
    let reader = try said(
      vetnet.run("ask", "any reactions?", "--patient", "Rex", "--reader", "/bin/true", "--reader-network"))
    #expect(
      reader == [
        "inet opened", "inet6 refused", "unix refused", "netlink refused", "pair opened", "ring refused",
        "connect failed", "bytes failed",
      ])
  }

  @Test func `a server takes who comes to its port, and goes to nobody`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try trying(folder)
    try vetnet.run("init", "--time-zone", "UTC")
    let server = try vetnet.start(["serve", "--listen", "127.0.0.1:0"])
    for _ in 0..<200 where !server.output().contains("serves") { usleep(50_000) }
    server.kill(SIGTERM)
    let outcome = try server.wait()
    #expect(outcome.status == 0 && outcome.output.contains("http://127.0.0.1:"))
    #expect(
      said(outcome) == [
        "inet opened", "inet6 refused", "unix refused", "netlink refused", "pair refused", "ring refused",
        "connect refused", "bytes refused",
      ])
  }

  @Test func `what a command starts has no network either`() throws {
    let folder = try TemporaryFolder()
    var vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "UTC")
    try vetnet.run("patient", "add", "Rex", "--species", "dog")
    // The editor is a script that tries to reach this machine's own network.
    let editor = try folder.write(
      "#!/bin/bash\n(exec 3<>/dev/tcp/127.0.0.1/9) 2>\"\(folder.file("tried"))\"\nexit 1\n", to: "editor")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
    vetnet.environment["EDITOR"] = editor
    // An editor is opened on a terminal only.
    let amended = try vetnet.start(
      [], launcher: ["/bin/sh", "-c", "exec script -qec \"$0 note add Rex\" /dev/null"]
    ).wait()
    let tried = try String(contentsOfFile: folder.file("tried"), encoding: .utf8)
    #expect(tried.contains("Permission denied"), "\(tried) \(amended)")
  }

  @Test func `a command touches its practice and what is named, and no other file`() throws {
    let folder = try TemporaryFolder()
    let elsewhere = try TemporaryFolder()
    var vetnet = try trying(folder)
    // An import keeps what comes through a pipe in the folder for such things, which is to be another than the test's.
    vetnet.environment["TMPDIR"] = folder.file("")
    vetnet.environment["TRY_FILE"] = try elsewhere.write("not for everybody", to: "secret.txt")
    func files(_ outcome: VetNetProcess.Outcome) -> [String] {
      outcome.errors.split(separator: "\n").filter { $0.hasPrefix("file ") }.map { String($0.dropFirst(5)) }
    }
    #expect(
      try files(vetnet.run("init", "--time-zone", "UTC")).prefix(3) == [
        "other refused", "new refused", "system opened",
      ])
    // What is named may be read, or its folder written to.
    let rows = try elsewhere.write(#"{"id":"P1","name":"Rex","species":"dog"}"# + "\n", to: "patients.jsonl")
    #expect(try files(vetnet.run("import", rows)).prefix(2) == ["other refused", "new refused"])
    let exported = try vetnet.run("export", "--out", elsewhere.file("out"))
    #expect(exported.status == 0 && files(exported).prefix(2) == ["other opened", "new opened"], "\(exported)")
    // Into a folder that is there, and as a file over one.
    let tables = elsewhere.file("tables")
    try FileManager.default.createDirectory(atPath: tables, withIntermediateDirectories: false)
    for (format, path) in [("csv", tables + "/"), ("fhir", "one.json"), ("fhir", "one.json")] {
      let written = try vetnet.run(
        "export", "--format", format, "--out", path == "one.json" ? elsewhere.file(path) : path)
      #expect(written.status == 0, "\(written)")
    }
    try FileManager.default.createDirectory(atPath: elsewhere.file("empty"), withIntermediateDirectories: false)
    let filled = try vetnet.run("export", "--out", elsewhere.file("empty"))
    #expect(filled.status == 0, "\(filled)")
    let backup = try vetnet.run("backup", elsewhere.file("copy.vetnet"))
    #expect(backup.status == 0, "\(backup)")
    // A copy elsewhere is looked into.
    let erasing = try vetnet.run("patient", "erase", "P1", "--reason", "asked", "--dry-run", "--json").json()
    let copies = try #require(erasing["copies"] as? [[String: Any]])
    #expect(copies.count == 1 && copies.first?["holds"] as? Bool == true, "\(copies)")
    // A program that somebody else wrote may touch what the account may.
    let reader = try vetnet.run("ask", "any reactions?", "--patient", "Rex", "--reader", "/bin/true")
    #expect(files(reader).first == "other opened", "\(reader)")
  }

  @Test func `what comes through a pipe is read by every command that takes files`() throws {
    let folder = try TemporaryFolder()
    let elsewhere = try TemporaryFolder()
    var vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    vetnet.environment["TMPDIR"] = elsewhere.file("")
    try vetnet.run("init", "--time-zone", "UTC")
    let message = #"{"id":"I1","text":"the cat is not breathing"}"# + "\n"
    let patient = #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n"
    for (words, input) in [
      (["triage", "-", "--jsonl", "--json"], message), (["triage", "--json"], message + message),
      (["triage", "/dev/stdin", "--json"], message + message), (["import", "-", "--kind", "patients"], patient),
    ] {
      let piped = try vetnet.start(
        words, input: input, launcher: ["/bin/sh", "-c", #"cat | "$0" "$@""#]
      ).wait()
      #expect(piped.status == 0, "\(words) \(piped)")
    }
  }

  @Test func `doctor says what holds, by trying`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "UTC")
    let findings = try vetnet.run("doctor", "--json").jsonLines()
    let network = try #require(findings.first { $0["subject"] as? String == "network" })
    #expect(network["severity"] as? String == "remark")
    #expect((network["message"] as? String)?.contains("refuses this program every socket") == true)
    let files = try #require(findings.first { $0["subject"] as? String == "files" })
    #expect((files["message"] as? String)?.contains("start no program (Landlock") == true)
  }

  @Test func `those that may reach more are these`() throws {
    func reach(_ name: String, _ words: [String] = []) throws -> String {
      let command = try #require(CommandTable.all.first { $0.name == name })
      return "\(command.reach(try Arguments(words, for: command)))"
    }
    let editing = ["note add", "note amend", "encounter new", "encounter edit", "encounter amend"]
    for command in CommandTable.all where command.name != "serve" && !editing.contains(command.name) {
      let words = command.positionals.filter { !$0.isOptional }.map(\.name)
      #expect(try reach(command.name, words) == "nothing", "\(command.name)")
    }
    #expect(try reach("serve", ["--listen", "127.0.0.1:9000"]) == "listening(port: 9000)")
    #expect(try reach("serve", ["--open"]) == "network" && reach("note add", ["P1"]) == "thisMachine")
    #expect(try reach("serve", ["--listen", "127.0.0.1:0"]) == "listening(port: 0)")
    #expect(try reach("ask", ["?", "--reader", "r"]) == "nothing")
    // The server that is named, or that an invitation names, and no folder.
    let address = try reach("sync", ["--with", "https://desk.test:8443"])
    #expect(address.hasPrefix("hub(") && address.contains("desk.test") && address.contains("8443"))
    for words in [["--with", "/media/stick"], ["--explain"], ["--all"], ["--with", "ftp://desk.test"]] {
      #expect(try reach("sync", words) == "nothing", "\(words)")
    }
    for name in ["ask", "evaluate questions"] {
      #expect(try reach(name, ["?", "--reader", "r", "--reader-network"]) == "readerAddress")
      #expect(try reach(name, ["?", "--reader-network"]) == "nothing")
    }
  }
}
