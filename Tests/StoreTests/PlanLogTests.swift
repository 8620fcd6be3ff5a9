import Clinical
@testable import Store
import Testing

@Suite struct PlanLogTests {
  private static let origin = Timestamp(seconds: 1_795_424_400)

  private func practice() throws -> TestPractice {
    let practice = try TestPractice()
    _ = try practice.connection.staff.upsert(
      StaffMember(id: "V1", name: "V1", role: .veterinarian), source: practice.source)
    _ = try practice.connection.resources.upsert(
      Resource(id: "R1", name: "R1", kind: "room"), source: practice.source)
    return practice
  }

  @Test func `an entry comes back as it was written, and goes with its appointment`() throws {
    let practice = try practice()
    let plan = practice.connection.plan
    #expect(try plan.version() == 0)
    let appointment = Appointment(
      id: "A1", patientID: "P1", clinicianID: "V1", resourceIDs: ["R1"], start: Self.origin, durationMinutes: 20,
      visitType: .recheck, reason: "zyxwvut")
    let stored = try practice.connection.appointments.book(appointment)
    let before = PlanState(stored.value)
    let after = PlanState(
      status: .cancelled, start: Self.origin, minutes: 20, clinicianID: nil, resourceIDs: [], visitType: nil)
    let rows = [PlanEntry.Row(rowID: stored.rowID, appointmentID: "A1", before: before, after: after)]
    #expect(try plan.append(.cancel, at: Self.origin, rows: rows) == 1)
    #expect(try plan.append(.undo, at: Self.origin, reverts: 1, rows: []) == 2)
    #expect(try plan.entry(version: 1)?.rows == rows)
    #expect(try plan.entry(version: 2)?.reverts == 1)
    #expect(try plan.entries().map(\.kind) == [.cancel, .undo])
    #expect(try plan.outline().map(\.version) == [1, 2])
    // Words of the owner are not in the log.
    let words = try practice.connection.rows("SELECT * FROM plan_change_side") { $0.text(7) + $0.text(8) }
    #expect(!words.joined().contains("zyxwvut"))
    try practice.connection.appointments.delete(row: stored.rowID)
    #expect(try plan.entry(version: 1)?.rows.isEmpty == true)
    #expect(try plan.version() == 2)
    #expect(try practice.connection.foreignKeyCheck().isEmpty)
  }

  @Test func `whatever a plan depends on changes the revision, and reading or repeating an import doesn't`() throws {
    let practice = try practice()
    let (connection, plan) = (practice.connection, practice.connection.plan)
    var last = try plan.revision()
    func changes(_ what: String, _ expected: Bool = true, _ work: () throws -> Void) throws {
      try work()
      let now = try plan.revision()
      #expect((now != last) == expected, "\(what)")
      last = now
    }
    let appointment = Appointment(id: "A1", clinicianID: "V1", start: Self.origin, durationMinutes: 20)
    let row = try connection.appointments.upsert(appointment, source: practice.source).rowID
    last = try plan.revision()
    try changes("the same import", false) {
      _ = try connection.appointments.upsert(appointment, source: practice.source)
    }
    try changes("a move") { try connection.appointments.move(row: row, to: Self.origin.adding(minutes: 30)) }
    try changes("an option") {
      var options = AppointmentOptions()
      options.keepsTime = true
      try connection.appointments.setOptions(options, row: row)
    }
    try changes("leave") {
      let today = CalendarDate(daysSince1970: 20_000)
      _ = try connection.staff.upsert(
        StaffMember(id: "V1", name: "V1", role: .veterinarian, leave: [.init(days: today...today)]),
        source: practice.source)
    }
    try changes("a room") {
      _ = try connection.resources.upsert(
        Resource(id: "R1", name: "R1", kind: "room", cleaningMinutes: 5), source: practice.source)
    }
    try changes("a note", false) { try practice.write("N1", "bright and eating") }
    try changes("looking", false) { _ = try connection.appointments.conflicts() }
    try changes("a deletion") { try connection.appointments.delete(row: row) }
  }

