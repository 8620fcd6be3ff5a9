public import Answering
import Chart
import Clinical
public import Extraction

/// A question with nothing but the sentences that answer it, from no record in particular: it teaches which words go
/// together, and in which words a no is said.
public struct AnswerPair: Sendable {
  public var id: String
  public var question: String
  /// As a note has it.
  public var answer: String
  /// Whether it answers, or says no.
  public var answerClass: Answer.Class

  public init(id: String, question: String, answer: String, answerClass: Answer.Class = .found) {
    self.id = id
    self.question = question
    self.answer = answer
    self.answerClass = answerClass
  }

  /// The pair as an example: its answer is a record's only note, and right as a whole.
  ///
  /// - Parameter facts: reads the facts of a text.
  /// - Returns: an example of the pair's class.
  public func example(facts: (String) -> [Fact]) -> AnswerExample {
    let moment = Timestamp(seconds: 0)
    let note = ClinicalNote(id: id, patientID: id, recordedAt: moment, kind: .consult, text: answer)
    let record = PatientRecord(
      patient: Patient(id: id, name: "", species: .dog), notes: [note], facts: [id: facts(answer)])
    return AnswerExample(
      id: id, question: question, record: record, askedAt: moment, right: RightAnswer(answerClass, evidence: [id]),
      group: id, practice: "")
  }
}
