import Clinical
import Foundation
import Glibc
@testable import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// What is erased is nowhere, what is about others is as it was, and the book, undo and the audit log go on.
struct EraseTests {
  /// A practice in which every field about one patient holds a word of its own, through everything that keeps a copy of it.
  private final class Marked {
    let clinic: SmallClinic
    var practice: Practice { clinic.practice }
    let now = SmallClinic.at("2026-11-23T09:05")
    private(set) var words: [String] = []
    var path: String { practice.path }

    init(isEncrypted: Bool = false) throws {
      clinic = try SmallClinic()
      if isEncrypted {
        let path = path
        let key = try Array("four words for it".utf8).withUnsafeBytes {
          try NewFileKey(passphrase: $0, label: "desk", cost: .least, now: clinic.now)
        }
        clinic.practice = try Practice.inMemory(models: clinic.models, timeZone: .utc)
        _ = try Practice.File.encrypt(
          EncryptPractice(), at: path, with: key, models: clinic.models, by: .local, now: clinic.now)
        try clinic.reopen()
      }
      try importFirst()
      try importAgain()
      try work()
    }

    /// A word that stands nowhere else, for one field.
    func word(_ field: String) -> String {
      let word = "qx\(words.count + 100)zv\(field)"
      words.append(word)
      return word
    }

    func importing(_ name: String, _ lines: [String]) throws {
      try clinic.folder.write(lines.joined(separator: "\n") + "\n", to: "in/\(name)")
      try practice.perform(
        ImportRecords(
          paths: [clinic.folder.file("in/\(name)")], options: ImportOptions(source: "test", clearsEmpty: false)),
        by: .local, at: now)
    }

    private func client() -> String {
      #"{"id":"C9","name":"\#(word("name")) Ivy","phone":"\#(word("phone"))","email":"\#(word("mail"))@example.org","address":"\#(word("street")) 1"}"#
    }

    private func patient() -> String {
      #"{"id":"X1","name":"\#(word("animal"))","species":"cat","breed":"\#(word("breed"))","microchip":"\#(word("chip"))","owner_id":"C9","owner_name":"\#(word("owner"))","weight_kg":4.25}"#
    }

    private func note(_ number: Int) -> String {
      #"{"id":"X1N\#(number)","patient_id":"X1","recorded_at":"2026-10-0\#(number)T10:00","kind":"consult","author":"\#(word("author"))","text":"\#(word("text")) vomiting since Friday, 4.\#(number) kg. Given maropitant \#(word("more")) again and again. \#(String(repeating: word("long") + " went on. ", count: number * 220))"}"#
    }

    private func visit(_ id: String, _ day: String, _ status: String) -> String {
      #"{"id":"\#(id)","patient_id":"X1","clinician_id":"V1","resource_ids":["R1"],"start":"\#(day)T11:00","duration_minutes":30,"actual_minutes":35,"visit_type":"\#(word("type"))","reason":"\#(word("reason"))","status":"\#(status)"}"#
    }

    private func intake() -> String {
      #"{"id":"X1I","patient_id":"X1","received_at":"2026-11-20T08:00","channel":"\#(word("channel"))","breed":"\#(word("kind"))","age":"\#(word("age"))","text":"\#(word("asked")) since last night"}"#
    }

    private func importFirst() throws {
      try importing("clients.jsonl", [client()])
      try importing("patients.jsonl", [patient()])
      try importing(
        "notes.jsonl",
        (1...3).map(note)
          + (1...9).map {
            #"{"id":"O\#($0)","patient_id":"P\#($0)","recorded_at":"2026-10-1\#($0 % 10)T10:00","kind":"consult","text":"Vomiting since Friday, 1\#($0).4 kg. Given maropitant, recheck in \#($0) days."}"#
          })
      try importing("intakes.jsonl", [intake()])
      try importing("appointments.jsonl", [visit("X1A", "2026-10-05", "done"), visit("X1B", "2026-11-25", "booked")])
    }

