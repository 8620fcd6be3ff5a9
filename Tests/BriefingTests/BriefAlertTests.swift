import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing

@testable import Briefing

@Suite struct BriefAlertTests {
  private static let now = noon("2026-11-20")

  struct Case: CustomTestStringConvertible, Sendable {
    let notes: [String]
    var reason: String?
    var species = Species.dog
    var breed: String?
    /// What an alert of the brief begins with; nil when the formulary has nothing to say.
    let alert: String?
    /// The rows it rests on.
    var rows: [String] = []
    var testDescription: String { "\(notes.joined(separator: " | ")) \(reason ?? "")" }
  }

  @Test(arguments: [
    Case(
      notes: ["Carprofen 50 mg BID and prednisolone 5 mg SID dispensed."], alert: "AVOID carprofen + prednisolone",
      rows: ["nsaid-steroid"]),
    Case(
      notes: ["Meloxicam 0.1 mg/kg SID, benazepril 5 mg SID, furosemide 20 mg BID."],
      alert: "AVOID benazepril + furosemide + meloxicam", rows: ["nsaid-acei-diuretic"]),
    Case(
      notes: ["CKD stage 2. Meloxicam 0.05 mg/kg SID continued."], species: .cat,
      alert: "CAUTION meloxicam with chronic kidney disease", rows: ["nsaid-kidney"]),
    Case(
      notes: ["Trilostane 20 mg SID."], reason: "Vomiting since last night",
      alert: "AVOID trilostane with vomiting", rows: ["trilostane-ill"]),
    Case(
      notes: ["Healthy check."], reason: "May I give her ibuprofen?",
      alert: "TOXIC ibuprofen, named today (“ibuprofen”)",
      rows: ["dog-ibuprofen"]),
    Case(
      notes: ["Amoxicillin 50 mg BID."], species: .rabbit, alert: "TOXIC amoxicillin in a rabbit",
      rows: ["rabbit-oral-antibiotic"]),
    Case(
      notes: ["Ivermectin 5 mg PO SID."], breed: "Rough Collie", alert: "AVOID ivermectin in a dog",
      rows: ["mdr1-avermectin"]),
    Case(notes: ["Furosemide 20 mg BID and pimobendan 2.5 mg BID."], alert: nil),
    Case(notes: ["Carprofen stopped. Prednisolone 5 mg SID started."], alert: nil),
    Case(notes: ["No signs of CKD. Meloxicam 0.1 mg/kg SID."], alert: nil),
  ])
  func `an alert names the drugs and rests on notes and a row`(example: Case) throws {
    let notes = example.notes.enumerated().map { note("N\($0)", "2026-11-1\($0)", $1) }
    let patient = Patient(id: "P1", name: "Fern", species: example.species, breed: example.breed)
    var record = PatientRecord(patient: patient, notes: notes)
    let reader = try Fixtures.extractors.get().facts
    for note in notes { record.facts[note.id] = reader.facts(in: note.text, kind: note.kind) }
    var context = BriefContext(appointment: nil, now: Self.now, zone: .utc)
    if let reason = example.reason { context.visit.presented = [try presented(reason)] }
    let brief = try #require(try Fixtures.builder.get().brief(record, context))
    let lines = brief.sections.filter { $0.title == "Alerts" }.flatMap(\.lines)
      .filter { line in line.references.contains { $0.kind == .table } }
    guard let alert = example.alert else {
      #expect(lines.isEmpty, "\(lines.map(\.text))")
      return
    }
    let line = try #require(lines.first { $0.text.hasPrefix(alert) }, "\(lines.map(\.text))")
    #expect(line.references.filter { $0.kind == .table }.map(\.rowID) == example.rows)
    #expect(!line.citations.isEmpty || example.reason != nil)
  }

  @Test func `a drug related to one that was not tolerated is an alert that cites both`() throws {
    let record = try readRecord(
      note("N1", "2024-05-09", "Allergic to amoxicillin: swollen face."),
      note("N2", "2026-11-15", "Cefalexin 250 mg BID started for pyoderma."))
    let context = BriefContext(appointment: nil, now: Self.now, zone: .utc)
    let brief = try #require(try Fixtures.builder.get().brief(record, context))
    let line = try #require(
      brief.sections.flatMap(\.lines).first { $0.text.hasPrefix("REACTION on file to amoxicillin; cefalexin") })
    #expect(Set(line.citations.map { brief.citations[$0].noteID }) == ["N1", "N2"])
    #expect(line.references.map(\.rowID) == ["penicillin-cephalosporin"])
  }

  @Test func `the plan that was not followed is asked about, and the one that was is told`() throws {
    let plan = note("N1", "2026-10-01", "Wt 8 kg.\nPlan: Recheck creatinine and T4 in 4 weeks.")
    let open = try brief(plan)
    #expect(
      open.lines("To check").contains { $0.hasPrefix("planned, not on file since: creatinine, total T4: “Recheck") })
    let done = try brief(plan, note("N2", "2026-10-29", "Creatinine 141 umol/l.", kind: .lab))
    #expect(done.lines("Last plan").contains("done since: creatinine (2026-10-29)"))
    #expect(done.lines("To check").contains { $0.hasPrefix("planned, not on file since: total T4: ") })
  }

  @Test func `earlier episodes of what the patient comes with are told with their words`() throws {
    let record = try readRecord(
      note("N1", "2025-03-01", "Vomited three times, pancreatitis."), note("N2", "2026-06-01", "Booster. Well."))
    var context = BriefContext(appointment: nil, now: Self.now, zone: .utc)
    context.visit.presented = [try presented("vomiting again since Monday")]
    let brief = try #require(try Fixtures.builder.get().brief(record, context))
    #expect(brief.lines("Before") == ["vomiting: “Vomited three times, pancreatitis” (2025-03-01)"])
  }

  @Test func `a core vaccine is the patient's own species'`() throws {
    let cat = Patient(id: "P1", name: "Bella", species: .cat)
    let brief = try #require(
      try Fixtures.builder.get().brief(
        readRecord(note("N1", "2026-01-01", "DHP given. FeLV given."), patient: cat),
        BriefContext(appointment: nil, now: Self.now, zone: .utc)))
    #expect(!brief.lines("Prevention").contains { $0.hasPrefix("DHP") })
  }

  private func brief(_ notes: ClinicalNote...) throws -> Brief {
    var record = PatientRecord(patient: Patient(id: "P1", name: "Fern", species: .dog), notes: notes)
    let reader = try Fixtures.extractors.get().facts
    for note in notes { record.facts[note.id] = reader.facts(in: note.text, kind: note.kind) }
    return try #require(
      try Fixtures.builder.get().brief(record, BriefContext(appointment: nil, now: Self.now, zone: .utc)))
  }
}
