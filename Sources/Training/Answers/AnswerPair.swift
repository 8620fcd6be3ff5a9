import Answering
import Chart
import Clinical
public import Extraction

/// A question with nothing but the sentences that answer it, from no record in particular: it teaches which words go together.
public struct AnswerPair: Sendable {
  public var id: String
  public var question: String
  /// As a note has it.
  public var answer: String

  public init(id: String, question: String, answer: String) {
    self.id = id
    self.question = question
    self.answer = answer
  }

  /// The pair as an example: its answer is a record's only note, and right as a whole.
  ///
  /// - Parameter facts: reads the facts of a text.
  /// - Returns: an example of class found.
  public func example(facts: (String) -> [Fact]) -> AnswerExample {
    let moment = Timestamp(seconds: 0)
    let note = ClinicalNote(id: id, patientID: id, recordedAt: moment, kind: .consult, text: answer)
    let record = PatientRecord(
      patient: Patient(id: id, name: "", species: .dog), notes: [note], facts: [id: facts(answer)])
    return AnswerExample(
      id: id, question: question, record: record, askedAt: moment, right: RightAnswer(.found, evidence: [id]),
      group: id, practice: "")
  }
}
