import Clinical
import Foundation
@testable import Store
import Testing
import VetNetTestSupport

@Suite struct SchemaTests {
  @Test func `the schema has these tables, and every one is strict`() throws {
    let connection = try Connection.inMemory()
    let tables = try connection.rows(
      "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ) { (name: $0.text(0), isStrict: $0.int(1) == 1) }
    #expect(
      tables.map(\.name) == [
        "appointment", "appointment_conflict", "appointment_option", "appointment_resource", "assessment",
        "assessment_note", "audit_about", "audit_entry", "audit_head", "backup", "browser_key",
        "browser_loss", "calendar", "calendar_event",
        "calendar_feed",
        "change_count",
        "chunk", "chunk_vector", "client", "client_phone", "clinician_slot", "device", "device_invitation",
        "drug_course",
        "encounter", "encounter_decision",
        "erased", "fact", "generation", "import",
        "import_change", "inbox_candidate", "inbox_decision", "inbox_item", "inbox_number", "inbox_place", "intake",
        "job",
        "job_report",
        "location",
        "location_closure", "location_hours", "migration",
        "model", "note", "note_retraction", "note_state", "note_version", "patient", "patient_merge",
        "photo", "photo_tag", "picture", "picture_check", "picture_tier", "plan_change",
        "plan_change_option", "plan_change_resource",
        "plan_change_side",
        "plan_revision", "posting", "projection_row", "record_hash", "request_answer", "resource", "resource_slot",
        "segment",
        "setting", "sign_in_try",
        "source", "staff", "staff_address", "staff_break", "staff_credential", "staff_hours", "staff_leave",
        "staff_load",
        "staff_long_visits", "staff_skill", "sync_operation", "sync_record", "sync_replica", "sync_self", "tag",
        "tagged",
        "term", "unfolded_patient", "user", "user_location_role", "user_passkey", "user_session",
        "visit_learning", "visit_step",
      ])
    #expect(tables.filter { !$0.isStrict }.map(\.name) == [])
  }

  @Test func `who waits is found without reading the appointments of twenty years`() throws {
    let connection = try Connection.inMemory()
    let plan = try connection.rows(
      "EXPLAIN QUERY PLAN SELECT id FROM appointment WHERE status = 'requested' ORDER BY start_at, id"
    ) { $0.text(3) }
    #expect(plan.count == 1 && plan[0].contains("appointment_requested"), "\(plan)")
  }

  @Test func `every record from outside is unique within its source`() throws {
    let connection = try Connection.inMemory()
    for table in RecordTable.allCases {
      let columns = try connection.rows(
        """
        SELECT info.name FROM pragma_index_list(?) AS list JOIN pragma_index_info(list.name) AS info
        WHERE list.origin = 'u' AND list."unique" = 1 ORDER BY info.seqno
        """, table.rawValue
      ) { $0.text(0) }
      #expect(columns == ["external_id", "source_id"], "\(table)")
    }
  }

  @Test func `every foreign key is found by an index`() throws {
    // Without one, deleting a parent reads the whole child.
    let connection = try Connection.inMemory()
    let keys = try connection.rows(
      """
      SELECT tables.name, keys."from" FROM pragma_table_list AS tables JOIN pragma_foreign_key_list(tables.name) AS keys
      WHERE tables.schema = 'main' AND keys."table" <> 'source' ORDER BY 1, 2
      """
    ) { (table: $0.text(0), column: $0.text(1)) }
    #expect(keys.count > 20)
    for key in keys {
      let leading = try connection.rows(
        """
        SELECT info.name FROM pragma_index_list(?1) AS list JOIN pragma_index_info(list.name) AS info
        WHERE info.seqno = 0
        UNION ALL SELECT name FROM pragma_table_info(?1) WHERE pk = 1
        """, key.table
      ) { $0.text(0) }
      #expect(leading.contains(key.column), "\(key.table).\(key.column)")
    }
  }

