import Answering
import Clinical
import PracticeTestSupport
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Questions for lists of patients, asked of a practice file.
@Suite struct RegisterTests {
  /// A practice of a few animals whose notes say what the tests ask for.
  private static let shared = Result { try RegisterPractice() }

  private func ask(_ question: String) throws -> Answer {
    let practice = try Practice.open(
      at: Self.shared.get().path, models: try shippedModels(), access: .read)
    return try practice.answers.ask(question, patient: nil, askedAt: RegisterPractice.now)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let question: String
    /// By id; the answer names these and no other.
    let patients: [String]
    var testDescription: String { question }
  }

  @Test(arguments: [
    // Cured, ruled out and dead ones are not listed.
    Row(question: "which cats are hyperthyroid", patients: ["C1", "C2"]),
    Row(question: "cats with an overactive thyroid", patients: ["C1", "C2"]),
    Row(question: "which dogs are hyperthyroid?", patients: []),
    Row(question: "dogs on phenobarbital", patients: ["D1", "D6"]),
    Row(question: "who is on Epiphen?", patients: ["D1", "D6"]),
    Row(question: "which dogs have been on phenobarbital", patients: ["D1", "D2", "D6"]),
    // Lente insulin is an insulin; "stop insulin" ends it.
    Row(question: "who is on insulin at the moment", patients: ["D7"]),
    Row(question: "dogs with IMHA", patients: ["D9"]),
    Row(question: "who has diabetes and who has Cushing's", patients: ["D3", "D4", "D5", "D7"]),
    Row(question: "has any dog been treated for a chocolate overdose?", patients: ["D9"]),
    Row(question: "patients we've had with a spinal fracture", patients: []),
    Row(question: "any pets on NSAIDs?", patients: ["D3", "D5"]),
    Row(question: "which female dogs are on NSAIDs", patients: ["D5"]),
    Row(question: "dogs over 10 on meloxicam", patients: ["D3"]),
    Row(question: "how many cats on amlodipine", patients: ["C2"]),
    Row(question: "patients with a murmur", patients: ["C2", "D3"]),
    Row(question: "which dogs have no murmur", patients: ["D5"]),
    Row(question: "who's allergic to penicillin", patients: ["D2"]),
    Row(question: "any patients that swelled up after penicillin?", patients: ["D2"]),
    Row(question: "which rabbits haven't had RHD2 vaccine", patients: ["R2", "R3"]),
    Row(question: "which rabbits have had a myxo jab", patients: ["R1"]),
    Row(question: "which dogs are overdue a booster", patients: ["D4"]),
    Row(question: "CKD cats overdue a recheck", patients: ["C2"]),
    Row(question: "hyperthyroid cats on amlodipine", patients: ["C2"]),
    Row(question: "diabetics", patients: ["D4", "D7"]),
    Row(question: "which deceased cats were hyperthyroid", patients: ["C1", "C2", "C5"]),
  ])
  func `a list holds the patients whose latest word says so, and no others`(row: Row) throws {
    let answer = try ask(row.question)
    #expect(Set(answer.citations.map(\.patientID)) == Set(row.patients), "\(answer.text)")
    #expect((answer.answerClass == .found) == !row.patients.isEmpty)
    for id in row.patients { #expect(answer.sentences.contains { $0.text.contains("(\(id), ") }) }
  }

  @Test func `a suspected problem is listed as suspected, and not counted`() throws {
    let answer = try ask("how many dogs have Cushing's?")
    #expect(answer.sentences.first?.text == "1 dog fits.")
    #expect(answer.sentences.contains { $0.text.contains("(D5, dog") && $0.text.contains("suspected") })
  }

  @Test func `a lifelong infection that was found once and not found later is disputed, with both words`() throws {
    let answer = try ask("which cats have FIV?")
    #expect(answer.answerClass == .conflicting)
    #expect(Set(answer.citations.map(\.patientID)) == ["C6"])
    #expect(answer.text.contains("POSITIVE") && answer.text.contains("FIV negative"))
  }

  @Test func `a problem that was long not mentioned is listed with its date, where nobody has it for certain`() throws {
    #expect(try ask("dogs with IMHA").text.contains("not mentioned since: 2023-01-05"))
  }

  @Test func `a count cites each patient that it counts`() throws {
    let answer = try ask("how many cats are hyperthyroid")
    let head = try #require(answer.sentences.first)
    #expect(head.text == "2 cats fit.")
    #expect(Set(head.citations.map { answer.citations[$0].patientID }) == ["C1", "C2"])
  }

  @Test func `ids that are numbers are not taken for notes`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("p.vetnet")
    try Practice.create(at: path, name: nil, timeZone: .utc, now: RegisterPractice.now)
    let practice = try Practice.open(at: path, models: try shippedModels(), access: .write)
    let source = try practice.connection.sources.id(named: "test")
    for id in ["1", "2", "3"] {
      _ = try practice.connection.patients.upsert(Patient(id: id, name: "Pet \(id)", species: .dog), source: source)
    }
    // The first note in the file is the second patient's; the first patient has another.
    for (id, patient, text) in [
      ("N2", "2", "Meloxicam stopped, vomiting."),
      ("N3", "1", "Nails clipped, teeth fine, sent home."), ("N4", "3", "Bright and well, weight stable."),
    ] {
      _ = try practice.connection.notes.upsert(
        ClinicalNote(
          id: id, patientID: patient, recordedAt: RegisterPractice.now.adding(days: -9), kind: .consult, text: text),
        source: source)
    }
    _ = try practice.index.reindex(ReindexOptions(), now: RegisterPractice.now, progress: { _ in })
    let answer = try practice.answers.ask(
      "which dogs are not on meloxicam?", patient: nil, askedAt: RegisterPractice.now)
    let cited = answer.citations.map { "\($0.patientID): \($0.noteID)" }
    #expect(Set(cited) == ["1: N3", "2: N2", "3: N4"], "\(answer.text)")
  }

