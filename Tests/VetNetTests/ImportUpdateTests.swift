import Clinical
import Foundation
import PracticeTestSupport
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// An empty practice file, and files to import into it.
final class ImportBench {
  let folder: TemporaryFolder
  let practice: Practice
  let now = SmallClinic.at("2026-11-20T18:00")
  private(set) var messages: [String] = []

  init() throws {
    folder = try TemporaryFolder()
    try Practice.create(at: folder.file("p.vetnet"), name: "Test", timeZone: SmallClinic.zone, now: now)
    practice = try Practice.open(
      at: folder.file("p.vetnet"), models: try shippedModels(), access: .write)
  }

  @discardableResult
  func load(
    _ files: [(name: String, text: String)], clearsEmpty: Bool = false, isDryRun: Bool = false,
    source: String = "practice"
  ) throws -> ImportSummary {
    let paths = try files.map { try folder.write($0.text, to: $0.name) }
    var options = ImportOptions(source: source, isDryRun: isDryRun, clearsEmpty: clearsEmpty)
    options.indexes = false
    return try practice.exchange.importFiles(
      paths, options: options, now: now, progress: { _ in }, message: { messages.append($0) })
  }

  @discardableResult
  func load(_ name: String, _ text: String, clearsEmpty: Bool = false, isDryRun: Bool = false) throws -> ImportSummary {
    try load([(name, text)], clearsEmpty: clearsEmpty, isDryRun: isDryRun)
  }

  func forgetMessages() { messages = [] }

  /// Everything in the tables that imports write, as text: equal states are equal texts.
  func state() throws -> String {
    let connection = practice.connection
    let parts: [[String]] = [
      try connection.clients.list().map { "\($0.value)" }, try connection.patients.list().map { "\($0.value)" },
      try connection.staff.list().map { member in
        var bare = member.value
        bare.skills = [:]
        return "\(bare) \(member.value.skills.sorted { $0.key < $1.key })"
      },
      try connection.resources.list().map { "\($0.value)" }, try connection.intakes.list().map { "\($0.value)" },
      try connection.appointments.appointments(startingIn: Timestamp(seconds: 0)..<Timestamp(seconds: 1 << 40)).map {
        "\($0.value)"
      },
      try connection.rows(
        "SELECT id FROM note ORDER BY id", read: { $0.int64(0) }
      ).map { "\(try connection.notes.note(row: $0).map { "\($0.value)" } ?? "")" },
    ]
    return parts.map { $0.sorted().joined(separator: "\n") }.joined(separator: "\n\n")
  }
}

/// Files of every kind in which every field is stated.
enum WholeRecords {
  static let files: [(name: String, row: [String: String])] = [
    (
      "clients",
      [
        "id": #""C1""#, "name": #""Ann Smith""#, "email": #""ann@example.org""#, "address": #""1 High St""#,
        "phone": #"[{"label":"Mobile","number":"07700 900001"},{"label":"Work","number":"01632 960002"}]"#,
      ]
    ),
    (
      "patients",
      [
        "id": #""P1""#, "name": #""Rex""#, "species": #""dog""#, "breed": #""Labrador""#, "sex": #""MN""#,
        "date_of_birth": #""2014-03-09""#, "deceased_at": #""2026-10-01""#, "weight_kg": "31.2",
        "owner_id": #""C1""#, "owner_name": #""A. Smith""#, "microchip": #""826099000014471""#,
      ]
    ),
    (
      "staff",
      [
        "id": #""S1""#, "name": #""Dr Lee""#, "role": #""veterinarian""#, "skills": #"{"cardiology":0.9}"#,
        "working_hours": #"[{"weekday":1,"start":"09:00","end":"17:00"}]"#,
        "breaks": #"[{"weekday":1,"earliest":"12:00","latest":"14:00","minutes":30}]"#,
        "leave": #"[{"from":"2026-12-24","to":"2026-12-31"}]"#,
      ]
    ),
    (
      "resources",
      [
        "id": #""R1""#, "name": #""Theatre""#, "kind": #""theatre""#, "capacity": "2", "cleaning_minutes": "15",
      ]
    ),
    (
      "notes",
      [
        "id": #""N1""#, "patient_id": #""P1""#, "recorded_at": #""2026-03-05T10:40""#, "author": #""S1""#,
        "kind": #""lab""#, "text": #""Haematocrit 41 %.""#,
      ]
    ),
    (
      "intakes",
      [
        "id": #""I1""#, "patient_id": #""P1""#, "received_at": #""2026-03-05T10:00""#, "channel": #""phone""#,
        "species": #""dog""#, "breed": #""Labrador""#, "age": #""12y""#, "sex": #""MN""#, "weight_kg": "31",
        "text": #""Off his food.""#,
      ]
    ),
    (
      "appointments",
      [
        "id": #""A1""#, "patient_id": #""P1""#, "clinician_id": #""S1""#, "resource_ids": #"["R1"]"#,
        "start": #""2026-11-23T10:00""#, "duration_minutes": "45", "actual_minutes": "50",
        "visit_type": #""imaging""#, "reason": #""scan""#, "status": #""cancelled""#,
      ]
    ),
  ]

