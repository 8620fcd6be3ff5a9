import Foundation
import Testing
import VetNetTestSupport

@testable import VetNetCLI

/// Ctrl-C during long work, pressed on a terminal.
struct InterruptionTests {
  private let folder: TemporaryFolder
  private let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    var vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    vetnet.environment["TMPDIR"] = folder.file("tmp")
    try FileManager.default.createDirectory(atPath: folder.file("tmp"), withIntermediateDirectories: true)
    self.vetnet = vetnet
  }

  private func interrupted(_ words: [String], after mark: String, seconds: Double = 0) throws
    -> (shown: String, status: Int32)
  {
    let terminal = try PseudoTerminal(vetnet, words, sendsSignals: true)
    defer { terminal.close() }
    if mark.isEmpty { Thread.sleep(forTimeInterval: seconds) } else { _ = terminal.read(until: mark) }
    terminal.type("\u{3}")
    let shown = terminal.readToEnd()
    return (shown, terminal.exitStatus())
  }

  /// So many visits that no search proves its plan the best.
  private func askForMoreThanFits() throws {
    let file = folder.file("more/appointments.jsonl")
    try FileManager.default.createDirectory(atPath: folder.file("more"), withIntermediateDirectories: true)
    let visits = (0..<400).map { number in
      let patient = "P0\(number % 50 + 10)"
      let start = "2026-11-\(23 + number % 5)T1\(number % 8):00"
      return
        #"{"id":"X\#(number)","patient_id":"\#(patient)","resource_ids":[],"start":"\#(start)","duration_minutes":\#(20 + 5 * (number % 3)),"visit_type":"recheck","reason":"recheck","status":"requested"}"#
    }
    try Data((visits.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
    #expect(try vetnet.run("import", file).status == 0)
  }

  @Test func `a search for a better plan stops, and the plan is as it was`() throws {
    let path = folder.file("p.vetnet")
    _ = try SampleCorpus.practice(at: path)
    try askForMoreThanFits()
    let shown = ["schedule", "show", "--week", "2026-11-23", "--json"]
    let before = try vetnet.start(shown).wait().output
    let words = [
      "schedule", "optimize", "--week", "2026-11-23", "--time-limit", "300", "--iterations", "100000000", "--now",
      "2026-11-20T18:00",
    ]
    // The search is at work for minutes: the key is pressed later and later until it meets it.
    let met = try [1, 3, 9, 27, 81].contains { seconds in
      let (said, status) = try interrupted(words, after: "", seconds: seconds)
      guard status == 130 else { return false }
      #expect(try vetnet.start(shown).wait().output == before, "\(said)")
      #expect(try vetnet.run("schedule", "log").output.contains("optimize") == false)
      return said.contains("stopped by Ctrl-C; the plan is as it was")
    }
    #expect(met)
  }

  @Test func `an evaluation says how far it was, and leaves nothing behind`() throws {
    let (shown, status) = try interrupted(
      ["evaluate", "questions", projectDirectory + "/Evaluations/questions/dev"], after: "asking ")
    #expect(status == 130, "\(shown)")
    #expect(shown.firstMatch(of: /stopped by Ctrl-C while asking, after \d+ of \d+; nothing of it is kept/) != nil)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("tmp"))
    #expect(left.isEmpty, "\(left)")
  }

  @Test func `kill ends a measurement without a bar, says so as JSON, and takes its guests with it`() throws {
    let mark = folder.file("started")
    let guest = try folder.write(
      "#!/bin/bash\n(sleep 300; echo) & echo $! > '\(mark).new'; mv '\(mark).new' '\(mark)'; sleep 300\n", to: "guest")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: guest)
    let running = try vetnet.start(
      ["evaluate", "questions", projectDirectory + "/Evaluations/questions/dev", "--reader", "'\(guest)'", "--json"])
    let end = Date.now.addingTimeInterval(120)
    while !FileManager.default.fileExists(atPath: mark), Date.now < end { Thread.sleep(forTimeInterval: 0.02) }
    running.kill(SIGTERM)
    let outcome = try running.wait()
    #expect(outcome.status == 143)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any], "\(outcome.errors)")
    #expect(report["exit_code"] as? Int == 143)
    #expect((report["error"] as? String)?.contains("stopped by SIGTERM") == true)
    let sleeping = try #require(Int32(try String(contentsOfFile: mark, encoding: .utf8).filter(\.isNumber)))
    let soon = Date.now.addingTimeInterval(10)
    while kill(sleeping, 0) == 0, Date.now < soon { Thread.sleep(forTimeInterval: 0.05) }
    #expect(kill(sleeping, 0) != 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("tmp")).isEmpty)
  }

  @Test func `every command stops between steps, asks for something, or may end anywhere`() throws {
    let names = Set(CommandTable.all.map(\.name))
    #expect(Interruption.asking.subtracting(names).isEmpty && Interruption.changing.subtracting(names).isEmpty)
    #expect(Interruption.asking.isDisjoint(with: Interruption.changing))
    // What writes takes an operation that does: a command that is in neither list must not open its file for writing.
    let sources = projectDirectory + "/Sources/VetNetCLI/Commands"
    var writing: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: sources) {
      let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
      for part in text.components(separatedBy: "Command(\n    \"").dropFirst()
      where part.contains("openPractice(.write)") {
        writing.insert(String(part.prefix { $0 != "\"" }))
      }
    }
    #expect(writing.count > 20)
    let unknown = writing.subtracting(Interruption.asking).subtracting(Interruption.changing)
    #expect(unknown.subtracting(["schedule optimize"]).isEmpty, "\(unknown)")
  }
}
