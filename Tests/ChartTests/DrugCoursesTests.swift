import Chart
import Clinical
import Extraction
import RecordTestSupport
import Testing

@Suite struct DrugCoursesTests {
  private static let now = noon("2026-11-20")

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Date, words of the note.
    let notes: [[String]]
    let current: [String]
    var unconfirmed: [String] = []
    var kind = NoteKind.consult
  }

  @Test(arguments: [
    Case(
      testDescription: "started", notes: [["2026-10-01", "Start meloxicam 0.1 mg/kg SID."]], current: ["meloxicam"]),
    Case(
      testDescription: "stopped later",
      notes: [["2026-10-01", "Start meloxicam 0.1 mg/kg SID."], ["2026-10-20", "Meloxicam stopped, vomiting."]],
      current: []),
    Case(
      testDescription: "begun before the note, told as past",
      notes: [["2026-10-14", "Gabapentin 300 mg was added by HM on 23 Sept, twice a day."]], current: ["gabapentin"]),
    Case(
      testDescription: "a course of days behind a sign",
      notes: [["2026-05-18", "P: crate 4 wk; acetaminophen (paracetamol) 60 mg BID x5d; no NSAID"]], current: []),
    Case(
      testDescription: "restarted",
      notes: [
        ["2026-08-01", "Start meloxicam 1 mg SID."], ["2026-09-01", "Stop meloxicam."],
        ["2026-10-01", "Restart meloxicam 1 mg SID."],
      ], current: ["meloxicam"]),
    Case(
      testDescription: "declined", notes: [["2026-10-01", "Gabapentin offered, O declined gabapentin."]], current: []),
    Case(
      testDescription: "advice", notes: [["2026-10-01", "If sore, give paracetamol? No, never give paracetamol."]],
      current: []),
    Case(
      testDescription: "another animal", notes: [["2026-10-01", "The housemate is on prednisolone 5 mg SID."]],
      current: []),
    Case(
      testDescription: "an old mention", notes: [["2024-01-01", "Continue furosemide 20 mg BID."]], current: []),
    Case(
      testDescription: "of long standing but not named of late",
      notes: [["2025-03-01", "Continue furosemide 20 mg BID."], ["2026-03-01", "Continue furosemide 20 mg BID."]],
      current: [], unconfirmed: ["furosemide"]),
    Case(testDescription: "one injection", notes: [["2026-10-01", "Maropitant 36 mg SC today."]], current: []),
    Case(testDescription: "a course that is over", notes: [["2026-10-01", "Omeprazole 40mg SID 14d."]], current: []),
    Case(
      testDescription: "a course under way", notes: [["2026-11-12", "Omeprazole 40mg SID 14d."]],
      current: ["omeprazole"]),
    Case(
      testDescription: "a course with a dose after it",
      notes: [["2026-10-06", "Oclacitinib 8 mg BID 14 days then SID."]],
      current: ["oclacitinib"]),
    Case(
      testDescription: "a bacterium's sensitivity", notes: [["2026-10-06", "Gentamicin S, enrofloxacin R."]],
      current: []),
    Case(
      testDescription: "dispensed", notes: [["2026-10-27", "Pergolide 1mg tabs x 90."]], current: ["pergolide"],
      kind: .prescription),
  ])
  func `what is given now`(row: Case) throws {
    let notes = row.notes.enumerated().map { note("N\($0)", $1[0], $1[1], kind: row.kind) }
    var record = PatientRecord(patient: Patient(id: "P1", name: "Fern", species: .dog), notes: notes)
    let reader = try Fixtures.extractors.get().facts
    for note in notes { record.facts[note.id] = reader.facts(in: note.text, kind: note.kind) }
    #expect(PatientChart(record).drugs.current(at: Self.now).map(\.drug) == row.current)
    #expect(PatientChart(record).drugs.unconfirmed(at: Self.now).map(\.drug) == row.unconfirmed)
  }

  @Test func `the dose of an older note stays beside a newer frequency`() throws {
    let old = note("N1", "2026-05-06", "Carprofen 25 mg BID.")
    let new = note("N2", "2026-10-06", "Still carprofen SID.")
    let entries = PatientChart(
      record(
        (
          old,
          [
            fact(
              .drug, "carprofen", at: "Carprofen", in: old, .present, .current, .patient,
              ["dose": "25 mg", "frequency": "q12h"])
          ]
        ),
        (new, [fact(.drug, "carprofen", at: "carprofen", in: new, .present, .current, .patient, ["frequency": "q24h"])])
      )
    ).drugs.current(at: Self.now)
    let entry = try #require(entries.first)
    #expect(entry.dosed?.note.id == "N1")
    #expect(entry.regimen?.note.id == "N2")
    #expect(entry.latest.note.id == "N2")
  }

  @Test func `a planned dose is kept apart from the one that is given`() throws {
    let visit = note("N1", "2026-10-29", "Pimobendan 2.5 mg BID. Plan: pimobendan 2.5 mg TID.")
    let attributes = ["dose": "2.5 mg", "frequency": "q12h"]
    let given = fact(.drug, "pimobendan", at: "Pimobendan", in: visit, .present, .current, .patient, attributes)
    let planned = fact(
      .drug, "pimobendan", at: "pimobendan", in: visit, .present, .hypothetical, .patient,
      ["dose": "2.5 mg", "frequency": "q8h"])
    let entry = try #require(PatientChart(record((visit, [given, planned]))).drugs.current(at: Self.now).first)
    #expect(entry.regimen?.fact.dosage?.frequency == .every12Hours)
    #expect(entry.planned?.fact.dosage?.frequency == .every8Hours)
  }

  @Test func `the latest comes first and equals go by name`() {
    let first = note("N1", "2026-10-01", "amlodipine, benazepril")
    let second = note("N2", "2026-10-02", "carprofen")
    let attributes = ["frequency": "q24h"]
    let names = PatientChart(
      record(
        (
          first,
          ["benazepril", "amlodipine"].map {
            fact(.drug, $0, at: $0, in: first, .present, .current, .patient, attributes)
          }
        ),
        (second, [fact(.drug, "carprofen", at: "carprofen", in: second, .present, .current, .patient, attributes)]))
    ).drugs.current(at: Self.now).map(\.drug)
    #expect(names == ["carprofen", "amlodipine", "benazepril"])
  }
}