  @Test func `wishes and limits come back, and time on the road is the clinician's in the schema`() throws {
    let practice = try practice()
    let appointments = practice.connection.appointments
    let first = try appointments.book(
      Appointment(id: "A1", clinicianID: "V1", resourceIDs: ["R1"], start: Self.origin, durationMinutes: 30))
    let second = try appointments.book(
      Appointment(id: "A2", clinicianID: "V1", start: Self.origin.adding(minutes: 60), durationMinutes: 30))
    var options = AppointmentOptions()
    (options.keepsClinician, options.afterID, options.lagMinutes) = (true, "A1", 10)
    options.window = Self.origin..<Self.origin.adding(minutes: 90)
    (options.urgency, options.receivedAt) = (.orange, Self.origin)
    options.travelBefore = 20
    try appointments.setOptions(options, row: second.rowID)
    #expect(try appointments.options(row: second.rowID) == options)
    #expect(try appointments.options(row: first.rowID).isEmpty)
    #expect(
      try appointments.options(startingIn: Self.origin..<Self.origin.adding(days: 1)) == ["A2": options])
    #expect(try appointments.rowsWithWrongSlots().isEmpty)
    #expect(throws: SlotTaken.self) {
      try appointments.book(
        Appointment(id: "A3", clinicianID: "V1", start: Self.origin.adding(minutes: 45), durationMinutes: 5))
    }
    // More road than there is time for is refused, and nothing is changed.
    var longer = options
    longer.travelBefore = 45
    #expect(throws: SlotTaken.self) { try appointments.setOptions(longer, row: second.rowID) }
    #expect(try appointments.options(row: second.rowID) == options)
    #expect(try appointments.rowsWithWrongSlots().isEmpty)
    options.afterID = "nobody"
    #expect(throws: StoreError.self) { try appointments.setOptions(options, row: second.rowID) }
  }

  @Test func `a file from before limits were recorded keeps its log and takes new changes`() throws {
    let folder = try TemporaryFolder()
    do {
      let old = try Connection.create(folder.file, migrator: Migrator(Array(Migrator.practice.migrations.prefix(9))))
      try old.executeScript(
        """
        INSERT INTO source (id, name) VALUES (7, 'old');
        INSERT INTO appointment (id, external_id, source_id, content_hash, start_at, duration_minutes, status)
          VALUES (1, 'A1', 7, x'00', 1795424400, 20, 'booked');
        INSERT INTO plan_change (id, changed_at, kind) VALUES (1, 1795424400, 'book');
        INSERT INTO plan_change (id, changed_at, kind, reverts_id) VALUES (2, 1795424400, 'undo', 1);
        INSERT INTO plan_change_side (change_id, appointment_id, side, status, start_at, duration_minutes)
          VALUES (1, 1, 'after', 'booked', 1795424400, 20);
        """, context: "an old file")
    }
    let connection = try Connection.open(folder.file)
    let entries = try connection.plan.entries()
    #expect(entries.map(\.kind) == [.book, .undo])
    #expect(entries.map(\.reverts) == [nil, 1])
    let state = try #require(entries.first?.rows.first?.after)
    #expect(state.options == nil)
    var options = AppointmentOptions()
    options.keepsTime = true
    options.window = Self.origin..<Self.origin.adding(minutes: 60)
    options.afterID = "A1"
    options.urgency = .orange
    options.receivedAt = Self.origin
    let after = PlanState(
      status: .booked, start: Self.origin, minutes: 20, clinicianID: nil, resourceIDs: [], visitType: nil,
      options: options)
    try connection.plan.append(
      .set, at: Self.origin, rows: [PlanEntry.Row(rowID: 1, appointmentID: "A1", before: state, after: after)])
    #expect(try connection.plan.entry(version: 3)?.rows.first?.after == after)
    #expect(try connection.foreignKeyCheck().isEmpty)
    #expect(throws: StoreError.self) {
      try connection.execute("INSERT INTO plan_change (id, changed_at, kind) VALUES (9, 1, 'whim')")
    }
  }
}
