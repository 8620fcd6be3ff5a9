import Foundation
import Testing
import VetNetTestSupport

/// What is left when a process is killed, and when two want the same thing.
struct CrashTests {
  /// A notes file that takes long enough to be killed in the middle of.
  private func bulk(_ folder: TemporaryFolder, notes: Int) throws -> String {
    try folder.write(#"{"id":"P1","name":"Rex","species":"dog"}"# + "\n", to: "in/patients.jsonl")
    var lines = ""
    for number in 0..<notes {
      lines +=
        #"{"id":"N\#(number)","patient_id":"P1","recorded_at":"2024-03-05T10:00","kind":"consult","text":"Begin \#(number). Lame on the left fore for \#(number % 9) days, sore shoulder. End \#(number)."}"#
        + "\n"
    }
    try folder.write(lines, to: "in/notes.jsonl")
    return folder.file("in")
  }

  /// `make soak` kills more often, in a longer import.
  private static let isLong = ProcessInfo.processInfo.environment["VETNET_SOAK_KILLS"] != nil
  private static let notes = isLong ? 4000 : 1200

  @Test(arguments: isLong ? [30, 90, 200, 450, 900] : [30, 120, 350])
  func `an import killed in the middle leaves whole notes only, and can be run again`(milliseconds: Int) throws {
    let folder = try TemporaryFolder()
    let input = try bulk(folder, notes: Self.notes)
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    #expect(try vetnet.run("init", "--time-zone", "UTC").status == 0)
    let running = try vetnet.start(["import", input])
    usleep(UInt32(milliseconds) * 1000)
    running.kill()
    _ = try running.wait()

    let findings = try vetnet.run("doctor", "--json")
    #expect(findings.status == 0, "\(findings.output)")
    for entry in try vetnet.run("patient", "timeline", "P1", "--json").jsonLines().prefix(5) {
      let id = try #require(entry["id"] as? String)
      let text = try #require(try vetnet.run("note", "show", id, "--json").json()["text"] as? String)
      #expect(text.hasPrefix("Begin \(id.dropFirst()).") && text.hasSuffix("End \(id.dropFirst())."))
    }
    #expect(try vetnet.run("import", input).status == 0)
    let status = try vetnet.run("status", "--json").json()
    #expect(status["notes"] as? Int == Self.notes)
    #expect((status["index"] as? [String: Any])?["stale_notes"] as? Int == 0)
  }

  @Test func `two processes that book the same slot: exactly one wins`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"id":"S1","name":"Vet","role":"veterinarian","working_hours":[{"weekday":1,"start":"08:00","end":"18:00"}]}

      """, to: "in/staff.jsonl")
    try folder.write(#"{"id":"R1","name":"Room","kind":"room","capacity":4}"# + "\n", to: "in/resources.jsonl")
    try folder.write(
      #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n" + #"{"id":"P2","name":"Tom","species":"cat"}"# + "\n",
      to: "in/patients.jsonl")
    let vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "UTC")
    #expect(try vetnet.run("import", folder.file("in")).status == 0)
    for round in 0..<5 {
      let start = "2026-11-23T1\(round):00"
      let runs = try ["P1", "P2"].map { patient in
        try vetnet.start([
          "schedule", "book", "--patient", patient, "--at", start, "--with", "S1", "--minutes", "30", "--now",
          "2026-11-20T12:00",
        ])
      }
      let outcomes = try runs.map { try $0.wait() }
      #expect(outcomes.map(\.status).sorted() == [0, 1], "\(outcomes.map(\.errors))")
    }
    #expect(try vetnet.run("schedule", "show", "--date", "2026-11-23", "--json").jsonLines().count == 5)
  }
}
