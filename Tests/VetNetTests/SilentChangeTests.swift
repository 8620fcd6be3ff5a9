import Foundation
@testable import Store
import Testing
import VetNetTestSupport

/// What something else than VetNet did to a practice file.
struct SilentChangeTests {
  private let folder: TemporaryFolder
  private let vetnet: VetNetProcess
  private var path: String { folder.file("p.vetnet") }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n" + #"{"id":"P2","name":"Tess","species":"dog"}"# + "\n",
      to: "in/patients.jsonl")
    try folder.write(
      """
      {"id":"N1","patient_id":"P1","recorded_at":"2024-03-05T10:00","kind":"consult","text":"Hives after amoxicillin. Do not give amoxicillin again."}
      {"id":"N2","patient_id":"P2","recorded_at":"2024-04-05T10:00","kind":"consult","text":"Booster given. Bright and well."}

      """, to: "in/notes.jsonl")
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "UTC")
    #expect(try vetnet.run("import", folder.file("in")).status == 0)
  }

  private func alter(_ sql: String) throws {
    let connection = try Connection.open(path)
    try connection.executeScript(sql, context: "altering")
    connection.writtenRecords.forget()
  }

  @Test func `an altered note is named by id and date, and nothing is quoted from it`() throws {
    let before = try vetnet.run("ask", "any reactions to drugs?", "--patient", "P1", "--json").json()
    #expect((before["citations"] as? [[String: Any]])?.isEmpty == false)
    try alter("UPDATE note SET text = replace(text, 'amoxicillin', 'enrofloxacin') WHERE external_id = 'N1'")

    let doctor = try vetnet.run("doctor", "--json")
    #expect(doctor.status == 13)
    let findings = try doctor.jsonLines().filter { $0["severity"] as? String == "damage" }
    #expect(findings.map { $0["subject"] as? String } == ["note N1"])
    #expect((findings.first?["message"] as? String)?.contains("2024-03-05") == true)
    #expect(!doctor.output.contains("enrofloxacin") && !doctor.output.contains("Hives"))

    for question in ["any reactions to drugs?", "can he have enrofloxacin?"] {
      let asked = try vetnet.run("ask", question, "--patient", "P1", "--json")
      let answer = try asked.json()
      #expect((answer["citations"] as? [[String: Any]])?.isEmpty == true, "\(asked.output)")
      #expect((answer["answer"] as? String)?.contains("not what was written") == true)
      #expect(!asked.output.contains("Hives") && asked.errors.contains("N1"))
    }
    let everybody = try vetnet.run("ask", "which dogs had hives after enrofloxacin?", "--json")
    #expect(!everybody.output.contains("Hives"), "\(everybody.output)")
    let similar = try vetnet.run("similar", "--text", "hives after enrofloxacin", "--json")
    #expect(!similar.output.contains("Hives") && similar.errors.contains("N1"))
    for arguments in [["brief", "--patient", "P1"], ["patient", "timeline", "P1"]] {
      let shown = try vetnet.start(arguments).wait()
      #expect(shown.status == 0 && !shown.output.contains("enrofloxacin"), "\(shown.output)")
    }
    let note = try vetnet.run("note", "show", "N1", "--json")
    #expect(note.status == 13 && note.errors.contains("N1"))
    #expect(try note.json()["damaged"] as? Bool == true)
    // The other patient's record is as good as before.
    let other = try vetnet.run("ask", "was a booster given?", "--patient", "P2")
    #expect(other.output.contains("Booster given") && other.errors.isEmpty)

    // The same import puts it back.
    #expect(try vetnet.run("import", folder.file("in")).output.contains("notes: 0 new, 1 changed, 1 unchanged"))
    #expect(try vetnet.run("doctor").status == 0)
    let after = try vetnet.run("ask", "any reactions to drugs?", "--patient", "P1", "--json").json()
    #expect(after["answer"] as? String == before["answer"] as? String)
  }

  private func flip(pageOf table: String) throws {
    let page: Int
    do {
      let connection = try Connection.open(path)
      page = try connection.rows("SELECT max(pageno) FROM dbstat WHERE name = '\(table)'") { $0.int(0) }.first ?? 0
      try connection.checkpoint()
    }
    let file = try FileHandle(forUpdating: URL(filePath: path))
    defer { try? file.close() }
    // Cells fill a page from its end; its last eight bytes are its sum.
    let offset = UInt64(page * 16384 - 400)
    try file.seek(toOffset: offset)
    let byte = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: offset)
    try file.write(contentsOf: Data([byte ^ 4]))
  }

  @Test(arguments: ["chunk_vector", "posting", "fact", "projection_row"])
  func `what is derived and was altered is found, and made anew by a re-index`(table: String) throws {
    try flip(pageOf: table)
    let doctor = try vetnet.run("doctor")
    #expect(
      doctor.status == 13 && doctor.output.contains(table) && doctor.output.contains("reindex --all"), "\(doctor)")
    #expect(try vetnet.run("reindex", "--all").status == 0)
    let mended = try vetnet.run("doctor")
    #expect(mended.status == 0, "\(mended.output)")
  }

  @Test func `a file whose schema was altered is a finding, not a crash`() throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 16384 - 300)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 200))
    try file.close()
    let doctor = try vetnet.run("doctor")
    #expect(doctor.status == 13 && doctor.output.contains("not as written"), "\(doctor)")
  }
}