  @Test func `a list of nobody says what was looked for`() throws {
    let answer = try ask("which ferrets are on insulin?")
    #expect(answer.answerClass == .notRecorded)
    #expect(answer.text.contains("insulin"))
  }

  @Test func `what is asked about drugs in general is no list`() throws {
    let answer = try ask("how often is phenobarbital given to dogs?")
    #expect(answer.sentences.allSatisfy { !$0.text.contains(" fit") })
  }
}

/// The practice that ``RegisterTests`` ask.
private struct RegisterPractice: Sendable {
  static let now = PracticeTimeZone.utc.timestamp(of: CalendarDate(iso: "2026-11-20") ?? CalendarDate(daysSince1970: 0))
  let folder: TemporaryFolder
  let path: String

  private static let patients: [Patient] = [
    Patient(id: "C1", name: "Ada", species: .cat), Patient(id: "C2", name: "Bess", species: .cat),
    Patient(id: "C3", name: "Cleo", species: .cat), Patient(id: "C4", name: "Dot", species: .cat),
    Patient(id: "C5", name: "Edie", species: .cat, deceasedAt: CalendarDate(year: 2026, month: 3, day: 1)),
    Patient(id: "D1", name: "Fly", species: .dog, sex: .maleNeutered),
    Patient(id: "D2", name: "Gus", species: .dog, sex: .male),
    Patient(id: "D3", name: "Hal", species: .dog, sex: .male, dateOfBirth: CalendarDate(year: 2013, month: 1, day: 1)),
    Patient(id: "D4", name: "Ivy", species: .dog, sex: .femaleSpayed),
    Patient(
      id: "D5", name: "Jet", species: .dog, sex: .female, dateOfBirth: CalendarDate(year: 2022, month: 1, day: 1)),
    Patient(id: "D6", name: "Kip", species: .dog), Patient(id: "D7", name: "Lad", species: .dog),
    Patient(id: "D8", name: "Max", species: .dog), Patient(id: "D9", name: "Ned", species: .dog),
    Patient(id: "C6", name: "Fay", species: .cat), Patient(id: "R1", name: "Kit", species: .rabbit),
    Patient(id: "R2", name: "Lop", species: .rabbit),
    Patient(id: "R3", name: "Moth", species: .rabbit),
  ]

