import Clinical
import Extraction
import RecordTestSupport
import Testing

@testable import Answering

/// Questions for extremes, changes, levels of drugs, tests that were not done, and what an organism is resistant to.
@Suite struct MeasuredAnswerTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let question: String
    let answerClass: Answer.Class
    var notes: [String] = []
    var testDescription: String { question }
  }

  private func check(_ row: Row, _ notes: [ClinicalNote]) throws {
    let answer = try AnswerFixtures.ask(row.question, notes, species: .dog)
    #expect(answer.answerClass == row.answerClass)
    if !row.notes.isEmpty { #expect(Set(answer.citations.map(\.noteID)) == Set(row.notes)) }
  }

  private static let weights = [
    note("N1", "2021-03-01", "Booster. Weight 8.2 kg. T4 24 nmol/L (13-51)."),
    note("N2", "2022-03-05", "Weight up to 9.6 kg, BCS 7/9. T4 12 nmol/L (13-51)."),
    note("N3", "2022-09-01", "Diet clinic. Wt 9.4 kg. Budget of 300 pounds for the dental.", kind: .nurse),
    note("N4", "2023-02-10", "Fits again. Wt 34 kg."),
    note("N5", "2023-06-02", "Splenectomy. Wt 9.1 kg.", kind: .surgery),
    note("N6", "2024-06-02", "Well after the splenectomy last year. Weight down to 8.7 kg. T4 30 nmol/L (13-51)."),
  ]

  @Test(arguments: [
    Row(question: "top weight", answerClass: .found, notes: ["N2"]),
    Row(question: "when was he heaviest", answerClass: .found, notes: ["N2"]),
    Row(question: "lowest T4 ever and when", answerClass: .found, notes: ["N2"]),
    Row(question: "lowest weight we have recorded", answerClass: .found, notes: ["N1"]),
    Row(question: "most recent weight", answerClass: .found, notes: ["N6"]),
    Row(question: "how much weight has he lost since March 2022", answerClass: .found, notes: ["N2", "N6"]),
    Row(question: "total weight lost since heaviest", answerClass: .found, notes: ["N2", "N6"]),
    Row(question: "T4s?", answerClass: .found, notes: ["N1", "N2", "N6"]),
  ])
  func `extremes and changes come from all values, and never from one that those around it contradict`(row: Row) throws
  {
    try check(row, Self.weights)
  }

  private static let levels = [
    note("N1", "2022-02-01", "Started phenobarbital 60 mg BID and ciclosporin 100 mg SID."),
    note("N2", "2022-03-01", "Phenobarbital 28 ug/mL (15-40).", kind: .lab),
    note("N3", "2023-05-01", "Phenobarbital 90 mg BID now."),
    note("N4", "2024-08-12", "Seizure clinic. Blood for phenobarbital sent.", kind: .nurse),
  ]

  @Test(arguments: [
    Row(question: "phenobarb level?", answerClass: .found, notes: ["N2", "N4"]),
    Row(question: "what was the phenobarbital level in August 2024", answerClass: .notRecorded),
    Row(question: "phenobarbital level in March 2022", answerClass: .found, notes: ["N2"]),
    Row(question: "ciclosporin blood level", answerClass: .notRecorded),
  ])
  func `a level is a result or a sample, never a dose`(row: Row) throws {
    try check(row, Self.levels)
  }

  @Test(arguments: [
    ("Histology not back yet.", true), ("T4 pending.", true), ("Result to follow.", true),
    ("Blood for T4 sent.", false), ("Spec cPLI to lab.", false), ("Swab taken, sent to the lab.", false),
    ("Bloods fine, follow up in May.", false),
    ("Weight back to 4 kg, no vomiting, bloods due.", false),
  ])
  func `that a result is awaited is said in words of its own`(text: String, isAwaited: Bool) throws {
    let asked = try RuleVerification.asked("T4?", of: [note("N1", "2026-02-01", text)])
    let unit = try #require(asked.units.first)
    #expect(SampleAnswer.tellsOfAwaited(unit, asked.question.classes) == isAwaited)
  }

  private static let panel = [
    note("N1", "2023-03-01", "Cobalamin 168 ng/L (252-908)."), note("N2", "2023-03-02", "Folate 22.1 ug/L (7.7-24.4)."),
    note("N3", "2023-04-01", "Bromide 1.3 mg/ml (1.0-2.0).", kind: .lab),
    note("N4", "2023-04-02", "Phenobarbital 23 ug/mL.", kind: .lab),
    note("N5", "2023-05-01", "Libromide 325 mg SID and phenobarbital 60 mg BID go on."),
  ]

  @Test(arguments: [
    Row(question: "B12 level?", answerClass: .found, notes: ["N1"]),
    Row(question: "bromide level?", answerClass: .found, notes: ["N3"]),
  ])
  func `a level is none of what is measured beside it`(row: Row) throws {
    try check(row, Self.panel)
  }

  private static let laboratory = [
    note("N1", "2021-05-01", "Booster DHP. FeLV not stocked. O asks about mange."),
    note(
      "N2", "2022-01-04", "Calcium 2.5 mmol/L (2.2-2.9). Potassium 6.1 mmol/L (3.6-5.6) H. Ammonia not tested.",
      kind: .lab),
    note("N3", "2022-06-01", "In clinic: ECG not available. Creatinine 150 umol/L (71-212)."),
    note(
      "N4", "2023-07-01",
      "Ear swab: heavy growth Pseudomonas aeruginosa. Sensitive: gentamicin. Resistant: enrofloxacin, cefalexin.",
      kind: .lab),
    note("N5", "2024-02-22", "Heart clinic. Blood taken for U&E and sent, result pending.", kind: .nurse),
  ]

  @Test(arguments: [
    Row(question: "blood ammonia", answerClass: .negative, notes: ["N2"]),
    Row(question: "what did the ECG show in June 2022", answerClass: .negative, notes: ["N3"]),
    Row(question: "calcium high?", answerClass: .negative, notes: ["N2"]),
    Row(question: "was the potassium high?", answerClass: .found, notes: ["N2"]),
    Row(question: "is the potassium normal?", answerClass: .negative, notes: ["N2"]),
    Row(question: "what was the creatinine in Feb 2024", answerClass: .found, notes: ["N5"]),
    Row(question: "which antibiotics was the ear bug resistant to", answerClass: .found, notes: ["N4"]),
  ])
  func `what was not done, not back, in range or resistant is told from the results`(row: Row) throws {
    try check(row, Self.laboratory)
  }

  @Test func `of a susceptibility report the line asked for is shown`() throws {
    let answer = try AnswerFixtures.ask("what was the Pseudomonas resistant to", Self.laboratory, species: .dog)
    #expect(answer.text.contains("Resistant: enrofloxacin, cefalexin"))
    #expect(!answer.text.contains("gentamicin"))
  }
}
