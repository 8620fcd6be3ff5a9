import Answering
import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Store
@testable import VetNet

/// Two records of one animal become one, and two again.
struct PatientMergeTests {
  let clinic: SmallClinic
  var practice: Practice { clinic.practice }
  let vet = Actor(name: "ann", role: .veterinarian)

  init() throws {
    clinic = try SmallClinic()
    let connection = clinic.practice.connection
    let source = try connection.sources.id(named: "test")
    for (id, patient) in [("N1", "P1"), ("N2", "P2"), ("N3", "P2"), ("N4", "P3")] {
      _ = try connection.notes.upsert(
        ClinicalNote(
          id: id, patientID: patient, recordedAt: clinic.now.adding(days: -id.utf8.count), kind: .consult,
          text: "Vomiting since Friday, 12.4 kg. Facial swelling after amoxicillin: allergic to penicillins. \(id)."),
        source: source)
    }
    try practice.perform(Reindex(options: ReindexOptions()), by: .local, at: clinic.now)
  }

  /// Everything but the record of what was done, and what is derived, which has other row numbers each time it is made.
  private func content() throws -> [String: ContentSummary.Table] {
    let derived: Set<String> = [
      "change_count", "plan_revision", "job", "visit_learning", "chunk", "chunk_vector", "term", "posting", "segment",
      "fact", "drug_course", "unfolded_patient",
      "note_state", "generation",
    ]
    return try practice.connection.contentSummary().tables.filter {
      !$0.key.hasPrefix("audit_") && !derived.contains($0.key)
    }
  }

  /// What is derived, by what it says.
  private func derived() throws -> [String] {
    try practice.connection.rows(
      """
      SELECT 'fact', patient_id, note_id, kind || name, start_byte FROM fact
      UNION ALL SELECT 'chunk', patient_id, note_id, kind, token_count FROM chunk
      UNION ALL SELECT 'terms', count(*), sum(document_frequency), '', 0 FROM term
      ORDER BY 1, 2, 3, 4, 5
      """
    ) { row in (0..<5).map { row.text(Int32($0)) }.joined(separator: " ") }
  }

  @discardableResult
  private func merge(_ first: String, _ second: String, keep: MergePatients.Side? = .first) throws -> PatientMergeReport
  {
    try practice.perform(
      MergePatients(first: first, second: second, keep: keep, reason: "entered twice"), by: vet, at: clinic.now)
  }

  @discardableResult
  private func split(_ id: String, notes: [String] = []) throws -> PatientMergeReport {
    try practice.perform(SplitPatient(id: id, notes: notes, reason: "two animals"), by: vet, at: clinic.now)
  }

  @Test func `a merged record is part of the other, and its id finds it`() throws {
    try clinic.book("P2", "2026-11-24T10:00")
    let report = try merge("P1", "P2")
    #expect(report.done && report.moved == ["note": 2, "appointment": 1])
    #expect(try practice.records.patient("P2").id == "P1" && practice.records.findPatients("P2").map(\.id) == ["P1"])
    #expect(try practice.records.timeline(of: "P1", since: nil, until: nil).count == 4)
    let answer = try practice.perform(
      Ask(question: "any allergies?", patient: "P2", askedAt: clinic.now), by: vet, at: clinic.now)
    #expect(Set(answer.citations.map(\.patientID)) == ["P1"] && answer.citations.contains { $0.noteID == "N2" })
    let charted = try practice.perform(ChartPatient(reference: "P1"), by: vet, at: clinic.now)
    #expect(Set(charted.notes.keys) == ["N1", "N2", "N3"])
    #expect(try practice.integrity.verify().ok)
    // What others still call it finds its way.
    let file = try clinic.folder.write(
      #"{"id":"N9","patient_id":"P2","recorded_at":"2026-11-19","kind":"phone","text":"Eating again."}"# + "\n",
      to: "notes.jsonl")
    let patients = try clinic.folder.write("id,name,species\nP2,Animal 2,cat\n", to: "patients.csv")
    var options = ImportOptions(source: "test", indexes: false)
    options.rejectsPath = clinic.folder.file("rejects.jsonl")
    let summary = try practice.perform(
      ImportRecords(paths: [patients, file], options: options), by: .local, at: clinic.now)
    #expect(summary.records["notes"]?.inserted == 1 && summary.rejected == 0)
    #expect(try practice.records.note("N9").patientID == "P1" && practice.connection.patients.count() == 8)
    #expect(throws: PracticeError.self) { try merge("P1", "P2") }
  }

