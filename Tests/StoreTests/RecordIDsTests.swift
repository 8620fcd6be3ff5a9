import Clinical
@testable import Store
import Testing

@Suite struct RecordIDsTests {
  private let connection: Connection
  private let north: Int64
  private let south: Int64

  init() throws {
    connection = try Connection.inMemory()
    north = try connection.sources.id(named: "north")
    south = try connection.sources.id(named: "south")
  }

  private func add(_ id: String, _ source: Int64, name: String = "Bella") throws -> Int64 {
    try connection.patients.upsert(Patient(id: id, name: name, species: .dog), source: source).rowID
  }

  @Test func `an id that one source uses is shown bare and found in both forms`() throws {
    let row = try add("P1", north)
    #expect(try connection.recordIDs.shown(.patient, row) == "P1")
    #expect(try connection.recordIDs.row(.patient, "P1") == row)
    #expect(try connection.recordIDs.row(.patient, "north:P1") == row)
    #expect(try connection.recordIDs.row(.patient, "south:P1") == nil)
    #expect(try connection.recordIDs.row(.patient, "p1") == nil)
  }

  @Test func `an id that two sources use is shown with its source, and never guessed`() throws {
    let rows = [try add("P1", north), try add("P1", south, name: "Max")]
    #expect(try connection.patients.list().map(\.value.id) == ["north:P1", "south:P1"])
    #expect(try connection.recordIDs.candidates(.patient, "P1") == rows)
    #expect(#expect(throws: StoreError.self) { try connection.recordIDs.row(.patient, "P1") }?.code == .ambiguousID)
    for (source, row) in zip([north, south], rows) {
      #expect(try connection.recordIDs.row(.patient, "P1", preferring: source) == row)
    }
    #expect(try connection.recordIDs.row(.patient, "south:P1") == rows[1])
  }

  @Test func `an id that looks like another with its source is not guessed either`() throws {
    let rows = [try add("1", north), try add("1", south), try add("south:1", north)]
    #expect(try connection.recordIDs.candidates(.patient, "south:1") == [rows[1], rows[2]])
  }

  @Test func `a source may have colons in its name`() throws {
    let system = try connection.sources.id(named: "https://clinic.example/fhir")
    let row = try add("77", system)
    _ = try add("77", north)
    let shown = try #require(try connection.recordIDs.shown(.patient, row))
    #expect(shown == "https://clinic.example/fhir:77")
    #expect(try connection.recordIDs.row(.patient, shown) == row)
  }

  @Test func `a reference means the own source's record first`() throws {
    _ = try add("P1", north)
    let own = try add("P1", south)
    let note = ClinicalNote(id: "N1", patientID: "P1", recordedAt: Timestamp(seconds: 0), text: "well")
    let row = try connection.notes.upsert(note, source: south).rowID
    let stored = try #require(try connection.notes.note(row: row))
    #expect(stored.patientRowID == own)
    #expect(stored.value.patientID == "south:P1")
  }

  @Test func `an unused id is unused in every source`() throws {
    _ = try add("patient-1", north)
    _ = try add("patient-3", south)
    let id = try connection.recordIDs.unused(.patient)
    #expect(try connection.recordIDs.candidates(.patient, id).isEmpty)
  }
}
