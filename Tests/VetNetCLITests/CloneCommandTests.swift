import Foundation
import Testing
import VetNetTestSupport

/// A practice with users that is taken along from its file, and synced through a stick: real programs.
struct CloneCommandTests {
  private let folder: TemporaryFolder
  private let words: String
  private let hub: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    words = try folder.write("words of everybody here\n", to: "words")
    hub = try VetNetProcess(practice: folder.file("hub.vetnet"))
    try folder.write("", to: "stick/empty")
    for arguments in [
      ["init", "--time-zone", "Europe/London"], ["patient", "add", "Rex", "--species", "dog", "--owner", "Mrs Ash"],
      ["user", "add", "ann", "--role", "administrator", "--new-passphrase-file", words],
      [
        "user", "add", "nora", "--role", "nurse", "--new-passphrase-file", words, "--as", "ann", "--passphrase-file",
        words,
      ],
    ] {
      let outcome = try hub.start(arguments).wait()
      try #require(outcome.status == 0, "\(outcome)")
    }
  }

  private func run(_ program: VetNetProcess, as name: String, _ arguments: String...) throws -> VetNetProcess.Outcome {
    try program.start(arguments + ["--as", name, "--passphrase-file", words]).wait()
  }

  @Test func `a nurse's phone is cloned with a key of its own, and syncs through a stick`() throws {
    let phone = try VetNetProcess(practice: folder.file("phone/p.vetnet"))
    try FileManager.default.createDirectory(atPath: folder.file("phone"), withIntermediateDirectories: true)
    // The administrator's own device would be nobody's who works with records.
    let own = try run(phone, as: "ann", "clone", folder.file("hub.vetnet"))
    #expect(own.status == 64 && own.errors.contains("--user NAME"), "\(own)")
    let wrong = try run(
      phone, as: "ann", "clone", folder.file("hub.vetnet"), "--user", "nora", "--new-passphrase-file", words)
    #expect(wrong.status == 64 && wrong.errors.contains("'--encrypted'"), "\(wrong)")
    let tried = try run(phone, as: "ann", "clone", folder.file("hub.vetnet"), "--user", "nora", "--dry-run")
    #expect(tried.status == 0 && tried.output.contains("of nora"), "\(tried)")
    let made = try run(
      phone, as: "ann", "clone", folder.file("hub.vetnet"), "--user", "nora", "--name", "phone", "--encrypted",
      "--new-passphrase-file", words)
    #expect(made.status == 0 && made.output.contains("device 1 'phone' of nora"), "\(made)")
    #expect(made.output.contains("Recovery key: "))
    let bytes = try Data(contentsOf: URL(filePath: folder.file("phone/p.vetnet")))
    #expect(bytes.range(of: Data("Mrs Ash".utf8)) == nil)
    #expect(try phone.run("status").status == 12, "without its passphrase nobody opens it")
    let nobody = try run(phone, as: "ann", "status")
    #expect(nobody.status == 15, "\(nobody)")
    let note = try run(phone, as: "nora", "note", "add", "Rex", "--text", "Seen in the ward.")
    #expect(note.status == 0, "\(note)")
    let stick = folder.file("stick")
    for (program, name) in [(phone, "nora"), (hub, "ann"), (phone, "nora")] {
      let synced = try run(program, as: name, "sync", "--with", stick, "--json")
      #expect(synced.status == 0, "\(synced)")
      #expect(try synced.json()["notices"] as? [String] == [])
    }
    let timeline = try run(hub, as: "nora", "patient", "timeline", "Rex", "--json")
    #expect(timeline.output.contains("Seen in the ward."), "\(timeline)")
    let again = try run(phone, as: "nora", "sync", "--json").json()
    #expect(again["waiting"] as? Int == 0)
  }

  @Test func `the rules say what lies on a stick, and what a later version's changes come to`() throws {
    let explained = try hub.run("sync", "--explain")
    #expect(explained.status == 0)
    for words in [
      "sealed with a key that only the device and its hub have", "names say a number of the practice",
      "the role of whoever works on the device", "kept as they came",
    ] { #expect(explained.output.contains(words), "\(words)") }
  }
}
