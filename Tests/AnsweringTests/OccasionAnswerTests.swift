import Clinical
import Extraction
import RecordTestSupport
import Testing

@testable import Answering

/// Questions for values at certain moments and for the time between two events.
@Suite struct OccasionAnswerTests {
  private func ask(_ question: String, _ notes: [ClinicalNote]) throws -> Answer {
    try AnswerFixtures.ask(question, notes, species: .cat)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let question: String
    let notes: [String]
    var testDescription: String { question }
  }

  private static let history = [
    note("N1", "2022-01-10", "First block. Urethral catheter placed. K 8.2 mmol/L, creat 612. Wt 6.8kg."),
    note("N2", "2022-03-02", "Booster. Wt 6.5kg. Grade 2/6 murmur."),
    note("N3", "2023-06-13", "Second block, catheterised. K 6.1 mmol/L. Wt 6.9kg."),
    note("N4", "2023-09-01", "Amlodipine 0.625mg SID started. Wt 6.4kg. Creatinine 150 umol/L (71-212). Murmur 3/6."),
    note("N5", "2024-02-01", "Well. Wt 6.0kg. Creatinine 171 umol/L (71-212)."),
    note("N6", "2025-08-01", "Wt 5.8kg. Creatinine 202 umol/L (71-212). Murmur 4/6."),
  ]

  @Test(arguments: [
    Row(question: "creatinine before and after amlodipine", notes: ["N4", "N5"]),
    Row(question: "weight before the amlodipine and now", notes: ["N4", "N6"]),
    Row(question: "How long was it between the first block and the second?", notes: ["N1", "N3"]),
    Row(question: "gap between the two blocks", notes: ["N1", "N3"]),
    Row(question: "potassium each time he blocked", notes: ["N1", "N3"]),
    Row(question: "How has the murmur progressed?", notes: ["N2", "N4", "N6"]),
  ])
  func `what was at the moments asked about is shown with each of them`(row: Row) throws {
    let answer = try ask(row.question, Self.history)
    #expect(answer.answerClass == .found)
    #expect(answer.citations.map(\.noteID).uniqued() == row.notes)
  }

  @Test func `an event that the record does not tell of is no moment`() throws {
    let answer = try ask("weight before and after the thyroidectomy", Self.history)
    #expect(answer.citations.map(\.noteID) != ["N1", "N6"])
  }

  @Test func `what a note itself says of the time between is shown`() throws {
    let answer = try ask(
      "gap between the two mast cell tumours",
      [
        note("N1", "2021-05-13", "Mast cell tumour left thigh, excised."),
        note("N2", "2023-02-20", "Second mast cell tumour, prepuce. 21 months after the first."),
      ])
    #expect(answer.text.contains("21 months"))
  }

  @Test(arguments: [
    ("heart murmur?", "HR 108, no murmur.", Answer.Class.negative),
    ("Were there bladder stones on the scan?", "Bladder small, no stones on scan.", .negative),
    ("did anything grow from her urine?", "Urine culture: no growth.", .negative),
    (
      "Has the lump on the flank been needled?", "Lump L flank 8mm, hairless, O declines FNA, measure monthly.",
      .negative
    ),
    ("heart murmur?", "HR 108, grade 3/6 murmur.", .found),
  ])
  func `a phrase is denied with its last word, and by a refusal beside any part of it`(
    question: String, text: String, expected: Answer.Class
  ) throws {
    #expect(try ask(question, [note("N1", "2026-03-01", text)]).answerClass == expected)
  }

  @Test func `the level of a drug is found in a list of results`() throws {
    let answer = try ask(
      "last phenobarb level",
      [
        note("N1", "2025-01-01", "Phenobarb level today 23."),
        note("N2", "2026-01-01", "Phenobarbital 29.0 mg/L (15-40).", kind: .lab),
      ])
    #expect(answer.citations.map(\.noteID).contains("N2"))
  }

  @Test func `a later dose in units that names no drug is shown with the insulin`() throws {
    let answer = try ask(
      "what insulin dose is she on?",
      [
        note("N1", "2026-09-01", "ProZinc 1 unit twice daily started."),
        note("N2", "2026-10-01", "Nadir 9.8. Dose to 2u BID."),
      ])
    #expect(answer.text.contains("2u"))
  }
}

extension Array where Element: Hashable {
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
