import Clinical
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Imports taken back, whole or as far as nobody built on them.
struct ImportUndoTests {
  private static let clients = ("clients.jsonl", #"{"id":"C1","name":"Ann Smith","phone":"01632 960001"}"# + "\n")
  private static let patients = (
    "patients.jsonl",
    #"{"id":"P1","name":"Rex","species":"dog","owner_id":"C1","weight_kg":31}"# + "\n"
      + #"{"id":"P2","name":"Bella","species":"cat","owner_id":"C2","owner_name":"Bo Hill"}"# + "\n"
  )
  private static let notes = (
    "notes.jsonl",
    #"{"id":"N1","patient_id":"P1","recorded_at":"2026-03-05","text":"Limping on the left fore."}"# + "\n"
      + #"{"id":"N2","patient_id":"P2","recorded_at":"2026-03-05","text":"Booster given."}"# + "\n"
  )

  private func whole() throws -> ImportBench {
    let bench = try ImportBench()
    try bench.load([Self.clients, Self.patients, Self.notes])
    return bench
  }

  @Test func `an import is taken back whole, with the owners that its patients brought`() throws {
    let bench = try ImportBench()
    let empty = try bench.state()
    try bench.load([Self.clients, Self.patients, Self.notes])
    let full = try bench.state()
    let log = try bench.practice.exchange.importLog()
    #expect(log.map(\.id) == [1] && log.first?.undoneAt == nil && log.first?.finishedAt != nil)
    #expect(log.first?.records["notes"] == ["inserted": 2])
    #expect(log.first?.actor == Practice.People.userName && log.first?.paths.count == 3)
    let dry = try bench.practice.exchange.undoImport(nil, now: bench.now, isDryRun: true)
    #expect(dry.removed == ["clients": 2, "patients": 2, "notes": 2] && dry.kept.isEmpty)
    #expect(try bench.state() == full)
    let undone = try bench.practice.exchange.undoImport(1, now: bench.now)
    #expect(undone.removed == dry.removed && undone.kept.isEmpty)
    #expect(try bench.state() == empty)
    #expect(try bench.practice.exchange.importLog().first?.undoneAt != nil)
    let error = #expect(throws: PracticeError.self) { try bench.practice.exchange.undoImport(nil, now: bench.now) }
    #expect(error?.code == .notFound)
    // Imported again, it is what it was, and in the log a second time.
    try bench.load([Self.clients, Self.patients, Self.notes])
    #expect(try bench.state() == full)
    #expect(try bench.practice.exchange.importLog().map { $0.undoneAt == nil } == [true, false])
  }

  @Test func `a second import of the same is no entry of its own`() throws {
    let bench = try whole()
    let before = try bench.state()
    #expect(try bench.load([Self.clients, Self.patients, Self.notes]).importID == nil)
    #expect(try bench.practice.exchange.importLog().count == 1)
    #expect(try bench.state() == before)
  }

  @Test func `what somebody built on or changed since stays, and each is named`() throws {
    let bench = try whole()
    let patient = try bench.practice.records.patient("P1")
    _ = try bench.practice.records.addNote(
      to: patient, kind: .phone, author: nil, text: "Owner rang: better.", recordedAt: bench.now, now: bench.now)
    _ = try bench.practice.records.amendNote("N2", text: "Booster given, lot 7.", reason: "lot missing", now: bench.now)
    let undone = try bench.practice.exchange.undoImport(nil, now: bench.now)
    #expect(undone.removed == ["notes": 1])
    #expect(
      undone.kept.map { "\($0.kind) \($0.id) \($0.reason)" } == [
        "notes N2 was changed since", "patients P2 has notes that stay", "patients P1 has notes that stay",
        "clients C2 is the owner of a patient that stays", "clients C1 is the owner of a patient that stays",
      ])
    #expect(try bench.practice.records.patient("P1") == patient)
    #expect(try bench.practice.records.note("N2").text == "Booster given, lot 7.")
  }

