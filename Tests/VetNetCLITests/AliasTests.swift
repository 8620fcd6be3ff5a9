import Foundation
import Testing
import VetNetTestSupport

/// Names that somebody gives to commands.
struct AliasTests {
  private let folder: TemporaryFolder
  private let program: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    var program = try VetNetProcess(practice: folder.file("p.vetnet"))
    program.environment["XDG_CONFIG_HOME"] = folder.path
    self.program = program
    try program.run("init", "--time-zone", "Europe/London")
  }

  private func run(_ words: String...) throws -> VetNetProcess.Outcome { try program.start(words).wait() }

  @Test func `a name does its command with what is appended, and is taken away`() throws {
    #expect(try run("alias", "here", "vetnet status --json").status == 0)
    let named = try run("here")
    #expect(named.status == 0 && named.output.hasPrefix("{"))
    #expect(try run("here", "--no-such-option").status == 64)
    #expect(try run("alias", "call", "intake --channel 'web form'").status == 0)
    #expect(try run("call", "--text", "Bella limps; $(touch x) `id` && true").status == 0)
    let shown = try run("inbox", "show", "inbox-1")
    #expect(shown.output.contains("$(touch x) `id` && true"))
    let list = try run("alias", "list")
    #expect(list.output.contains("here") && list.output.contains("intake --channel 'web form'"))
    #expect(try run("alias", "remove", "here").status == 0 && run("here").status == 64)
    #expect(try run("alias", "remove", "here").status != 0)
  }

  @Test(arguments: [
    ["status", "doctor"], ["ask", "doctor"], ["Here", "doctor"], ["-x", "doctor"], ["a b", "doctor"],
    ["x", "rm -rf /"],
    ["x", "x"], ["x", "'status"], ["x", "alias y status"], ["list", "status"], ["help", "status"],
  ])
  func `no name stands before a command, and none is anything but a command`(words: [String]) throws {
    let answer = try program.start(["alias"] + words).wait()
    #expect(answer.status == 64, "\(answer.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("vetnet/aliases.json")))
  }

  @Test func `an alias of an alias is none, and a file that says otherwise doesn't shadow a command`() throws {
    #expect(try run("alias", "one", "status").status == 0)
    #expect(try run("alias", "two", "one").status == 64)
    try folder.write(#"{"status":"doctor","loop":"loop"}"#, to: "vetnet/aliases.json")
    let status = try run("status", "--json")
    #expect(status.status == 0 && status.output.contains("\"patients\""))
    #expect(try run("loop").status == 64)
    try folder.write("[]", to: "vetnet/aliases.json")
    #expect(try run("status").status == 0)
    #expect(try run("loop").errors.contains("holds no aliases"))
  }
}
