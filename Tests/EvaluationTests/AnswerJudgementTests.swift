import Answering
import Testing

@testable import Evaluation

/// What is counted against an answer beside its class.
struct AnswerJudgementTests {
  private func missesReaction(_ said: Answer.Class, label: String, type: String?) -> Bool {
    let item = QuestionCase(
      id: "1", askedAt: "2026-11-20", question: "any bother with jabs?", answerClass: label, mustContain: [],
      mustNotContain: [], evidence: [], type: type)
    return AnswerJudgement(Answer(said, text: ""), label: item, drugs: []).missesReaction
  }

  @Test(arguments: [
    (Answer.Class.negative, "found", "reaction", true), (.notRecorded, "found", "allergy", true),
    (.negative, "conflicting", "allergy/reaction", true), (.found, "conflicting", "reaction", false),
    (.negative, "negative", "reaction", false), (.notRecorded, "not_recorded", "allergy", false),
    (.negative, "found", "lab", false),
  ])
  func `"no" and silence over a reaction on record are counted`(
    said: Answer.Class, label: String, type: String, isMissed: Bool
  ) {
    #expect(missesReaction(said, label: label, type: type) == isMissed)
  }

  @Test func `a question without a type is about no reaction`() {
    #expect(!missesReaction(.negative, label: "found", type: nil))
  }
}