  /// What people here made of what an import had brought, by the kind of record.
  private static let changes:
    [(kind: String, file: String, row: String, change: @Sendable (Practice, Timestamp) throws -> Void)] =
      [
        (
          "patients", "patients", #"{"id":"P1","name":"Rex","species":"dog"}"#,
          { practice, now in
            var patient = try practice.records.patient("P1")
            patient.weightKilograms = 30
            try practice.perform(AmendPatient(reference: "P1", fields: PatientFields(patient)), by: .local, at: now)
          }
        ),
        (
          "patients", "patients", #"{"id":"P1","name":"Rex","species":"dog"}"#,
          { practice, now in
            let other = try practice.perform(
              AddPatient(patient: NewPatient(name: "Nell", species: .dog)), by: .local, at: now)
            try practice.perform(
              MergePatients(first: "P1", second: other.id, keep: .first, reason: "twice"), by: .local, at: now)
          }
        ),
        (
          "staff", "staff", #"{"id":"V1","name":"Dr Ash","role":"veterinarian"}"#,
          { practice, now in
            var edit = StaffEdit()
            edit.credentials = [.init(name: "surgery")]
            try practice.perform(ChangeStaff(reference: "V1", edit: edit), by: .local, at: now)
          }
        ),
        (
          "staff", "staff", #"{"id":"V1","name":"Dr Ash","role":"veterinarian"}"#,
          { practice, now in
            try practice.perform(
              SetStaffAddress(address: "ash@vets.example", staff: "V1"), by: .local, at: now)
          }
        ),
        (
          "patients", "patients", #"{"id":"P1","name":"Rex","species":"dog"}"#,
          { practice, now in
            try practice.perform(TagRecord(tag: "nervous", target: .patient("P1")), by: .local, at: now)
          }
        ),
        (
          "resources", "resources", #"{"id":"R1","name":"Room 1","kind":"room"}"#,
          { practice, now in
            try practice.perform(AddLocation(name: "Town", id: "TN"), by: .local, at: now)
            try practice.perform(AddLocation(name: "Port", id: "PT"), by: .local, at: now)
            try practice.perform(PlaceRooms(location: "PT", rooms: ["R1"]), by: .local, at: now)
          }
        ),
        (
          "locations", "locations", #"{"id":"L1","name":"Town"}"#,
          { practice, now in
            try practice.perform(SetLocationHours(location: "L1", hours: "mon-fri 9-17"), by: .local, at: now)
          }
        ),
      ]

  @Test(arguments: changes.indices)
  func `what somebody changed since, in any way, stays`(number: Int) throws {
    let (kind, file, row, change) = Self.changes[number]
    let bench = try ImportBench()
    try bench.load("\(file).jsonl", row + "\n")
    try change(bench.practice, bench.now)
    let before = try bench.state()
    let undone = try bench.practice.exchange.undoImport(1, now: bench.now)
    #expect(undone.removed == [:] && undone.kept.map(\.kind) == [kind], "\(undone)")
    #expect(try bench.state() == before)
  }

