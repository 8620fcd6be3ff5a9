import Foundation
import Glibc
import Testing
import VetNetTestSupport

/// Encrypted practice files as their users meet them: real processes, real files.
struct EncryptionCommandTests {
  private static let words = "four words of mine"
  private let folder: TemporaryFolder
  private let vetnet: VetNetProcess
  private var path: String { folder.file("p.vetnet") }
  private var pass: String { folder.file("pass") }

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    for (name, words) in [("pass", Self.words), ("new", "other words of mine"), ("bad", "no words of mine")] {
      try folder.write(words + "\n", to: name)
      chmod(folder.file(name), 0o600)
    }
    try folder.write(
      #"{"id":"P1","name":"Qxzvname","species":"dog"}"# + "\n", to: "in/patients.jsonl")
    try folder.write(
      #"{"id":"N1","patient_id":"P1","recorded_at":"2026-10-10T10:00","kind":"consult","text":"Qxzvtext, vomiting."}"#
        + "\n",
      to: "in/notes.jsonl")
  }

  private func run(_ words: String..., input: String? = nil) throws -> VetNetProcess.Outcome {
    try vetnet.start(words + ["--now", "2026-11-20T18:00"], input: input).wait()
  }

  private func bytes(_ name: String = "p.vetnet") throws -> Data {
    try Data(contentsOf: URL(filePath: folder.file(name)))
  }

  /// Whether a record stands there as it was written. Eight bytes each: four stand by chance in one of some thousand such files.
  private func holdsText(_ bytes: Data) -> Bool {
    ["Qxzvname", "Qxzvtext"].contains { bytes.range(of: Data($0.utf8)) != nil }
  }

  @Test func `a practice is kept encrypted from its first day, and opened by who has the words`() throws {
    let made = try run("init", "--encrypted", "--new-passphrase-file", folder.file("pass"), "--json")
    #expect(made.status == 0, "\(made.errors)")
    let recovery = try #require(try made.json()["recovery_key"] as? String)
    #expect(try made.json()["encrypted"] as? Bool == true && recovery.count == 44)
    #expect(try run("import", folder.file("in"), "--passphrase-file", pass).status == 0)
    // From a file, standard input and a descriptor.
    #expect(try run("note", "show", "N1", "--passphrase-file", pass).output.contains("Qxzvtext"))
    #expect(try run("note", "show", "N1", "--passphrase-file", "-", input: Self.words).status == 0)
    let shell = try vetnet.start(
      ["status", "--json", "--passphrase-fd", "7"], launcher: ["/bin/sh", "-c", "exec \"$@\" 7<\(pass)", "sh"]
    ).wait()
    let encryption = try #require(try shell.json()["encryption"] as? [String: Any], "\(shell.errors)")
    #expect(encryption["passphrases"] as? Int == 1 && encryption["recovery_keys"] as? Int == 1)
    #expect(try run("status", "--passphrase-file", "-", input: recovery + "\n").status == 0)
    // No words, or others.
    for words in [
      ["status"], ["status", "--passphrase-file", folder.file("bad")],
      ["ask", "why?", "--passphrase-file", folder.file("bad")],
    ] {
      let refused = try vetnet.start(words, launcher: ["/usr/bin/setsid", "-w"]).wait()
      #expect(refused.status == 12, "\(words): \(refused)")
      #expect(!refused.errors.contains("words of mine") && !refused.errors.contains("Qxzv"))
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("p.vetnet") {
      #expect(try !holdsText(bytes(name)), "\(name)")
    }
    let backup = try run("backup", folder.file("b.vetnet"), "--passphrase-file", pass, "--json")
    #expect(try backup.json()["encrypted"] as? Bool == true)
    #expect(try !holdsText(bytes("b.vetnet")))
    #expect(try run("restore", folder.file("b.vetnet"), "--replace-newer", "--passphrase-file", pass).status == 0)
    #expect(
      try run("restore", folder.file("b.vetnet"), "--replace-newer", "--passphrase-file", folder.file("bad")).status
        == 12)
  }

  @Test func `what was changed in an encrypted file is named, with the code for it`() throws {
    // A recovery key needs no stretching, and so no time.
    let made = try run("init", "--encrypted", "--new-passphrase-file", pass, "--json").json()
    let key = try folder.write(#require(made["recovery_key"] as? String) + "\n", to: "recovery")
    chmod(key, 0o600)
    #expect(try run("import", folder.file("in"), "--passphrase-file", key).status == 0)
    #expect(try run("verify", "--passphrase-file", key).output.contains("encryption  ok"))
    let whole = try bytes()
    let page = 16384 + 40
    var swapped = whole
    swapped.replaceSubrange((8192 + 4 * page)..<(8192 + 5 * page), with: whole[(8192 + 6 * page)..<(8192 + 7 * page)])
    var flipped = whole
    flipped[8192 + 4 * page + 777] ^= 16
    var first = whole
    first[8192 + 777] ^= 16
    var head = whole
    head[70] ^= 1
    head[4096 + 70] ^= 1
    let cases: [(String, Data, String)] = [
      ("flipped", flipped, "page 5"), ("swapped", swapped, "page 5"), ("first page", first, "page 1"),
      ("cut", whole.dropLast(3 * page + 5), "it is cut off: "),
      ("cut to its head", whole.prefix(8192), "none of its pages"),
      ("head", head, "head"),
    ]
    for (name, bytes, named) in cases {
      try bytes.write(to: URL(filePath: path))
      for command in ["verify", "doctor"] {
        let found = try run(command, "--passphrase-file", key)
        #expect(found.status == 13, "\(name), \(command): \(found)")
        #expect((found.output + found.errors).contains(named), "\(name), \(command): \(found)")
      }
    }
    try whole.write(to: URL(filePath: path))
    // One copy of the head is enough, and said to be one.
    var half = whole
    half[70] ^= 1
    try half.write(to: URL(filePath: path))
    let found = try run("verify", "--passphrase-file", key)
    #expect(
      found.status == 13 && found.output.contains("one of") || found.output.contains("1 of the two copies"), "\(found)")
    #expect(try run("note", "show", "N1", "--passphrase-file", key).status == 0)
  }