  static func line(_ row: [String: String]) -> String {
    "{" + row.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}\n"
  }

  static func load(into bench: ImportBench) throws {
    for (name, row) in files { try bench.load("\(name).jsonl", line(row)) }
  }
}

struct ImportUpdateTests {
  private static let full = """
    id,name,species,breed,sex,date_of_birth,deceased_at,weight_kg,owner_id,owner_name,microchip
    P1,Rex,dog,Labrador,MN,2014-03-09,2026-10-01,31.2,C1,Ann Smith,826099000014471

    """

  @Test func `a column that is not in the file says nothing, and nobody is briefed about a dead dog`() throws {
    let bench = try ImportBench()
    try bench.load("patients.csv", Self.full)
    let before = try bench.practice.records.patient("P1")
    let summary = try bench.load("patients.csv", "id,name,species\nP1,Rex,dog\n")
    #expect(summary.records["patients"] == .init(unchanged: 1))
    #expect(try bench.practice.records.patient("P1") == before)
    #expect(before.deceasedAt != nil && before.microchip != nil && before.weightKilograms == 31.2)
    let error = #expect(throws: PracticeError.self) {
      try bench.practice.briefs.brief(forPatient: "P1", now: bench.now)
    }
    #expect(error?.description.contains("died") == true)
  }

  @Test func `an empty cell and a null clear nothing, unless they are said to`() throws {
    for empty in [
      ("patients.csv", "id,name,species,breed,weight_kg,owner_id,deceased_at\nP1,Rex,dog,,,,\n"),
      (
        "patients.jsonl",
        #"{"id":"P1","name":"Rex","species":"dog","breed":null,"weight_kg":null,"owner_id":"","deceased_at":null}"#
          + "\n"
      ),
    ] {
      let bench = try ImportBench()
      try bench.load("patients.csv", Self.full)
      let before = try bench.practice.records.patient("P1")
      #expect(try bench.load(empty.0, empty.1).records["patients"] == .init(unchanged: 1))
      #expect(try bench.practice.records.patient("P1") == before)
      #expect(try bench.load(empty.0, empty.1, clearsEmpty: true).records["patients"]?.updated == 1)
      let after = try bench.practice.records.patient("P1")
      #expect(after.breed == nil && after.weightKilograms == nil && after.ownerID == nil && after.deceasedAt == nil)
      #expect(after.microchip == before.microchip && after.dateOfBirth == before.dateOfBirth)
    }
  }

  @Test func `a word that nobody understands changes neither species nor sex`() throws {
    let bench = try ImportBench()
    try bench.load("patients.csv", Self.full)
    let before = try bench.practice.records.patient("P1")
    try bench.load("patients.csv", "id,name,species,sex\nP1,Rex,canine companion,to be checked\n")
    #expect(try bench.practice.records.patient("P1") == before)
  }

  @Test(arguments: Portion.of(0..<40, every: 3))
  func `importing any subset of fields changes no other field, of any kind of record`(seed: Int) throws {
    let bench = try ImportBench()
    try WholeRecords.load(into: bench)
    let before = try bench.state()
    var generator = SplitMix64(seed: UInt64(seed))
    let (name, row) = WholeRecords.files[seed % WholeRecords.files.count]
    // The same values, some left out, some null: nothing may change, whether the row is taken or refused.
    var part: [String: String] = ["id": row["id"] ?? ""]
    for (key, value) in row.sorted(by: { $0.key < $1.key }) where key != "id" {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: part[key] = value
      case 1: part[key] = "null"
      default: break
      }
    }
    let summary = try bench.load("again/\(name).jsonl", WholeRecords.line(part))
    #expect(try bench.state() == before)
    #expect(summary.rejected == 0 && summary.records[name]?.unchanged == 1)
    #expect(summary.importID == nil)
  }

  struct Change: CustomTestStringConvertible, Sendable {
    let kind: String
    let row: String
    let fields: [String]
    var testDescription: String { "\(kind): \(row)" }
  }

  @Test(arguments: [
    Change(kind: "clients", row: #"{"id":"C1","email":"new@example.org"}"#, fields: ["email"]),
    Change(kind: "patients", row: #"{"id":"P1","weight_kg":30}"#, fields: ["weight_kg"]),
    Change(kind: "staff", row: #"{"id":"S1","skills":{"dentistry":0.5}}"#, fields: ["skills"]),
    Change(kind: "staff", row: #"{"id":"S1","leave":[]}"#, fields: ["leave"]),
    Change(kind: "resources", row: #"{"id":"R1","capacity":3}"#, fields: ["capacity"]),
    Change(kind: "notes", row: #"{"id":"N1","author":"S2"}"#, fields: ["author"]),
    Change(kind: "notes", row: #"{"id":"N1","text":"Haematocrit 14 %."}"#, fields: ["text"]),
    Change(kind: "intakes", row: #"{"id":"I1","channel":"web form"}"#, fields: ["channel"]),
    Change(kind: "appointments", row: #"{"id":"A1","status":"done"}"#, fields: ["status"]),
    Change(
      kind: "appointments", row: #"{"id":"A1","resource_ids":[],"reason":"x-ray"}"#, fields: ["reason", "resource_ids"]),
  ])
  func `what a row states is shown by a dry run, written, kept, and taken back by undo`(change: Change) throws {
    let bench = try ImportBench()
    try WholeRecords.load(into: bench)
    let before = try bench.state()
    let dry = try bench.load("more/\(change.kind).jsonl", change.row + "\n", isDryRun: true)
    #expect(dry.changes.map(\.field).sorted() == change.fields)
    #expect(dry.changes.allSatisfy { $0.kind == change.kind })
    #expect(try bench.state() == before)
    #expect(dry.importID == nil)
    let summary = try bench.load("more/\(change.kind).jsonl", change.row + "\n")
    #expect(summary.records[change.kind]?.updated == 1)
    #expect(try bench.state() != before)
    let entry = try bench.practice.exchange.importLog(try #require(summary.importID))
    #expect(entry.changes?.map(\.field).sorted() == change.fields)
    #expect(try bench.load("more/\(change.kind).jsonl", change.row + "\n").records[change.kind] == .init(unchanged: 1))
    let undone = try bench.practice.exchange.undoImport(nil, now: bench.now)
    #expect(undone.kept.isEmpty && undone.restored == [change.kind: 1])
    #expect(try bench.state() == before)
    // An undone import has news again.
    #expect(try bench.load("more/\(change.kind).jsonl", change.row + "\n").records[change.kind]?.updated == 1)
  }

  @Test func `a dry run shows a note's change by length and place, never its words`() throws {
    let bench = try ImportBench()
    try WholeRecords.load(into: bench)
    let row = #"{"id":"N1","text":"Haematocrit 14 % qxzv."}"# + "\n"
    let dry = try bench.load("notes.jsonl", row, isDryRun: true)
    let text = try #require(dry.changes.first)
    #expect(text.description == "notes N1 text: 17 → 22 characters, other from character 13 on")
    let json = String(decoding: try JSONEncoder().encode(dry), as: UTF8.self)
    #expect(json.contains(#""differs_from":12"#))
    #expect(!json.contains("qxzv") && !json.contains("Haematocrit"))
    let weight = try bench.load("patients.jsonl", #"{"id":"P1","weight_kg":30}"# + "\n", isDryRun: true)
    #expect(weight.lines.contains("  patients P1 weight_kg: 31.2 → 30"))
  }

  @Test func `a record that is not on file needs more than a few columns`() throws {
    let bench = try ImportBench()
    let summary = try bench.load("patients.csv", "id,weight_kg\nP9,4.2\n")
    #expect(summary.rejected == 1 && summary.records.isEmpty)
    #expect(bench.messages.contains { $0.contains("name missing") })
    #expect(try bench.practice.connection.patients.count() == 0)
  }

  @Test func `front matter without a key says nothing about it`() throws {
    let bench = try ImportBench()
    try bench.load("patients.csv", Self.full)
    let letter = { (author: String, text: String) in
      "---\nid: L1\npatient_id: P1\nrecorded_at: 2026-03-05T10:40\n\(author)kind: referral\n---\n\(text)\n"
    }
    try bench.load("letters/l.md", letter("author: Dr Fox\n", "Heart sounds clear."))
    try bench.load("letters/l.md", letter("", "Heart sounds clear, no murmur."))
    let note = try bench.practice.records.note("L1")
    #expect(note.author == "Dr Fox" && note.kind == .referral)
    #expect(note.text == "Heart sounds clear, no murmur.\n")
  }

  @Test func `an event of another calendar that says less leaves the rest as it is`() throws {
    let bench = try ImportBench()
    func calendar(_ lines: String) -> String {
      let event = "BEGIN:VEVENT\nUID:e1@elsewhere\nDTSTAMP:20260101T000000Z\n\(lines)END:VEVENT\n"
      return "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n\(event)END:VCALENDAR\n".replacing("\n", with: "\r\n")
    }
    try bench.load(
      "a.ics", calendar("DTSTART:20261123T100000Z\nDTEND:20261123T103000Z\nSUMMARY:Dental\nSTATUS:CANCELLED\n"))
    try bench.load("a.ics", calendar("DTSTART:20261123T110000Z\nDTEND:20261123T113000Z\n"))
    let appointment = try bench.practice.calendar.storedAppointment("e1@elsewhere").value
    #expect(appointment.status == .cancelled && appointment.reason == "Dental")
    #expect(appointment.start == SmallClinic.at("2026-11-23T11:00"))
  }

  @Test func `what was moved here stays while its source repeats itself, in whatever columns`() throws {
    let bench = try ImportBench()
    try WholeRecords.load(into: bench)
    let row = try bench.practice.calendar.storedAppointment("A1").rowID
    try bench.practice.connection.appointments.change(row: row) { $0.start = SmallClinic.at("2026-11-24T09:00") }
    try bench.load("appointments.jsonl", #"{"id":"A1","reason":"scan","start":"2026-11-23T10:00"}"# + "\n")
    #expect(try bench.practice.calendar.storedAppointment("A1").value.start == SmallClinic.at("2026-11-24T09:00"))
    try bench.load("appointments.jsonl", #"{"id":"A1","start":"2026-11-25T10:00"}"# + "\n")
    #expect(try bench.practice.calendar.storedAppointment("A1").value.start == SmallClinic.at("2026-11-25T10:00"))
  }

  @Test func `every telephone number is kept under its heading, and one column changes no other`() throws {
    let bench = try ImportBench()
    try bench.load(
      "clients.csv",
      "Client ID,Owner name,Telephone,Mobile,Work phone,Email\nC1,Ann Smith,01632 960001,07700 900001,,ann@example.org\n"
    )
    try bench.load("patients.csv", Self.full)
    func phones() throws -> [ClientPhone] {
      try bench.practice.records.overview(of: "P1", now: bench.now).client?.phones ?? []
    }
    #expect(
      try phones() == [
        ClientPhone("01632 960001", label: "Telephone"), ClientPhone("07700 900001", label: "Mobile"),
      ])
    try bench.load("clients.csv", "Client ID,Owner name,Mobile,Work phone\nC1,Ann Smith,,01632 960003\n")
    #expect(
      try phones() == [
        ClientPhone("01632 960001", label: "Telephone"), ClientPhone("07700 900001", label: "Mobile"),
        ClientPhone("01632 960003", label: "Work phone"),
      ])
    try bench.load("clients.csv", "Client ID,Owner name,Mobile\nC1,Ann Smith,07700 900009\n")
    #expect(try phones().map(\.number) == ["01632 960001", "07700 900009", "01632 960003"])
    try bench.load("clients.csv", "Client ID,Owner name,Mobile\nC1,Ann Smith,\n", clearsEmpty: true)
    #expect(try phones().map(\.number) == ["01632 960001", "01632 960003"])
  }
}
