import Answering
import Clinical
import RecordTestSupport
import Testing
import VetNetTestSupport

/// "Can she have it?" is answered from what she did not bear: neither "no" nor silence is said over a reaction.
struct ToleranceAnswerTests {
  private static let baytril = note(
    "N1", "2021-03-01", "Enrofloxacin given sc. Face swelled up within the hour, hives all over. Not to have it again.")
  private static let sedation = note(
    "N2", "2022-05-01", "Flat for two days after the sedation, took all weekend to come round.")
  private static let tolerated = note(
    "N3", "2023-02-01", "Propofol and iso, uneventful anaesthetic, no problems, up and eating within the hour.")

  private static func note(_ id: String, _ day: String, _ text: String) -> ClinicalNote {
    ClinicalNote(id: id, patientID: "P1", recordedAt: noon(day), author: "V", kind: .consult, text: text)
  }

  @Test(arguments: [
    ("Can Fern have enrofloxacin?", "N1"), ("can she have marbofloxacin for this ear?", "N1"),
    ("any antibiotics to avoid?", "N1"), ("is a fluoroquinolone ok for her?", "N1"),
    ("any bother with sedation before?", "N2"),
  ])
  func `a question about a drug, its class or its relatives meets the reaction`(question: String, note: String) throws {
    let answer = try AnswerFixtures.ask(question, [Self.baytril, Self.sedation])
    #expect(answer.answerClass == .found, "\(answer.text)")
    #expect(answer.citations.contains { $0.noteID == note })
  }

  @Test func `a relative is answered with the row of the formulary`() throws {
    let answer = try AnswerFixtures.ask("can she have marbofloxacin?", [Self.baytril])
    #expect(answer.text.contains("Formulary:"), "\(answer.text)")
  }

  @Test func `what was borne is told as no trouble, and only where nothing says otherwise`() throws {
    let answer = try AnswerFixtures.ask("any bother with her anaesthetic?", [Self.tolerated])
    #expect(answer.answerClass == .negative, "\(answer.text)")
    let both = try AnswerFixtures.ask("any bother with her anaesthetic?", [Self.sedation, Self.tolerated])
    #expect(both.answerClass != .negative && both.answerClass != .notRecorded, "\(both.text)")
  }

  @Test func `a drug without a word on record is silence, not tolerance`() throws {
    #expect(try AnswerFixtures.ask("can she have robenacoxib?", [Self.sedation]).answerClass == .notRecorded)
  }
}
