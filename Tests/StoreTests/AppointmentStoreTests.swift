import Clinical
@testable import Store
import Testing

/// Monday 23 November 2026, 09:00 UTC.
private let nine = Timestamp(seconds: 1_795_424_400)

@Suite struct AppointmentStoreTests {
  private let practice: TestPractice
  private var appointments: AppointmentStore { practice.connection.appointments }

  init() throws {
    practice = try TestPractice()
    let connection = practice.connection
    for id in ["V1", "V2"] {
      _ = try connection.staff.upsert(
        StaffMember(id: id, name: id, role: .veterinarian), source: practice.source)
    }
    for resource in [
      Resource(id: "R1", name: "Room", kind: "room", capacity: 1, cleaningMinutes: 5),
      Resource(id: "R2", name: "Kennels", kind: "kennel", capacity: 2, cleaningMinutes: 0),
      Resource(id: "R0", name: "Closed", kind: "room", capacity: 0, cleaningMinutes: 0),
    ] {
      _ = try connection.resources.upsert(resource, source: practice.source)
    }
  }

  private func visit(
    _ id: String, _ minute: Int, _ duration: Int = 15, clinician: String? = "V1", rooms: [String] = [],
    status: Appointment.Status = .booked
  ) -> Appointment {
    Appointment(
      id: id, patientID: "P1", clinicianID: clinician, resourceIDs: rooms, start: nine.adding(minutes: minute),
      durationMinutes: duration, visitType: .standardConsult, reason: "check", status: status)
  }

  @Test(arguments: [
    (0, 15, 0..<3), (0, 1, 0..<1), (3, 5, 0..<2), (3, 2, 0..<1), (4, 2, 0..<2), (-1, 2, -1..<1), (0, 0, 0..<0),
    (7, 16, 1..<5),
  ])
  func `an appointment takes every slot it touches`(minute: Int, duration: Int, slots: Range<Int64>) {
    let origin = nine.seconds / 300
    let expected = slots.isEmpty ? 0 : slots.count
    let taken = TimeSlots.slots(from: nine.adding(minutes: minute), minutes: duration)
    #expect(taken.count == expected)
    if expected > 0 { #expect(taken == slots.lowerBound + origin..<slots.upperBound + origin) }
  }

  @Test func `slots before 1970 are rounded down too`() {
    #expect(TimeSlots.slots(from: Timestamp(seconds: -1), minutes: 1) == -1..<1)
    #expect(TimeSlots.slots(from: Timestamp(seconds: -300), minutes: 5) == -1..<0)
  }

  @Test func `an appointment comes back as it was booked`() throws {
    var appointment = visit("A1", 3, 17, rooms: ["R1", "R2"])
    let stored = try appointments.book(appointment)
    #expect(stored.value == appointment)
    #expect(stored.version == 1)
    #expect(stored.conflict == nil)
    appointment.id = "A2"
    appointment.patientID = nil
    appointment.clinicianID = nil
    appointment.resourceIDs = []
    appointment.visitType = nil
    appointment.reason = nil
    appointment.actualMinutes = 12.5
    #expect(try appointments.book(appointment).value == appointment)
    #expect(try appointments.appointments(startingIn: nine..<nine.adding(minutes: 3)).isEmpty)
    #expect(try appointments.appointments(startingIn: nine..<nine.adding(minutes: 4)).map(\.value.id) == ["A1", "A2"])
    #expect(try appointments.appointments(patient: 1).map(\.value.id) == ["A1"])
    #expect(try appointments.rowsWithWrongSlots().isEmpty)
  }

  @Test func `a clinician isn't booked twice, and the refusal says who has the time`() throws {
    _ = try appointments.book(visit("A1", 0))
    let taken = #expect(throws: SlotTaken.self) { try appointments.book(visit("A2", 10)) }
    #expect(taken == SlotTaken(part: .clinician("V1"), slot: nine.seconds / 300 + 2, appointmentID: "A1"))
    #expect(taken?.description == "clinician V1 is taken at 2026-11-23T09:10:00+00:00 by appointment A1")
    #expect(try appointments.count() == 1)
    _ = try appointments.book(visit("A3", 10, clinician: "V2"))
    _ = try appointments.book(visit("A4", 15))
  }

  @Test func `a room is taken until it is clean`() throws {
    _ = try appointments.book(visit("A1", 0, 15, rooms: ["R1"]))
    let taken = #expect(throws: SlotTaken.self) {
      try appointments.book(visit("A2", 15, clinician: "V2", rooms: ["R1"]))
    }
    #expect(taken?.part == .resource("R1"))
    #expect(taken?.appointmentID == "A1")
    // The clinician is free again at once.
    _ = try appointments.book(visit("A3", 15, 5))
    _ = try appointments.book(visit("A4", 20, clinician: "V2", rooms: ["R1"]))
  }