  @Test func `a file is encrypted, its keys change, and it is decrypted`() throws {
    #expect(try run("init").status == 0 && run("import", folder.file("in")).status == 0)
    #expect(try run("key", "list").status == 1 && run("decrypt").status == 1)
    let encrypted = try run("encrypt", "--new-passphrase-file", pass, "--label", "desk")
    #expect(encrypted.status == 0 && encrypted.output.contains("Recovery key: "), "\(encrypted)")
    #expect(try run("encrypt", "--new-passphrase-file", pass).status == 64)
    let added = try run(
      "key", "add", "--label", "Dr Ash", "--passphrase-file", pass, "--new-passphrase-file", folder.file("new"))
    #expect(added.status == 0 && added.output.contains("Key 3"), "\(added)")
    let keys = try run("key", "list", "--json", "--passphrase-file", folder.file("new")).jsonLines()
    #expect(keys.compactMap { $0["label"] as? String } == ["desk", "", "Dr Ash"])
    #expect(try run("key", "remove", "1", "--passphrase-file", folder.file("new")).status == 0)
    #expect(try run("status", "--passphrase-file", pass).status == 12)
    let anew = try run("encrypt", "--new-key", "--new-passphrase-file", pass, "--passphrase-file", folder.file("new"))
    #expect(anew.status == 0, "\(anew)")
    #expect(try run("status", "--passphrase-file", folder.file("new")).status == 12)
    let log = try run("audit", "log", "--passphrase-file", pass).output
    for operation in ["practice.encrypt", "key.add", "key.remove"] { #expect(log.contains(operation)) }
    #expect(!log.contains("Ash"))
    #expect(try run("decrypt", "--passphrase-file", pass).status == 0)
    #expect(try run("note", "show", "N1").output.contains("Qxzvtext"))
    #expect(try bytes().range(of: Data("Qxzvtext".utf8)) != nil)
  }

  @Test func `the kernel holds a key for a while, where it can, and forgets it when told`() throws {
    #expect(try run("init", "--encrypted", "--new-passphrase-file", pass).status == 0)
    let held = try run("key", "hold", "--minutes", "2", "--passphrase-file", pass)
    // A container may have no keyring: then that is said, and nothing else happens.
    guard held.status == 0 else {
      #expect(held.status == 1 && held.errors.contains("the kernel holds no key here"), "\(held)")
      return
    }
    #expect(try run("status").status == 0)
    // What is given counts, and who changes keys has to give it.
    #expect(try run("status", "--passphrase-file", folder.file("bad")).status == 12)
    let refused = try vetnet.start(["key", "add", "--recovery"], launcher: ["/usr/bin/setsid", "-w"]).wait()
    #expect(refused.status == 12, "\(refused)")
    #expect(try run("key", "forget").status == 0)
    #expect(try vetnet.start(["status"], launcher: ["/usr/bin/setsid", "-w"]).wait().status == 12)
  }

  @Test func `no passphrase is among a process's words or variables, and it dumps no core`() throws {
    #expect(try run("init", "--encrypted", "--new-passphrase-file", pass).status == 0)
    #expect(try run("import", folder.file("in"), "--passphrase-file", pass).status == 0)
    let pipe = folder.file("pipe")
    mkfifo(pipe, 0o600)
    // At work on the file for as long as nobody writes.
    let running = try vetnet.start(
      ["note", "add", "P1", "-", "--passphrase-file", pass],
      launcher: ["/bin/sh", "-c", "ulimit -c unlimited 2>/dev/null; exec \"$@\" <>\(pipe)", "sh"])
    defer {
      running.kill()
      _ = try? running.wait()
    }
    let process = "/proc/\(running.process.processIdentifier)"
    var limits = ""
    for _ in 0..<200 where !limits.contains("0                    0 ") {
      usleep(50_000)
      limits = (try? String(contentsOfFile: process + "/limits", encoding: .utf8)) ?? ""
      limits = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }.map(String.init) ?? ""
    }
    #expect(limits.contains("0                    0 "), "\(limits)")
    for name in ["cmdline", "environ"] {
      let shown = try #require(FileManager.default.contents(atPath: process + "/" + name))
      #expect(!shown.isEmpty && shown.range(of: Data("words of mine".utf8)) == nil)
    }
  }
}
