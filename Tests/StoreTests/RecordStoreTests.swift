import Clinical
@testable import Store
import Testing

@Suite struct RecordStoreTests {
  private let connection: Connection
  private let source: Int64

  init() throws {
    connection = try Connection.inMemory()
    source = try connection.sources.id(named: "test")
  }

  @Test func `a client comes back as it went in, and a second import changes nothing`() throws {
    var client = Client(
      id: "C1", name: "Zoë Ångström", phone: "01234", email: "z@example.org", address: "1 High Street")
    #expect(try connection.clients.upsert(client, source: source).outcome == .inserted)
    #expect(try connection.clients.upsert(client, source: source).outcome == .unchanged)
    client.phone = nil
    #expect(try connection.clients.upsert(client, source: source).outcome == .updated)
    #expect(try connection.clients.list().map(\.value) == [client])
    #expect(try connection.clients.clients(named: "zoë  ÅNGSTRÖM").count == 1)
  }

  @Test func `a patient comes back as it went in, and a second import changes nothing`() throws {
    _ = try connection.clients.upsert(Client(id: "C1", name: "Ann Smith"), source: source)
    var patient = Patient(
      id: "P1", name: "Bella", species: .guineaPig, breed: "Abyssinian", sex: .femaleSpayed,
      dateOfBirth: CalendarDate(year: 2020, month: 2, day: 29), deceasedAt: CalendarDate(year: 2026, month: 1, day: 3),
      weightKilograms: 0.91, ownerID: "C1", ownerName: "A. Smith", microchip: "985112003456789")
    let first = try connection.patients.upsert(patient, source: source)
    #expect(first.outcome == .inserted)
    #expect(
      try connection.patients.upsert(patient, source: source) == Upserted(rowID: first.rowID, outcome: .unchanged))
    #expect(try connection.patients.patient(row: first.rowID)?.value == patient)
    patient.weightKilograms = 0.95
    patient.breed = nil
    #expect(try connection.patients.upsert(patient, source: source) == Upserted(rowID: first.rowID, outcome: .updated))
    #expect(try connection.patients.patient(row: first.rowID)?.value == patient)
  }

  @Test func `a patient with nothing but a name is a patient`() throws {
    let patient = Patient(id: "P9", name: "Tweety", species: .other)
    let row = try connection.patients.upsert(patient, source: source).rowID
    #expect(try connection.patients.patient(row: row)?.value == patient)
  }

  @Test func `an owner who comes after the patient completes what the patient said`() throws {
    let patient = Patient(id: "P1", name: "Bella", species: .dog, ownerID: "C7", ownerName: "Ann Smith")
    _ = try connection.patients.upsert(patient, source: source)
    #expect(try connection.clients.list().map(\.value) == [Client(id: "C7", name: "Ann Smith")])
    let client = Client(id: "C7", name: "Ann Smith", phone: "0123")
    #expect(try connection.clients.upsert(client, source: source).outcome == .updated)
    #expect(try connection.patients.list().map(\.value.ownerID) == ["C7"])
    #expect(try connection.clients.list().map(\.value) == [client])
    #expect(try connection.patients.upsert(patient, source: source).outcome == .unchanged)
  }

  @Test func `patients are found by id, chip, name, name with owner and beginning`() throws {
    for (id, name, owner, chip) in [
      ("P1", "Bella", "Ann Smith", "111"), ("P2", "bella", "Carl Jones", "222"), ("P3", "Bella Rose", "Dee Fox", nil),
      ("P4", "Élodie", "Ann Smith", nil), ("P5", "111", "Eve Null", nil), ("P6", "Sir Max", "O'Neil", nil),
    ] as [(String, String, String, String?)] {
      _ = try connection.patients.upsert(
        Patient(id: id, name: name, species: .dog, ownerName: owner, microchip: chip), source: source)
    }
    let patients = connection.patients
    func ids(_ text: String) throws -> [String] { try patients.matching(text).map(\.value.id) }
    #expect(try ids("P3") == ["P3"])
    #expect(try ids("111") == ["P1"])
    #expect(try ids("BELLA") == ["P1", "P2"])
    #expect(try ids("bella jones") == ["P2"])
    #expect(try ids("Bella Ann Smith") == ["P1"])
    #expect(try ids("bella rose") == ["P3"])
    #expect(try ids("ÉLO") == ["P4"])
    #expect(try ids("sir max o'neil") == ["P6"])
    #expect(try ids("bel") == ["P1", "P2", "P3"])
    #expect(try ids("zebra") == [])
    #expect(try ids("") == [])
    #expect(try ids("%") == [])
    #expect(try patients.patients(ownerNamed: "smith").map(\.value.id) == ["P1", "P4"])
    #expect(try patients.patients(ownerNamed: "mith").isEmpty)
  }

  @Test func `staff come back with skills, hours, breaks and leave`() throws {
    let first = try #require(CalendarDate(year: 2026, month: 12, day: 24))
    var member = StaffMember(
      id: "S1", name: "Dr Lee", role: .veterinarian, skills: ["cardiology": 0.9, "dentistry": 0.25],
      workingHours: [.init(weekday: 5, minutes: 540..<1050), .init(weekday: 1, minutes: 540..<720)],
      breaks: [.init(weekday: 1, window: 720..<840, minutes: 30)], leave: [.init(days: first...first.adding(days: 3))])
    #expect(try connection.staff.upsert(member, source: source).outcome == .inserted)
    #expect(try connection.staff.upsert(member, source: source).outcome == .unchanged)
    #expect(try connection.staff.list().map(\.value) == [member])
    member.skills["dentistry"] = 0.3
    member.leave = []
    #expect(try connection.staff.upsert(member, source: source).outcome == .updated)
    #expect(try connection.staff.members(id: "S1").map(\.value) == [member])
  }

  @Test func `resources and intakes come back as they went in`() throws {
    let resource = Resource(id: "R1", name: "Theatre", kind: "theatre", capacity: 2, cleaningMinutes: 15)
    #expect(try connection.resources.upsert(resource, source: source).outcome == .inserted)
    #expect(try connection.resources.upsert(resource, source: source).outcome == .unchanged)
    #expect(try connection.resources.list().map(\.value) == [resource])

    _ = try connection.patients.upsert(Patient(id: "P1", name: "Bella", species: .cat), source: source)
    let whole = Intake(
      id: "I1", patientID: "P1", receivedAt: Timestamp(seconds: 99), channel: "phone", species: .cat, breed: "DSH",
      age: "4y", sex: .female, weightKilograms: 4.2, text: "not eating")
    let bare = Intake(id: "I2", text: "straining")
    for intake in [whole, bare] {
      #expect(try connection.intakes.upsert(intake, source: source).outcome == .inserted)
      #expect(try connection.intakes.upsert(intake, source: source).outcome == .unchanged)
    }
    #expect(try connection.intakes.list().map(\.value) == [whole, bare])
    let stranger = Intake(id: "I3", patientID: "P404", text: "?")
    #expect(
      #expect(throws: StoreError.self) { try connection.intakes.upsert(stranger, source: source) }
        == StoreError(.unknownRecord, context: "patient 'P404'"))
    #expect(try connection.intakes.count() == 2)
  }

  @Test func `settings keep what they are told`() throws {
    try connection.settings.set("a", to: "1")
    try connection.settings.set("a", to: "2")
    #expect(try connection.settings.value("a") == "2")
    try connection.settings.set("a", to: nil)
    #expect(try connection.settings.value("a") == nil)
  }
}
