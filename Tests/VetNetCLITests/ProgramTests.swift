import Foundation
import Testing
import VetNetTestSupport

/// What the shell sees: exit codes, streams, suggestions.
struct ProgramTests {
  let folder: TemporaryFolder
  let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
  }

  struct Misuse: CustomTestStringConvertible, Sendable {
    let words: [String]
    let says: String
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Misuse(words: ["imprt"], says: "Maybe you meant 'vetnet import'"),
    Misuse(words: ["schedule", "shw"], says: "Maybe you meant 'vetnet schedule show'"),
    Misuse(words: ["schedule"], says: "needs one of: show, free, propose, book, move, cancel"),
    Misuse(words: ["status", "--jsn"], says: "Maybe you meant '--json'"),
    Misuse(words: ["import"], says: "needs PATH"),
    Misuse(words: ["init", "--time-zone", "Mars/Olympus"], says: "IANA"),
    Misuse(words: ["reindex", "--all", "--changed"], says: "exclude each other"),
  ])
  func `a command line that can't be understood exits with 64 and says what was meant`(misuse: Misuse) throws {
    let outcome = try vetnet.start(misuse.words).wait()
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(misuse.says), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `contradicting, senseless and endless input of a case is a usage error`() throws {
    try vetnet.run("init", "--time-zone", "Europe/London")
    let long = folder.file("long.txt")
    try String(repeating: "lame ", count: 50_000).write(toFile: long, atomically: true, encoding: .utf8)
    for misuse in [
      Misuse(words: ["similar", "--text", "lame", "--note", "N1"], says: "give one of"),
      Misuse(words: ["triage", "--text", "lame", "--age", "banana"], says: "no age"),
      Misuse(words: ["triage", long], says: "at most"),
      Misuse(
        words: ["evaluate", "fit-answers", projectDirectory + "/Evaluations/questions/train", "--keep", "luck"],
        says: "'luck' is none of evidence, silence, replies, conflict"),
    ] {
      let outcome = try vetnet.start(misuse.words).wait()
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains(misuse.says), "\(outcome.errors)")
    }
  }

  @Test func `options of every command may stand before it, and a group of commands has help`() throws {
    #expect(try vetnet.run("--json", "status").status == 10)
    let help = try vetnet.run("note", "--help")
    #expect(help.status == 0 && help.output.contains("note show") && help.output.contains("note add"))
  }

  @Test func `a program that asks for JSON gets its usage error as JSON`() throws {
    let outcome = try vetnet.run("status", "--json", "--jsn")
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any], "\(outcome.errors)")
    #expect(report["exit_code"] as? Int == 64)
    #expect((report["hint"] as? String)?.contains("--json") == true)
  }

  @Test func `without a practice file the exit code is 10 and the way out is named`() throws {
    let outcome = try vetnet.run("status")
    #expect(outcome.status == 10)
    #expect(outcome.errors.contains("vetnet init"))
  }

  @Test func `a file that is no practice file is refused with 13 and left alone`() throws {
    try folder.write(
      "this is a letter, not a database; it is long enough to have a header of one hundred bytes, or nearly so",
      to: "p.vetnet")
    let outcome = try vetnet.run("status")
    #expect(outcome.status == 13, "\(outcome.errors)")
    #expect(try String(contentsOfFile: folder.file("p.vetnet"), encoding: .utf8).hasPrefix("this is a letter"))
  }

  @Test func `init never touches a file that is there`() throws {
    #expect(try vetnet.run("init", "--time-zone", "UTC").status == 0)
    #expect(try vetnet.run("init", "--time-zone", "UTC").status == 1)
    #expect(try vetnet.run("status").status == 0)
  }

  @Test func `a dry run of init makes no file, and refuses where one stands`() throws {
    let planned = try vetnet.run("init", "--time-zone", "UTC", "--dry-run", "--json")
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(try planned.json()["created"] as? Bool == false)
    #expect(!FileManager.default.fileExists(atPath: folder.file("p.vetnet")))
    let made = try vetnet.run("init", "--time-zone", "UTC", "--json").json()
    #expect(made["created"] as? Bool == true)
    #expect(made["time_zone"] as? String == "UTC")
    #expect(try vetnet.run("init", "--time-zone", "UTC", "--dry-run").status == 1)
  }

  @Test func `a dry run of reindex counts the notes and leaves the index as it is`() throws {
    try vetnet.run("init", "--time-zone", "UTC")
    try vetnet.run("import", "-", "--kind", "patients", input: #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n")
    let note = #"{"id":"N1","patient_id":"P1","recorded_at":"2024-03-05T10:00","text":"Lame on the left fore."}"#
    try vetnet.run("import", "-", "--kind", "notes", "--no-index", input: note + "\n")
    let before = try vetnet.run("status", "--json").output
    let rebuild = try vetnet.run("reindex", "--all", "--dry-run", "--json").json()
    #expect(rebuild["notes"] as? Int == 1)
    #expect(rebuild["rebuilds"] as? Bool == true)
    #expect(try vetnet.run("status", "--json").output == before)
    try vetnet.run("reindex")
    let rest = try vetnet.run("reindex", "--changed", "--dry-run", "--json").json()
    #expect(rest["notes"] as? Int == 0)
    #expect(rest["rebuilds"] as? Bool == false)
  }

  @Test func `the practice file is its owner's alone`() throws {
    try vetnet.run("init", "--time-zone", "UTC")
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("p.vetnet"))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test func `a walk-in is put on file once, with the owner, and can be booked`() throws {
    try vetnet.run("init", "--time-zone", "UTC")
    let words = [
      "patient", "add", "Rex", "--species", "dog", "--owner", "Ann Lee", "--phone", "01632 960001", "--json",
    ]
    func add(_ more: String...) throws -> VetNetProcess.Outcome { try vetnet.start(words + more).wait() }
    let planned = try add("--dry-run").json()
    #expect(try vetnet.run("status", "--json").json()["patients"] as? Int == 0)
    let rex = try add().json()
    #expect(rex["id"] as? String == planned["id"] as? String)
    #expect(rex["owner_name"] as? String == "Ann Lee")
    let again = try add()
    #expect(again.status == 5 && again.errors.contains("patient-1") && again.errors.contains("--another"))
    #expect(try add("--another").status == 0)
    let cat = try vetnet.run("patient", "add", "Tiggy", "--species", "cat", "--owner", "ann lee", "--json").json()
    #expect(cat["owner_id"] as? String == rex["owner_id"] as? String)
    let status = try vetnet.run("status", "--json").json()
    #expect(status["patients"] as? Int == 3 && status["clients"] as? Int == 1)
    #expect(try vetnet.run("patient", "find", "Ann Lee", "--json").jsonLines().count == 3)
  }

  @Test(arguments: [
    (["Rex"], "--species is needed"), (["Rex", "--species", "unicornish"], "not known"),
    (["Rex", "--species", "dog", "--weight", "heavy"], "kilograms"),
    (["Rex", "--species", "dog", "--born", "2031-01-01", "--now", "2026-11-20T18:00"], "future"),
    (["Rex", "--species", "dog", "--sex", "both"], "not known"), (["  ", "--species", "dog"], "needs a name"),
    (["Rex", "--species", "dog", "--phone", "12"], "needs an owner"),
  ])
  func `what is wrong with a new patient is said, and nobody is put on file`(words: [String], says: String) throws {
    try vetnet.run("init", "--time-zone", "UTC")
    let outcome = try vetnet.start(["patient", "add"] + words).wait()
    #expect(outcome.status != 0 && outcome.errors.contains(says), "\(outcome.errors)")
    let status = try vetnet.run("status", "--json").json()
    #expect(status["patients"] as? Int == 0 && status["clients"] as? Int == 0)
  }

  @Test func `help and version go to standard output with exit code 0`() throws {
    #expect(try vetnet.run("--help").output.contains("vetnet ask"))
    #expect(try vetnet.run("ask", "--help").output.hasPrefix("answers a question"))
    #expect(try vetnet.run("help", "schedule", "book").output.contains("--with CLINICIAN"))
    #expect(try vetnet.run("--version").output.hasPrefix("vetnet "))
  }

  @Test func `rejected rows are named with file, line, field and reason, and the rest is imported`() throws {
    try vetnet.run("init", "--time-zone", "UTC")
    try folder.write(
      """
      {"id":"P1","name":"Rex","species":"dog"}

      """, to: "in/patients.jsonl")
    try folder.write(
      """
      {"id":"N1","patient_id":"P1","recorded_at":"2024-03-05T10:00","text":"CANARY good"}
      {"id":"N2","patient_id":"P9","recorded_at":"2024-03-05T10:00","text":"CANARY nobody's"}
      {"id":"N3","patient_id":"P1","recorded_at":"yesterday","text":"CANARY undated"}
      {"id":"N4","patient_id":"P1","recorded_at":"2024-03-05T10:00","text":"CANARY cut of
      """, to: "in/notes.jsonl")
    let outcome = try vetnet.run("import", folder.file("in"), "--json")
    #expect(outcome.status == 3)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.contains { $0.contains("notes.jsonl:2") && $0.contains("patient_id") })
    #expect(lines.contains { $0.contains("notes.jsonl:3") && $0.contains("recorded_at") })
    #expect(lines.contains { $0.contains("notes.jsonl:4") })
    #expect(!outcome.errors.contains("CANARY"))
    // Nor as the bytes of a dumped value: 67, 65, 78 spell CAN.
    #expect(!outcome.errors.contains("67, 65, 78") && !outcome.errors.contains("ImportReject"))
    let summary = try outcome.json()
    #expect(summary["rejected"] as? Int == 3)
    let rejects = try String(contentsOfFile: try #require(summary["rejects_file"] as? String), encoding: .utf8)
    #expect(rejects.split(separator: "\n").count == 3)
    #expect((try vetnet.run("status", "--json").json())["notes"] as? Int == 1)
  }

  @Test func `a dry run of an import changes nothing`() throws {
    try vetnet.run("init", "--time-zone", "UTC")
    let before = try vetnet.run("status", "--json").output
    let outcome = try vetnet.run("import", projectDirectory + "/Corpus", "--dry-run")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("notes: 520 new"))
    #expect(try vetnet.run("status", "--json").output == before)
  }

  @Test func `notes come in through a pipe and out as they were`() throws {
    try vetnet.run("init", "--time-zone", "UTC")
    try vetnet.run("import", "-", "--kind", "patients", input: #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n")
    let text = "Lahm vorn links.\r\nÖdem — 38.9 °C, \u{1F415}\n"
    let added = try vetnet.run(
      "note", "add", "P1", "-", "--kind", "nurse", "--at", "2024-03-05T10:00", "--json", input: text)
    #expect(added.status == 0, "\(added.errors)")
    let id = try #require(try added.json()["id"] as? String)
    #expect(try vetnet.run("note", "show", id, "--json").json()["text"] as? String == text)
    let answer = try vetnet.run("ask", "temperature?", "--patient", "P1", "--asked-at", "2024-03-06", "--json").json()
    #expect(answer["answer_class"] as? String == "found")
  }

  @Test func `a word of a note is in neither file nor log after the note went, with its versions`() throws {
    try vetnet.run("init", "--time-zone", "UTC")
    try vetnet.run("import", "-", "--kind", "patients", input: #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n")
    let note =
      #"{"id":"N1","patient_id":"P1","recorded_at":"2024-03-05T10:00","text":"Owner is quizzaciously worried about zyxwvut."}"#
    try vetnet.run("import", "-", "--kind", "notes", input: note + "\n")
    try vetnet.run(
      "import", "-", "--kind", "notes", input: note.replacingOccurrences(of: "zyxwvut", with: "weight") + "\n")
    #expect(try vetnet.run("note", "show", "N1").output.contains("weight"))
    // The old text is a superseded version, until the note goes.
    #expect(try vetnet.run("note", "show", "N1", "--versions").output.contains("zyxwvut"))
    for _ in 0..<2 { #expect(try vetnet.run("import", "undo").status == 0) }
    #expect(try vetnet.run("note", "show", "N1").status == 1)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
      #expect(bytes.range(of: Data("zyxwvut".utf8)) == nil, "\(name)")
    }
  }
}
