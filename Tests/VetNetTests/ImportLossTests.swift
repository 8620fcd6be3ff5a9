import Clinical
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Rows that can't be read in part, and records that something else altered: neither may spoil what is on file.
struct ImportLossTests {
  @Test func `a field that can't be read never changes what is on file, of any kind of record`() throws {
    let bench = try ImportBench()
    try WholeRecords.load(into: bench)
    let before = try bench.state()
    let rows: [(kind: String, id: String, fields: String)] = [
      ("clients", "C1", #""phone":[{"label":"Mobile"}]"#), ("clients", "C1", #""email":{}"#),
      ("patients", "P1", #""weight_kg":"heavy""#), ("patients", "P1", #""date_of_birth":"2014-02-31""#),
      ("patients", "P1", #""deceased_at":"2199-01-01""#), ("patients", "P1", #""species":{}"#),
      ("patients", "P1", #""name":"Rex","species":"dog","weight_kg":"heavy""#),
      ("staff", "S1", #""skills":{"cardiology":7}"#), ("staff", "S1", #""breaks":1"#),
      ("staff", "S1", #""working_hours":[{"weekday":2,"start":"09:00","end":"17:00"},{"weekday":1,"start":"x"}]"#),
      ("staff", "S1", #""leave":[{"from":"soon"}]"#),
      ("resources", "R1", #""capacity":"many""#), ("resources", "R1", #""cleaning_minutes":-1"#),
      ("notes", "N1", #""kind":"gossip""#), ("notes", "N1", #""recorded_at":"someday""#),
      ("notes", "N1", #""recorded_at":"2026-03-05","recorded_time":"99:99""#),
      (
        "notes", "N1",
        #""patient_id":"P1","recorded_at":"2026-03-05T10:40","text":"Haematocrit 41 %.","kind":"gossip""#
      ),
      ("intakes", "I1", #""received_at":"someday""#), ("intakes", "I1", #""weight_kg":"heavy""#),
      ("appointments", "A1", #""status":"perhaps""#), ("appointments", "A1", #""resource_ids":[{}]"#),
      ("appointments", "A1", #""actual_minutes":-1"#),
      ("appointments", "A1", #""actual_minutes":50,"duration_minutes":"long""#),
    ]
    for row in rows {
      let summary = try bench.load("again/\(row.kind).jsonl", "{\"id\":\"\(row.id)\",\(row.fields)}\n")
      #expect(try bench.state() == before, "\(row)")
      #expect(summary.rejected + summary.incomplete == 1 && summary.importID == nil, "\(row)")
    }
    // What was not understood was not heard either: the corrected row is news.
    try bench.load("again/patients.jsonl", #"{"id":"P1","weight_kg":"heavy"}"# + "\n")
    let corrected = try bench.load("again/patients.jsonl", #"{"id":"P1","weight_kg":33}"# + "\n")
    #expect(corrected.records["patients"] == .init(updated: 1))
  }

  @Test func `a species that no column tells is lost by a new patient only`() throws {
    let bench = try ImportBench()
    let first = try bench.load("patients.csv", "id,name\nP1,Rex\n")
    #expect(first.incomplete == 1 && first.records["patients"] == .init(inserted: 1))
    try bench.load("patients.csv", "id,name,species\nP1,Rex,dog\n")
    let second = try bench.load("patients.csv", "id,name\nP1,Rexie\n")
    #expect(second.incomplete == 0 && second.records["patients"] == .init(updated: 1))
    #expect(try bench.practice.records.patient("P1").species == .dog)
  }

  @Test func `a row does not seal what something else altered, and says which record that is`() throws {
    let bench = try ImportBench()
    try WholeRecords.load(into: bench)
    let before = try bench.state()
    for (sql, table, file, row) in [
      ("UPDATE patient SET microchip = '1'", RecordTable.patient, "patients.jsonl", #"{"id":"P1","breed":"Poodle"}"#),
      ("UPDATE patient SET sex = 'F'", .patient, "patients.csv", "id,name,species\nP1,Rex,dog"),
      ("UPDATE client_phone SET number = '1'", .client, "clients.jsonl", #"{"id":"C1","email":"a@example.org"}"#),
      ("UPDATE note SET text = 'x'", .note, "notes.jsonl", #"{"id":"N1","kind":"phone"}"#),
      ("UPDATE staff_skill SET competence = 0.1", .staff, "staff.jsonl", #"{"id":"S1","name":"Dr Li"}"#),
    ] {
      try bench.practice.connection.alterSilently(sql)
      bench.forgetMessages()
      let refused = try bench.load("again/\(file)", row + "\n")
      #expect(refused.rejected == 1 && refused.importID == nil, "\(sql)")
      #expect(bench.messages.contains { $0.contains("1' names a record that is not as it was written") })
      #expect(try bench.practice.connection.recordHashes.altered(table).count == 1, "\(sql)")
      // The rows that it came from put it back, without an entry that could bring the damage again.
      let again = try bench.load(
        WholeRecords.files.map { (name: "whole/\($0.name).jsonl", text: WholeRecords.line($0.row)) })
      #expect(again.rejected == 0, "\(sql)")
      #expect(try bench.practice.connection.recordHashes.altered(table).isEmpty, "\(sql)")
      #expect(try bench.state() == before, "\(sql)")
    }
    // The field that was altered is enough.
    try bench.practice.connection.alterSilently("UPDATE patient SET weight_kg = 99")
    #expect(try bench.load("again/patients.jsonl", #"{"id":"P1","weight_kg":31.2}"# + "\n").rejected == 0)
    #expect(try bench.state() == before)
  }

  @Test func `neither an undo nor a correction seals what something else altered`() throws {
    let bench = try ImportBench()
    try WholeRecords.load(into: bench)
    try bench.load("again/patients.jsonl", #"{"id":"P1","weight_kg":40}"# + "\n")
    try bench.practice.connection.alterSilently("UPDATE patient SET microchip = '1'; UPDATE note SET author = 'x'")
    let undone = try bench.practice.exchange.undoImport(nil, now: bench.now)
    #expect(undone.kept.map(\.reason) == ["is not as it was written; see vetnet doctor"])
    let error = #expect(throws: PracticeError.self) {
      try bench.practice.records.amendNote("N1", text: "other", reason: "typo", now: bench.now)
    }
    #expect(error?.code == .integrity && error?.description.contains("N1") == true)
    for table in [RecordTable.patient, .note] {
      #expect(try bench.practice.connection.recordHashes.altered(table).count == 1)
    }
  }

  @Test func `a record that is new in a batch can be changed in the same batch`() throws {
    let bench = try ImportBench()
    let summary = try bench.load(
      "patients.jsonl",
      #"{"id":"P1","name":"Rex","species":"dog"}"# + "\n" + #"{"id":"P1","breed":"Poodle"}"# + "\n")
    #expect(summary.records["patients"] == .init(inserted: 1, updated: 1) && summary.rejected == 0)
    #expect(try bench.practice.connection.recordHashes.altered(.patient).isEmpty)
  }
}

extension Connection {
  /// As another program would: no hash is kept.
  fileprivate func alterSilently(_ sql: String) throws {
    try executeScript(sql, context: "altering")
    writtenRecords.forget()
  }
}