  @Test func `fields in which they differ are shown, and nothing is done until somebody says whose hold`() throws {
    let source = try practice.connection.sources.id(named: "test")
    _ = try practice.connection.patients.upsert(
      Patient(
        id: "P2", name: "Bella", species: .dog, breed: "Labrador", sex: .femaleSpayed, weightKilograms: 31,
        ownerID: "C1", microchip: "985112345678900"), source: source)
    let before = try content()
    let open = try merge("P1", "P2", keep: nil)
    #expect(try open.isOpen && !open.done && content() == before)
    #expect(open.fields.filter(\.conflicts).map(\.field) == ["name"])
    #expect(Set(open.fields.map(\.field)) == ["name", "breed", "sex", "weight_kg", "microchip"])
    let dry = try practice.perform(
      MergePatients(first: "P1", second: "P2", keep: .second, reason: "x", isDryRun: true), by: vet, at: clinic.now)
    #expect(try !dry.done && dry.moved["note"] == 2 && content() == before)
    try merge("P1", "P2", keep: .first)
    let kept = try practice.records.patient("P1")
    #expect(kept.name == "Animal 1" && kept.breed == "Labrador" && kept.microchip == "985112345678900")
    try split("P2")
    #expect(try content() == before)
    try merge("P1", "P2", keep: .second)
    #expect(try practice.records.patient("P1").name == "Bella")
    for bad in [("P1", "P1"), ("P1", "P99")] { #expect(throws: PracticeError.self) { try merge(bad.0, bad.1) } }
    #expect(throws: PracticeError.self) {
      try practice.perform(MergePatients(first: "P1", second: "P3", reason: " "), by: vet, at: clinic.now)
    }
    #expect(throws: PracticeError.self) {
      try practice.perform(
        MergePatients(first: "P1", second: "P3", reason: "x"), by: Actor(name: "k", role: .reception), at: clinic.now)
    }
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `merges taken back in turn leave everything as it was`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    // Something of every kind.
    for number in 1...8 {
      let patient = "P\(1 + pick(5))"
      switch number % 4 {
      case 0: try clinic.book(patient, "2026-11-2\(2 + number / 4)T1\(pick(6)):00", with: pick(2) == 0 ? "V1" : "V2")
      case 1:
        try practice.perform(
          AssessIntake(
            intake: Intake(id: "", receivedAt: clinic.now, text: "Limping."), patient: patient, saves: true), by: vet,
          at: clinic.now)
      case 2: try practice.perform(TagRecord(tag: "tag \(pick(2))", target: .patient(patient)), by: vet, at: clinic.now)
      default:
        try practice.perform(
          AddToInbox(items: [
            IncomingItem(
              .letter, from: .init(source: "post", id: "\(number)", receivedAt: clinic.now), text: "Seen.",
              reason: .unsurePatient, candidates: [.init(patientID: patient, certainty: 0.5, evidence: [.name])])
          ]), by: vet, at: clinic.now)
      }
    }
    let (before, derivedBefore) = (try content(), try derived())
    var merged: [String] = []
    for _ in 0..<3 {
      let (first, second) = (1 + pick(5), 1 + pick(5))
      guard first != second, try practice.records.patient("P\(first)").id != practice.records.patient("P\(second)").id,
        !merged.contains("P\(second)"), !merged.contains("P\(first)")
      else { continue }
      try merge("P\(first)", "P\(second)", keep: pick(2) == 0 ? .first : .second)
      merged.append("P\(second)")
      #expect(try practice.integrity.verify().ok)
    }
    #expect(!merged.isEmpty || seed > 2)
    for id in merged.reversed() { try split(id) }
    let after = try content()
    #expect(before.keys.filter { before[$0] != after[$0] }.sorted() == [], "seed \(seed)")
    #expect(try derived() == derivedBefore && practice.integrity.verify().ok)
  }

  @Test func `what was written since stays, but for what is named`() throws {
    try merge("P1", "P2")
    for text in ["Weight 13 kg.", "Weight 30 kg."] {
      try practice.perform(
        AddNote(patient: "P1", kind: .nurse, text: text, recordedAt: clinic.now), by: vet, at: clinic.now)
    }
    let source = try practice.connection.sources.id(named: "test")
    _ = try practice.connection.patients.upsert(
      Patient(id: "P1", name: "Animal 1", species: .dog, weightKilograms: 13, ownerID: "C1"), source: source)
    let news = try practice.records.timeline(of: "P1", since: nil, until: nil).map(\.id).filter {
      $0.hasPrefix("note-")
    }
    .sorted()
    #expect(news.count == 2)
    try split("P2", notes: [news[1]])
    #expect(try practice.records.note(news[0]).patientID == "P1" && practice.records.note(news[1]).patientID == "P2")
    #expect(try practice.records.patient("P1").weightKilograms == 13 && practice.records.note("N2").patientID == "P2")
    #expect(throws: PracticeError.self) { try split("P2") }
    #expect(throws: PracticeError.self) { try split("P9") }
    #expect(try practice.integrity.verify().ok)
  }

  @Test func `neither names nor reasons stand on record`() throws {
    try merge("P1", "P2")
    try split("P2")
    for entry in try practice.connection.audit.entries().compactMap(\.entry) {
      for words in ["entered twice", "two animals", "Animal 1", "Mrs Ash"] { #expect(!"\(entry)".contains(words)) }
    }
    let log = try practice.perform(ReadAuditLog(patient: "P2"), by: .local, at: clinic.now)
    #expect(Set(log.compactMap(\.operation)).isSuperset(of: ["patient.merge", "patient.split"]))
  }
}
