import Clinical
import Foundation
import Interchange
import Testing

@Suite struct JSONLinesImportTests {
  @Test func `a row of every kind becomes its record`() throws {
    let folder = try TemporaryFolder()
    try folder.write("clients.jsonl", #"{"id":7,"name":"Mrs Hale","phone":"01632 960111"}"#)
    try folder.write(
      "patients.jsonl",
      #"{"id":"P1","name":"Rex","species":"Canine","sex":"Male Neutered","date_of_birth":"2014-03-09","weight_kg":31.2,"#
        + #""owner_id":7,"owner_name":"Mrs Hale","microchip":826099000014471}"#)
    try folder.write(
      "staff.jsonl",
      #"{"id":"S1","name":"Dr Marsh","role":"vet","skills":{"cardiology":0.9},"#
        + #""working_hours":[{"weekday":1,"start":"09:00","end":"17:30"}],"#
        + #""breaks":[{"weekday":1,"earliest":"12:00","latest":"14:00","minutes":45}],"#
        + #""leave":[{"from":"2026-12-24","to":"2026-12-28"}]}"#)
    try folder.write("resources.jsonl", #"{"id":"R1","name":"Theatre","kind":"theatre","cleaning_minutes":10}"#)
    try folder.write(
      "notes.jsonl",
      #"{"id":"N1","patient_id":"P1","recorded_at":"2024-07-05T10:40","author":"S1","kind":"lab","text":" a\nb "}"#)
    try folder.write("intakes.jsonl", #"{"id":"I1","channel":"Telephone","age":4,"text":"limping"}"#)
    try folder.write(
      "appointments.jsonl",
      #"{"id":"A1","patient_id":"P1","clinician_id":"S1","resource_ids":["R1",2],"start":"2026-11-23T09:05:00Z","#
        + #""duration_minutes":15,"visit_type":"Vaccination","status":"no_show"}"#)
    let result = try ImportResult(try ImportReader([folder.path], options: try importOptions()))
    #expect(result.rejects == [])
    #expect(result.problems == [])
    let recorded = try #require(utc("2024-07-05T09:40Z"))
    let start = try #require(utc("2026-11-23T09:05Z"))
    let firstDay = try #require(CalendarDate(iso: "2026-12-24"))
    let lastDay = try #require(CalendarDate(iso: "2026-12-28"))
    #expect(
      result.records == [
        .client(Client(id: "7", name: "Mrs Hale", phone: "01632 960111")),
        .patient(
          Patient(
            id: "P1", name: "Rex", species: .dog, sex: .maleNeutered, dateOfBirth: CalendarDate(iso: "2014-03-09"),
            weightKilograms: 31.2, ownerID: "7", ownerName: "Mrs Hale", microchip: "826099000014471")),
        .staff(
          StaffMember(
            id: "S1", name: "Dr Marsh", role: .veterinarian, skills: ["cardiology": 0.9],
            workingHours: [.init(weekday: 1, minutes: 540..<1050)],
            breaks: [.init(weekday: 1, window: 720..<840, minutes: 45)],
            leave: [.init(days: firstDay...lastDay)])),
        .resource(Resource(id: "R1", name: "Theatre", kind: "theatre", cleaningMinutes: 10)),
        .note(
          ClinicalNote(
            id: "N1", patientID: "P1", recordedAt: recorded, author: "S1", kind: .lab, text: " a\nb "), of: .id("P1")),
        .intake(Intake(id: "I1", channel: "phone", age: "4", text: "limping"), of: nil),
        .appointment(
          Appointment(
            id: "A1", patientID: "P1", clinicianID: "S1", resourceIDs: ["R1", "2"], start: start, durationMinutes: 15,
            visitType: .vaccination, status: .noShow), of: .id("P1")),
      ])
  }

  struct Bad: CustomTestStringConvertible {
    let file: String
    let row: String
    var field: String?
    var value: String?
    let reason: String
    var testDescription: String { "\(file): \(row)" }
  }

  @Test(arguments: [
    Bad(file: "notes", row: #"{"id":1,"recorded_at":"2024-03-05","text":"t"}"#, field: "patient_id", reason: "missing"),
    Bad(file: "notes", row: #"{"id":1,"patient_id":"P","text":"t"}"#, field: "recorded_at", reason: "missing"),
    Bad(
      file: "notes", row: #"{"id":1,"patient_id":"P","recorded_at":"2024-02-30","text":"t"}"#, field: "recorded_at",
      value: "2024-02-30", reason: "no such day"),
    Bad(
      file: "notes", row: #"{"id":1,"patient_id":"P","recorded_at":"05/03/2024","text":"t"}"#, field: "recorded_at",
      value: "05/03/2024", reason: "unreadable date"),
    Bad(
      file: "notes", row: #"{"id":1,"patient_id":"P","recorded_at":1709635200,"text":"t"}"#, field: "recorded_at",
      reason: "expected a date, found a number"),
    Bad(
      file: "notes", row: #"{"id":1,"patient_id":"P","recorded_at":"2024-03-05","text":" \n"}"#, field: "text",
      reason: "missing"),
    Bad(
      file: "notes", row: #"{"id":1,"patient_id":"P","recorded_at":"2024-03-05","text":["t"]}"#, field: "text",
      reason: "expected text, found a list"),
    Bad(
      file: "notes", row: #"{"id":1,"patient_id":"P","recorded_at":"2024-03-05","kind":"xray","text":"t"}"#,
      field: "kind", value: "xray", reason: "is unknown"),
    Bad(
      file: "notes", row: #"{"id":true,"patient_id":"P","recorded_at":"2024-03-05","text":"t"}"#, field: "id",
      value: "true", reason: "expected text, found true or false"),
    Bad(file: "notes", row: "[1]x", reason: "not valid JSON"),
    Bad(file: "notes", row: "nonsense", reason: "not valid JSON"),
    Bad(file: "patients", row: #"{"name":"Rex","species":"dog"}"#, field: "id", reason: "missing"),
    Bad(file: "patients", row: #"{"id":1,"species":"dog"}"#, field: "name", reason: "missing"),
    Bad(file: "patients", row: #"{"id":1,"name":"Rex"}"#, field: "species", reason: "missing"),
    Bad(
      file: "patients", row: #"{"id":1,"name":"Rex","species":"dog","weight_kg":"heavy"}"#, field: "weight_kg",
      value: "(5 characters, not shown)", reason: "not a number"),
    Bad(
      file: "patients", row: #"{"id":1,"name":"Rex","species":"dog","weight_kg":[31.2]}"#, field: "weight_kg",
      reason: "expected a number, found a list"),
    Bad(
      file: "patients", row: #"{"id":1,"name":"Rex","species":"dog","date_of_birth":"about 2012"}"#,
      field: "date_of_birth", value: "(10 characters, not shown)", reason: "unreadable date"),
    Bad(
      file: "patients", row: #"{"id":1,"name":"Rex","species":"dog","weight_kg":1e999}"#, reason: "not valid JSON"),
    Bad(file: "clients", row: #"{"id":1}"#, field: "name", reason: "missing"),
    Bad(
      file: "staff", row: #"{"id":1,"name":"X","role":"wizard"}"#, field: "role", value: "wizard",
      reason: "is unknown"),
    Bad(
      file: "staff",
      row:
        #"{"id":1,"name":"X","role":"nurse","working_hours":[{"weekday":1,"start":"09:00","end":"12:00"},{"weekday":8,"start":"09:00","end":"12:00"}]}"#,
      field: "working_hours[1].weekday", value: "8", reason: "not a whole number in range"),
    Bad(
      file: "staff",
      row: #"{"id":1,"name":"X","role":"nurse","working_hours":[{"weekday":1,"start":"20:00","end":"06:00"}]}"#,
      field: "working_hours[0].end", value: "06:00", reason: "does not lie after 'start'"),
    Bad(
      file: "staff", row: #"{"id":1,"name":"X","role":"nurse","skills":{"dentistry":9}}"#, field: "skills",
      value: "9", reason: "out of range"),
    Bad(
      file: "staff", row: #"{"id":1,"name":"X","role":"nurse","leave":[{"from":"2026-02-03","to":"2026-02-01"}]}"#,
      field: "leave[0].to", value: "2026-02-01", reason: "lies before 'from'"),
    Bad(
      file: "resources", row: #"{"id":1,"name":"X","kind":"room","capacity":0}"#, field: "capacity", value: "0",
      reason: "not a whole number in range"),
    Bad(
      file: "appointments", row: #"{"id":1,"start":"2026-02-01T10:00"}"#, field: "duration_minutes", reason: "missing"),
    Bad(
      file: "appointments", row: #"{"id":1,"start":"2026-02-01T10:00","duration_minutes":15,"resource_ids":"R1"}"#,
      field: "resource_ids", reason: "expected a list of ids, found text"),
    Bad(file: "intakes", row: #"{"id":1}"#, field: "text", reason: "missing"),
  ])
  func `a bad row is refused with file, line, field and reason, and its neighbours are kept`(bad: Bad) throws {
    let good = [
      "notes": #"{"id":"ok","patient_id":"P","recorded_at":"2024-03-05","text":"t"}"#,
      "patients": #"{"id":"ok","name":"Rex","species":"dog"}"#, "clients": #"{"id":"ok","name":"X"}"#,
      "staff": #"{"id":"ok","name":"X","role":"nurse"}"#, "resources": #"{"id":"ok","name":"X","kind":"room"}"#,
      "appointments": #"{"id":"ok","start":"2026-02-01T10:00","duration_minutes":15}"#,
      "intakes": #"{"id":"ok","text":"t"}"#,
    ]
    let sound = try #require(good[bad.file])
    let folder = try TemporaryFolder()
    let path = try folder.write("\(bad.file).jsonl", "\(sound)\n\(bad.row)\n\(sound)\n")
    let result = try ImportResult(try ImportReader([path], options: try importOptions()))
    if result.rejects.isEmpty {
      // What a record can do without costs itself alone.
      #expect(result.lines == [1, 2, 3])
      let loss = try #require(result.losses.first)
      #expect(result.losses.count == 1)
      #expect(loss.field == bad.field)
      #expect(loss.value == bad.value)
      #expect(loss.reason.hasPrefix(bad.reason), "\(loss.reason)")
      #expect(loss.hint != "")
      #expect(!Self.needed.contains(bad.field ?? ""))
      return
    }
    #expect(result.lines == [1, 3])
    let reject = try #require(result.rejects.first)
    #expect(result.rejects.count == 1)
    #expect(reject.location == SourceLocation(file: path, line: 2))
    #expect(reject.field == bad.field)
    #expect(reject.value == bad.value)
    #expect(reject.reason.hasPrefix(bad.reason), "\(reject.reason)")
    #expect(reject.hint != "")
    #expect(String(decoding: reject.raw.bytes, as: UTF8.self) == bad.row)
    if let field = bad.field { #expect(Self.needed.contains(field)) }
  }

  /// Fields that a row of the examples is nothing without.
  private static let needed: Set = [
    "id", "name", "role", "patient_id", "recorded_at", "text", "start", "duration_minutes",
  ]

  @Test func `an unknown kind costs a note its kind, not the note`() throws {
    let row = #"{"id":1,"patient_id":"P","recorded_at":"2024-03-05","kind":"CONS","text":"t"}"#
    let result = try ImportResult("notes.jsonl", row)
    #expect(result.notes.map(\.kind) == [.consult])
    #expect(result.losses.map(\.reason) == ["is unknown: consult?"])
  }

  @Test func `numbers in quotes, decimal commas and years without a day keep a patient, and years are told of`() throws
  {
    let result = try ImportResult(
      "patients.jsonl",
      #"{"id":1,"name":"Rex","species":"dog","date_of_birth":2012,"weight_kg":"31,5"}"# + "\n"
        + #"{"id":2,"name":"Mog","species":"cat","date_of_birth":"2019","weight_kg":"4.2"}"# + "\n"
        + #"{"id":3,"name":"Tea","species":"cat","date_of_birth":"2019-04-03","weight_kg":""}"#)
    #expect(result.rejects == [])
    #expect(
      result.records == [
        .patient(
          Patient(
            id: "1", name: "Rex", species: .dog, dateOfBirth: CalendarDate(iso: "2012-01-01"), weightKilograms: 31.5)),
        .patient(
          Patient(
            id: "2", name: "Mog", species: .cat, dateOfBirth: CalendarDate(iso: "2019-01-01"), weightKilograms: 4.2)),
        .patient(Patient(id: "3", name: "Tea", species: .cat, dateOfBirth: CalendarDate(iso: "2019-04-03"))),
      ])
    #expect(result.problems.map(\.code) == [.yearAlone])
    #expect(result.problems.first?.count == 2 && result.problems.first?.isFailure == false)
  }

  @Test func `a fish is another animal whose word is kept, and nothing to complain of`() throws {
    let result = try ImportResult("patients.jsonl", #"{"id":1,"name":"Bob","species":"Goldfish"}"#)
    #expect(result.records == [.patient(Patient(id: "1", name: "Bob", species: .other, breed: "Goldfish"))])
    #expect(result.problems == [])
  }

  private let good = #"{"id":"ok","patient_id":"P","recorded_at":"2024-03-05T09:00","text":"t"}"#

  @Test func `a last line without its end is read when it is whole and called truncated when it isn't`() throws {
    #expect(try ImportResult("notes.jsonl", good).records.count == 1)
    let result = try ImportResult("notes.jsonl", good + "\n" + good.dropLast(5))
    #expect(result.records.count == 1)
    #expect(result.rejects.map(\.location.line) == [2])
    #expect(result.rejects.first?.reason.hasPrefix("truncated line") == true)
  }

  @Test func `byte order mark, CRLF and blank lines are no part of the rows`() throws {
    let result = try ImportResult("notes.jsonl", "\u{FEFF}\(good)\r\n\r\n  \n\(good)\r\n")
    #expect(result.lines == [1, 4])
    #expect(result.notes.map(\.text) == ["t", "t"])
  }

  @Test func `a line of 50 MB is walked over`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("notes.jsonl", good + "\n")
    // A stretch of nothing at all: no line break in it, and no room on disk.
    let handle = try #require(FileHandle(forWritingAtPath: path))
    let end = try handle.seekToEnd()
    try handle.truncate(atOffset: end + 50_000_000)
    try handle.seek(toOffset: end + 50_000_000)
    try handle.write(contentsOf: Data("\n\(good)\n".utf8))
    try handle.close()
    let result = try ImportResult(try ImportReader([path], options: try importOptions()))
    #expect(result.lines == [1, 3])
    #expect(result.rejects.map(\.location.line) == [2])
    #expect(result.rejects.first?.reason == "the line has 50000000 bytes, at most 8388608 are read")
    #expect(result.rejects.first?.raw == RawRow())
  }

  @Test func `an empty file is a failure, and so is one of white space`() throws {
    for contents in ["", "\n \r\n", "\u{FEFF}"] {
      let result = try ImportResult("notes.jsonl", contents)
      #expect(result.problems.map(\.code) == [.empty])
      #expect(result.problems.first?.isFailure == true)
    }
  }

  @Test(arguments: ["[\n\(#"{"id":1}"#)\n]\n", "{\n  \"id\": 1\n}\n", "[{\"id\":1},{\"id\":2}]"])
  func `JSON that isn't JSON Lines is said once`(contents: String) throws {
    let result = try ImportResult("notes.jsonl", contents)
    #expect(result.problems.map(\.code) == [.wrongFormat])
    #expect(result.rejects == [])
  }

  @Test func `what is no text is recognised`() throws {
    #expect(try ImportResult("notes.jsonl", [0x50, 0x4B, 0x03, 0x04]).problems.map(\.code) == [.wrongFormat])
    #expect(try ImportResult("notes.csv", [0x1F, 0x8B, 0x08, 0x00]).problems.map(\.code) == [.wrongFormat])
  }

  @Test func `a key nobody knows is told once a file, with the key it may be`() throws {
    let row = #"{"id":"N","patient_id":"P","recorded_at":"2024-03-05","recorded_att":"x","text":"t"}"#
    let result = try ImportResult("notes.jsonl", "\(row)\n\(row)\n\(good)\n")
    #expect(result.records.count == 3)
    let problem = try #require(result.problems.first)
    #expect(result.problems.count == 1)
    #expect(problem.code == .unknownField)
    #expect(problem.count == 2)
    #expect(problem.line == 1)
    #expect(problem.message.contains("'recorded_att'"))
    #expect(problem.hint == "did you mean 'recorded_at'?")
    #expect(!problem.isFailure)
  }

  @Test func `a key in every row anew does not fill memory or screen`() throws {
    let rows = (0..<500).map { #"{"id":"N","patient_id":"P","recorded_at":"2024-03-05","k\#($0)":"x","text":"t"}"# }
    let result = try ImportResult("notes.jsonl", rows.joined(separator: "\n"))
    #expect(result.problems.count == 101)
    #expect(result.problems.map(\.count).reduce(0, +) == 500)
  }

  @Test func `an unknown species is other, keeps its word, and is told`() throws {
    let result = try ImportResult(
      "patients.jsonl",
      #"{"id":1,"name":"Skip","species":"wallaby"}"# + "\n" + #"{"id":2,"name":"Hop","breed":"Netherland dwarf"}"#
        + "\n" + #"{"id":3,"name":"Ham","breed":"hamster"}"# + "\n"
        + #"{"id":4,"name":"Zed","species":"other","sex":"whatever"}"#)
    #expect(result.patients.map(\.species) == [.other, .other, .smallMammal, .other])
    #expect(result.patients.map(\.breed) == ["wallaby", "Netherland dwarf", "hamster", nil])
    #expect(result.problems.map(\.code) == [.unknownWord, .unknownWord, .unknownWord])
    #expect(result.problems.map(\.line) == [1, 2, 4])
  }

  @Test func `local times follow the practice's clocks over both changes`() throws {
    let times = [
      ("2024-03-31T00:59", "2024-03-31T00:59Z"), ("2024-03-31T01:30", "2024-03-31T01:30Z"),
      ("2024-03-31T02:00", "2024-03-31T01:00Z"), ("2024-10-27T01:30", "2024-10-27T00:30Z"),
      ("2024-10-27T02:00", "2024-10-27T02:00Z"), ("2024-07-01T12:00+02:00", "2024-07-01T10:00Z"),
      ("2024-07-01", "2024-06-30T23:00Z"),
    ]
    let rows = times.map { #"{"id":"N","patient_id":"P","recorded_at":"\#($0.0)","text":"t"}"# }
    let result = try ImportResult("notes.jsonl", rows.joined(separator: "\n"))
    #expect(result.notes.map(\.recordedAt) == times.map { utc($0.1) })
  }

  @Test func `rows without ids get the same ids again, and two equal rows two`() throws {
    let row = #"{"patient_id":"P","recorded_at":"2024-03-05T10:40","text":"t"}"#
    let other = #"{"patient_id":"P","recorded_at":"2024-03-05T10:40","text":"another"}"#
    let first = try ImportResult("notes.jsonl", "\(row)\n\(row)\n\(other)\n")
    #expect(first.notes.map(\.id) == (1...3).map { "jsonl:P:2024-03-05T10:40:\($0)" })
    #expect(try ImportResult("notes.jsonl", "\(row)\n\(row)\n\(other)\n").notes == first.notes)
    #expect(first.problems.map(\.code) == [.derivedIDs])
    #expect(first.problems.first?.count == 3)
  }

  @Test func `a mended row does not take its neighbour's derived id`() throws {
    let bad = #"{"patient_id":"P","recorded_at":"2024-03-05T10:40","text":" "}"#
    let row = #"{"patient_id":"P","recorded_at":"2024-03-05T10:40","text":"t"}"#
    let before = try ImportResult("notes.jsonl", "\(bad)\n\(row)\n")
    let after = try ImportResult("notes.jsonl", "\(row)\n\(row)\n")
    #expect(before.notes.map(\.id) == after.notes.dropFirst().map(\.id))
  }

  @Test func `lists nested beyond all sense are refused, not followed`() throws {
    let deep = String(repeating: "[", count: 100_000)
    let result = try ImportResult("notes.jsonl", "\(good)\n{\"a\":\(deep)\n\(good)\n")
    #expect(result.lines == [1, 3])
    #expect(result.rejects.count == 1)
  }
}
