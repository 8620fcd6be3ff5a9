import Answering
import Clinical
import Training

/// Questions with the sentences that answer them, one a line: `{"id","question","answer","class"}`, of class `found` or
/// `negative`; what else a line has is for its readers.
enum AnswerPairFile {
  private struct Line: Decodable {
    let id: String
    let question: String
    let answer: String
    let `class`: String?
  }

  /// - Throws: ``EvaluationError`` naming file, line and field.
  static func read(_ path: String) throws(EvaluationError) -> [AnswerPair] {
    var pairs: [AnswerPair] = []
    var ids: Set<String> = []
    for (line, item) in try LabelledFile.rows(path, as: Line.self, expected: "a question with its answer") {
      func fail(_ problem: String) -> EvaluationError { EvaluationError(file: path, line: line, problem: problem) }
      guard ids.insert(item.id).inserted else { throw fail("the id '\(item.id)' stands there twice") }
      guard !item.question.isEmpty, !item.answer.isEmpty else { throw fail("'question' or 'answer' is empty") }
      let answerClass = Answer.Class(rawValue: item.class ?? Answer.Class.found.rawValue)
      guard let answerClass, answerClass == .found || answerClass == .negative else {
        throw fail("'class' is neither found nor negative")
      }
      pairs.append(
        AnswerPair(id: item.id, question: item.question, answer: item.answer, answerClass: answerClass))
    }
    return pairs
  }
}