  private static let notes: [(patient: String, day: String, kind: NoteKind, text: String)] = [
    ("C1", "2025-06-01", .consult, "Hyperthyroidism, new. Start methimazole 2.5 mg BID."),
    ("C2", "2024-02-01", .consult, "Hyperthyroid. CKD stage 2. Grade 2/6 murmur."),
    (
      "C2", "2026-03-01", .consult,
      "Hyperthyroid, controlled. CKD stable. Amlodipine 0.625 mg SID continued. Recheck in 3 months."
    ),
    ("C2", "2026-09-01", .prescription, "Amlodipine 0.625 mg SID, 56 tablets dispensed."),
    ("C3", "2024-02-01", .consult, "Hyperthyroid."),
    ("C3", "2025-02-01", .consult, "Six months after radioiodine: no hyperthyroidism at present."),
    ("C4", "2026-02-01", .consult, "T4 normal, hyperthyroidism ruled out. CKD stage 2. Recheck in 3 months."),
    ("C4", "2026-05-03", .consult, "CKD recheck, stable. Bright and well."),
    ("C5", "2025-02-01", .consult, "Hyperthyroid, on methimazole 2.5 mg BID."),
    ("D1", "2026-08-01", .consult, "Epilepsy. Phenobarbital 60 mg BID continued."),
    ("D2", "2023-08-01", .consult, "Phenobarbital 60 mg BID started."),
    ("D2", "2024-08-01", .consult, "Phenobarbital stopped. ALLERGIC TO PENICILLIN, swollen face after it."),
    ("D3", "2026-10-01", .consult, "Meloxicam 0.1 mg/kg SID continued. Grade 3/6 murmur."),
    ("D4", "2024-10-01", .consult, "Diabetes mellitus, insulin 6 iu BID. Booster L4 given, due Oct 2025."),
    ("D5", "2026-10-05", .consult, "Carprofen 50 mg BID started. No murmur. Possible Cushing's."),
    ("D3", "2026-10-20", .consult, "Cushing's disease confirmed."),
    ("D1", "2026-10-02", .consult, "Booster L4 given, due Oct 2027."),
    ("D6", "2026-06-01", .consult, "Phenobarbital 30 mg BID continued."),
    ("D6", "2026-10-10", .lab, "Levels taken in January: phenobarbital 27 ug/mL."),
    ("D7", "2026-06-01", .consult, "Diabetes mellitus. Caninsulin 6 iu BID started."),
    ("D8", "2026-06-01", .consult, "Caninsulin 4 iu BID started."),
    ("D8", "2026-09-01", .phone, "Stop insulin."),
    ("D9", "2023-01-05", .consult, "Immune-mediated haemolytic anaemia. Prednisolone 20 mg BID 14 days."),
    (
      "D9", "2021-12-26", .consult,
      "Ate 100 g dark choc an hour ago. Apomorphine given. Thoracic vertebrae normal on films."
    ),
    ("C6", "2024-02-24", .consult, "Snap test: FIV POSITIVE."),
    ("C6", "2025-03-09", .consult, "Retested: FIV negative."),
    ("R1", "2026-05-01", .nurse, "Myxo-RHD Plus vaccine given, due 01/05/27."),
    ("R2", "2026-05-01", .consult, "Nails clipped. Owner declined the RHD2 vaccine."),
    ("R3", "2026-05-01", .consult, "Nails clipped, teeth fine."),
  ]

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("p.vetnet")
    try Practice.create(at: path, name: nil, timeZone: .utc, now: Self.now)
    let practice = try Practice.open(at: path, models: try shippedModels(), access: .write)
    let source = try practice.connection.sources.id(named: "test")
    for patient in Self.patients { _ = try practice.connection.patients.upsert(patient, source: source) }
    for (index, note) in Self.notes.enumerated() {
      let day = CalendarDate(iso: note.day) ?? CalendarDate(daysSince1970: 0)
      _ = try practice.connection.notes.upsert(
        ClinicalNote(
          id: "N\(index)", patientID: note.patient, recordedAt: PracticeTimeZone.utc.timestamp(of: day),
          kind: note.kind, text: note.text), source: source)
    }
    _ = try practice.index.reindex(ReindexOptions(), now: Self.now, progress: { _ in })
  }
}
