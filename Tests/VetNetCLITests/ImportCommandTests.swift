import Foundation
import Testing
import VetNetTestSupport

/// What an import says and keeps, as a process with real files.
struct ImportCommandTests {
  let folder: TemporaryFolder
  let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("p.vetnet"))
    try vetnet.run("init", "--time-zone", "UTC")
    try vetnet.run(
      "import", "-", "--kind", "patients", input: #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n")
  }

  struct Export: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    /// What a person replaces in the rejects file, and by what.
    let corrections: [(String, String)]
    let notes: [String]
    var testDescription: String { name }
  }

  @Test(arguments: [
    Export(
      name: "notes.csv",
      text: """
        Visit ID;patient_id;Visit date;Note type;Clinical notes
        A;P1;28/04/2025;lab;"said ""fine""; CANARY
        and more"
        B;P9;03/04/2025;CONS;whose
        C;P1;31/02/2025;lab;when
        D;P1;04/04/2025;lab

        """,
      corrections: [
        ("P9", "P1"), ("CONS", "consult"), ("31/02/2025", "28/02/2025"), (";lab\"", ";lab;short\""),
      ],
      notes: [
        "A|2025-04-28|lab|said \"fine\"; CANARY\nand more", "B|2025-04-03|consult|whose", "C|2025-02-28|lab|when",
        "D|2025-04-04|lab|short",
      ]),
    Export(
      name: "notes.jsonl",
      text: """
        {"id":"A","patient_id":"P1","recorded_at":"2025-04-28","kind":"CONS","text":"CANARY \\"a\\""}
        {"id":"B","patient_id":"P1","recorded_at":"2025-13-28","text":"b\\nc"}
        {"id":"C","patient_id":"P1","recorded_at":"2025-04-03","text":"cut

        """,
      corrections: [("CONS", "lab"), ("2025-13-28", "2025-12-28"), (#"\"cut"#, #"\"cut\"}"#)],
      notes: ["A|2025-04-28|lab|CANARY \"a\"", "B|2025-12-28|consult|b\nc", "C|2025-04-03|consult|cut"]),
    Export(
      name: "letter.md", text: "---\npatient: Rex\ndate: 31/04/2025\nkind: Letter\n---\nDear CANARY\n  colleague\n",
      corrections: [("31/04/2025", "30/04/2025")], notes: ["letter.md|2025-04-30|referral|Dear CANARY\n  colleague\n"]),
  ])
  func `a rejects file is corrected and imported as it is`(export: Export) throws {
    try folder.write(export.text, to: export.name)
    let rejects = folder.file("rejects.jsonl")
    let first = try vetnet.run(
      "import", folder.file(export.name), "--source", "old", "--rejects", rejects, "--no-index")
    #expect(first.status == 3, "\(first.errors)")
    #expect(!first.errors.contains("CANARY"))
    var text = try String(contentsOfFile: rejects, encoding: .utf8)
    for (wrong, right) in export.corrections {
      #expect(text.contains(wrong), "\(wrong)")
      text = text.replacing(wrong, with: right)
    }
    try text.write(toFile: rejects, atomically: true, encoding: .utf8)
    for round in 1...2 {
      let second = try vetnet.run("import", rejects, "--no-index", "--json")
      #expect(second.status == 0, "\(second.errors)")
      let notes = try #require((try second.json()["records"] as? [String: Any])?["notes"] as? [String: Int])
      #expect(round == 1 || notes["unchanged"] == text.split(separator: "\n").count)
    }
    var stored: [String] = []
    for id in export.notes.compactMap({ $0.split(separator: "|").first }) {
      let note = try vetnet.run("note", "show", "old:\(id)", "--json").json()
      let day = (note["recorded_at"] as? String ?? "").prefix(10)
      stored.append("\(id)|\(day)|\(note["kind"] as? String ?? "")|\(note["text"] as? String ?? "")")
    }
    #expect(stored == export.notes)
    #expect(try vetnet.run("status", "--json").json()["notes"] as? Int == export.notes.count)
  }

  @Test func `rows without ids are corrected in the rejects file without touching their neighbours`() throws {
    try folder.write(
      "patient_id,date,kind,notes\nP1,2025-04-03,lab,first\nP1,2025-04-03,CONS,second\nP1,2025-02-30,lab,third\n",
      to: "notes.csv")
    let rejects = folder.file("r.jsonl")
    try vetnet.run("import", folder.file("notes.csv"), "--rejects", rejects, "--no-index")
    let text = try String(contentsOfFile: rejects, encoding: .utf8)
      .replacing("CONS", with: "phone").replacing("2025-02-30", with: "2025-04-03")
    try text.write(toFile: rejects, atomically: true, encoding: .utf8)
    let outcome = try vetnet.run("import", rejects, "--no-index", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let notes = try #require((try outcome.json()["records"] as? [String: Any])?["notes"] as? [String: Int])
    #expect(notes == ["inserted": 1, "updated": 1, "moved": 0, "unchanged": 0])
    #expect(try vetnet.run("status", "--json").json()["notes"] as? Int == 3)
  }

  @Test func `the same reason is told once, with three examples, and how many rows stand`() throws {
    let rows = (1...245).map { "N\($0),P1,2025-04-03,CONS,t" }.joined(separator: "\n")
    try folder.write("id,patient_id,date,kind,notes\n\(rows)\nX,P9,2025-04-03,lab,t\n", to: "notes.csv")
    let outcome = try vetnet.run("import", folder.file("notes.csv"), "--no-index", "--rejects", folder.file("r.jsonl"))
    #expect(outcome.status == 3)
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 2, "\(outcome.errors)")
    let grouped = try #require(lines.first { $0.contains("CONS") })
    #expect(grouped.hasPrefix("245 rows: kind 'CONS' is unknown: consult?"))
    for line in 2...4 { #expect(grouped.contains("notes.csv:\(line)")) }
    #expect(!grouped.contains("notes.csv:5,"))
    #expect(outcome.output.contains("of 246 rows 245 stand, 245 of them incomplete, and 1 was rejected"))
    let rejects = try String(contentsOfFile: folder.file("r.jsonl"), encoding: .utf8)
    #expect(rejects.split(separator: "\n").count == 246)
    let json = try vetnet.run("import", folder.file("notes.csv"), "--no-index", "--dry-run", "--json").json()
    #expect(json["incomplete"] as? Int == 245 && json["rejected"] as? Int == 1)
    let reasons = try #require(json["reasons"] as? [[String: Any]])
    #expect(
      reasons.contains { $0["value"] as? String == "CONS" && $0["count"] as? Int == 245 && $0["kept"] as? Bool == true }
    )
  }

  @Test func `a disproved order and undecidable bytes leave the practice as it was`() throws {
    try folder.write("id,patient_id,date,notes\nA,P1,2025-04-03,t\nB,P1,04/28/2025,t\n", to: "notes.csv")
    let order = try vetnet.run("import", folder.file("notes.csv"), "--date-order", "dmy", "--no-index")
    #expect(order.status == 3 && order.errors.contains("notes.csv:3: '04/28/2025'"), "\(order.errors)")
    try Data(Array("id,patient_id,date,notes\nA,P1,2025-04-03,t\nB,P1,2025-04-03,".utf8) + [0x81, 0x0A])
      .write(to: URL(filePath: folder.file("bytes.csv")))
    let bytes = try vetnet.run("import", folder.file("bytes.csv"), "--kind", "notes", "--no-index")
    #expect(bytes.status == 3 && bytes.errors.contains("bytes.csv:3: column 17"), "\(bytes.errors)")
    #expect(try vetnet.run("status", "--json").json()["notes"] as? Int == 0)
    #expect(try vetnet.run("import", folder.file("notes.csv"), "--encoding", "klingon").status == 64)
  }

  @Test func `what was detected is said, and what is imported has its letters`() throws {
    let bytes = Array("id,name,species,owner_id,owner_name\nP2,Mog,cat,C2,J".utf8) + [0xF6, 0x72, 0x67, 0x0A]
    try Data(bytes).write(to: URL(filePath: folder.file("patients.csv")))
    let outcome = try vetnet.run("import", folder.file("patients.csv"))
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("patients.csv: read as Windows-1252"))
    #expect(try vetnet.run("patient", "show", "P2").output.contains("Jörg"))
  }

  @Test(arguments: [
    #"{"id":"N","patient_id":"P1","recorded_at":"2025-04-28","text":"t"}"#,
    "id,patient_id,date,notes\nN,P1,28/04/2025,t\n", "sep=;\nid;patient_id;date;notes\nN;P1;28.04.2025;t\n",
    "---\nid: N\npatient_id: P1\ndate: 28/04/2025\n---\nt",
  ])
  func `standard input is read in every format, told by its first line`(input: String) throws {
    let outcome = try vetnet.run("import", "-", "--kind", "notes", "--no-index", input: input)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let note = try vetnet.run("note", "show", "N", "--json").json()
    #expect((note["recorded_at"] as? String)?.hasPrefix("2025-04-2") == true)
    #expect(note["text"] as? String == "t")
  }

  @Test func `triage reads JSON Lines of any length by their first line`() throws {
    let filler = String(repeating: "x", count: 1000)
    let lines = (1...3).map { #"{"id":"I\#($0)","text":"vomited once, bright","age":"\#(filler)\#(filler)"}"# }
    // Blank lines count for nothing; 300 kB of them are more than a single case may have.
    let input = "\n" + lines.joined(separator: "\n") + String(repeating: "\n", count: 300_000)
    let outcome = try vetnet.run("triage", "-", "--json", input: input)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.jsonLines().map { $0["id"] as? String } == ["I1", "I2", "I3"])
  }

  @Test func `no way of typing an owner's name makes a second owner`() throws {
    for (first, others) in [
      ("Jürgen Müller", ["Juergen Mueller", "jurgen muller"]), ("Pat O'Brien", ["Pat OBrien", "pat o’brien"]),
      ("Eva Strauß", ["Eva Strauss"]), ("Anne-Marie Mc Donald", ["Anne Marie McDonald"]),
    ] {
      for (number, owner) in ([first] + others).enumerated() {
        let added = try vetnet.run("patient", "add", "Pet\(number)", "--species", "cat", "--owner", owner)
        #expect(added.status == 0, "\(owner): \(added.errors)")
      }
      for owner in [first] + others {
        let found = try vetnet.run("patient", "find", owner, "--json").jsonLines()
        #expect(found.count == 1 + others.count, "\(owner)")
      }
    }
    #expect(try vetnet.run("status", "--json").json()["clients"] as? Int == 4)
  }

  @Test func `a surname is found in front of a name too, and neither order nor title makes a second owner`() throws {
    try vetnet.run("patient", "add", "Minka", "--species", "cat", "--owner", "Müller, Jörg")
    try vetnet.run("patient", "add", "Oskar", "--species", "dog", "--owner", "Strauß Anna")
    for words in ["mueller", "Muller", "müller jörg"] {
      let found = try vetnet.run("patient", "find", words, "--json").jsonLines()
      #expect(found.map { $0["name"] as? String } == ["Minka"], "\(words)")
    }
    #expect(try vetnet.run("patient", "find", "strauss", "--json").jsonLines().count == 1)
    for (number, owner) in ["Mr Jörg Müller", "Joerg Mueller", "Anna Strauss", "Mrs Anna Strauß"].enumerated() {
      let added = try vetnet.run("patient", "add", "Pet\(number)", "--species", "cat", "--owner", owner)
      #expect(added.status == 0, "\(owner): \(added.errors)")
    }
    #expect(try vetnet.run("status", "--json").json()["clients"] as? Int == 2)
    // A first name in front is listed beside a surname at the end.
    try vetnet.run("patient", "add", "Kim", "--species", "cat", "--owner", "Eva Anna")
    #expect(try vetnet.run("patient", "find", "anna", "--json").jsonLines().count == 4)
    // A couple are two people.
    try vetnet.run("patient", "add", "Rio", "--species", "cat", "--owner", "Mrs Ash")
    try vetnet.run("patient", "add", "Rae", "--species", "cat", "--owner", "Mr Ash")
    #expect(try vetnet.run("status", "--json").json()["clients"] as? Int == 5)
  }

  @Test func `a terminal is shown what a note would have it do, and a file gets it as it is`() throws {
    let text = "Seen \u{1B}[2Jtoday\r\nsafe \u{202E}evas\u{9B}31m\ttab"
    let row = try JSONSerialization.data(
      withJSONObject: ["id": "N", "patient_id": "P1", "recorded_at": "2025-04-03", "author": "\u{1B}x", "text": text])
    try vetnet.run(
      "import", "-", "--kind", "notes", "--no-index", input: String(decoding: row, as: UTF8.self) + "\n")
    #expect(try vetnet.run("note", "show", "N").output.contains(text))
    let terminal = try PseudoTerminal(vetnet, ["note", "show", "N", "--no-color"])
    defer { terminal.close() }
    let shown = terminal.read(until: "tab")
    #expect(
      shown.contains("Seen ␛[2Jtoday") && shown.contains("safe ⟨U+202E⟩evas⟨U+009B⟩31m"), "\(shown.debugDescription)")
    #expect(!shown.contains("\u{1B}"), "\(shown.debugDescription)")
  }

  @Test func `an import on a terminal shows how far it has come`() throws {
    let rows = (1...4000).map { #"{"id":"N\#($0)","patient_id":"P1","recorded_at":"2025-04-03","text":"t \#($0)"}"# }
    try folder.write(rows.joined(separator: "\n"), to: "notes.jsonl")
    let terminal = try PseudoTerminal(vetnet, ["import", folder.file("notes.jsonl"), "--no-index"])
    defer { terminal.close() }
    let shown = terminal.read(until: "4000 new")
    #expect(shown.contains("import ") && shown.contains("░"), "\(shown.prefix(300))")
    #expect(terminal.exitStatus() == 0)
  }
}
