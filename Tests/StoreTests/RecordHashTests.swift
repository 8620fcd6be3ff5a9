import Clinical
import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@Suite struct RecordHashTests {
  /// A record of every kind, some of them changed, moved and deleted again.
  private func everything() throws -> TestPractice {
    let practice = try TestPractice()
    let (connection, source) = (practice.connection, practice.source)
    for name in ["Ash", "Ash-Lee"] {
      _ = try connection.clients.upsert(Client(id: "C1", name: name, phone: "1"), source: source)
    }
    _ = try connection.patients.upsert(
      Patient(id: "P2", name: "Tom", species: .cat, weightKilograms: 4.5, ownerID: "C9", ownerName: "Elm"),
      source: source)
    let hours = [StaffMember.WorkingHours(weekday: 1, minutes: 480..<1020)]
    for skill in [0.5, 0.9] {
      _ = try connection.staff.upsert(
        StaffMember(id: "S1", name: "Vet", role: .veterinarian, skills: ["cardiology": skill], workingHours: hours),
        source: source)
    }
    for id in ["R1", "R2"] {
      _ = try connection.resources.upsert(Resource(id: id, name: "Room", kind: "room"), source: source)
    }
    _ = try connection.intakes.upsert(Intake(id: "I1", patientID: "P1", sex: .unknown, text: "limping"), source: source)
    try practice.write("N1", "first")
    try practice.write("N1", "first, corrected")
    try practice.write("N2", "second")
    func appointment(_ id: String, _ hour: Int64, _ resources: [String]) -> Appointment {
      Appointment(
        id: id, patientID: "P1", clinicianID: "S1", resourceIDs: resources, start: Timestamp(seconds: hour * 3600),
        durationMinutes: 30, status: .booked)
    }
    let booked = try connection.appointments.book(appointment("A1", 10, ["R1"]))
    try connection.appointments.move(row: booked.rowID, to: Timestamp(seconds: 11 * 3600))
    try connection.appointments.change(row: booked.rowID) { $0.resourceIDs = ["R2"] }
    var options = AppointmentOptions()
    options.travelBefore = 15
    try connection.appointments.setOptions(options, row: booked.rowID)
    _ = try connection.appointments.upsert(appointment("A2", 11, ["R2"]), source: source)
    let third = try connection.appointments.book(appointment("A3", 14, []))
    try connection.appointments.cancel(row: booked.rowID)
    _ = try connection.appointments.retryConflicts()
    try connection.appointments.delete(row: third.rowID)
    let second = try #require(try connection.recordIDs.row(.note, "N2"))
    try connection.notes.delete(row: second)
    return practice
  }

  private func altered(_ connection: Connection) throws -> [String] {
    try RecordTable.allCases.flatMap { table in
      try connection.recordHashes.altered(table).map { "\(table.rawValue) \($0.externalID) \($0.kind)" }
    }
  }

  @Test func `however a record was written, moved or deleted, its hash is that of what is stored`() throws {
    let connection = try everything().connection
    #expect(try altered(connection) == [])
    var hashes: [RecordHash] = []
    try connection.recordHashes.forEach { hashes.append($0) }
    var records = 0
    for table in RecordTable.allCases {
      records += Int(try connection.number("SELECT count(*) FROM \(table.rawValue)"))
    }
    #expect(hashes.count == records && records == 11, "\(records)")
    let note = try #require(try connection.recordIDs.row(.note, "N1"))
    #expect(try connection.recordHashes.hash(.note, note) == hashes.last { $0.table == .note }?.hash)
  }

  @Test(arguments: [
    ("UPDATE note SET text = 'first, Corrected' WHERE external_id = 'N1'", ["note N1 changed"]),
    ("UPDATE note SET recorded_at = recorded_at + 1", ["note N1 changed"]),
    ("UPDATE note SET external_id = 'N7'", ["note N7 changed"]),
    ("UPDATE note SET patient_id = 2", ["note N1 changed"]),
    ("UPDATE patient SET weight_kg = 4.6 WHERE external_id = 'P2'", ["patient P2 changed"]),
    ("UPDATE patient SET deceased_at = '2024-01-01' WHERE external_id = 'P1'", ["patient P1 changed"]),
    ("UPDATE client SET phone = NULL WHERE external_id = 'C1'", ["client C1 changed"]),
    ("UPDATE client SET name = 'Oak' WHERE external_id = 'C9'", ["client C9 changed"]),
    ("UPDATE staff_skill SET competence = 0.1", ["staff S1 changed"]),
    ("DELETE FROM staff_hours", ["staff S1 changed"]),
    ("UPDATE resource SET capacity = 2 WHERE external_id = 'R1'", ["resource R1 changed"]),
    ("UPDATE appointment SET start_at = start_at + 60 WHERE external_id = 'A1'", ["appointment A1 changed"]),
    ("UPDATE appointment_option SET travel_before_minutes = 0", ["appointment A1 changed"]),
    ("DELETE FROM appointment_resource WHERE appointment_id = 2", ["appointment A2 changed"]),
    ("UPDATE intake SET text = 'hopping'", ["intake I1 changed"]),
    ("DELETE FROM intake", ["intake I1 missing"]),
    (
      """
      INSERT INTO intake (source_id, external_id, content_hash, sex, text) VALUES (1, 'I2', x'', 'unknown', 'limping')
      """, ["intake I2 unknown"]
    ),
    ("DELETE FROM record_hash WHERE kind = 'note'", ["note N1 unknown"]),
  ])
  func `a record that something else changed, made or took away is named`(sql: String, expected: [String]) throws {
    let practice = try everything()
    try practice.connection.alterSilently(sql)
    #expect(try altered(practice.connection) == expected)
    // Nor does other work make it look right.
    try practice.write("N9", "another")
    #expect(try altered(practice.connection) == expected)
  }

  @Test func `the same import again puts back what was altered, and what was taken away`() throws {
    let practice = try everything()
    try practice.connection.alterSilently("UPDATE note SET text = 'x'; DELETE FROM intake; UPDATE staff SET name = 'y'")
    #expect(try practice.write("N1", "first, corrected").outcome == .updated)
    let again = Intake(id: "I1", patientID: "P1", sex: .unknown, text: "limping")
    #expect(try practice.connection.intakes.upsert(again, source: practice.source).outcome == .inserted)
    #expect(try altered(practice.connection) == ["staff S1 changed"])
    #expect(try practice.write("N1", "first, corrected").outcome == .unchanged)
  }

  @Test func `work that is undone leaves the hashes as they were`() throws {
    struct Undone: Error {}
    let practice = try everything()
    #expect(throws: Undone.self) {
      try practice.connection.mixedTransaction {
        try practice.write("N1", "other")
        try practice.write("N5", "new")
        throw Undone()
      }
    }
    #expect(try altered(practice.connection) == [])
  }

  @Test func `a file of the first schema gets hashes of what is in it`() throws {
    let folder = try TemporaryFolder()
    let fixture = projectDirectory + "/Tests/StoreTests/Fixtures/schema-v1.sql"
    let script = try String(contentsOfFile: fixture, encoding: .utf8)
    do {
      let raw = try Connection.create(folder.file, migrator: Migrator([]))
      try raw.executeScript(script, context: "the fixture")
    }
    let connection = try Connection.open(folder.file)
    #expect(try altered(connection) == [])
    #expect(try connection.number("SELECT count(*) FROM record_hash WHERE kind = 'note'") == 2)
  }
}

extension Connection {
  /// As another program would: no hash is kept.
  func alterSilently(_ sql: String) throws {
    try executeScript("PRAGMA foreign_keys = OFF;" + sql, context: "altering")
    writtenRecords.forget()
    try executeScript("PRAGMA foreign_keys = ON", context: "altering")
  }
}
