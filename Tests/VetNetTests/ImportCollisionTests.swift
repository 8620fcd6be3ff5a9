import Clinical
import Foundation
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Rows that can't be what their ids or values say: none of them goes over what is on file.
struct ImportCollisionTests {
  private static let practice: [(name: String, text: String)] = [
    ("clients.csv", "id,name,phone,email\nC1,Ann Smith,01632 960001,ann@example.org\nC2,Bo Hill,01632 960002,\n"),
    (
      "patients.csv",
      "id,name,species,breed,date_of_birth,weight_kg,owner_id,microchip\n"
        + "P1,Rex,dog,Labrador,2014-03-09,31.2,C1,826099000014471\nP2,Bella,cat,DSH,2019-05-01,4.2,C2,\n"
    ),
    ("staff.csv", "id,name,role\nS1,Dr Lee,vet\n"),
    (
      "notes.csv",
      "id,patient_id,recorded_at,text\nN1,P1,2024-03-05T10:40,Vaccinated today.\nN2,P2,2024-03-06T10:40,Right hind lame.\n"
    ),
    ("intakes.csv", "id,received_at,text\nI1,2024-03-05T09:00,Dog off his food\n"),
    (
      "appointments.csv",
      "id,patient_id,clinician_id,start,duration_minutes,reason\nA1,P1,S1,2026-11-23T10:00,45,scan\n"
    ),
  ]

  private func bench() throws -> ImportBench {
    let bench = try ImportBench()
    #expect(try bench.load(Self.practice).isComplete)
    bench.forgetMessages()
    return bench
  }

  private func texts(_ bench: ImportBench) throws -> [String] {
    try bench.practice.connection.rows("SELECT id FROM note ORDER BY id", read: { $0.int64(0) }).compactMap {
      try bench.practice.connection.notes.note(row: $0).map { "\($0.value.patientID) \($0.value.text)" }
    }
  }

  // MARK: Ids

  @Test(arguments: [
    // A column that counts visits.
    (
      "notes.csv",
      "Visit ID,Patient ID,Date,Author,Text\nV1,P1,2024-04-01,S1,Cough.\nV1,P1,2024-04-01,S1,Penicillin allergy.\n"
    ),
    ("patients.csv", "id,name,species\nP7,Ann,dog\nP7,Bert,cat\n"),
    ("patients.csv", "id,name,weight_kg,species\nP7,Ann,4,cat\nP7,Ann,40,cat\n"),
    ("clients.csv", "id,name,Mobile\nC7,Al Fox,07700 900001\nC7,Al Fox,07700 900002\n"),
    (
      "intakes.jsonl",
      #"{"id":"I7","received_at":"2024-03-05T09:00","text":"Cat choking"}"# + "\n"
        + #"{"id":"I7","received_at":"2024-03-05T09:00","text":"Rabbit not eating"}"# + "\n"
    ),
    (
      "appointments.csv", "id,patient_id,start,duration_minutes\nA7,P1,2026-11-24T10:00,15\nA7,P2,2026-11-24T10:00,15\n"
    ),
  ])
  func `the same id twice in a file with other content is no change of the first row`(
    name: String, text: String
  ) throws {
    let bench = try bench()
    let kind = String(name.prefix { $0 != "." })
    let first = text.split(separator: "\n").prefix(name.hasSuffix("csv") ? 2 : 1).joined(separator: "\n") + "\n"
    try bench.load(name, first)
    let before = try bench.state()
    for _ in 1...2 {
      bench.forgetMessages()
      let summary = try bench.load("whole/\(name)", text)
      #expect(summary.rejected == 1 && summary.records[kind] == .init(unchanged: 1))
      #expect(bench.messages.contains { $0.contains("is the id of an earlier row of the file") })
      #expect(try bench.state() == before)
    }
    // The same row twice is one.
    let twice = try bench.load(name, first + (text.split(separator: "\n")[name.hasSuffix("csv") ? 1 : 0] + "\n"))
    #expect(twice.isComplete && twice.records[kind] == .init(unchanged: 2))
  }