    /// Everything anew with other words, so that what was overwritten is kept to be taken back; and rows that are rejected.
    private func importAgain() throws {
      try importing("clients.jsonl", [client()])
      try importing("patients.jsonl", [patient()])
      try importing("notes.jsonl", [note(1), note(2)])
      try importing("intakes.jsonl", [intake()])
      try importing("appointments.jsonl", [visit("X1B", "2026-11-25", "booked")])
      try importing(
        "notes.jsonl",
        [
          #"{"id":"X1N8","patient_id":"X1","recorded_at":"never","text":"\#(word("rejected"))"}"#,
          #"{"id":"O8","patient_id":"P88","recorded_at":"never","text":"of somebody else"}"#,
        ])
    }

    /// What is done in the practice.
    private func work() throws {
      func perform(_ operation: some VetNet.Operation) throws { try practice.perform(operation, by: .local, at: now) }
      try perform(AmendNote(id: "X1N3", text: "\(word("amended")) eats.", reason: word("why")))
      try perform(RetractNote(id: "X1N2", reason: word("retracted")))
      try perform(MoveNote(id: "X1N3", patient: "P9", reason: word("moved")))
      try perform(MoveNote(id: "X1N3", patient: "X1", reason: word("back")))
      let intake = Intake(id: "", receivedAt: now, text: "\(word("said")) vomiting all night, gums white.")
      try perform(AssessIntake(intake: intake, patient: "X1", saves: true))
      try perform(OverrideTriage(intake: intake, patient: "X1", urgency: .yellow, reason: word("settled")))
      let booking = Booking(
        patient: "X1", start: SmallClinic.at("2026-11-24T11:00"), minutes: 20, clinicianID: "V1", reason: word("booked")
      )
      try perform(BookAppointment(booking: booking))
      let own = try #require(
        try practice.connection.appointments.appointments(patient: patientRow).map(\.value).first {
          $0.id.hasPrefix("appointment-")
        })
      try perform(MoveAppointment(id: own.id, start: SmallClinic.at("2026-11-24T14:00")))
      try perform(BookEmergency(request: .intake(intake, patient: "X1"), urgency: .orange))
      try clinic.book("P2", "2026-11-24T16:00") {
        $0.afterID = own.id; $0.lagMinutes = 30
      }
      try inbox()
      try perform(BriefPatient(reference: "X1"))
      // As it was put on record before there was a chain.
      try practice.connection.transaction { () throws(StoreError) in
        _ = try practice.connection.audit.append(
          AuditEntry(
            .earlier, at: now, actor: "ann", operation: "note amended", version: 0,
            details: #"{"reason":"\#(word("earlier"))"}"#, subjects: [.init(kind: "note", id: "X1N3")]),
          key: practice.secrets.auditKey)
      }
    }

    /// A letter that waits, one that was filed, one that may be another's; a tag; a second record that was merged into it.
    private func inbox() throws {
      func perform(_ operation: some VetNet.Operation) throws { try practice.perform(operation, by: .local, at: now) }
      func letter(
        _ id: String, _ text: String, for patients: [String], by evidence: IncomingItem.Candidate.Evidence = .owner
      ) throws {
        try perform(
          AddToInbox(items: [
            IncomingItem(
              .letter, from: .init(source: "post", id: id, receivedAt: now), text: text, reason: .severalPatients,
              candidates: patients.map { .init(patientID: $0, certainty: 0.5, evidence: [.name, evidence]) })
          ]))
      }
      try letter(word("file"), "\(word("waiting")) is waiting.", for: ["X1"])
      try letter(word("filed"), "\(word("letter")) was seen.", for: ["X1"])
      try letter("shared", "Somebody was seen.", for: ["X1", "P2"])
      // Another of its name may be meant, who isn't on file yet.
      try letter("namesake", "One of that name was seen.", for: ["X1"], by: .name)
      try perform(AssignInboxItem(id: "inbox-2", patient: "X1", date: now))
      try perform(TagRecord(tag: word("tag"), target: .patient("X1")))
      try importing("second.jsonl", [second()])
      try perform(MergePatients(first: "X1", second: "X2", keep: .first, reason: word("merged")))
    }