  @Test func `a resource of two units takes two`() throws {
    #expect(try appointments.freeUnit(of: 2, at: nine, minutes: 15) == 1)
    _ = try appointments.book(visit("A1", 0, rooms: ["R2"]))
    #expect(try appointments.freeUnit(of: 2, at: nine, minutes: 15) == 2)
    _ = try appointments.book(visit("A2", 5, clinician: "V2", rooms: ["R2"]))
    #expect(try appointments.freeUnit(of: 2, at: nine, minutes: 15) == nil)
    #expect(try appointments.freeUnit(of: 2, at: nine.adding(minutes: 15), minutes: 15) == 1)
    #expect(throws: SlotTaken.self) { try appointments.book(visit("A3", 5, clinician: nil, rooms: ["R2"])) }
    #expect(
      #expect(throws: SlotTaken.self) { try appointments.book(visit("A4", 60, clinician: nil, rooms: ["R0"])) }?
        .appointmentID == nil)
  }

  @Test func `a booking that fails leaves nothing, not even in part`() throws {
    _ = try appointments.book(visit("A1", 0, clinician: "V2", rooms: ["R1"]))
    #expect(throws: SlotTaken.self) { try appointments.book(visit("A2", 0, rooms: ["R2", "R1"])) }
    #expect(try appointments.taken(clinician: 1, at: nine, minutes: 15) == nil)
    #expect(try appointments.freeUnit(of: 2, at: nine, minutes: 15) == 1)
    for bad in [visit("A3", 0, clinician: "V9"), visit("A3", 0, rooms: ["R9"])] {
      #expect(#expect(throws: StoreError.self) { try appointments.book(bad) }?.code == .unknownRecord)
    }
    #expect(#expect(throws: StoreError.self) { try appointments.book(visit("A1", 300)) }?.isUniqueViolation == true)
    #expect(try appointments.count() == 1)
  }

  @Test(arguments: [Appointment.Status.done, .cancelled, .noShow, .requested])
  func `an appointment that is over, off or only asked for occupies nothing`(status: Appointment.Status) throws {
    _ = try appointments.book(visit("A0", 0, rooms: ["R1"], status: status))
    let stored = try appointments.book(visit("A1", 0, rooms: ["R1"]))
    #expect(throws: SlotTaken.self) { try appointments.change(row: 1) { $0.status = .booked } }
    try appointments.change(row: stored.rowID) { $0.status = status }
    #expect(try appointments.appointment(row: stored.rowID)?.value.resourceIDs == ["R1"])
    let next = try appointments.book(visit("A2", 0, rooms: ["R1"]))
    // The schema does it by itself too.
    try practice.connection.execute("UPDATE appointment SET status = ? WHERE id = ?", status.rawValue, next.rowID)
    #expect(try appointments.rowsWithWrongSlots().isEmpty)
    _ = try appointments.book(visit("A3", 0, rooms: ["R1"]))
  }

  @Test func `moving takes the new time and gives the old back`() throws {
    let first = try appointments.book(visit("A1", 0, rooms: ["R1"]))
    let second = try appointments.book(visit("A2", 30, rooms: ["R1"]))
    #expect(throws: SlotTaken.self) { try appointments.move(row: first.rowID, to: second.value.start) }
    #expect(try appointments.appointment(row: first.rowID) == first)
    // Onto its own time.
    let later = try appointments.move(row: first.rowID, to: nine.adding(minutes: 5), expecting: first.version)
    #expect(later.version == 2)
    #expect(
      #expect(throws: StoreError.self) {
        try appointments.move(row: first.rowID, to: nine, expecting: first.version)
      }?.code == .changedMeanwhile)
    try appointments.move(row: first.rowID, to: second.value.start.adding(minutes: 20), clinicianID: "V2")
    _ = try appointments.book(visit("A3", 0, rooms: ["R1"]))
    #expect(try appointments.rowsWithWrongSlots().isEmpty)
    try appointments.cancel(row: second.rowID)
    #expect(try appointments.appointment(row: second.rowID)?.value.status == .cancelled)
    #expect(throws: StoreError.self) { try appointments.cancel(row: 99) }
  }

  @Test func `imported overlaps are kept and listed, and settled when the other goes`() throws {
    let source = practice.source
    for (index, minute) in [0, 10, 30].enumerated() {
      #expect(
        try appointments.upsert(visit("A\(index)", minute, rooms: ["R1"]), source: source).outcome == .inserted)
      #expect(
        try appointments.upsert(visit("A\(index)", minute, rooms: ["R1"]), source: source).outcome == .unchanged)
    }
    #expect(try appointments.count() == 3)
    let conflict = try #require(try appointments.conflicts().first)
    #expect(conflict.value == visit("A1", 10, rooms: ["R1"]))
    #expect(conflict.conflict == "clinician V1 is taken at 2026-11-23T09:10:00+00:00 by appointment A0")
    #expect(try appointments.rowsWithWrongSlots().isEmpty)
    #expect(try appointments.retryConflicts() == [])
    try appointments.cancel(row: 1)
    #expect(try appointments.retryConflicts() == [2])
    #expect(try appointments.conflicts().isEmpty)
    #expect(throws: SlotTaken.self) { try appointments.book(visit("A9", 10)) }
    #expect(try appointments.rowsWithWrongSlots().isEmpty)
  }

  @Test func `a change made here stays until the source says something new`() throws {
    let source = practice.source
    let row = try appointments.upsert(visit("A1", 0), source: source).rowID
    try appointments.move(row: row, to: nine.adding(minutes: 60))
    #expect(try appointments.upsert(visit("A1", 0), source: source).outcome == .unchanged)
    #expect(try appointments.appointment(row: row)?.value.start == nine.adding(minutes: 60))
    #expect(try appointments.upsert(visit("A1", 0, 20), source: source).outcome == .updated)
    let stored = try #require(try appointments.appointment(row: row))
    #expect(stored.value == visit("A1", 0, 20))
    #expect(stored.version == 3)
    #expect(try appointments.rowsWithWrongSlots().isEmpty)
  }

  @Test func `the schema refuses slots that nobody is booked for`() throws {
    let connection = practice.connection
    let booked = try appointments.book(visit("A1", 0, rooms: ["R1"]))
    let requested = try appointments.book(visit("A2", 0, status: .requested))
    let slot = nine.seconds / 300
    for (clinician, slot, row, code) in [
      (1, slot, booked.rowID, StoreError.Code.constraint(.primaryKey)),
      (1, slot + 90, requested.rowID, .constraint(.trigger)),
      (2, slot + 90, booked.rowID, .constraint(.trigger)),
    ] {
      let error = #expect(throws: StoreError.self) {
        try connection.execute(
          "INSERT INTO clinician_slot (clinician_id, slot, appointment_id) VALUES (?, ?, ?)", clinician, slot, row)
      }
      #expect(error?.code == code)
    }
    let error = #expect(throws: StoreError.self) {
      try connection.execute(
        "INSERT INTO resource_slot (resource_id, unit, slot, appointment_id) VALUES (1, 2, ?, ?)", slot, booked.rowID)
    }
    #expect(error?.code == .constraint(.trigger))
    #expect(throws: StoreError.self) { try connection.execute("UPDATE appointment SET status = 'perhaps'") }
  }

  @Test func `what finished visits taught holds until an earlier one is other than it was`() throws {
    func finished(_ id: String, _ minute: Int, minutes: Double = 20) -> Appointment {
      var appointment = visit(id, minute, status: .done)
      appointment.actualMinutes = minutes
      return appointment
    }
    let marker = VisitMarker(start: nine.adding(minutes: 60), rowID: 0)
    let source = practice.source
    for (id, minute) in [("A1", 0), ("A2", 60)] { _ = try appointments.upsert(finished(id, minute), source: source) }
    #expect(try !appointments.isUnchanged(through: marker))
    try appointments.markLearned()
    #expect(try appointments.isUnchanged(through: marker))

    // What comes later is learned later; what was only booked taught nothing.
    _ = try appointments.upsert(finished("A3", 90), source: source)
    _ = try appointments.upsert(visit("A4", 30), source: source)
    _ = try appointments.upsert(finished("A1", 0), source: source)
    #expect(try appointments.isUnchanged(through: marker))

    _ = try appointments.upsert(finished("A1", 0, minutes: 35), source: source)
    #expect(try !appointments.isUnchanged(through: marker))
    try appointments.markLearned()
    let row = try #require(try appointments.appointments(id: "A2").first).rowID
    try appointments.delete(row: row)
    #expect(try !appointments.isUnchanged(through: marker))
    try appointments.markLearned()
    _ = try appointments.upsert(finished("A4", 30), source: source)
    #expect(try !appointments.isUnchanged(through: marker))
  }
}