  @Test func `a field that a later import wrote is kept, the others get their old values`() throws {
    let bench = try whole()
    try bench.load("patients.jsonl", #"{"id":"P1","weight_kg":30,"breed":"Labrador"}"# + "\n")
    try bench.load("patients.jsonl", #"{"id":"P1","weight_kg":29}"# + "\n")
    let undone = try bench.practice.exchange.undoImport(2, now: bench.now)
    #expect(undone.kept.map { "\($0.id) \($0.field ?? "") \($0.reason)" } == ["P1 weight_kg was changed since"])
    let patient = try bench.practice.records.patient("P1")
    #expect(patient.weightKilograms == 29 && patient.breed == nil)
  }

  @Test(arguments: [[2, 3], [3, 2], [2, 3, 2]])
  func `in whatever order imports are taken back, what was there before them is there again`(order: [Int]) throws {
    let bench = try whole()
    let before = try bench.state()
    for row in [
      #"{"id":"P1","weight_kg":5.1,"breed":"Pug"}"#, #"{"id":"P1","weight_kg":6.1,"breed":"Poodle"}"#,
    ] { try bench.load("patients.jsonl", row + "\n") }
    try bench.load("notes.jsonl", #"{"id":"N1","text":"Limping on the right fore."}"# + "\n")
    try bench.load("notes.jsonl", #"{"id":"N1","text":"Limping on both."}"# + "\n")
    for id in order + order.filter({ $0 < 4 }).prefix(2).map({ $0 + 2 }) {
      if let entry = try bench.practice.exchange.importLog().first(where: { $0.id == id }), entry.undoneAt != nil,
        entry.undoKept == 0
      {
        continue
      }
      _ = try bench.practice.exchange.undoImport(id, now: bench.now)
    }
    #expect(try bench.state() == before)
    #expect(
      try bench.practice.exchange.importLog().filter { $0.id > 1 }.allSatisfy { $0.undoneAt != nil && $0.undoKept == 0 }
    )
    // What is undone has news again.
    #expect(
      try bench.load("patients.jsonl", #"{"id":"P1","weight_kg":5.1}"# + "\n").records["patients"] == .init(updated: 1))
  }

  @Test func `an import of which nothing goes is not called undone, and is tried again`() throws {
    let bench = try whole()
    try bench.load("patients.jsonl", #"{"id":"P1","weight_kg":30}"# + "\n")
    try bench.load("patients.jsonl", #"{"id":"P1","weight_kg":29}"# + "\n")
    let nothing = try bench.practice.exchange.undoImport(2, now: bench.now)
    #expect(nothing.state == "nothing undone" && nothing.lines.first == "nothing of import 2 was undone:")
    #expect(nothing.kept.map(\.reason) == ["was changed since"])
    let entry = try bench.practice.exchange.importLog(2)
    #expect(entry.undoKept == 1 && entry.description.contains("partly undone"))
    // The latest that stands goes next, then what was left of the one before; never the first in passing.
    #expect(try bench.practice.exchange.undoImport(nil, now: bench.now).id == 3)
    #expect(try bench.practice.records.patient("P1").weightKilograms == 31)
    #expect(try bench.practice.exchange.importLog(2).undoKept == 0)
    #expect(try bench.practice.exchange.undoImport(nil, now: bench.now, isDryRun: true).id == 1)
  }

  @Test func `what a later import wrote again is its own`() throws {
    let bench = try whole()
    for weight in ["30", "29", "30"] {
      try bench.load("patients.jsonl", #"{"id":"P1","weight_kg":\#(weight)}"# + "\n")
    }
    let undone = try bench.practice.exchange.undoImport(2, now: bench.now)
    #expect(undone.kept.map(\.reason) == ["was changed since, by import 4"])
    #expect(try bench.practice.records.patient("P1").weightKilograms == 30)
  }

  @Test func `an overwritten text comes back, and the import's is a superseded version`() throws {
    let bench = try whole()
    try bench.load("notes.jsonl", #"{"id":"N1","text":"Limping on the right fore."}"# + "\n")
    #expect(try bench.practice.records.noteHistory("N1").versions.map(\.text) == ["Limping on the left fore."])
    _ = try bench.practice.exchange.undoImport(nil, now: bench.now)
    let history = try bench.practice.records.noteHistory("N1")
    #expect(history.note.text == "Limping on the left fore.")
    #expect(history.versions.map(\.cause) == ["import", "import undone"])
  }

  @Test func `a booking that the desk moved stays`() throws {
    let clinic = try SmallClinic()
    let file = try clinic.folder.write(
      #"{"id":"A1","patient_id":"P1","clinician_id":"V1","start":"2026-11-23T10:00","duration_minutes":30}"# + "\n"
        + #"{"id":"A2","patient_id":"P2","clinician_id":"V1","start":"2026-11-23T12:00","duration_minutes":30}"# + "\n",
      to: "appointments.jsonl")
    var options = ImportOptions()
    options.indexes = false
    _ = try clinic.practice.exchange.importFiles(
      [file], options: options, now: clinic.now, progress: { _ in }, message: { Issue.record("\($0)") })
    _ = try clinic.practice.calendar.move(
      appointment: "A1", to: SmallClinic.at("2026-11-23T11:00"), clinicianID: nil, resourceIDs: nil, minutes: nil,
      now: clinic.now)
    let undone = try clinic.practice.exchange.undoImport(nil, now: clinic.now)
    #expect(undone.removed == ["appointments": 1])
    #expect(undone.kept.map { "\($0.id) \($0.reason)" } == ["A1 was changed in the plan since"])
    #expect(try clinic.appointment("A1").start == SmallClinic.at("2026-11-23T11:00"))
    #expect(try clinic.practice.connection.appointments.rowsWithWrongSlots().isEmpty)
  }
}

/// Notes that stood under the wrong patient.
struct MisfiledNoteTests {
  private static let animals = (
    "patients.csv", "id,name,species\nP1,Rex,dog\nP2,Bella,dog\nP3,Max,dog\n"
  )
  private static let text = "Presented with acute left fore lameness after a run; pain on carpal flexion."

  private func bench(_ notes: (String, String)) throws -> ImportBench {
    let bench = try ImportBench()
    try bench.load([Self.animals, notes])
    return bench
  }

  private func owners(_ bench: ImportBench) throws -> [String] {
    try bench.practice.connection.rows("SELECT id FROM note ORDER BY id", read: { $0.int64(0) }).compactMap {
      try bench.practice.connection.notes.note(row: $0)?.value.patientID
    }
  }

  @Test(arguments: [
    // An id of its own.
    ("notes.jsonl", #"{"id":"N1","patient_id":"P1","recorded_at":"2026-03-05T10:40","text":"TEXT"}"# + "\n"),
    // No id: it is made from the patient.
    ("notes.csv", "patient_id,recorded_at,text\nP1,2026-03-05T10:40,TEXT\n"),
    ("notes.jsonl", #"{"patient_id":"P1","recorded_at":"2026-03-05T10:40","text":"TEXT"}"# + "\n"),
    ("letters/rex.md", "---\npatient_id: P1\nrecorded_at: 2026-03-05T10:40\nauthor: Dr Fox\n---\nTEXT\n"),
  ])
  func `a note that comes again under the right patient is moved, and makes no second note`(
    name: String, contents: String
  ) throws {
    let wrong = contents.replacing("TEXT", with: Self.text)
    let bench = try bench((name, wrong))
    #expect(try owners(bench) == ["P1"])
    let right = wrong.replacing("P1", with: "P2")
    bench.forgetMessages()
    let summary = try bench.load(name, right)
    #expect(summary.records["notes"] == .init(moved: 1))
    #expect(summary.lines.contains { $0.contains("1 moved") })
    #expect(bench.messages.contains { $0.contains("was moved from patient P1 to P2") })
    #expect(try owners(bench) == ["P2"])
    #expect(try bench.load(name, right).records["notes"] == .init(unchanged: 1))
    // And back, by undo.
    #expect(try bench.practice.exchange.undoImport(nil, now: bench.now).kept.isEmpty)
    #expect(try owners(bench) == ["P1"])
    #expect(try bench.load(name, wrong).records["notes"]?.inserted == 0)
    #expect(try owners(bench) == ["P1"])
  }

  @Test func `a letter in a file of another name moves nothing, and the other is named`() throws {
    let letter = "---\npatient_id: P1\nrecorded_at: 2026-03-05T10:40\n---\n\(Self.text)\n"
    let bench = try bench(("letters/rex.md", letter))
    let summary = try bench.load("letters/bella.md", letter.replacing("P1", with: "P2"))
    #expect(summary.records["notes"] == .init(inserted: 1))
    #expect(try owners(bench) == ["P1", "P2"])
    #expect(bench.messages.contains { $0.contains("note 'rex.md' of P1") })
  }

  @Test(arguments: [
    (
      "notes.jsonl",
      [1, 2].map { #"{"id":"N\#($0)","patient_id":"P\#($0)","recorded_at":"2026-03-05","text":"Booster."}"# }
    ),
    ("notes.jsonl", [1, 2].map { #"{"patient_id":"P\#($0)","recorded_at":"2026-03-05","text":"Booster."}"# }),
    ("notes.csv", ["patient_id,recorded_at,text", "P1,2026-03-05,Booster.", "P2,2026-03-05,Booster."]),
  ])
  func `two notes with equal text are two notes, of one animal or two`(name: String, rows: [String]) throws {
    let file = rows.joined(separator: "\n") + "\n"
    let bench = try bench((name, file))
    #expect(try owners(bench) == ["P1", "P2"])
    #expect(try bench.load(name, file).records["notes"] == .init(unchanged: 2))
    // The rows in another order, too.
    let isTable = name.hasSuffix("csv")
    let turned = (isTable ? [rows[0]] : []) + rows.dropFirst(isTable ? 1 : 0).reversed()
    #expect(try bench.load(name, turned.joined(separator: "\n") + "\n").records["notes"] == .init(unchanged: 2))
    let third = isTable ? "P3,2026-03-05,Booster." : rows[1].replacing("P2", with: "P3").replacing("N2", with: "N3")
    #expect(try bench.load(name, (rows + [third]).joined(separator: "\n") + "\n").records["notes"]?.inserted == 1)
    #expect(try owners(bench) == ["P1", "P2", "P3"])
  }

  @Test func `of two notes of one moment without ids one is moved and the other left as it is`() throws {
    let rows = { (first: String) in
      "patient_id,recorded_at,text\n\(first),2026-03-05,Booster given to him.\nP1,2026-03-05,\(Self.text)\n"
    }
    let bench = try bench(("notes.csv", rows("P1")))
    let summary = try bench.load("notes.csv", rows("P2"))
    #expect(summary.records["notes"] == .init(moved: 1, unchanged: 1))
    #expect(try bench.practice.connection.notes.count() == 2)
    #expect(try bench.load("notes.csv", rows("P2")).records["notes"] == .init(unchanged: 2))
  }

  @Test func `a corrected text without an id changes the note that it was`() throws {
    let bench = try bench(("notes.csv", "patient_id,recorded_at,text\nP1,2026-03-05,Weight 3 kg\n"))
    let summary = try bench.load("notes.csv", "patient_id,recorded_at,text\nP1,2026-03-05,Weight 30 kg\n")
    #expect(summary.records["notes"] == .init(updated: 1))
    #expect(try bench.practice.connection.notes.count() == 1)
  }
}