    private func second() -> String {
      #"{"id":"X2","name":"\#(word("twin"))","species":"cat","owner_id":"C9","microchip":"\#(word("twochip"))"}"#
    }

    var patientRow: Int64 {
      get throws { try #require(try practice.connection.recordIDs.row(.patient, "X1")) }
    }

    /// Every byte of what lies in the folder, but for what was imported and what is meant to hold it still; of encrypted files what
    /// was sealed, too.
    func bytes(except kept: Set<String> = []) throws -> Data {
      var bytes = Data()
      for name in try FileManager.default.contentsOfDirectory(atPath: clinic.folder.path).sorted()
      where name != "in" && !kept.contains(name) {
        let file = clinic.folder.file(name)
        bytes.append(try Data(contentsOf: URL(filePath: file)))
        let handle = try FileHandle(forReadingFrom: URL(filePath: file))
        guard let size = FileBytes.count(of: file),
          let reader = try SealedReader(descriptor: handle.fileDescriptor, fileSize: size)
        else { continue }
        var pages = [UInt8](repeating: 0, count: reader.byteCount)
        let isRead = pages.withUnsafeMutableBytes { reader.read($0, at: 0) }
        #expect(isRead, "\(name)")
        bytes.append(contentsOf: pages)
      }
      return bytes
    }

    /// The words that stand in some bytes, or the beginnings that tell them apart: one pass finds all.
    func wordsFound(in bytes: Data) -> [String] {
      var found: Set<String> = []
      bytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        var place = 0
        while let next = memchr(base + place, Int32(UInt8(ascii: "q")), bytes.count - place) {
          let start = UnsafeRawPointer(next) - base
          place = start + 1
          guard place < bytes.count, bytes[place] == UInt8(ascii: "x") else { continue }
          found.insert(String(decoding: bytes[start..<min(start + 7, bytes.count)], as: UTF8.self))
        }
      }
      return words.filter { found.contains(String($0.prefix(7))) }
    }
  }

