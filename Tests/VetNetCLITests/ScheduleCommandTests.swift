import Foundation
import Testing
import VetNetTestSupport

/// What `vetnet schedule` says to command lines that can't be meant, and to a person's terminal.
struct ScheduleCommandTests {
  let folder: TemporaryFolder
  let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
    try vetnet.run("import", "-", "--kind", "patients", input: #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n")
    let hours = (1...7).map { #"{"weekday":\#($0),"start":"08:00","end":"20:00"}"# }.joined(separator: ",")
    try vetnet.run(
      "import", "-", "--kind", "staff",
      input: #"{"id":"V1","name":"Dr V","role":"veterinarian","skills":{},"working_hours":[\#(hours)]}"# + "\n")
  }

  @Test func `contradictory, timeless and impossible words are a usage error that says so`() throws {
    let now = ["--now", "2026-11-20T18:00"]
    let rows: [(words: [String], says: String)] = [
      (["schedule", "optimize", "--day", "2026-11-23", "--week", "2026-11-23"], "exclude each other"),
      (["schedule", "show", "--date", "2026-11-23", "--week", "2026-11-23"], "exclude each other"),
      (["schedule", "optimize", "--instance", "x.json", "--day", "2026-11-23"], "exclude each other"),
      (["schedule", "propose", "--appointment", "A1", "--text", "lame"], "exclude each other"),
      (["schedule", "propose", "--text", "  ", "--patient", "P1"], "empty"),
      (["schedule", "book", "--patient", "P1", "--with", "V1", "--at", "2026-11-24"], "2026-11-24T09:30"),
      (["schedule", "book", "--patient", "P1", "--with", "V1", "--at", "2027-03-28T01:30"], "from 01:00 to 02:00"),
      (
        [
          "schedule", "book", "--patient", "P1", "--with", "V1", "--at", "2026-11-24T10:00", "--visit-type", "recheckk",
        ], "Maybe you meant 'recheck'"
      ),
      (["schedule", "book", "--patient", "P1", "--with", "V1", "--at", "2026-11-24T10:00", "--lag", "5"], "--after"),
    ]
    for row in rows {
      let outcome = try vetnet.start(row.words + now).wait()
      #expect(outcome.status == 64, "\(row.words)")
      #expect(outcome.errors.contains(row.says), "\(outcome.errors)")
    }
    let nothing = try vetnet.run("schedule", "undo", "--now", "2026-11-20T18:00")
    #expect(nothing.status == 1)
    #expect(try vetnet.run("schedule", "log").output.contains("not been changed"))
  }

  @Test func `control characters of a reason do not reach the terminal`() throws {
    let booked = try vetnet.run(
      "schedule", "book", "--patient", "P1", "--with", "V1", "--at", "2026-11-24T10:00", "--minutes", "20", "--reason",
      "ear\u{1B}[31m red\u{07}", "--now", "2026-11-20T18:00")
    #expect(booked.status == 0, "\(booked.errors)")
    for words in [["schedule", "show", "--date", "2026-11-24"], ["patient", "show", "P1"]] {
      let shown = try vetnet.start(words + ["--now", "2026-11-20T18:00"]).wait().output
      #expect(shown.contains("ear[31m red"), "\(shown)")
      #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F })
    }
    let day = try vetnet.run("schedule", "show", "--date", "2026-11-24", "--now", "2026-11-20T18:00").output
    #expect(day.contains("1 visit,"))
  }
}
