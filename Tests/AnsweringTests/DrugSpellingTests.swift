import Clinical
import RecordTestSupport
import Testing
import VetNetTestSupport

@testable import Answering

/// Drugs are typed by hurried hands; no slip may hide what a patient did not bear.
struct DrugSpellingTests {
  private static func spelling(
    of question: String, isKnown: (String) -> Bool = { _ in false }, isWritten: (String) -> Bool = { _ in false }
  ) throws -> DrugSpelling {
    try DrugSpelling(
      question, formulary: AnswerFixtures.tolerance.get().formulary, isKnown: isKnown, isWritten: isWritten)
  }

  @Test(arguments: [
    ("can he have rimadly", "can he have rimadyl"), ("any trouble with carprofin?", "any trouble with carprofen?"),
    ("Osurna ok?", "osurnia ok?"), ("prednisilone dose", "prednisolone dose"),
    ("on gabapentine still", "on gabapentin still"),
  ])
  func `a slip of the hand is read as the drug that it is near to, and said`(typed: String, read: String) throws {
    let spelling = try Self.spelling(of: typed)
    #expect(spelling.text == read)
    #expect(spelling.note?.hasPrefix("Read “") == true)
  }

  @Test(arguments: [
    "can he have rimadyl", "any trouble with carprofen?", "which method was used", "any bacterium grown",
    "tobramycin drops?", "had flubendazole?", "clean margin?", "is she on the intra-articular course", "how is Bella",
    "metacam?",
  ])
  func `what is spelt right or near to no name stays`(question: String) throws {
    let spelling = try Self.spelling(of: question)
    #expect(spelling.text == question && spelling.note == nil)
  }

  @Test func `a word that something is known of, or that the record has, stays`() throws {
    #expect(try Self.spelling(of: "can he have rimadly", isKnown: { $0 == "rimadly" }).note == nil)
    #expect(try Self.spelling(of: "can he have rimadly", isWritten: { $0 == "rimadly" }).note == nil)
  }

  @Test(arguments: ["can he have rimadly", "any trouble with carprofin?", "Rimadly ok?"])
  func `over a reaction there is neither silence nor a no, however its drug is spelt`(question: String) throws {
    let note = ClinicalNote(
      id: "N1", patientID: "P1", recordedAt: noon("2024-03-01"), author: "V", kind: .consult,
      text: "Black stools and vomiting on day four of carprofen. Stopped, never again for him.")
    let answer = try AnswerFixtures.ask(question, [note])
    #expect(answer.answerClass == .found, "\(answer.text)")
    #expect(answer.text.hasPrefix("Read “") && answer.headline?.hasPrefix("Read “") == true, "\(answer.text)")
    #expect(Set(answer.citations.map(\.noteID)) == ["N1"])
  }
}
