import Foundation
import Testing
import VetNetTestSupport

/// What leaves through the program, and what others make of it.
struct ExportCommandTests {
  private static let now = "2026-11-20T18:00"

  /// A practice file of its own with what is in a folder or file.
  private func practice(_ folder: TemporaryFolder, _ name: String, from path: String) throws -> VetNetProcess {
    let vetnet = try VetNetProcess(practice: folder.file(name))
    try vetnet.run("init", "--name", "Test", "--time-zone", "Europe/London")
    let imported = try vetnet.run("import", path, "--now", Self.now)
    #expect(imported.status == 0, "\(imported.errors)")
    return vetnet
  }

  /// What a practice says: answers, briefs and plans.
  private func sayings(_ vetnet: VetNetProcess, patients: [String]) throws -> [String] {
    var said: [String] = []
    for patient in patients {
      for question in ["what drugs is it on?", "what was the last weight?"] {
        said.append(try vetnet.run("ask", question, "--patient", patient, "--now", Self.now).output)
      }
      said.append(try vetnet.run("brief", "--patient", patient, "--now", Self.now).output)
    }
    for arguments in [
      ["show", "--date", "2026-11-24"], ["optimize", "--week", "2026-11-23", "--dry-run", "--iterations", "40"],
    ] {
      said.append(try vetnet.start(["schedule"] + arguments + ["--now", Self.now]).wait().output)
    }
    return said
  }

  @Test(arguments: [5])
  func `a simulated practice says the same after it left and came back, and others can read it`(seed: Int) throws {
    let folder = try TemporaryFolder()
    let simulation = folder.file("simulation")
    try VetNetProcess(practice: folder.file("none")).run(
      "simulate", "--patients", "30", "--seed", "\(seed)", "--notes-per-patient", "6", "--until", "2026-11-20", "--out",
      simulation)
    let vetnet = try practice(folder, "a.vetnet", from: simulation)
    let patients = try vetnet.run("patient", "find", "P1", "--json").jsonLines().compactMap { $0["id"] as? String }
    #expect(!patients.isEmpty)
    let before = try sayings(vetnet, patients: patients)
    #expect(before.allSatisfy { !$0.isEmpty })
    try vetnet.run("export", "--out", folder.file("records"), "--now", Self.now)
    try vetnet.run("export", "--format", "fhir", "--out", folder.file("bundle.json"), "--now", Self.now)
    try vetnet.run("export", "--format", "csv", "--out", folder.file("tables/"), "--now", Self.now)
    let book = try vetnet.run("schedule", "export", "--from", "2026-11-20", "--now", Self.now)
    try folder.write(book.output, to: "book.ics")
    try readByOthers(folder)
    for (name, path) in [("b", "records"), ("c", "bundle.json")] {
      let other = try practice(folder, "\(name).vetnet", from: folder.file(path))
      #expect(try sayings(other, patients: patients) == before, "\(path)")
      try other.run("export", "--out", folder.file("again-\(name)"), "--now", Self.now)
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.file("records")) {
        #expect(
          FileManager.default.contentsEqual(
            atPath: folder.file("records/\(file)"), andPath: folder.file("again-\(name)/\(file)")), "\(path): \(file)")
      }
      let undone = try other.run("import", "undo", "--json", "--now", Self.now)
      #expect(undone.status == 0, "\(path): \(undone.output)")
    }
  }

  /// Has Python's libraries read what was exported, as far as they are installed here.
  private func readByOthers(_ folder: TemporaryFolder) throws {
    let python = Process()
    python.executableURL = URL(filePath: "/usr/bin/python3")
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return }
    python.arguments = [projectDirectory + "/Tests/Interop/interop.py", folder.path]
    let errors = folder.file("errors")
    FileManager.default.createFile(atPath: errors, contents: nil)
    python.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
    python.standardOutput = FileHandle.nullDevice
    try python.run()
    python.waitUntilExit()
    let words = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(python.terminationStatus == 0, "\(words.prefix(2000))")
  }

  @Test func `the page of a record is whole, escaped, and fetches nothing`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"id":"P1","name":"Rex <b>","species":"dog","owner_name":"O'Hara & Sons"}"# + "\n"
        + #"{"id":"P2","name":"Old Tom","species":"cat","deceased_at":"2020-01-01"}"# + "\n", to: "in/patients.jsonl")
    try folder.write(
      #"{"id":"N1","patient_id":"P1","recorded_at":"2026-03-05","text":"<script>alert(1)</script> 20.1 kg\u0001"}"#
        + "\n"
        + #"{"id":"N2","patient_id":"P1","recorded_at":"2026-06-05","text":"Weight 21.4 kg. On meloxicam 2 mg SID."}"#
        + "\n",
      to: "in/notes.jsonl")
    let vetnet = try practice(folder, "p.vetnet", from: folder.file("in"))
    try vetnet.run("note", "amend", "N2", "--text", "Weight 21.9 kg.", "--reason", "misread", "--now", Self.now)
    let outcome = try vetnet.run(
      "export", "--format", "html", "--patient", "P1", "--out", folder.file("rex.html"), "--now", Self.now)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let page = try String(contentsOfFile: folder.file("rex.html"), encoding: .utf8)
    #expect(page.contains("Rex &lt;b&gt;") && page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(page.contains("misread") && page.contains("Weight 21.4 kg.") && page.contains("Weight 21.9 kg."))
    #expect(page.contains("O&#39;Hara &amp; Sons") && page.contains("N2, from practice"))
    #expect(
      !page.contains("<script") && !page.contains("http:") && !page.contains("https:") && !page.contains("\u{1}")
        && page.contains("<svg"))
    let all = try vetnet.run("export", "--format", "html", "--out", folder.file("all.html"), "--now", Self.now)
    #expect(all.status == 0 && all.output.contains("patients: 2"))
  }

  @Test func `a table keeps every cell, and a file named after a kind holds that kind`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"id":"P1","name":"Rex, \"the\" dog","species":"dog"}"# + "\n", to: "in/patients.jsonl")
    let text = #"a;b,\"c\"\r\nnext line "#
    try folder.write(
      #"{"id":"N1","patient_id":"P1","recorded_at":"2026-03-05T10:00","text":"\#(text)"}"# + "\n", to: "in/notes.jsonl")
    let vetnet = try practice(folder, "p.vetnet", from: folder.file("in"))
    try vetnet.run("export", "--format", "csv", "--out", folder.file("notes.csv"))
    let table = try String(contentsOfFile: folder.file("notes.csv"), encoding: .utf8)
    #expect(
      table == "id,patient_id,recorded_at,author,kind,text,retracted,versions,tags,source\r\n"
        + "N1,P1,2026-03-05T10:00:00+00:00,,consult,\"a;b,\"\"c\"\"\r\nnext line \",,,,\r\n")
    try vetnet.run("export", "--format", "csv", "--out", folder.file("all.csv"))
    let all = try String(contentsOfFile: folder.file("all.csv"), encoding: .utf8)
    #expect(all.hasPrefix("record,id,name,") && all.contains("patients,P1,\"Rex, \"\"the\"\" dog\","))
  }
}
