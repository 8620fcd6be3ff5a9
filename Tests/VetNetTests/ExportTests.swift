import Clinical
import Foundation
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// A practice that leaves in the import format, and arrives elsewhere.
struct ExportTests {
  /// Two sources that share an id, labelled telephones, a note with a past, a retracted one, limits and an override.
  private func clinic() throws -> ImportBench {
    let bench = try ImportBench()
    try bench.load([
      (
        "clients.jsonl",
        #"{"id":"C1","name":"Ann Smith","phone":[{"label":"Mobile","number":"07700 900001"},{"number":"01632 960001"}]}"#
          + "\n" + #"{"id":"C2","name":"Bo Hill","address":"1 High Street\nFernleigh"}"# + "\n"
      ),
      (
        "patients.jsonl",
        #"{"id":"P1","name":"Rex","species":"dog","owner_id":"C1","weight_kg":31.2,"date_of_birth":"2019-02-03"}"#
          + "\n"
          + #"{"id":"P2","name":"Bella","species":"other","breed":"wallaby","owner_name":"Somebody"}"# + "\n"
      ),
      ("staff.jsonl", #"{"id":"V1","name":"Dr Ash","role":"veterinarian","skills":{"cardiology":0.9}}"# + "\n"),
      ("resources.jsonl", #"{"id":"R1","name":"Room 1","kind":"room","cleaning_minutes":5}"# + "\n"),
      (
        "notes.jsonl",
        #"{"id":"N1","patient_id":"P1","recorded_at":"2026-03-05T10:00","text":"Limping on the left fore."}"# + "\n"
          + #"{"id":"N2","patient_id":"P2","recorded_at":"2026-03-06","kind":"lab","text":"ALT 80 U/L\n\n\tfine"}"#
          + "\n"
      ),
      ("intakes.jsonl", #"{"id":"I1","patient_id":"P1","received_at":"2026-03-05T09:00","text":"He limps."}"# + "\n"),
      (
        "appointments.jsonl",
        #"{"id":"A1","patient_id":"P1","clinician_id":"V1","resource_ids":["R1"],"start":"2026-12-01T10:00","duration_minutes":20}"#
          + "\n"
          + #"{"id":"A2","patient_id":"P1","start":"2026-12-02T10:00","duration_minutes":30,"limits":{"after_id":"A3","lag_minutes":30}}"#
          + "\n" + #"{"id":"A3","patient_id":"P1","start":"2026-12-01T12:00","duration_minutes":15,"status":"no_show"}"#
          + "\n"
      ),
    ])
    let practice = bench.practice
    for (tag, target) in [
      ("nervous", TagRecord.Target.patient("P1")), ("ill, old; frail", .patient("P1")), ("teaching", .note("N1")),
      ("bring X-rays", .appointment("A1")),
    ] {
      try practice.perform(TagRecord(tag: tag, target: target), by: .local, at: bench.now)
    }
    try bench.load([("patients.jsonl", #"{"id":"P3","name":"Rex","species":"dog","owner_id":"C1"}"# + "\n")])
    try practice.perform(
      MergePatients(first: "P1", second: "P3", keep: .first, reason: "entered twice"), by: .local, at: bench.now)
    let row = try practice.calendar.storedAppointment("A1").rowID
    try practice.connection.calendars.keep(
      .init(appointment: row, calendar: "ann", series: "u1", isCase: true, goneAt: bench.now))
    for (stage, minute) in [(VisitStage.arrived, 0), (.expected, 1), (.noShow, 30)] {
      try practice.connection.visitSteps.append(
        VisitStep(stage, at: bench.now.adding(minutes: minute), actor: "Ann"),
        to: practice.calendar.storedAppointment("A3").rowID)
    }
    try bench.load(
      [("patients.jsonl", #"{"id":"P1","name":"Max","species":"cat"}"# + "\n")], source: "other")
    try bench.load(
      [("notes.jsonl", #"{"id":"N9","patient_id":"P1","recorded_at":"2026-03-07","text":"A cat's note."}"# + "\n")],
      source: "other")
    _ = try practice.records.amendNote("N1", text: "Limping on the right fore.", reason: "wrong side", now: bench.now)
    _ = try practice.records.retractNote("N2", reason: "another animal's", now: bench.now)
    _ = try practice.calendar.setOptions(of: "A1", now: bench.now, isDryRun: false) { $0.keepsTime = true }
    let intake = try #require(try practice.connection.intakes.intakes(id: "I1").first?.value)
    let assessed = try practice.assessment.triage(intake, patient: nil, now: bench.now, saves: false)
    _ = try practice.assessment.override(
      assessed, of: intake, patient: nil, urgency: .orange, reason: "he looked worse", now: bench.now)
    return bench
  }

  private func dump(_ bench: ImportBench) throws -> String {
    let connection = bench.practice.connection
    func rows(_ sql: String) throws -> [String] {
      try connection.rows(sql) { row in (0..<6).map { row.optionalText(Int32($0)) ?? "-" }.joined(separator: "|") }
    }
    return try bench.state()
      + (rows(
        """
        SELECT n.external_id, v.replaced_at, v.actor || v.cause, v.reason, p.external_id, v.text
        FROM note_version AS v JOIN note AS n ON n.id = v.note_id JOIN patient AS p ON p.id = v.patient_id ORDER BY v.id
        """)
      + rows(
        """
        SELECT n.external_id, retracted_at, actor, reason, 1, 1 FROM note_retraction JOIN note AS n ON n.id = note_id
        """)
      + rows(
        """
        SELECT a.external_id, keeps_time, lag_minutes, b.external_id, 1, 1 FROM appointment_option
        JOIN appointment AS a ON a.id = appointment_id LEFT JOIN appointment AS b ON b.id = after_id
        WHERE keeps_time > 0 OR lag_minutes > 0
        """)
      + rows(
        """
        SELECT i.external_id, created_at, model_versions, result, 1, 1 FROM assessment AS a
        JOIN intake AS i ON i.id = a.intake_id WHERE a.kind = 'triage override'
        """)
      + rows(
        """
        SELECT tag.name, tagged.kind, coalesce(p.external_id, n.external_id, a.external_id), 1, 1, 1
        FROM tagged JOIN tag ON tag.id = tag_id LEFT JOIN patient AS p ON tagged.kind = 'patient' AND p.id = row_id
        LEFT JOIN note AS n ON tagged.kind = 'note' AND n.id = row_id
        LEFT JOIN appointment AS a ON tagged.kind = 'appointment' AND a.id = row_id ORDER BY 1, 2, 3
        """)
      + rows(
        """
        SELECT m.external_id, source.name, p.external_id, merged_at, actor, reason FROM patient_merge AS m
        JOIN patient AS p ON p.id = kept_id JOIN source ON source.id = m.source_id ORDER BY m.id
        """)
      + rows(
        """
        SELECT a.external_id, calendar, series, is_case, gone_at, 1 FROM calendar_event
        JOIN appointment AS a ON a.id = appointment_id ORDER BY 1
        """)
      + rows(
        """
        SELECT a.external_id, stage, told_at, actor, 1, 1 FROM visit_step
        JOIN appointment AS a ON a.id = appointment_id ORDER BY visit_step.id
        """)
      + rows(
        """
        SELECT source.name, note.external_id, 1, 1, 1, 1 FROM note JOIN source ON source.id = note.source_id ORDER BY 2
        """)).joined(separator: "\n")
  }

  @Test func `tags and ids that were merged away leave and come in as FHIR, too`() throws {
    let bench = try clinic()
    let file = bench.folder.file("bundle.json")
    try bench.practice.perform(ExportRecords(request: ExportRequest(.fhir, to: file)), by: .local, at: bench.now)
    let other = try ImportBench()
    _ = try other.practice.exchange.importFiles(
      [file], options: ImportOptions(indexes: false), now: bench.now, progress: { _ in }, message: { _ in })
    let uses = try other.practice.perform(ListTags(), by: .local, at: bench.now)
    #expect(
      uses.map { "\($0.name) \($0.patients) \($0.notes) \($0.appointments)" } == [
        "bring X-rays 0 0 1", "ill, old; frail 1 0 0", "nervous 1 0 0", "teaching 0 1 0",
      ])
    #expect(try other.practice.records.patient("P3").name == "Rex")
  }

  @Test func `what is exported and imported elsewhere is the same practice, with its past`() throws {
    let bench = try clinic()
    let exported = bench.folder.file("out")
    let summary = try bench.practice.perform(
      ExportRecords(request: ExportRequest(.folder, to: exported)), by: .local, at: bench.now)
    #expect(summary.records["notes"] == 3 && summary.records["patients"] == 3 && summary.records["intakes"] == 1)
    let other = try ImportBench()
    let options = ImportOptions(indexes: false)
    let imported = try other.practice.exchange.importFiles(
      [exported], options: options, now: bench.now, progress: { _ in }, message: { Issue.record("\($0)") })
    #expect(imported.isComplete)
    let before = try dump(bench)
    #expect(before.contains("wrong side") && before.contains("another animal's") && before.contains("he looked worse"))
    #expect(before.contains("A2|0|30|A3") && before.contains("A1|1|0") && before.contains("other|N9"))
    #expect(before.contains("ill, old; frail|patient|P1") && before.contains("P3|") && before.contains("A1|ann|u1"))
    #expect(try dump(other) == before)
    // The id that was merged away finds the one that is left, and can't be taken apart without its own record.
    #expect(try other.practice.records.patient("P3").name == "Rex")
    #expect(throws: PracticeError.self) {
      try other.practice.perform(SplitPatient(id: "P3", reason: "two"), by: .local, at: bench.now)
    }
    // A second import changes nothing, a second export is the same bytes.
    let again = try other.practice.exchange.importFiles(
      [exported], options: options, now: bench.now, progress: { _ in }, message: { _ in })
    #expect(again.importID == nil)
    _ = try other.practice.perform(
      ExportRecords(request: ExportRequest(.folder, to: other.folder.file("out"))), by: .local, at: bench.now)
    for file in try FileManager.default.contentsOfDirectory(atPath: exported) {
      let first = try Data(contentsOf: URL(filePath: exported + "/" + file))
      #expect(first == (try Data(contentsOf: URL(filePath: other.folder.file("out/" + file)))), "\(file)")
      let mode = try FileManager.default.attributesOfItem(atPath: exported + "/" + file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test func `an import that brought corrected notes is taken back whole, later`() throws {
    let bench = try clinic()
    let exported = bench.folder.file("out")
    _ = try bench.practice.perform(
      ExportRecords(request: ExportRequest(.folder, to: exported)), by: .local, at: bench.now)
    let other = try ImportBench()
    let empty = try other.state()
    let later = bench.now.adding(days: 1)
    _ = try other.practice.exchange.importFiles(
      [exported], options: ImportOptions(indexes: false), now: later, progress: { _ in }, message: { _ in })
    #expect(try other.practice.exchange.undoImport(nil, now: later).kept.isEmpty)
    #expect(try other.state() == empty)
  }

  @Test func `one patient leaves with its owner and visits, and nobody else`() throws {
    let bench = try clinic()
    let summary = try bench.practice.perform(
      ExportRecords(request: ExportRequest(.folder, to: bench.folder.file("one"), patient: "practice:P1")), by: .local,
      at: bench.now)
    #expect(
      summary.records == [
        "clients": 1, "patients": 1, "staff": 1, "resources": 1, "notes": 1, "intakes": 1, "appointments": 3,
      ])
    #expect(summary.remarks.isEmpty)
  }

  @Test func `tables can be imported again, with telephones, hours and skills`() throws {
    let bench = try clinic()
    try bench.load([
      (
        "staff.jsonl",
        #"{"id":"V2","name":"Dr Elm","role":"nurse","skills":{"dentistry":0.5,"imaging":0.25},"working_hours":[{"weekday":1,"start":"09:00","end":"24:00"}],"breaks":[{"weekday":1,"earliest":"12:00","latest":"14:00","minutes":30}],"leave":[{"from":"2026-12-24","to":"2026-12-27"}]}"#
          + "\n"
      )
    ])
    _ = try bench.practice.perform(
      ExportRecords(request: ExportRequest(.csv, to: bench.folder.file("tables/"))), by: .local, at: bench.now)
    let other = try ImportBench()
    for name in ["clients", "staff", "resources"] {
      let summary = try other.practice.exchange.importFiles(
        [bench.folder.file("tables/\(name).csv")], options: ImportOptions(indexes: false), now: bench.now,
        progress: { _ in }, message: { _ in })
      #expect(summary.isComplete, "\(name)")
    }
    let (left, came) = (bench.practice.connection, other.practice.connection)
    #expect(try came.clients.list().map(\.value) == left.clients.list().map(\.value))
    #expect(try came.staff.list().map(\.value) == left.staff.list().map(\.value))
    #expect(try came.staff.list().last?.value.workingHours.count == 1)
    #expect(try came.clients.list().first?.value.phones.count == 2)
  }

  @Test func `what stands there is left alone, and whoever may not export gets nothing`() throws {
    let bench = try clinic()
    try bench.folder.write("mine", to: "out/letter.txt")
    #expect(throws: PracticeError.self) {
      try bench.practice.perform(
        ExportRecords(request: ExportRequest(.folder, to: bench.folder.file("out"))), by: .local, at: bench.now)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("out")) == ["letter.txt"])
    let refused = #expect(throws: PracticeError.self) {
      try bench.practice.perform(
        ExportRecords(request: ExportRequest(.folder, to: bench.folder.file("new"))),
        by: Actor(name: "Nia", role: .nurse), at: bench.now)
    }
    #expect(refused?.code == .notPermitted)
    let left = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
    #expect(!left.contains("new") && !left.contains { $0.hasPrefix(".vetnet-export") })
  }
}