  @Test(arguments: [
    // Of a former practice, which counted from 1 as well.
    ("notes.csv", "id,patient_id,recorded_at,text\nN1,P2,2021-01-02,Dental done.\n"),
    ("notes.csv", "id,patient_id,recorded_at,text\nN2,P1,2021-01-03,Ear mites.\n"),
    ("notes.jsonl", #"{"id":"N2","patient_id":"P1","text":"Ear mites."}"# + "\n"),
    ("patients.csv", "id,name,species,date_of_birth\nP1,Coco,rabbit,2022-02-02\n"),
    ("patients.csv", "id,name,species\nP1,Coco,rabbit\n"),
    ("clients.csv", "id,name,phone\nC1,Jim Fox,01632 960777\n"),
    ("staff.csv", "id,name,role\nS1,Pat Roe,nurse\n"),
    ("intakes.csv", "id,patient_id,received_at,text\nI1,P1,2021-01-02,Cat choking\n"),
    ("appointments.csv", "id,patient_id,start,duration_minutes,reason\nA1,P2,2026-12-01T09:00,15,booster\n"),
  ])
  func `an id that is another record's changes nothing, says what to do, and stays rejected`(
    name: String, text: String
  ) throws {
    let bench = try bench()
    let before = try bench.state()
    var options = ImportOptions(rejectsPath: bench.folder.file("r.jsonl"))
    options.indexes = false
    func load(_ path: String) throws -> ImportSummary {
      try bench.practice.exchange.importFiles([path], options: options, now: bench.now, progress: { _ in }) { _ in }
    }
    let summary = try load(try bench.folder.write(text, to: "other/\(name)"))
    #expect(summary.rejected == 1 && summary.importID == nil)
    #expect(summary.reasons.first?.hint.contains("--source") == true)
    #expect(try bench.state() == before)
    // As it stands, the rejects file changes nothing either.
    let rejects = try String(contentsOfFile: bench.folder.file("r.jsonl"), encoding: .utf8)
    #expect(rejects.contains(#""taken_id":"#))
    let again = try load(try bench.folder.write(rejects, to: "again.rejects.jsonl"))
    #expect(again.rejected == 1 && again.importID == nil)
    #expect(try bench.state() == before)
    // With its own source it is a record of its own.
    #expect(try bench.load([(name: "other/\(name)", text: text)], source: "former").rejected <= 1)
  }

  @Test func `a rejected row that gets an id of its own is kept`() throws {
    let bench = try bench()
    var options = ImportOptions(rejectsPath: bench.folder.file("r.jsonl"))
    options.indexes = false
    let path = try bench.folder.write(
      "Visit ID,patient_id,Date,Text\nV1,P1,2024-04-01,Cough.\nV1,P1,2024-04-01,Penicillin allergy.\n", to: "notes.csv")
    _ = try bench.practice.exchange.importFiles([path], options: options, now: bench.now, progress: { _ in }) { _ in }
    let rejects = try String(contentsOfFile: bench.folder.file("r.jsonl"), encoding: .utf8)
    let corrected = rejects.replacing(#""Visit ID":"V1""#, with: #""Visit ID":"V1-2""#)
    #expect(corrected != rejects)
    #expect(try bench.load("c.rejects.jsonl", corrected).records["notes"] == .init(inserted: 1))
    #expect(try texts(bench).suffix(2) == ["P1 Cough.", "P1 Penicillin allergy."])
  }

  @Test(arguments: [
    ("notes.csv", "id,patient_id,recorded_at,text\nN1,P2,2024-03-05T10:40,Vaccinated today.\n"),
    ("notes.csv", "id,patient_id,recorded_at,text\nN1,P1,2024-03-06T10:40,Vaccinated yesterday.\n"),
    ("patients.csv", "id,name,species,date_of_birth\nP1,Rexie,dog,2015-03-09\n"),
    ("patients.csv", "id,name\nP1,Max\n"), ("clients.csv", "id,name,phone\nC1,Ann Fox,01632 960001\n"),
  ])
  func `a row that agrees in something is a change as before`(name: String, text: String) throws {
    let bench = try bench()
    let counts = try bench.load("again/\(name)", text).records[String(name.prefix { $0 != "." })]
    #expect((counts?.updated ?? 0) + (counts?.moved ?? 0) == 1)
  }

  @Test func `an animal's id and another animal's name are a question, not an answer`() throws {
    let bench = try bench()
    for (row, isKept) in [
      ("P1,Bella,2024-05-01,Cough.", false), ("P1,Rex,2024-05-01,Cough.", true),
      ("P1,rex smith,2024-05-02,Cough.", true),
      // "Animal" may be the species.
      ("P1,Dog,2024-05-03,Cough.", true),
    ] {
      let summary = try bench.load("visits/notes.csv", "patient_id,animal,date,text\n\(row)\n")
      #expect(summary.rejected == (isKept ? 0 : 1), "\(row)")
    }
  }

  // MARK: Files that break off

  @Test(arguments: [
    ("notes.csv", "id,patient_id,recorded_at,text\nN2,P2,2024-03-06T10:40,Right hind la", false),
    ("notes.csv", "id,patient_id,recorded_at,text\nN2,P2,2024-03-06T10:40,Right hind lame.", true),
    ("notes.csv", "id,patient_id,recorded_at,text\nN2,P2,2024-03-06T10:40,Left hind lame.", true),
    ("patients.csv", "id,name,species,weight_kg\nP1,Rex,dog,3", false),
    ("patients.csv", "id,name,species,microchip\nP1,Rex,dog,8260990000", false),
    ("patients.csv", "id,name,species,weight_kg\nP1,Rex,dog,30", true),
    ("clients.csv", "id,name,phone\nC1,Ann Smith,01632 96", false),
    ("notes.csv", "id,patient_id,recorded_at,text\nN9,P2,2024-03-06T10:40,New and whole", true),
  ])
  func `the last row of a file without a line's end shortens nothing`(name: String, text: String, isKept: Bool) throws {
    let bench = try bench()
    let before = try bench.state()
    let summary = try bench.load("cut/\(name)", text)
    #expect(summary.rejected == (isKept ? 0 : 1))
    if !isKept {
      #expect(try bench.state() == before)
      #expect(bench.messages.contains { $0.contains("breaks off with the file") })
      // With the line's end it is what somebody wrote.
      #expect(try bench.load("cut/\(name)", text + "\n").rejected == 0)
    }
  }

  // MARK: Values

  @Test func `what can't be right goes over nothing that is on file`() throws {
    let bench = try bench()
    let before = try bench.state()
    let rows: [(String, String)] = [
      ("patients.csv", "id,weight_kg\nP1,-5\n"), ("patients.csv", "id,weight_kg\nP1,0\n"),
      ("patients.csv", "id,weight_kg\nP1,4200\n"), ("patients.jsonl", #"{"id":"P1","weight_kg":99999}"# + "\n"),
      ("patients.csv", "id,owner_id\nP2,C99\n"), ("patients.csv", "id,owner_id,owner_name\nP2,C99,Jo Vey\n"),
      ("patients.csv", "id,name,species,microchip\nP2,Bella,cat,826099000014471\n"),
      ("appointments.csv", "id,clinician_id\nA1,S9\n"), ("appointments.csv", "id,duration_minutes\nA1,long\n"),
      ("appointments.csv", "id,resource_ids\nA1,R9\n"),
    ]
    for (name, text) in rows {
      bench.forgetMessages()
      let summary = try bench.load("odd/\(name)", text)
      #expect(try bench.state() == before, "\(text)")
      #expect(summary.incomplete == 1 && summary.importID == nil && bench.messages.count == 1, "\(text)")
    }
    // Words for nothing say nothing, and make nobody.
    let nothings = "id,name,species,breed,microchip,weight_kg,date_of_birth\nP1,Rex,dog,NULL,N/A,-,0000-00-00\n"
    #expect(try bench.load("odd/patients.csv", nothings).records["patients"] == .init(unchanged: 1))
    #expect(try bench.load("odd/patients.csv", "id,name,species\nNULL,Ghost,cat\nP54,N/A,cat\n").rejected == 2)
    #expect(try bench.state() == before)
    #expect(try bench.load("odd/clients.csv", "id,name\nC9,Null\n").records["clients"] == .init(inserted: 1))
  }

  @Test func `a new record goes without what can't be right, and doctor finds a chip of two animals`() throws {
    let bench = try bench()
    let patients = "id,name,species,weight_kg,microchip\nP3,Tom,cat,4200,826099000014471\n"
    #expect(try bench.load("new/patients.csv", patients).incomplete == 1)
    let tom = try bench.practice.records.patient("P3")
    #expect(tom.weightKilograms == nil && tom.microchip == nil)
    let appointments = "id,patient_id,clinician_id,start,duration_minutes\nA2,P1,S9,2026-11-24T10:00,long\n"
    #expect(try bench.load("new/appointments.csv", appointments).incomplete == 1)
    let appointment = try bench.practice.calendar.storedAppointment("A2").value
    #expect(appointment.clinicianID == nil && appointment.durationMinutes == 15)
    // Two sources may know one animal; they may also know two by one chip.
    try bench.load(
      [(name: "other/patients.csv", text: "id,name,species,microchip\nX,Rex,dog,826099000014471\n")], source: "old")
    let findings = try bench.practice.integrity.doctor(now: bench.now, isQuick: true)
    #expect(findings.contains { $0.subject == "patients P1, X" && $0.message.contains("one microchip") })
  }

  @Test func `an empty list of telephone numbers clears them only where it is said to`() throws {
    let bench = try bench()
    let before = try bench.state()
    for row in [#"{"id":"C1","phone":[]}"#, #"{"id":"C1","phone":{}}"#, #"{"id":"C1","phone":[""]}"#] {
      try bench.load("clients.jsonl", row + "\n")
      #expect(try bench.state() == before, "\(row)")
    }
    try bench.load("clients.jsonl", #"{"id":"C1","phone":[]}"# + "\n", clearsEmpty: true)
    #expect(try bench.practice.records.overview(of: "P1", now: bench.now).client?.phones == [])
  }

  @Test func `a note that was corrected here keeps its correction, and the file's other text is named`() throws {
    let bench = try bench()
    _ = try bench.practice.records.amendNote(
      "N1", text: "Vaccinated today, lot 7.", reason: "lot missing", now: bench.now)
    _ = try bench.practice.records.moveNote(
      "N2", to: try bench.practice.records.patient("P1"), reason: "misfiled", now: bench.now)
    let before = try bench.state()
    let header = "id,patient_id,recorded_at,text\n"
    #expect(try bench.load("notes.csv", header + "N1,P1,2024-03-05T10:40,Vaccinated today.\n").isComplete)
    let third = try bench.load("notes.csv", header + "N1,P1,2024-03-05T10:40,Vaccinated again.\n")
    #expect(third.incomplete == 1 && bench.messages.contains { $0.contains("note N1 was corrected here") })
    #expect(try bench.load("notes.csv", header + "N2,P2,2024-03-06T10:40,Right hind lame.\n").isComplete)
    #expect(try bench.state() == before)
  }

  // MARK: Rows that were kept

  @Test(arguments: [
    ("notes.csv", "id,patient_id,date,kind,text\nN5,P1,2025-04-03,CONS,First.\n", "CONS", "lab"),
    ("notes.csv", "patient_id,date,kind,text\nP1,2025-04-03,CONS,First.\n", "CONS", "lab"),
    (
      "patients.csv", "id,name,species,breed,weight_kg\nP5,Kit,dog,GSD,abc\n", "abc", "30"
    ),
  ])
  func `the corrected row of a record on file states what it had lost, and nothing else`(
    name: String, text: String, wrong: String, right: String
  ) throws {
    let bench = try bench()
    var options = ImportOptions(rejectsPath: bench.folder.file("r.jsonl"))
    options.indexes = false
    let path = try bench.folder.write(text, to: "kept/\(name)")
    _ = try bench.practice.exchange.importFiles([path], options: options, now: bench.now, progress: { _ in }) { _ in }
    // Newer data arrives before somebody corrects the old row.
    if name == "patients.csv" {
      try bench.load("newer/patients.csv", "id,name,breed\nP5,Kitty,Collie\n")
    } else {
      let row = try bench.practice.connection.notes.lastRow()
      let note = try #require(try bench.practice.connection.notes.note(row: row)?.value)
      _ = try bench.practice.records.amendNote(note.id, text: "First, amended.", reason: "typo", now: bench.now)
    }
    let rejects = try String(contentsOfFile: bench.folder.file("r.jsonl"), encoding: .utf8)
    #expect(rejects.contains(#""kept":true"#))
    let summary = try bench.load("corrected.jsonl", rejects.replacing(wrong, with: right))
    #expect(summary.isComplete && summary.records[String(name.prefix { $0 != "." })] == .init(updated: 1))
    if name == "patients.csv" {
      let kit = try bench.practice.records.patient("P5")
      #expect(kit.name == "Kitty" && kit.breed == "Collie" && kit.weightKilograms == 30)
    } else {
      #expect(try texts(bench).contains("P1 First, amended.") && !texts(bench).contains("P1 First."))
    }
  }

  @Test func `the corrected row of a record that is gone makes no half of one`() throws {
    let bench = try bench()
    var options = ImportOptions(rejectsPath: bench.folder.file("r.jsonl"))
    options.indexes = false
    let path = try bench.folder.write("id,name,species,weight_kg\nP5,Kit,dog,abc\n", to: "kept/patients.csv")
    _ = try bench.practice.exchange.importFiles([path], options: options, now: bench.now, progress: { _ in }) { _ in }
    _ = try bench.practice.exchange.undoImport(nil, now: bench.now)
    let rejects = try String(contentsOfFile: bench.folder.file("r.jsonl"), encoding: .utf8)
    #expect(try bench.load("corrected.jsonl", rejects.replacing("abc", with: "30")).rejected == 1)
    #expect(try bench.practice.connection.patients.count() == 2)
  }
}