  @Test(arguments: [false, true])
  func `no word of an erased patient and owner is in any byte of the file, its log, its rejects and later backups`(
    isEncrypted: Bool
  ) throws {
    let marked = try Marked(isEncrypted: isEncrypted)
    #expect(marked.practice.file.isEncryptedFile == isEncrypted)
    let practice = marked.practice
    try practice.perform(BackUp(destination: marked.clinic.folder.file("old.vetnet")), by: .local, at: marked.now)
    try practice.connection.checkpoint()
    let before = try marked.bytes()
    // Each stood somewhere, or its absence would say nothing; reasons stand in the log as digests.
    let absent = Set(marked.words).subtracting(marked.wordsFound(in: before))
    #expect(absent.sorted() == [])
    let vectors = try practice.connection.rows(
      "SELECT vector FROM chunk_vector JOIN chunk ON chunk.id = chunk_id WHERE patient_id = ?", try marked.patientRow
    ) { Data($0.bytes(0).prefix(256)) }.filter { $0.contains { $0 != 0 } }.prefix(12)
    #expect(vectors.count > 1 && vectors.allSatisfy { before.range(of: $0) != nil })
    #expect(try practice.connection.number("SELECT count(*) FROM note_version") >= 4)

    let plan = try practice.perform(
      ErasePatient(reference: "X1", reason: "asked", withClient: true, isDryRun: true), by: .local, at: marked.now)
    #expect(
      !plan.erased && plan.removed["notes"] == 4 && plan.removed["inbox"] == 2 && plan.inbox == ["inbox-3", "inbox-4"]
        && plan.inboxRemoved == ["inbox-2", "inbox-1"]
        && plan.rejects.reduce(0) { $0 + $1.rows } >= 1)
    #expect(
      plan.copies.map { FilePath.name(of: $0.file) } == ["old.vetnet"] && plan.copies.allSatisfy { $0.holds == true })
    #expect(marked.wordsFound(in: try marked.bytes()).count >= marked.wordsFound(in: before).count)

    let report = try practice.perform(
      ErasePatient(reference: "X1", reason: "asked", withClient: true), by: .local, at: marked.now)
    #expect(report.erased && report.logIsClean && report.client == "C9")
    // Frames of an encrypted log can't be searched: there are none but those that took the mark of the erasure away.
    let frame = 16384 + 200
    #expect(FileBytes.count(of: marked.path + "-wal") ?? 0 <= 4 * frame)
    // Looking into it made nothing beside it.
    #expect(FileBytes.count(of: marked.clinic.folder.file("old.vetnet-shm")) == nil)
    #expect(report.removed == plan.removed && report.copies.map(\.file) == plan.copies.map(\.file))
    try practice.perform(BackUp(destination: marked.clinic.folder.file("new.vetnet")), by: .local, at: marked.now)
    if isEncrypted { try practice.connection.checkpoint() }
    let after = try marked.bytes(except: ["old.vetnet"])
    #expect(marked.wordsFound(in: after) == [])
    let left = vectors.count { after.range(of: $0) != nil }
    #expect(left == 0)
    // Somebody else's rejected row is still there to be mended.
    #expect(after.range(of: Data("of somebody else".utf8)) != nil)
    #expect(try practice.integrity.verify().ok)

    // Nor does it come back.
    try FileManager.default.removeItem(atPath: marked.clinic.folder.file("old.vetnet"))
    for name in ["clients.jsonl", "patients.jsonl", "second.jsonl", "intakes.jsonl", "appointments.jsonl"] {
      let summary = try practice.perform(
        ImportRecords(
          paths: [marked.clinic.folder.file("in/\(name)")], options: ImportOptions(source: "test")), by: .local,
        at: marked.now)
      #expect(summary.rejected > 0 && summary.reasons.allSatisfy { $0.messages.joined().contains("erased") }, "\(name)")
    }
    #expect(marked.wordsFound(in: try marked.bytes()) == [])
    #expect(throws: PracticeError.self) {
      try practice.perform(ShowPatient(reference: "X1"), by: .local, at: marked.now)
    }
  }

  @Test func `the book, undo of plans and imports, and the audit log go on without an erased patient`() throws {
    let marked = try Marked()
    let practice = marked.practice
    let versions = try practice.connection.plan.version()
    try practice.perform(ErasePatient(reference: "X1", reason: "asked"), by: .local, at: marked.now)
    #expect(try practice.perform(VerifyAudit(), by: .local, at: marked.now).ok)
    let entry = try #require(try practice.connection.audit.entries().compactMap(\.entry).last { $0.kind == .change })
    #expect(entry.operation == "patient.erase" && entry.subjects.contains { $0.kind == "patient" && $0.id == "X1" })
    #expect(try practice.perform(ReadAuditLog(patient: "X1"), by: .local, at: marked.now).count > 5)
    // The owner has nobody else, but was not to go.
    #expect(try practice.connection.clients.clients(id: "C9").count == 1)
    #expect(
      try practice.connection.number(
        "SELECT count(*) FROM clinician_slot WHERE appointment_id NOT IN (SELECT id FROM appointment)") == 0)
    let row = try #require(try practice.connection.recordIDs.row(.patient, "P2"))
    let waiting = try #require(try practice.connection.appointments.appointments(patient: row).first)
    #expect(
      try practice.connection.number(
        "SELECT lag_minutes FROM appointment_option WHERE appointment_id = ?", waiting.rowID) == 0)
    // Its time is free again.
    try marked.clinic.book("P3", "2026-11-24T14:00")
    for _ in 0..<3 { try practice.perform(UndoPlan(), by: .local, at: marked.now) }
    try practice.perform(RedoPlan(), by: .local, at: marked.now)
    #expect(try practice.connection.plan.version() > versions)
    for _ in 0..<6 {
      guard (try? practice.perform(UndoImport(), by: .local, at: marked.now)) != nil else { break }
    }
    #expect(try practice.integrity.verify().ok)
    // No id of an erased record is given to another.
    let newcomer = try practice.perform(
      AddPatient(patient: NewPatient(name: "Nell", species: .cat)), by: .local, at: marked.now)
    try practice.perform(ErasePatient(reference: newcomer.id, reason: "tried"), by: .local, at: marked.now)
    let next = try practice.perform(
      AddPatient(patient: NewPatient(name: "Nell", species: .cat)), by: .local, at: marked.now)
    #expect(next.id != newcomer.id)
  }

  @Test func `what was erased of one source doesn't come in again as another source's animal of that id`() throws {
    let clinic = try SmallClinic()
    func load(_ name: String, _ line: String, of source: String) throws -> ImportSummary {
      try Data((line + "\n").utf8).write(to: URL(filePath: clinic.folder.file(name)))
      return try clinic.practice.perform(
        ImportRecords(paths: [clinic.folder.file(name)], options: ImportOptions(source: source)), by: .local,
        at: clinic.now)
    }
    let row = #"{"id":"Z1","name":"Nell","species":"cat"}"#
    _ = try load("patients.jsonl", row, of: "north")
    _ = try load("patients.jsonl", #"{"id":"Z1","name":"Bruno","species":"dog"}"#, of: "south")
    let north = try #require(
      try clinic.practice.connection.patients.patients(id: "Z1").first { $0.value.name == "Nell" }
        ?? clinic.practice.connection.patients.patients(named: "Nell").first)
    try clinic.practice.perform(ErasePatient(reference: north.value.id, reason: "asked"), by: .local, at: clinic.now)
    #expect(try load("patients.jsonl", row, of: "north").rejected == 1)
    let note = #"{"id":"ZN","patient_id":"Z1","recorded_at":"2026-11-01T10:00","kind":"consult","text":"Seen."}"#
    #expect(try load("notes.jsonl", note, of: "north").rejected == 1)
    #expect(try load("notes.jsonl", note, of: "south").rejected == 0)
  }

  @Test func `an owner to whom a merged record goes back when it is split stays`() throws {
    let clinic = try SmallClinic()
    let source = try clinic.practice.connection.sources.id(named: "test")
    for (id, owner) in [("Y1", "D1"), ("Y2", "D2"), ("Y3", "D2")] {
      _ = try clinic.practice.connection.clients.upsert(Client(id: owner, name: owner), source: source)
      _ = try clinic.practice.connection.patients.upsert(
        Patient(id: id, name: "Nell", species: .cat, ownerID: owner), source: source)
    }
    try clinic.practice.perform(
      MergePatients(first: "Y1", second: "Y2", keep: .first, reason: "entered twice"), by: .local, at: clinic.now)
    let error = #expect(throws: PracticeError.self) {
      try clinic.practice.perform(
        ErasePatient(reference: "Y3", reason: "asked", withClient: true), by: .local, at: clinic.now)
    }
    #expect(error?.description.contains("merged into another") == true)
    try clinic.practice.perform(SplitPatient(id: "Y2", reason: "two"), by: .local, at: clinic.now)
    #expect(try clinic.practice.records.patient("Y2").ownerID == "D2")
  }

  @Test func `an owner with other animals stays, and so does everything`() throws {
    let clinic = try SmallClinic()
    let before = try clinic.practice.connection.contentSummary()
    let error = #expect(throws: PracticeError.self) {
      try clinic.practice.perform(
        ErasePatient(reference: "P1", reason: "asked", withClient: true), by: .local, at: clinic.now)
    }
    #expect(error?.description.contains("P2, P3") == true)
    #expect(throws: PracticeError.self) {
      try clinic.practice.perform(ErasePatient(reference: "P1", reason: " "), by: .local, at: clinic.now)
    }
    try clinic.practice.perform(
      ErasePatient(reference: "P1", reason: "asked", isDryRun: true), by: .local, at: clinic.now)
    let after = try clinic.practice.connection.contentSummary()
    #expect(Set(after.differences(from: before)).isSubset(of: ["audit_entry", "audit_about", "audit_head"]))
  }

  /// Rows of a table that are not about a patient, whole.
  private static let others = [
    "SELECT * FROM client", "SELECT * FROM client_phone", "SELECT * FROM patient WHERE id <> ?1",
    "SELECT * FROM note WHERE patient_id <> ?1",
    "SELECT version.* FROM note_version AS version JOIN note ON note.id = version.note_id WHERE note.patient_id <> ?1",
    "SELECT * FROM intake WHERE patient_id IS NOT ?1", "SELECT * FROM appointment WHERE patient_id IS NOT ?1",
    "SELECT slot.* FROM clinician_slot AS slot JOIN appointment ON appointment.id = slot.appointment_id WHERE patient_id IS NOT ?1",
    "SELECT * FROM assessment WHERE patient_id IS NOT ?1", "SELECT * FROM chunk WHERE patient_id <> ?1",
    "SELECT chunk_id, vector FROM chunk_vector JOIN chunk ON chunk.id = chunk_id WHERE patient_id <> ?1",
    "SELECT * FROM fact WHERE patient_id <> ?1", "SELECT * FROM staff", "SELECT * FROM resource",
  ]

  private static func rows(_ connection: Connection, _ patient: Int64) throws -> [[UInt8]] {
    try others.map { sql in
      var bytes = CanonicalBytes()
      try connection.withStatement(sql) { statement throws(StoreError) in
        if sql.contains("?1") { try statement.bind(patient, at: 1) }
        while try statement.step() {
          for column in 0..<statement.columnCount { statement.append(column, to: &bytes) }
        }
      }
      return bytes.bytes
    }
  }

  @Test(arguments: [UInt64(1), 2])
  func `whoever is erased, what is about others is the same to the byte, and answers are the same`(seed: UInt64) throws
  {
    let clinic = try SmallClinic()
    let practice = clinic.practice
    var generator = SplitMix64(seed: seed)
    let words = ["limping", "vomiting", "coughing", "itching", "meloxicam 0.1 mg/kg", "maropitant", "weight 12.4 kg"]
    let source = try practice.connection.sources.id(named: "test")
    for number in 0..<60 {
      let text = (0..<Int.random(in: 1...200, using: &generator))
        .map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: ", ")
      _ = try practice.connection.notes.upsert(
        ClinicalNote(
          id: "N\(number)", patientID: "P\(Int.random(in: 1...9, using: &generator))",
          recordedAt: clinic.now.adding(days: -number), kind: .consult, text: text), source: source)
    }
    for number in 1...9 {
      try clinic.book("P\(number)", "2026-11-2\(3 + number % 3)T\(10 + number % 5):0\(number % 2)")
    }
    try practice.perform(Reindex(options: ReindexOptions()), by: .local, at: clinic.now)
    for _ in 0..<4 {
      let all = try practice.connection.patients.list()
      guard let victim = all.randomElement(using: &generator),
        let other = all.first(where: { $0.rowID != victim.rowID })
      else { break }
      func answer() throws -> String {
        let answer = try practice.perform(
          Ask(question: "When was the vomiting?", patient: other.value.id, askedAt: clinic.now), by: .local,
          at: clinic.now)
        return "\(answer)"
      }
      let before = try Self.rows(practice.connection, victim.rowID), said = try answer()
      try practice.perform(ErasePatient(reference: victim.value.id, reason: "asked"), by: .local, at: clinic.now)
      let after = try Self.rows(practice.connection, victim.rowID)
      for (index, sql) in Self.others.enumerated() {
        #expect(after[index] == before[index], "\(sql)")
      }
      #expect(try answer() == said)
      #expect(try practice.integrity.verify().ok)
    }
  }
}
