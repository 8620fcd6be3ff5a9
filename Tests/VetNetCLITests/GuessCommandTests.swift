import Foundation
import Testing
import VetNetTestSupport

/// Another program's export, from a proposed mapping to records, as a user has it.
struct GuessCommandTests {
  let folder: TemporaryFolder
  let vetnet: VetNetProcess
  private let layout = projectDirectory + "/Evaluations/layouts/brook"

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "Europe/London")
  }

  @Test func `a proposal imports nothing, says what is unsure, and reads the export from then on`() throws {
    let map = folder.file("brook.toml")
    let guess = try vetnet.run("import", "--guess", "--map", map, layout, "--now", "2026-11-23")
    #expect(guess.status == 0, "\(guess.errors)")
    #expect(guess.output.contains("animals.csv: patients") && guess.output.contains("first rows: {"))
    #expect(guess.output.contains("unsure: animals.csv: 'Dead' says which animals died but not when"))
    let text = try String(contentsOfFile: map, encoding: .utf8)
    #expect(text.contains("\"CONS\"") || text.contains("\"K9\" = \"dog\""))
    let again = try vetnet.run("import", "--guess", "--map", map, layout)
    #expect(again.status == 64 && again.errors.contains("is there already"))
    let first = try vetnet.run("import", "--map", map, layout, "--no-index", "--json", "--now", "2026-11-23")
    let records = try #require(try first.json()["records"] as? [String: [String: Int]])
    #expect(records["patients"]?["inserted"] == 60 && records["notes"]?["inserted"] == 120, "\(first.errors)")
    let second = try vetnet.run("import", "--map", map, layout, "--no-index", "--json", "--now", "2026-11-23")
    let repeated = try #require(try second.json()["records"] as? [String: [String: Int]])
    #expect(repeated.values.allSatisfy { $0["inserted"] == 0 && $0["updated"] == 0 }, "\(repeated)")
  }

  @Test func `on a terminal what can't be known is asked, with a default`() throws {
    try folder.write(
      "No,Pet,Type,DOB,Wt\n1,Rex,K9,02/03/2020,12\n2,Ivy,Zork,04/05/2021,4\n3,Tom,FEL,01/02/2019,5\n", to: "Animals.csv"
    )
    let map = folder.file("m.toml")
    let terminal = try PseudoTerminal(vetnet, ["import", "--guess", "--map", map, folder.file("Animals.csv")])
    defer { terminal.close() }
    var asked = ""
    for (subject, answer) in [("Zork", "reptile\n"), ("unit", "lb\n"), ("day from month", "mdy\n")] {
      asked += terminal.read(until: "]?", after: subject)
      terminal.type(answer)
    }
    #expect(terminal.exitStatus() == 0)
    let text = try String(contentsOfFile: map, encoding: .utf8)
    #expect(text.contains("\"Zork\" = \"reptile\"") && text.contains("weight_kg = \"lb\""), "\(asked)\(text)")
    #expect(text.contains("date_order = \"mdy\"") && !text.contains("unsure"), "\(text)")
  }

  @Test func `a mapping's mistake names file, line and column, and nothing is imported`() throws {
    try folder.write("format = \"vetnet-map-1\"\n[[table]]\nfile = \"animals.csv\"\nkind = \"pets\"\n", to: "m.toml")
    let outcome = try vetnet.run("import", "--map", folder.file("m.toml"), layout)
    #expect(outcome.status == 1 && outcome.errors.contains("m.toml:4:8: kind 'pets' is unknown"), "\(outcome.errors)")
    #expect(try vetnet.run("status", "--json").json()["patients"] as? Int == 0)
  }
}
