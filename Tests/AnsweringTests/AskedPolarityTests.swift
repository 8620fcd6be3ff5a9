import Clinical
import RecordTestSupport
import Testing

@testable import Answering

/// The headline answers the question as it was asked.
@Suite struct AskedPolarityTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let question: String
    let note: String
    let expected: Answer.Class
    var testDescription: String { "\(question) · \(note)" }
  }

  @Test(arguments: [
    Row(question: "Did she turn the scan down?", note: "Scan offered, declined on cost.", expected: .found),
    Row(
      question: "Was the scan declined?", note: "Abdominal scan today: spleen normal, liver enlarged.",
      expected: .negative),
    Row(question: "Was the scan declined?", note: "Ears clean, heart clear.", expected: .notRecorded),
    Row(question: "Has lungworm been excluded?", note: "Lungworm test negative.", expected: .found),
    Row(question: "Has lungworm been excluded?", note: "Lungworm test positive.", expected: .negative),
    Row(question: "Has lungworm been excluded?", note: "Lungworm treatment due in May.", expected: .notRecorded),
    Row(question: "lungworm ruled out?", note: "Lungworm test negative.", expected: .found),
    Row(question: "Was the dental cancelled?", note: "Owner cancelled the dental.", expected: .found),
    Row(question: "Has the prednisolone been stopped?", note: "Prednisolone 5 mg SID stopped today.", expected: .found),
    Row(question: "Has the prednisolone been stopped?", note: "Prednisolone 5 mg SID, continue.", expected: .negative),
    Row(question: "Was the scan done?", note: "Scan offered, declined on cost.", expected: .negative),
    Row(question: "Does she have lungworm?", note: "Lungworm test negative.", expected: .negative),
  ])
  func `a question whose verb is a no is answered by what happened to the thing`(row: Row) throws {
    let answer = try AnswerFixtures.ask(row.question, [note("N1", "2026-09-01", row.note)])
    #expect(answer.answerClass == row.expected, "\(answer.text)")
  }

  @Test(arguments: [
    ("Did she turn the scan down?", "Was she the scan done?"), ("Has Addison's been excluded?", "Is there Addison's?"),
    ("Was the op put off?", "Was the op done?"), ("Has he been taken off the pred?", "Is she on he the pred?"),
  ])
  func `the thing is asked for without the verb`(question: String, plain: String) throws {
    let classes = try AnswerFixtures.classes.get()
    #expect(AskedPolarity(question, classes: classes, isDrug: { $0.contains("pred") })?.plain == plain)
  }

  @Test(arguments: [
    "When was the scan declined?", "What does the policy exclude?", "Has the cough stopped?", "Was it not declined?",
    "Is the wound clean?", "Which drugs were stopped?", "any tests declined",
  ])
  func `other questions are asked as they stand`(question: String) throws {
    let classes = try AnswerFixtures.classes.get()
    #expect(AskedPolarity(question, classes: classes, isDrug: { _ in false }) == nil)
  }

  @Test func `the short form of a drug that is an everyday word names no drug`() throws {
    func namesDrug(_ question: String) throws -> Bool {
      try AnswerFixtures.parse(question).groups.contains(where: \.isDrug)
    }
    #expect(try !namesDrug("was the lump taken off at the same time as the pyo?"))
    #expect(try namesDrug("is he still on Zentonil?") && namesDrug("is he still on ACP?"))
  }

  @Test func `no is never said over a reaction`() throws {
    let answer = try AnswerFixtures.ask(
      "Has a penicillin allergy been ruled out?",
      [note("N1", "2026-09-01", "Amoxicillin given, face swelled within ten minutes. Allergic to penicillin.")])
    #expect(answer.answerClass == .found || answer.answerClass == .conflicting, "\(answer.text)")
  }

  @Test(arguments: [
    ("When was she spayed, and what is she fed?", ["When was she spayed?", "what is she fed?"]),
    ("What does she weigh and who did the spay?", ["What does she weigh?", "who did the spay?"]),
    ("When was she spayed? Who did the spay?", ["When was she spayed?", "Who did the spay?"]),
    ("Was the scan done and what did it show?", []), ("highest T4 and when?", []),
    ("vomiting and diarrhoea, when did it start?", []),
  ])
  func `two questions are two, and a second clause on the same thing is none`(question: String, parts: [String]) throws
  {
    let found = QuestionParts(
      question, classes: try AnswerFixtures.classes.get(),
      topics: { text in
        Set(((try? AnswerFixtures.parse(text))?.groups ?? []).filter { !$0.isFrame }.map { $0.text.lowercased() })
      })
    #expect(found?.parts ?? [] == parts)
  }

  @Test func `what the record does not say of two things is named`() throws {
    let answer = try AnswerFixtures.ask(
      "What does she weigh, and what is she insured with?", [note("N1", "2026-09-01", "Wt 12.4 kg.")])
    #expect(answer.answerClass == .found)
    #expect(answer.text.contains("12.4 kg"))
    #expect(answer.headline == "The record doesn't say: what is she insured with.")
  }

  @Test func `two answers keep their own citations`() throws {
    let answer = try AnswerFixtures.ask(
      "What did she weigh last, and when was she spayed?",
      [note("N1", "2025-02-01", "Spay, routine.", kind: .surgery), note("N2", "2026-09-01", "Wt 12.4 kg.")])
    #expect(Set(answer.citations.map(\.noteID)) == ["N1", "N2"])
    for sentence in answer.sentences {
      let quotes = sentence.citations.map { answer.citations[$0].quote }
      #expect(quotes.allSatisfy { sentence.text.contains($0) })
    }
  }
}