  @Test func `a filter is answered by an index alone, in the order of ids`() throws {
    let connection = try Connection.inMemory()
    let filters = [
      ChunkFilter(), ChunkFilter(patientRowID: 1, through: Timestamp(seconds: 9), kinds: [.lab, .consult]),
    ]
    for (filter, index) in zip(filters, ["chunk_of_generation", "chunk_of_patient"]) {
      let plan = try connection.withStatement(
        "EXPLAIN QUERY PLAN SELECT id, patient_id, token_count FROM chunk WHERE \(filter.condition) ORDER BY id"
      ) { statement throws(StoreError) in
        try filter.bind(to: statement, generation: 1)
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(3)) }
        return lines
      }
      #expect(plan.count == 1 && plan.allSatisfy { $0.contains("USING COVERING INDEX \(index)") }, "\(plan)")
    }
  }

  @Test func `a file of schema 20 opens with what is in it, users, histories, backups and erasures included`() throws {
    let folder = try TemporaryFolder()
    let fixture = projectDirectory + "/Tests/StoreTests/Fixtures/schema-v20.sql"
    do {
      let raw = try Connection.create(folder.file, migrator: Migrator([]))
      // As it was dumped: tables in the order of their names, not of what refers to what.
      try raw.executeScript("PRAGMA foreign_keys = OFF", context: "the fixture")
      try raw.executeScript(try String(contentsOfFile: fixture, encoding: .utf8), context: "the fixture")
    }
    let connection = try Connection.open(folder.file)
    #expect(try connection.integrityCheck().isEmpty && connection.foreignKeyCheck().isEmpty)
    for table in RecordTable.allCases { #expect(try connection.recordHashes.altered(table) == [], "\(table)") }
    let patient = try #require(try connection.patients.matching("rex").first)
    #expect(
      try connection.notes.notes(patient: patient.rowID).map(\.value.text) == ["Lame on the right fore since Friday."])
    let counts = [
      "user": 1, "user_session": 1, "backup": 1, "note_version": 1, "note_retraction": 1, "import": 2, "erased": 2,
      "plan_change": 3, "appointment": 3,
    ]
    for (table, count) in counts {
      #expect(try connection.number("SELECT count(*) FROM \(table)") == count, "\(table)")
    }
    #expect(try connection.audit.entries().count >= 19)
    #expect(try connection.erased.patients().map(\.id) == ["P3"])
  }

  @Test func `a file of the first schema opens with what is in it`() throws {
    let folder = try TemporaryFolder()
    let fixture = projectDirectory + "/Tests/StoreTests/Fixtures/schema-v1.sql"
    let script = try String(contentsOfFile: fixture, encoding: .utf8)
    do {
      let raw = try Connection.create(folder.file, migrator: Migrator([]))
      try raw.executeScript(script, context: "the fixture")
    }
    let connection = try Connection.open(folder.file)
    #expect(try connection.integrityCheck().isEmpty)
    #expect(try connection.foreignKeyCheck().isEmpty)
    let patient = try #require(try connection.patients.matching("bella smith").first)
    #expect(patient.value.id == "P1")
    #expect(patient.value.dateOfBirth == CalendarDate(year: 2019, month: 4, day: 2))
    let notes = try connection.notes.notes(patient: patient.rowID)
    #expect(notes.map(\.value.text) == ["vomiting since last night", "bright and eating again"])
    let generation = try #require(try connection.generations.live())
    #expect(try connection.chunks.verify(generation: generation.rowID).isEmpty)
    #expect(try connection.chunks.vectors(generation: generation.rowID).values.count == 2 * ChunkStore.dimension)
    var segmented: [Int] = []
    try connection.chunks.forEachSegment(generation: generation.rowID) { segmented.append($0.count) }
    #expect(segmented == [2])
    #expect(try connection.facts.count(generation: generation.rowID) == 2)
    #expect(try connection.appointments.rowsWithWrongSlots().isEmpty)
    #expect(try connection.appointments.appointments(patient: patient.rowID).map(\.value.status) == [.booked])
    #expect(try connection.staff.list().map(\.value.workingHours.count) == [1])
  }
}
