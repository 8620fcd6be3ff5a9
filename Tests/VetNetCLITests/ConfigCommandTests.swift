import Foundation
import Testing
import VetNetTestSupport

/// Settings, and where each value comes from.
struct ConfigCommandTests {
  private let folder: TemporaryFolder
  private var vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    #expect(try vetnet.run("init", "--time-zone", "Europe/London").status == 0)
  }

  private func setting(_ key: String, _ arguments: [String] = []) throws -> [String: Any] {
    let outcome = try vetnet.start(["config", "--json"] + arguments).wait()
    #expect(outcome.status == 0)
    return try #require(try outcome.jsonLines().first { $0["key"] as? String == key })
  }

  @Test mutating func `a flag stands before the environment, this before the file, this before the default`() throws {
    #expect(try setting("quantile")["source"] as? String == "default")
    #expect(try vetnet.run("config", "set", "quantile", "0.6").status == 0)
    #expect(try setting("quantile")["source"] as? String == "practice file")
    vetnet.environment["VETNET_QUANTILE"] = "0.8"
    #expect(try setting("quantile")["value"] as? String == "0.8")
    #expect(try setting("quantile")["source"] as? String == "environment")
    #expect(try setting("quantile")["stored"] as? String == "0.6")
    #expect(try setting("quantile", ["--config", "quantile=0.9"])["value"] as? String == "0.9")
    #expect(try setting("quantile", ["--config", "quantile=0.9"])["source"] as? String == "flag")
    vetnet.environment["VETNET_QUANTILE"] = nil
    #expect(try vetnet.run("config", "unset", "quantile").status == 0)
    #expect(try setting("quantile")["source"] as? String == "default")
  }

  @Test(arguments: [
    (["set", "time-zone", "Mars/Olympus"], "Europe/London"), (["set", "hours", "always"], "mon-fri 08:30"),
    (["set", "units", "stone"], "metric or imperial"), (["set", "date-order", "ymd"], "dmy or mdy"),
    (["set", "quantile", "1.5"], "0.05 to 0.99"), (["set", "name", "\u{1B}[31m"], "at most 200"),
    (["set", "unit", "metric"], "'units'"), (["get", "zone"], "time-zone"), (["sett", "units"], "vetnet config set"),
  ])
  func `what is not allowed is refused with what is, and changes nothing`(words: [String], said: String) throws {
    let before = try vetnet.run("config", "--json").output
    let outcome = try vetnet.start(["config"] + words).wait()
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(said), "\(outcome.errors)")
    #expect(try vetnet.run("config", "--json").output == before)
  }

  @Test func `a change is on record, a dry run changes nothing`() throws {
    #expect(try vetnet.run("config", "set", "hours", "mon-fri 9-17", "--dry-run").status == 0)
    #expect(try vetnet.run("config", "get", "hours").output == "")
    #expect(try vetnet.run("config", "set", "hours", "mon-fri", "9-17").status == 0)
    #expect(try vetnet.run("config", "get", "hours").output == "mon-fri 09:00-17:00\n")
    let entries = try vetnet.run("audit", "log", "--json").jsonLines().filter {
      $0["operation"] as? String == "config.set"
    }
    #expect(entries.count == 1)
    #expect((entries[0]["details"] as? String)?.contains("mon-fri 09:00-17:00") == true)
  }

  @Test mutating func `a wrong value in the environment is refused by name`() throws {
    vetnet.environment["VETNET_TIME_ZONE"] = "nowhere"
    let outcome = try vetnet.run("config")
    #expect(outcome.status == 64 && outcome.errors.contains("VETNET_TIME_ZONE"))
  }

  @Test func `what the settings say is done`() throws {
    try vetnet.run("import", projectDirectory + "/Corpus/patients.jsonl", projectDirectory + "/Corpus/clients.jsonl")
    #expect(try vetnet.run("patient", "show", "P001").output.contains(" kg"))
    try vetnet.run("config", "set", "units", "imperial")
    #expect(try vetnet.run("patient", "show", "P001").output.contains(" lb"))
    // A file whose dates tell nothing is read in the practice's order, one whose dates tell in its own.
    let doubtful = folder.file("notes-doubtful.csv")
    try Data("id,patient_id,recorded_at,text\nD1,P001,03/04/2025,seen for a cough\n".utf8).write(
      to: URL(filePath: doubtful))
    #expect(try vetnet.run("import", doubtful, "--kind", "notes").status != 0)
    try vetnet.run("config", "set", "date-order", "mdy")
    #expect(try vetnet.run("import", doubtful, "--kind", "notes").status == 0)
    #expect(
      try vetnet.run("note", "show", "D1", "--json").json()["recorded_at"] as? String == "2025-03-04T00:00:00+00:00")
    let clear = folder.file("notes-clear.csv")
    try Data("id,patient_id,recorded_at,text\nD2,P001,28/04/2025,seen again\n".utf8).write(to: URL(filePath: clear))
    #expect(try vetnet.run("import", clear, "--kind", "notes").status == 0)
  }
}
